#!/bin/sh
# mpirun: 4 ranks, on any number of cores, give the records of one process; a killed worker does not end its rank; jcb reproduce. Skipped without MPI.
. "$srcdir/tests/tools/common.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # Open MPI keeps memory of modules that it has unloaded
export JCB_RAW="$tmp/none" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
only="dataset=cora,model=mlp|gcn"
ranks() { mpirun --oversubscribe -n 4 "$@"; }
hashes() { for f in "$1"/records/*.tsv; do columns "$f" key param_hash test_acc threads status; done | sort; }
ranks bench_balanced --data "$data" --only "$only" --runs 3 --quiet --out "$tmp/ranks" >"$tmp/out" 2>&1 || {
    grep -q "built without MPI" "$tmp/out" && { echo "built without MPI"; exit 77; }
    fail "4 ranks: $(cat "$tmp/out")"
}
bench_balanced --data "$data" --only "$only" --runs 3 --quiet --out "$tmp/one" --jobs 1 || fail "one process"
hashes "$tmp/one" >"$tmp/want"
[ "$(wc -l <"$tmp/want")" -eq 12 ] || fail "expected 12 runs: $(cat "$tmp/want")"
hashes "$tmp/ranks" | cmp -s - "$tmp/want" || fail "4 ranks give other records: $(hashes "$tmp/ranks" | diff - "$tmp/want")"
[ "$(columns "$tmp/ranks/records/balanced.tsv" jobs | sort -u)" = 3 ] || fail "not three workers: $(columns "$tmp/ranks/records/balanced.tsv" jobs)"
# A worker that aborts in a certain run every time: that run fails, all others are done.
JCB_FAULT=abort:cora:mlp:ce:1 ranks bench_balanced --data "$data" --only "$only" --runs 3 --quiet --out "$tmp/fault" >"$tmp/out" 2>&1 && fail "a fault: exit code 0"
[ "$(hashes "$tmp/fault" | grep -c ' ok$')" -eq 11 ] && hashes "$tmp/fault" | grep -q 'failed:signal 6' || fail "a fault: $(hashes "$tmp/fault"; cat "$tmp/out")"
ranks jcb reproduce --data "$data" --paper "$srcdir/paper_tables" --specs "$srcdir/bench/specs" --only "experiment=balanced,$only" --runs 3 --quiet --out "$tmp/fault" || fail "reproduce goes on"
hashes "$tmp/fault" | grep ' ok$' | cmp -s - "$tmp/want" || fail "reproduce goes on: $(hashes "$tmp/fault" | diff - "$tmp/want")"
echo "4 ranks: the records of one process"
