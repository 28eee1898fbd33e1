#!/bin/sh
# Files of experiments besides training records: the bins of bench_ece give the recorded ECE, and calibration is recorded; bench_loss_gap has a row for each epoch; a lost curve is
# recomputed; bench_datasets counts single-label and multi-label data, once. On synthetic twins.
. "$srcdir/tests/tools/common.sh"
grep -E '^(#|name|cora	|pubmed	)' "$srcdir/data/catalog.tsv" >"$data/catalog.tsv"
awk -F'\t' -v OFS='\t' '$1 == "yelp" { $5 = 900; $6 = 4000; $7 = 20; $8 = 10; print }
    $1 == "amazon"' "$srcdir/data/catalog.tsv" >>"$data/catalog.tsv"
export JCB_RAW="$tmp/none"

bench_ece --data "$data" --out "$tmp" --only dataset=pubmed,loss=jc --runs 1 --quiet || fail "bench_ece"
key=$(columns "$tmp/records/ece.tsv" key)
awk -F'\t' -v want="$(columns "$tmp/records/ece.tsv" ece)" 'NR > 1 { n += $3; d = $4 - $5; sum += $3 * (d < 0 ? -d : d); bins++ }
    NR > 1 && ($3 ? !($4 > $1 && $4 <= $2) : $4 $5 != "") { print "bad bin: " $0; exit 1 }
    END { e = sum / n - want; if (bins != 10 || n != 1000 || e * e > 1e-14) { print bins " bins, " n " nodes, " sum / n " is not " want; exit 1 } }' \
    "$tmp/curves/ece/$key.tsv" || fail "reliability bins"

columns "$tmp/records/ece.tsv" ece ece_mass nll temperature nll_scaled ece_scaled ece_mass_scaled brier_scaled nll_tau brier_tau ece_tau ece_mass_tau |
    awk '{ for (i = 1; i <= 12; i++) if (!($i > 0)) exit 1; if (NF != 12 || $11 == $1 || $6 == $1) exit 1 }' || fail "calibration: $(columns "$tmp/records/ece.tsv" temperature ece_scaled ece_tau)"

gap() { bench_loss_gap --data "$data" --out "$tmp" --only dataset=cora,loss=jc --runs 1 --quiet || fail "bench_loss_gap"; }
gap
curve=$tmp/curves/loss_gap/$(columns "$tmp/records/loss_gap.tsv" key).tsv
awk -F'\t' -v best="$(columns "$tmp/records/loss_gap.tsv" best_epoch)" -v want="$(columns "$tmp/records/loss_gap.tsv" test_loss)" '
    NR > 1 && ($1 != NR - 1 || !($2 > 0) || !($3 > 0)) { print "bad row: " $0; exit 1 }
    NR > 1 && $1 == best { d = $3 / want - 1 }
    NR == 2 { first = $2 }
    END { if (NR != 201 || !($2 < first) || d * d > 1e-8) { print NR " lines, training loss " first " to " $2 ", test loss is off by " d; exit 1 } }' "$curve" || fail "losses"
cp "$curve" "$tmp/first"
rm "$curve"
gap
cmp -s "$curve" "$tmp/first" || fail "a lost curve is not made again"
[ "$(wc -l <"$tmp/records/loss_gap.tsv")" -eq 3 ] || fail "the run of a lost curve is not repeated once"
gap
[ "$(wc -l <"$tmp/records/loss_gap.tsv")" -eq 3 ] || fail "a finished run is repeated"

sets() { bench_datasets --data "$data" --out "$tmp" --runs 3 --jobs 2 "$@" || fail "bench_datasets"; }
sets >"$tmp/out"
sets --quiet --only 'dataset=cora|yelp'
grep -q '^cora  *twin  *2708  *5278 (5429)  *1433 ' "$tmp/out" || fail "cora: $(grep '^cora' "$tmp/out")"
grep -q '^yelp  *twin  *900 (716847)  *4000 (6977410) .* - ' "$tmp/out" || fail "yelp: $(grep '^yelp' "$tmp/out")"
grep -q '^amazon  *-  .*132169734' "$tmp/out" || fail "a twin of Amazon"
[ "$(columns "$tmp/records/datasets.tsv" dataset | sort | tr '\n' ' ')" = "cora pubmed yelp " ] || fail "records of the data sets"
for only in model=gcn dataset=moon; do
    bench_datasets --data "$data" --out "$tmp" --only $only >/dev/null 2>"$tmp/err" && fail "--only $only"
    grep -q "no cell matches" "$tmp/err" || fail "$(cat "$tmp/err")"
done
echo "curves and counts hold"
