#!/bin/sh
# The installed program works in any directory, without the source tree: one program in bindir, its data files, data sets in the user's directories.
. "$srcdir/tests/tools/common.sh"
make -s install DESTDIR="$tmp/dest" >"$tmp/log" 2>&1 || fail "make install: $(tail -n 1 "$tmp/log")"
bin=$(find "$tmp/dest" -type d -name bin)
holds "bindir has jcb and nothing else" [ "$(ls "$bin")" = jcb ]
holds "a manual page for each command" [ "$(find "$tmp/dest" -name 'jcb-*.1' | wc -l)" -eq "$("$bin/jcb" --print-options | wc -l)" ]
holds "a completion" [ -f "$(dirname "$bin")/share/bash-completion/completions/jcb" ]
mkdir "$tmp/home" "$tmp/elsewhere"
away() { (cd "$tmp/elsewhere" && env -i HOME="$tmp/home" PATH="$bin:/usr/bin:/bin" "$@"); }
expect 0 "^BLAS .*METIS .*instruction set" away jcb --version
expect 0 "^cora " away jcb data list
expect 0 "^cora .* absent" away jcb fetch --list cora
expect 0 "^Usage: jcb bench mixup" away jcb bench mixup --help
expect 2 "unknown experiment 'mixpu'; did you mean 'mixup'?" away jcb bench mixpu
expect 1 "nowhere/catalog.tsv: not found: give the data directory with --data" away jcb train --data nowhere --epochs 1
expect 0 "^run 0: " away jcb train --dataset twin:cora --model mlp --epochs 2
holds "computed data are in the user's cache" [ -d "$tmp/home/.cache/jcbench" ]
expect 0 "^cora .*mlp" away jcb bench balanced --only dataset=cora,model=mlp,loss=ce --runs 1 --threads 1
away jcb tables || fail "jcb tables"
holds "tables of the records" grep -q '^| \[main..res\].*| 1 of 50 ' "$tmp/elsewhere/results/tables/README.md"
expect 0 "figures: results/figures" away jcb figures --draw
if command -v gnuplot >/dev/null; then
    holds "figures are drawn" [ -s "$tmp/elsewhere/results/figures/balanced.svg" ]
fi
expect 0 "comparisons confirmed" away jcb report
# From a mirror: files are fetched into the user's data directory and found there.
mkdir -p "$tmp/mirror"
away env XDG_DATA_HOME="$tmp/home/data" jcb fetch --mirror "$tmp/mirror" --list cora >"$tmp/out" 2>&1 || fail "fetch with XDG_DATA_HOME"
make -s uninstall DESTDIR="$tmp/dest" >"$tmp/log" 2>&1 || fail "make uninstall: $(tail -n 1 "$tmp/log")"
holds "uninstall leaves no file and none of our directories" [ -z "$(find "$tmp/dest" -type f -o -name 'jcbench')" ]
echo "$checks checks"
