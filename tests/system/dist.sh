#!/bin/sh
# The distribution has every file of the repository except those for CI and git: a fast check for the most likely failure of `make distcheck`.
. "$srcdir/tests/tools/common.sh"
git -C "$srcdir" ls-files --error-unmatch configure.ac >/dev/null 2>&1 || { echo "no git repository: skipped"; exit 77; }
make -s distdir distdir="$tmp/dist" >"$tmp/log" 2>&1 || { tail -3 "$tmp/log"; fail "make distdir"; }
git -C "$srcdir" ls-files | grep -v -e '^\.ci/' -e '^\.gitignore$' | while read -r file; do
    [ -e "$tmp/dist/$file" ] || echo "$file"
done >"$tmp/missing"
[ ! -s "$tmp/missing" ] || { cat "$tmp/missing"; fail "not distributed (EXTRA_DIST in Makefile.am)"; }
echo "$(git -C "$srcdir" ls-files | wc -l) files"
