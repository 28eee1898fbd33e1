#!/bin/sh
# One run by several ranks (mpirun jcb train): the parameters, predictions and saved model of one process, bit for bit; what cannot be so, or fails in
# one rank, ends all of them with a message. Skipped without MPI.
. "$srcdir/tests/common.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # Open MPI keeps memory of modules that it has unloaded
export JCB_RAW="$tmp/none" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
export OMP_NUM_THREADS=1
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
ranks() { n=$1; shift; mpirun --oversubscribe --bind-to none -n "$n" jcb train --data "$data" --quiet "$@"; }
train() { jcb train --data "$data" --quiet "$@"; }
ranks 2 --dataset cora --epochs 1 >"$tmp/out" 2>&1 || {
    grep -q "built without MPI" "$tmp/out" && { echo "built without MPI"; exit 77; }
    fail "2 ranks: $(cat "$tmp/out")"
}

# same RANKS ARGUMENT...: saved model and predictions
same() {
    n=$1
    shift
    checks=$((checks + 1))
    train "$@" --save "$tmp/one" --predictions "$tmp/one.tsv" 2>"$tmp/err" || fail "one process: $*: $(cat "$tmp/err")"
    ranks "$n" "$@" --save "$tmp/many" --predictions "$tmp/many.tsv" 2>"$tmp/err" || fail "$n ranks: $*: $(cat "$tmp/err")"
    cmp "$tmp/one" "$tmp/many" && cmp "$tmp/one.tsv" "$tmp/many.tsv" || fail "$n ranks: $*"
}
# Sparse features; every op that ranks can compute; all targets in one tile.
for model in gcn sgc sage chebnet gcnii appnp; do same 3 --dataset cora --model $model --loss jc --epochs 3; done
for model in mlp sage sign; do same 2 --dataset cora --model $model --loss ce --epochs 3; done
same 3 --dataset cora --model gcn --loss jcf --select objective --epochs 3 --runs 2
same 3 --dataset cora --model gcn --loss ce+cs --epochs 3
# Batch normalisation, deep networks, many tiles, dense features, dropout of features.
same 3 --dataset cora --model gcn --loss ce --norm_batch 1 --layers 4 --epochs 3
same 3 --dataset pubmed --model gcn --loss jc --norm_batch 1 --layers 3 --split per-class:2000:100 --clusters 40 --epochs 3
same 2 --dataset facebook --model gcnii --layers 4 --loss jc --epochs 3 --in_dropout 0.3

# refused PATTERN RANKS ARGUMENT...
refused() {
    pattern=$1 n=$2
    shift 2
    checks=$((checks + 1))
    timeout 60 mpirun --oversubscribe --bind-to none -n "$n" jcb train --data "$data" "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
    [ $code -ne 0 ] && [ $code -ne 124 ] && grep -q -- "$pattern" "$tmp/err" || fail "$* -> exit $code: $(head -5 "$tmp/err")"
}
refused "op 'attention' of this network cannot be computed by several ranks" 2 --dataset cora --model gat --epochs 1
refused "op 'pair' of this network" 2 --dataset cora --model gcn --loss ic --epochs 1
refused "batch=full only" 2 --dataset cora --model gcn --batch rows:100 --epochs 1
refused "too few for 3 ranks" 3 --dataset "$srcdir/tests/parity/toy" --model gcn --epochs 1
refused "2^18 elements" 2 --dataset facebook --model mlp --hidden 4096 --epochs 1
refused "method gmnn does not train a single network" 2 --dataset cora --method gmnn --epochs 1

# A rank that is killed ends the others.
# shellcheck disable=SC2016
mpirun --oversubscribe --bind-to none -n 3 sh -c 'echo $$ >"$0/pid.$OMPI_COMM_WORLD_RANK"; exec jcb train --data "$0/data" --dataset cora --epochs 1000000 --patience 0' "$tmp" >"$tmp/out" 2>&1 &
job=$!
for _ in $(seq 300); do [ -s "$tmp/pid.0" ] && [ -s "$tmp/pid.1" ] && [ -s "$tmp/pid.2" ] && break; sleep 0.1; done
sleep 1
kill -9 "$(cat "$tmp/pid.1")"
wait $job && fail "a killed rank: exit 0"
alive() { kill -0 "$(cat "$tmp/pid.0")" 2>/dev/null || kill -0 "$(cat "$tmp/pid.2")" 2>/dev/null; }
for _ in $(seq 200); do alive || break; sleep 0.1; done
holds "ranks go on after one was killed" eval '! alive'
echo "$checks checks: several ranks give the bits of one process"
