#!/bin/sh
# What a small set of records gives, compared byte by byte with tests/fixtures/golden/expected.txt: tables, orderings, figures, RESULTS.md. The records (tests/fixtures/golden/records)
# are some of the published ones with everything that was ever read wrongly: rows of --short, failed and replaced rows, a gap, a run without a number, methods, attacks,
# published splits. Then every ordering is judged a second time by a plain version in awk.
# After a change that is meant: GOLDEN=update srcdir=. sh tests/system/golden.sh, and read the difference.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none" LC_ALL=C
from="$srcdir/tests/fixtures/golden/records" paper="$srcdir/paper_tables"
jcb tables --records "$from" --paper "$paper" --out "$tmp/tables" || fail "jcb tables"
jcb figures --records "$from" --paper "$paper" --curves "$tmp/none" --out "$tmp/figures" >"$tmp/says" 2>&1 || fail "jcb figures: $(cat "$tmp/says")"
jcb report --markdown "$tmp/RESULTS.md" --draft --records "$from" --paper "$paper" --figures "$tmp/figures" --data "$data" --specs "$srcdir/bench/specs" >/dev/null 2>&1 ||
    fail "jcb report"
# Numbers of TSV files with six digits: others depend on the compiler's rounding. Rows without runs are left out.
rounded() { awk -F'\t' -v OFS='\t' '/\tnot run/ { next } { for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && $i ~ /[.e]/) $i = sprintf("%.6g", $i) } 1' "$1"; }
{
    for file in "$tmp"/tables/*.tsv "$tmp"/figures/*.tsv; do
        rounded "$file" >"$tmp/rows"
        [ "$(grep -vc '^#' "$tmp/rows")" -lt 2 ] || { echo "==> ${file#"$tmp"/}"; cat "$tmp/rows"; }
    done
    for file in tables/README.md tables/main_res.md tables/crf-gcn.tex RESULTS.md; do
        echo "==> $file"
        sed -e '/^| machine |/d' -e '/^| build |/d' -e '/^| compiler |/d' -e '/^| libraries |/d' -e '/Draft/d' -e "s,$tmp,TMP,g" "$tmp/$file"
    done
} >"$tmp/got"
want="$srcdir/tests/fixtures/golden/expected.txt"
[ "${GOLDEN:-}" != update ] || cp "$tmp/got" "$want"
diff "$want" "$tmp/got" >"$tmp/diff" || { head -n 40 "$tmp/diff"; fail "the output differs from $want"; }

# verdict, difference, e-value and adjusted e-value of every ordering from the records alone.
for claims in "$tmp"/tables/*.claims.tsv; do
    cat "$from"/*.tsv >"$tmp/all"
    awk -f "$srcdir/tests/fixtures/golden/verdicts.awk" "$paper/metrics.tsv" "$paper/splits.tsv" "$paper/tables.tsv" "$tmp/all" "$claims" >"$tmp/second" || { head "$tmp/second"; fail "$claims"; }
    judged=$((${judged:-0} + $(cat "$tmp/second")))
done
holds "orderings were judged twice" [ "$judged" -gt 30 ]
echo "$(wc -l <"$tmp/got") lines are as expected, $judged orderings judged twice"
