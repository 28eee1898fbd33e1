#!/bin/sh
# Kill -9 in the middle of an experiment and start again: no finished run is repeated, none is lost, and the outcome is that of an undisturbed
# experiment, with any number of jobs and threads, whole or in shards.
. "$srcdir/tests/common.sh"
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
hashes "$tmp/threads" | cmp -s - "$tmp/want" || fail "--jobs 2 --threads 3 gives other bits"
OMP_NUM_THREADS=8 bench --out "$tmp/shards" --shard 1/2
bench --out "$tmp/shards" --shard 2/2 --jobs 1 --threads 2
hashes "$tmp/shards" | cmp -s - "$tmp/want" || fail "two shards give other records"
echo "killed after $before of 12 runs: resumed to the same bits"
