#!/bin/sh
# same_runs.sh [--bits] WANT OUT [SEEN]: compares the records of a disturbed `jcb reproduce` in OUT with those of an undisturbed one in WANT. The number of runs of a
# cell depends on when verdicts were computed, so the two need not have the same runs, and neither do two undisturbed ones. Checked:
#   - a run is recorded once with status ok; runs that both have, have the same bits; all rows are complete
#   - the same cells; in each the runs 0, 1, ... without a gap, except for one run that was interrupted at the end and not needed any more
#   - orderings with equal numbers of pairs have the same difference, interval and e-value
#   - with --bits only the bits of runs that both have, not cells and orderings
#   - every row of SEEN (`same_runs.sh --rows OUT`, written at any earlier time) still exists
# Prints counts, or FAILED and the reason.
srcdir=${srcdir:-.}
. "$srcdir/tests/tools/common.sh"
# Complete rows (by their check): file, key, status, bits, cell, run.
rows() {
    for f in "$1"/records/*.tsv; do
        [ ! -e "$f" ] || columns "$f" check key status param_hash test_acc run dataset model loss setting | sed -n "s|^[0-9a-f]\{16\} |${f##*/} |p"
    done | sort
}
good() { awk '$3 == "ok"' "$1"; }
if [ "${1-}" = --rows ]; then
    rows "${2:?OUT}"
    exit
fi
bits=0
if [ "${1-}" = --bits ]; then
    bits=1
    shift
fi
want=${1:?WANT} out=${2:?OUT}
rows "$want" >"$tmp/want"
rows "$out" >"$tmp/have"
good "$tmp/want" | cut -d' ' -f1-5 >"$tmp/a"
good "$tmp/have" | cut -d' ' -f1-5 >"$tmp/b"
holds "there are runs" [ -s "$tmp/b" ]
twice=$(cut -d' ' -f1,2 "$tmp/b" | uniq -d)
holds "runs are there twice: $twice" [ -z "$twice" ]
awk 'NR == FNR { bits[$1 " " $2] = $4 " " $5; next } ($1 " " $2) in bits { both++; if (bits[$1 " " $2] != $4 " " $5) print $1, $2 > other } END { print both + 0 }' \
    other="$tmp/other" "$tmp/a" "$tmp/b" >"$tmp/both"
holds "different bits: $(head -n 3 "$tmp/other" 2>/dev/null)" [ ! -s "$tmp/other" ]
both=$(cat "$tmp/both")
holds "runs that both have" [ "$both" -gt 0 ]

# Cells: file, data set, model, loss, setting; runs, the highest one, failed ones. Those without a gap have the highest run n - 1.
cells() { awk '{ c = $1 " " $7 " " $8 " " $9 " " $10; if ($3 != "ok") { bad[c]++; next } n[c]++; if ($6 > top[c]) top[c] = $6 } END { for (c in n) print c, n[c], top[c] + 0, bad[c] + 0 }' "$1" | sort; }
cells "$tmp/want" >"$tmp/cells.want"
cells "$tmp/have" >"$tmp/cells.have"
if [ $bits = 0 ]; then
    holds "other cells" [ "$(cut -d' ' -f1-5 "$tmp/cells.want")" = "$(cut -d' ' -f1-5 "$tmp/cells.have")" ]
    holds "gaps: $(awk '$7 >= $6' "$tmp/cells.want")" awk '$7 >= $6 { exit 1 }' "$tmp/cells.want"
    holds "gaps: $(awk '$7 > $6 + $8' "$tmp/cells.have")" awk '$7 > $6 + $8 { exit 1 }' "$tmp/cells.have"
fi

if [ -n "${3-}" ]; then
    sort -u "$3" | comm -23 - "$tmp/have" >"$tmp/lost"
    holds "rows are lost: $(head -n 3 "$tmp/lost")" [ ! -s "$tmp/lost" ]
    holds "rows were seen" [ -s "$3" ]
fi
for f in "$want" "$out"; do
    jcb check "$f" >"$tmp/check" 2>&1 || fail "jcb check $f: $(tail -n 1 "$tmp/check")"
done

if [ $bits = 1 ]; then
    echo "$(wc -l <"$tmp/b") runs, each once, $both of them with the bits of an undisturbed run; $(awk '$3 != "ok"' "$tmp/have" | wc -l) given up; $checks checks"
    exit
fi

# Orderings: the quantities that depend on their pairs only (the verdict also depends on the other orderings of the table).
orderings() {
    for f in "$tmp/$1"/*.claims.tsv; do
        ! head -n 1 "$f" | grep -q model_a || columns "$f" table dataset model_a loss_a setting_a model_b loss_b setting_b metric n difference cs_low cs_high e_value
    done | awk '$10 > 0 { print $1 "/" $2 "/" $3 "/" $4 "/" $5 "/" $6 "/" $7 "/" $8 "/" $9 "/" $10, $11, $12, $13, $14 }' | sort
}
for f in want have; do
    [ $f = want ] && from=$want || from=$out
    jcb tables --records "$from/records" --paper "$srcdir/paper_tables" --out "$tmp/$f.tables" >"$tmp/log" 2>&1 || fail "jcb tables: $(tail -n 1 "$tmp/log")"
    orderings $f.tables >"$tmp/orderings.$f"
done
join "$tmp/orderings.want" "$tmp/orderings.have" >"$tmp/joined"
holds "orderings: $(awk '$2 " " $3 " " $4 " " $5 != $6 " " $7 " " $8 " " $9' "$tmp/joined" | head -n 1)" awk '$2 " " $3 " " $4 " " $5 != $6 " " $7 " " $8 " " $9 { exit 1 }' "$tmp/joined"

echo "$(wc -l <"$tmp/b") runs, each once, $both of them with the bits of an undisturbed run; it has $(($(wc -l <"$tmp/a") - both)) others;" \
    "$(wc -l <"$tmp/cells.have") cells, $(awk '$7 >= $6' "$tmp/cells.have" | wc -l) with a gap; $(good "$tmp/have" | wc -l) ok and $(awk '$3 != "ok"' "$tmp/have" | wc -l) given up;" \
    "$(wc -l <"$tmp/joined") orderings with as many pairs; $checks checks"
