#!/bin/sh
# End to end on real data: on Cora the means of ten runs lie in bands around those of an independent implementation, and METIS gives the known cut. The
# bands are at least five standard errors wide, so a failure is not due to chance.
. "$srcdir/tests/tools/common.sh"
[ -f "$JCB_RAW/planetoid/ind.cora.graph" ] || { echo "no real Cora below $JCB_RAW: skipped (data/fetch.sh cora gets it)"; exit 77; }
bench_balanced --data "$data" --out "$tmp" --only 'dataset=cora,model=gcn|sgc|mlp' --runs 10 >"$tmp/out" 2>/dev/null || fail "$(cat "$tmp/out")"
cat "$tmp/out"
awk '$1 == "cora" { acc[$2 " " $3] = $5; n[$2 " " $3] = $7; origin = $8 }
function band(cell, lo, hi) { if (!(acc[cell] >= lo && acc[cell] <= hi && n[cell] == 10)) { print cell ": " acc[cell] " is outside " lo " .. " hi; bad = 1 } }
END { band("gcn ce", 80.4, 83); band("gcn jc", 80.9, 84.2); band("sgc ce", 80.2, 83.2); band("sgc jc", 81.2, 84.8); band("mlp ce", 57.2, 61)
      band("mlp jc", 66, 70); if (origin != "real") { print "origin " origin; bad = 1 } exit bad }' "$tmp/out" || exit 1
cut=$(jcb partition --dataset cora --clusters 5 --data "$data" | sed -n 's/.*between \([0-9]*\).*/\1/p')
[ "$cut" -ge 340 ] && [ "$cut" -le 400 ] || fail "METIS cuts $cut of 5278 links; about 370 expected"
echo "METIS cuts $cut of 5278 links"
# The parameters of data/reference.tsv, bit for bit, where it has this BLAS: 18 cells on three graphs.
bench_balanced --data "$data" --out "$tmp" --only 'dataset=cora|citeseer|pubmed,model=gcn|sgc|mlp' --runs 1 >/dev/null 2>&1 || fail "bench_balanced"
jcb check "$tmp" --reference "$srcdir/data/reference.tsv" >"$tmp/out"
cat "$tmp/out"
tail -n 1 "$tmp/out" | grep -q '^SAME BITS$\|^VALID$' || fail "the bits differ from the reference: if that is intended, raise RESULTS_VERSION and say so in CHANGELOG.md"
jcb data verify --data "$data" cora citeseer pubmed
