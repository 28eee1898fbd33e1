#!/bin/sh
# The programs as a user meets them: help, mistakes, a graph of one's own, predictions, saved models, damaged input.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
data="$srcdir/data"
JCB_RAW="$tmp/none"; export JCB_RAW
failures=0
checks=0
# expect CODE PATTERN COMMAND...: exit code and a line of output that matches; at most one line on stderr.
expect() {
    code=$1 pattern=$2
    shift 2
    checks=$((checks + 1))
    "$@" >"$tmp/out" 2>"$tmp/err"
    got=$?
    if [ $got -ne "$code" ] || ! cat "$tmp/out" "$tmp/err" | grep -q -- "$pattern" || { [ $code -ne 0 ] && [ "$(wc -l <"$tmp/err")" -ne 1 ]; }; then
        echo "FAILED: $* -> exit $got (expected $code, /$pattern/)"
        head -5 "$tmp/out" "$tmp/err"
        failures=$((failures + 1))
    fi
}
for command in train predict tune data partition tables figures report list; do
    expect 0 "^Usage: jcb $command" jcb $command --help
done
for experiment in balanced imbalanced heterophilic incontext mixup backbones correct_smooth label_scarcity clustering cluster_count ece loss_gap depth datasets; do
    expect 0 "^Usage: bench_$experiment" bench_$experiment --help
done
expect 0 "^cells left out: 1 " bench_backbones --only dataset=cora,model=gcnii,loss=ce --longest 1s --runs 1 --data "$data" --out "$tmp/r"
expect 0 "^Usage: jcb COMMAND" jcb --help
expect 2 "unknown command" jcb dance
expect 2 "unknown option '--colour'" jcb train --colour red
expect 2 "wants a number from 1" jcb train --runs 0
expect 2 "value is missing" jcb train --runs
expect 2 "wants a time" bench_balanced --time soon
expect 2 "no hyper-parameter is called" bench_balanced --only colour=red --data "$data" --list
expect 2 "wants K/N" bench_balanced --shard 3/2 --data "$data" --out "$tmp/r" --only dataset=cora,model=mlp
expect 1 "wants a whole number" jcb train --hidden 6.5
expect 1 "hidden is 0" jcb train --hidden 0
expect 1 "unknown model 'gnn'" jcb train --model gnn --data "$data"
expect 1 "unknown loss 'mse'" jcb train --loss mse --data "$data"
expect 1 "nowhere" jcb train --dataset nowhere --data "$data"

# A graph of one's own: two rings with a few bridges, dense features that tell the rings apart.
mkdir "$tmp/own"
awk 'BEGIN { for (i = 0; i < 200; i++) { j = (i + 2) % 200; print i, j; if (i % 50 == 0) print i, i + 1 } }' >"$tmp/own/edges.tsv"
awk 'BEGIN { srand(1); for (i = 0; i < 200; i++) print i % 2 + rand(), 1 - i % 2 + rand(), rand() }' >"$tmp/own/features.tsv"
awk 'BEGIN { for (i = 0; i < 200; i++) print i, i % 2 }' >"$tmp/own/labels.tsv"
expect 0 "nodes       200" jcb data info "$tmp/own" --data "$data"
expect 0 "test accuracy" jcb train --dataset "$tmp/own" --loss jc --runs 3 --data "$data"
expect 0 "parameters" jcb train --dataset "$tmp/own" --loss jc --data "$data" --predictions "$tmp/p1" --save "$tmp/model"
expect 0 "200 nodes" jcb predict --model "$tmp/model" --data "$data" --predictions "$tmp/p2"
checks=$((checks + 1))
cmp -s "$tmp/p1" "$tmp/p2" && [ "$(wc -l <"$tmp/p1")" -eq 201 ] || { echo "FAILED: predictions of the saved model differ"; failures=$((failures + 1)); }
cp -r "$tmp/own" "$tmp/other"
expect 0 "200 nodes" jcb predict --model "$tmp/model" --dataset "$tmp/other" --data "$data" --predictions "$tmp/p3"
expect 0 "within" jcb partition --dataset "$tmp/own" --clusters 4 --data "$data" --write "$tmp/part"
checks=$((checks + 1))
[ "$(wc -l <"$tmp/part")" -eq 200 ] || { echo "FAILED: partition file"; failures=$((failures + 1)); }
expect 1 "clusters" jcb partition --dataset "$tmp/own" --clusters 201 --data "$data"
expect 1 "method\|partition" jcb partition --dataset "$tmp/own" --method stars --data "$data"
expect 2 "model and --predictions" jcb predict
expect 1 "features" jcb predict --model "$tmp/model" --dataset cora --data "$data" --predictions "$tmp/p4"

# Damaged input: one clear line, exit 1.
echo "5 900" >>"$tmp/other/edges.tsv"
expect 1 "edges.tsv" jcb train --dataset "$tmp/other" --data "$data"
cp "$tmp/own/features.tsv" "$tmp/other/"; cp "$tmp/own/edges.tsv" "$tmp/other/"
sed -i '7s/.*/nan 1 2/' "$tmp/other/features.tsv"
expect 1 "features.tsv" jcb train --dataset "$tmp/other" --data "$data"
expect 1 "saved by" jcb predict --model "$tmp/p1" --data "$data" --predictions "$tmp/p4"
expect 1 "write" jcb train --dataset "$tmp/own" --epochs 2 --data "$data" --predictions /dev/full/x
if [ -e /dev/full ]; then # a full disk loses nothing and says so
    mkdir -p "$tmp/full/records"
    ln -s /dev/full "$tmp/full/records/balanced.tsv"
    expect 1 "balanced.tsv" bench_balanced --only dataset=cora,model=mlp,loss=ce --runs 1 --data "$data" --out "$tmp/full" --quiet
fi
expect 0 "0 of 375 orderings confirmed" jcb report --records "$tmp/none" --paper "$srcdir/paper_tables" --out "$tmp/report.html"
expect 1 "main_res.tsv" jcb report --paper "$tmp/none" --out "$tmp/report.html"
expect 1 "write\|directory" jcb report --records "$tmp/none" --paper "$srcdir/paper_tables" --out /dev/full/x
# The record says which parameters Correct & Smooth got.
smooth() { awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["smooth"] }' "$tmp/r/records/$1.tsv"; }
bench_correct_smooth --only "dataset=cora,loss=ce+cs" --runs 1 --data "$data" --out "$tmp/r" --quiet 2>/dev/null
expect 0 "^correct [AD]* [0-9.]* [autox0-9.]*, smooth [AD]* [0-9.]*$" smooth correct_smooth
bench_balanced --only "dataset=cora,model=mlp,loss=ce" --runs 1 --data "$data" --out "$tmp/r" --quiet 2>/dev/null
expect 0 "^-$" smooth balanced
expect 0 "cora" jcb data list --data "$data"
expect 0 "Usage" jcb data --help
echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
