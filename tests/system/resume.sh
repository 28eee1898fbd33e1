#!/bin/sh
# kill -9 in the middle of an experiment and a restart: no finished run is repeated or lost, and the result is that of an undisturbed experiment, with any
# number of jobs and threads, with and without shards.
. "$srcdir/tests/tools/common.sh"
only="dataset=cora,model=mlp|gcn"
bench() { bench_balanced --data "$data" --only "$only" --runs 3 --quiet "$@" || fail "bench_balanced $*"; }
hashes() { columns "$1/records/balanced.tsv" key param_hash test_acc | sort; }
bench --out "$tmp/whole" --jobs 1 --threads 1
hashes "$tmp/whole" >"$tmp/want"
[ "$(wc -l <"$tmp/want")" -eq 12 ] || fail "expected 12 runs: $(cat "$tmp/want")"

kill_after "$tmp/killed/records/balanced.tsv" 4 bench_balanced --data "$data" --only "$only" --runs 3 --quiet --out "$tmp/killed" --jobs 2
before=$(($(wc -l <"$tmp/killed/records/balanced.tsv") - 1))
cp "$tmp/killed/records/balanced.tsv" "$tmp/before"
printf '0123456789abcdef\t1\tbalanced\tcora' >>"$tmp/killed/records/balanced.tsv" # a torn write
bench --out "$tmp/killed" --jobs 2
head -c "$(wc -c <"$tmp/before")" "$tmp/killed/records/balanced.tsv" | cmp -s - "$tmp/before" || fail "finished runs were touched"
hashes "$tmp/killed" | grep -E '^[0-9a-f]{16} [0-9a-f]{16} ' >"$tmp/have"
cmp -s "$tmp/want" "$tmp/have" || fail "after kill -9 ($before runs done before) the records differ: $(diff "$tmp/want" "$tmp/have")"

bench --out "$tmp/threads" --jobs 2 --threads 3
hashes "$tmp/threads" | cmp -s - "$tmp/want" || fail "--jobs 2 --threads 3 gives different bits"
OMP_NUM_THREADS=8 bench --out "$tmp/shards" --shard 1/2
bench --out "$tmp/shards" --shard 2/2 --jobs 1 --threads 2
hashes "$tmp/shards" | cmp -s - "$tmp/want" || fail "two shards give other records"
# Two processes with the same records share the runs: each is done once.
bench_balanced --data "$data" --only "$only" --runs 3 --quiet --out "$tmp/two" --jobs 1 &
first=$!
bench --out "$tmp/two" --jobs 1
wait $first || fail "the first of two processes"
hashes "$tmp/two" | cmp -s - "$tmp/want" || fail "two processes at once: $(hashes "$tmp/two" | diff - "$tmp/want")"
# Shards with separate records are merged; merging again adds nothing; different bits: an error that names both files, and nothing is written.
bench --out "$tmp/part1" --shard 1/2
bench --out "$tmp/part2" --shard 2/2
printf 'torn' >>"$tmp/part2/records/balanced.tsv"
mkdir "$tmp/merged" # a directory of results without records yet
jcb merge "$tmp/merged" "$tmp/part1" "$tmp/part2" >"$tmp/out" || fail "merge"
hashes "$tmp/merged" | cmp -s - "$tmp/want" || fail "merged: $(hashes "$tmp/merged" | diff - "$tmp/want")"
cp "$tmp/merged/records/balanced.tsv" "$tmp/before"
jcb merge "$tmp/merged" "$tmp/part2/records" "$tmp/whole" | grep -q "whole: 0 runs added, 12 already present" || fail "merged again"
awk -F'\t' 'BEGIN { OFS = FS } NR == 1 { for (i = 1; i < NF; i++) if ($i == "param_hash") at = i } { NF--; if (NR == 3) $at = "0123456789abcdef"; print }' \
    "$tmp/whole/records/balanced.tsv" >"$tmp/other.tsv"
mkdir "$tmp/contrary"
mv "$tmp/other.tsv" "$tmp/contrary/balanced.tsv"
jcb merge "$tmp/merged" "$tmp/part1" "$tmp/contrary" >"$tmp/out" 2>&1 && fail "merge of contradictions"
grep -q "merged/records/balanced.tsv: parameters" "$tmp/out" && grep -q "contrary/balanced.tsv: parameters 0123456789abcdef" "$tmp/out" &&
    grep -q "1 runs have contradictory records" "$tmp/out" || fail "contradictions: $(cat "$tmp/out")"
jcb merge "$tmp/new" "$tmp/whole" "$tmp/contrary" >"$tmp/out" 2>&1 && fail "merge of contradictory sources"
[ ! -e "$tmp/new" ] || fail "something was written"
cmp -s "$tmp/before" "$tmp/merged/records/balanced.tsv" || fail "merge touched what was there"
# jcb check: valid, same bits as the reference, different bits, damaged
printf 'key\tparam_hash\twhat\n' >"$tmp/none.tsv"
checked() { jcb check --reference "$tmp/none.tsv" "$@" >"$tmp/out" 2>&1; tail -n 1 "$tmp/out"; }
[ "$(checked "$tmp/whole")" = VALID ] || fail "jcb check: $(cat "$tmp/out")"
jcb check "$tmp/whole" --make-reference "$tmp/reference.tsv"
[ "$(checked "$tmp/killed" --reference "$tmp/reference.tsv")" = "SAME BITS" ] && grep -q "1 remains of interrupted" "$tmp/out" || fail "jcb check: $(cat "$tmp/out")"
awk -F'\t' 'BEGIN { OFS = FS } NR == 5 { $2 = "0123456789abcdef" } { print }' "$tmp/reference.tsv" >"$tmp/other.tsv"
[ "$(checked "$tmp/threads" --reference "$tmp/other.tsv")" = "DIFFERENT BITS" ] || fail "jcb check: $(cat "$tmp/out")"
mkdir "$tmp/measured" # the same runs as measurements: no parameters to compare
awk -F'\t' 'BEGIN { OFS = FS } /^#/ { next } !n++ { print "key", "results", "experiment", "run", "param_hash", "spec", "status"; next }
    { print $1, 1, "efficiency", 0, "-", "", "ok" }' "$tmp/reference.tsv" >"$tmp/measured/efficiency.tsv"
[ "$(checked "$tmp/measured" --reference "$tmp/reference.tsv")" = VALID ] || fail "jcb check: $(cat "$tmp/out")"
mkdir "$tmp/damaged"
sed '4s/\t0\./\t1./' "$tmp/whole/records/balanced.tsv" >"$tmp/damaged/balanced.tsv"
[ "$(checked "$tmp/damaged")" = INVALID ] && grep -q "1 rows are damaged" "$tmp/out" || fail "jcb check: $(cat "$tmp/out")"
jcb check "$tmp/damaged" >/dev/null && fail "jcb check: exit code of damaged records"
cat "$tmp/whole/records/balanced.tsv" >"$tmp/damaged/balanced.tsv"
tail -n 1 "$tmp/whole/records/balanced.tsv" >>"$tmp/damaged/balanced.tsv"
[ "$(checked "$tmp/damaged")" = VALID ] && grep -q "more than once" "$tmp/out" || fail "jcb check: $(cat "$tmp/out")"
sed 3d "$tmp/whole/records/balanced.tsv" >"$tmp/damaged/balanced.tsv"
[ "$(checked "$tmp/damaged")" = VALID ] && grep -q "is missing before" "$tmp/out" || fail "jcb check: $(cat "$tmp/out")"
echo "killed after $before of 12 runs: resumed to the same bits"
