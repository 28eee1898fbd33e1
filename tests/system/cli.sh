#!/bin/sh
# The command line: help, wrong usage, a user's graph, predictions, saved models, damaged input.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
for command in train predict tune data partition attack reproduce check merge tables figures report list; do
    expect 0 "^Usage: jcb $command" jcb $command --help
done
for experiment in balanced imbalanced heterophilic incontext mixup backbones correct_smooth label_scarcity clustering cluster_count ece loss_gap depth datasets partitions variance tsne efficiency attack random_attack metattack; do
    expect 0 "^Usage: bench_$experiment" bench_$experiment --help
done
expect 0 "^cells left out: 1 " bench_backbones --only dataset=cora,model=gcnii,loss=ce --longest 1s --runs 1 --data "$data" --out "$tmp/r"
expect 0 "^Usage: jcb COMMAND" jcb --help
expect 2 "unknown command" jcb dance
expect 2 "unknown command 'trian'; did you mean 'train'?" jcb trian
expect 2 "unknown option '--colour' (try" jcb train --colour red
expect 2 "unknown option '--norm-bacth'; did you mean '--norm-batch'?" jcb train --norm-bacth 1
expect 2 "unknown option '--job'; did you mean '--jobs'?" bench_balanced --job 3
expect 2 "must be a number from 1" jcb train --runs 0
expect 2 "value is missing" jcb train --runs
expect 2 "must be a time" bench_balanced --time soon
expect 0 'epochs=50 patience=0 validate_every=5 .*setting=short=4 ' bench_balanced --only dataset=cora,model=gcn,loss=ce --short 4 --data "$data" --list
expect 2 "neither a hyper-parameter nor a setting is called" bench_balanced --only colour=red --data "$data" --list
expect 0 "batches=cluster" bench_batches --only batches=cluster --data "$data" --list # any key of a setting
expect 2 "must be K/N" bench_balanced --shard 3/2 --data "$data" --out "$tmp/r" --only dataset=cora,model=mlp
expect 2 "until must be decided" jcb reproduce --until bored
expect 1 "no cell matches" jcb reproduce --only dataset=moon --data "$data" --out "$tmp/r"
# Exit codes: 2 for a wrong command line, whichever option it is; 1 for later failures.
expect 2 "lr must be a number, not 'abc'" jcb train --lr abc
expect 2 "must be a whole number" jcb train --hidden 6.5
expect 2 "init is .huge.; it must be auto or glorot" jcb train --data "$data" --dataset cora --init huge
expect 2 "norm is .log.; it must be auto, row, none, standard or pyg" jcb train --norm log
expect 2 "select is .luck.; it must be acc" jcb train --select luck
expect 2 "layers is 1; gcn has at least 2" jcb train --model gcn --layers 1
expect 2 "hidden is 0" jcb train --hidden 0
expect 2 "unknown model 'gnc'; did you mean 'gcn'?" jcb train --model gnc --data "$data"
expect 2 "unknown loss 'jcc'; did you mean 'jc'?" jcb train --loss JCC --data "$data"
expect 0 "test .* %" jcb train --dataset TWIN:CORA --model MLP --loss JC --epochs 2 --data "$data" # names in any case
expect 0 "dataset=cora model=mlp loss=jc " bench_balanced --only dataset=Cora,model=MLP,loss=JC --list --data "$data"
expect 2 "unknown split 'half'" jcb train --split half
expect 2 "split 'redraw@0': @ is followed by the number" jcb train --split redraw@0
expect 2 "partition method 'stars'" jcb train --partition stars
expect 2 "unknown loss 'mse'; there are" jcb train --loss mse --data "$data"
expect 2 "unknown data set 'coar'; did you mean 'cora'?" jcb train --dataset coar --data "$data"
expect 2 "unknown data set 'nowhere'; there are" jcb train --dataset nowhere --data "$data"
expect 1 "catalog.tsv: not found: give the data directory with --data" sh -c "cd '$tmp' && jcb train --data none"
# An experiment of one's own is a text file; mistakes are named with file, line and column.
printf '# about: mine\nfrom\tcells\tsetting\nbalanced dataset=cora model=mlp\tepochs=2|3\tepochs={epochs}\n' >"$tmp/mine.tsv"
expect 0 "^cora .*mlp .*epochs=3 " jcb bench "$tmp/mine.tsv" --data "$data" --out "$tmp/mine" --runs 1 --jobs 1
holds "its records" [ "$(columns "$tmp/mine/records/mine.tsv" experiment dataset loss setting | sort -u | wc -l)" -eq 4 ]
expect 0 "^Usage: jcb bench mine " jcb bench "$tmp/mine.tsv" --help
printf '# about: mine\ncells\tsource\n\nlrr=.1\tours\n' >"$tmp/wrong.tsv"
expect 1 "wrong.tsv:4: cells: unknown hyper-parameter 'lrr'; did you mean 'lr'?" jcb bench "$tmp/wrong.tsv" --list --data "$data"
expect 2 "none.tsv: there is no such file" jcb bench "$tmp/none.tsv"
# A program outside its tree must not run without the tuned hyper-parameters of the experiments.
if [ ! -e /usr/share/jcbench ] && [ ! -e /usr/local/share/jcbench ]; then
    mkdir -p "$tmp/away/src" && cp "$(command -v jcb)" "$tmp/away/src/jcb"
    expect 1 "the experiments (bench/\*.tsv) are not found here: name a file" sh -c "cd '$tmp' && away/src/jcb bench incontext"
    cp "$srcdir/bench/incontext.tsv" "$srcdir/bench/balanced.tsv" "$tmp"
    expect 1 "bench/specs) are not found here: name their directory with --specs" sh -c "cd '$tmp' && away/src/jcb bench ./incontext.tsv --data '$data' --out '$tmp/r'"
fi
expect 1 "catalog.tsv: not found: give the data directory with --data" sh -c "cd '$tmp' && bench_balanced --data none --out '$tmp/r'"
expect 1 "cannot write --save $tmp/missing/model: no such directory: $tmp/missing" jcb train --data "$data" --save "$tmp/missing/model"
holds "no directory is made" [ ! -e "$tmp/missing" ]
expect 1 "cannot write --write $tmp/missing/c: no such directory: $tmp/missing" jcb partition --data "$data" --dataset cora --write "$tmp/missing/c"
expect 1 "nope.tsv: no such file" jcb train --data "$data" --spec "$tmp/nope.tsv"
expect 1 "no row for cora gcn ce, setting -" jcb train --data "$data" --spec "$srcdir/bench/specs/depth.tsv"
sed 's/^citeseer/twin:citeseer/' "$srcdir/bench/specs/depth.tsv" >"$tmp/depth.tsv"
expect 0 "^1 .* 16 *$\|-> 16$" jcb train --data "$data" --spec "$tmp/depth.tsv" --setting layers=16 --dataset twin:citeseer --layers 2 --hidden 16 --epochs 1 --patience 0 --plan
# Options with dashes or underscores; output for programs.
short() { jcb train --data "$data" --dataset twin:cora --model mlp --epochs 3 --runs 2 "$@"; }
short --jobs 1 2>/dev/null | grep -o '^run.*test [0-9.]*\|parameters.*' >"$tmp/one"
short --jobs 2 2>/dev/null | grep -o '^run.*test [0-9.]*\|parameters.*' >"$tmp/two"
short --threads 2 2>/dev/null | grep -o '^run.*test [0-9.]*\|parameters.*' >"$tmp/three"
holds "train --jobs: the same runs in the same order" [ "$(wc -l <"$tmp/one") $(cksum <"$tmp/one")" = "4 $(cksum <"$tmp/two")" ]
holds "train --threads: the same bits" cmp -s "$tmp/one" "$tmp/three"
expect 2 "leave out --threads" jcb train --jobs 2 --threads 1
short --norm-batch 1 --tsv >"$tmp/dash" && short --norm_batch=1 --tsv >"$tmp/under" || fail "--norm-batch"
holds "both spellings" [ "$(columns "$tmp/dash" run param_hash)" = "$(columns "$tmp/under" run param_hash)" ]
holds "a row a run" [ "$(columns "$tmp/dash" run | tr '\n' ' ')" = "0 1 " ]
expect 0 "^{\"run\": 1, \"seed\": 1, \"test_acc\": 0.[0-9]*, .*\"param_hash\": \"[0-9a-f]*\"}$" short --json
holds "JSON Lines and nothing else" [ "$(grep -c '^{.*}$' "$tmp/out")" -eq "$(wc -l <"$tmp/out")" ]
short --quiet >"$tmp/out" 2>&1 || fail "--quiet"
holds "quiet" [ ! "$(grep -v 'twin data' "$tmp/out")" ]
expect 2 "exclude each other" short --json --tsv

# Duplicated nodes: leaves 1 to 6 of node 0. Three training nodes, of classes a, a and b; three test nodes, of classes a, a and c.
mkdir "$tmp/copies"
awk 'BEGIN { for (i = 1; i < 7; i++) print 0, i; print 7, 8 }' >"$tmp/copies/edges.tsv"
printf '0 a\n1 a\n2 a\n3 b\n4 a\n5 a\n6 c\n7 b\n8 b\n' >"$tmp/copies/labels.tsv"
expect 0 "splits      0 published" jcb data verify "$tmp/copies" --data "$data"
holds "no split, no duplicates" [ "$(grep -c duplicates "$tmp/out")" -eq 0 ]
printf '0 test\n1 train\n2 train\n3 train\n4 test\n5 test\n6 test\n7 train\n8 val\n' >"$tmp/copies/split.tsv"
expect 0 "duplicates  75.0 % of the test nodes .* same neighbours, 66.7 % of those .* same label (1 published split)$" jcb data verify "$tmp/copies" --data "$data"
expect 0 "duplicates  .* (10 published splits)$" jcb data verify wisconsin --data "$data"

# Ten published splits: run 10 would have the split of run 0. Drawn splits, and a single published one, allow any number of runs.
expect 1 "twin:wisconsin has 10 published splits, .* --runs 10, or --split redraw" jcb train --dataset twin:wisconsin --model mlp --epochs 2 --runs 11 --data "$data"
expect 0 "n = 10" jcb train --dataset twin:wisconsin --model mlp --epochs 2 --runs 10 --data "$data"
expect 0 "n = 11" jcb train --dataset twin:wisconsin --model mlp --epochs 2 --runs 11 --split redraw --data "$data"
expect 0 "n = 11" jcb train --dataset twin:cora --model mlp --epochs 2 --runs 11 --data "$data"
mkdir "$tmp/specs"
spec() { # LOSS SPEC: a row for Wisconsin, MLP
    [ -e "$tmp/specs/heterophilic.tsv" ] || grep -m 1 '^dataset' "$srcdir/bench/specs/heterophilic.tsv" >"$tmp/specs/heterophilic.tsv"
    printf 'wisconsin\tmlp\t%s\t-\t%s\t-\t1\t1\t1\t-\n' "$1" "$2" >>"$tmp/specs/heterophilic.tsv"
}
spec ce "epochs=2"
spec jc "epochs=2 split=redraw"
few() { bench_heterophilic --only dataset=wisconsin,model=mlp,setting=- --specs "$tmp/specs" --data "$data" --out "$tmp/few" "$@"; }
expect 0 "^1 of the 2 cells have one run for each published split .*split=redraw in their row of $tmp/specs/heterophilic.tsv" few --runs 11
holds "runs 0 to 9 and 0 to 10" [ "$(columns "$tmp/few/records/heterophilic.tsv" loss run | sort -u | grep -c 'ce [0-9]$\|jc [0-9]$\|jc 10$')" -eq 21 ]
holds "no other run" [ "$(columns "$tmp/few/records/heterophilic.tsv" loss run | wc -l)" -eq 21 ]
expect 0 "^wisconsin .* jc .* 10  twin" few --runs 10
holds "nothing ends early at ten runs" [ "$(grep -c 'published splits' "$tmp/out")" -eq 0 ]

# A user's graph: two rings with a few bridges, dense features that distinguish the rings.
mkdir "$tmp/own"
awk 'BEGIN { for (i = 0; i < 200; i++) { j = (i + 2) % 200; print i, j; if (i % 50 == 0) print i, i + 1 } }' >"$tmp/own/edges.tsv"
awk 'BEGIN { srand(1); for (i = 0; i < 200; i++) print i % 2 + rand(), 1 - i % 2 + rand(), rand() }' >"$tmp/own/features.tsv"
awk 'BEGIN { for (i = 0; i < 200; i++) print i, i % 2 }' >"$tmp/own/labels.tsv"
expect 0 "nodes       200" jcb data info "$tmp/own" --data "$data"
expect 0 "test accuracy" jcb train --dataset "$tmp/own" --loss jc --runs 3 --data "$data"
expect 0 "parameters" jcb train --dataset "$tmp/own" --loss jc --data "$data" --predictions "$tmp/p1" --save "$tmp/model"
expect 0 "200 nodes" jcb predict --model "$tmp/model" --data "$data" --predictions "$tmp/p2"
jcb train --dataset "$tmp/own" --loss jc --epochs 9 --runs 2 --data "$data" --predictions "$tmp/p0" --embeddings "$tmp/z" --curve "$tmp/curve.tsv" >"$tmp/out" 2>&1 || fail "outputs of a run"
holds "accuracy, confusion matrix and predictions agree" awk 'FNR == NR && /^run 1:/ { acc = $4 } FNR == NR && /^label/ { m = 1; next }
    FNR == NR && m && NF == 3 { hit += $(++m); all += $2 + $3 } FNR < NR && $NF == "test" { n++; ok += $2 == $3 }
    END { exit !(n && n == all && ok == hit && (acc - 100 * ok / n) ^ 2 < 1e-4) }' "$tmp/out" "$tmp/p0"
holds "embeddings and curves" awk 'FNR == NR { n++; next } /^#/ { next } { e++; if (NF != 5) bad = 1 } END { exit !(n == 201 && e == 19 && !bad) }' "$tmp/z" "$tmp/curve.tsv"
mkdir "$tmp/drawn" && cp "$tmp/curve.tsv" "$tmp/drawn" && "$srcdir/plots/draw.sh" "$tmp/drawn" svg && grep -q "mean of 2 runs" "$tmp/drawn/curve.svg" || fail "a drawn curve"
expect 0 "pairs of runs of 6 requested: .* searched equally for both losses, 3 points with 1 seed each" jcb compare --dataset "$tmp/own" --tune 2 --seeds 1 --base 'epochs=20' --runs 6 --out "$tmp/compare" --data "$data"
holds "compare: page, records of both losses, searched hyper-parameters" [ "$(ls "$tmp"/compare/own-gcn-ce-jc-????????.html "$tmp/compare/index.html" | wc -l)" -eq 2 ] && [ "$(wc -l <"$tmp/compare/records/compare.tsv")" -ge 5 ] &&
    [ "$(grep -c '^[^#]' "$tmp/compare/specs/compare.tsv")" -eq 3 ]
rows=$(wc -l <"$tmp/compare/records/compare.tsv")
expect 0 "pairs of runs" jcb compare --dataset "$tmp/own" --tune 2 --seeds 1 --base 'epochs=20' --runs 6 --out "$tmp/compare" --data "$data" --quiet
holds "compare started again repeats nothing" [ "$(wc -l <"$tmp/compare/records/compare.tsv")" -eq "$rows" ]
both() { jcb compare --dataset "$tmp/own" --tune 0 --base 'epochs=60' --runs 6 --until runs --jobs 1 --out "$tmp/both" --data "$data" --quiet >/dev/null || fail "two at once"; }
both &
both
wait $! || fail "two at once"
holds "two compare on one directory do each run once" [ "$(columns "$tmp/both/records/compare.tsv" key status | sort -u | grep -c ' ok')" -eq 12 -a "$(wc -l <"$tmp/both/records/compare.tsv")" -eq 13 ]
JCB_FAULT="exit:$tmp/own:gcn:jc:1" jcb compare --dataset "$tmp/own" --tune 0 --base 'epochs=20' --runs 2 --quiet --out "$tmp/fault" --data "$data" >"$tmp/out" 2>"$tmp/err"
code=$?
holds "compare: a run whose process ends: $(cat "$tmp/err")" [ $code -eq 1 -a "$(grep -c 'trying again' "$tmp/err")" -eq 2 -a "$(grep -c 'run 1 failed for jc: failed:exit code 3' "$tmp/err")" -eq 1 ]
expect 0 "^2 pairs of runs of 2 requested: all" jcb compare --dataset "$tmp/own" --tune 0 --base 'epochs=20' --runs 2 --out "$tmp/fault" --data "$data"
expect 2 "two" jcb compare --dataset "$tmp/own" --losses ce --data "$data"
expect 2 "twice" jcb compare --dataset "$tmp/own" --losses ce,ce --data "$data"
expect 2 "unknown loss" jcb compare --dataset "$tmp/own" --losses ce,xx --out "$tmp/compare" --data "$data"
holds "a prediction for each node" [ "$(wc -l <"$tmp/p1")" -eq 201 ]
holds "a saved model predicts the same" cmp -s "$tmp/p1" "$tmp/p2"
cp -r "$tmp/own" "$tmp/other"
expect 0 "200 nodes" jcb predict --model "$tmp/model" --dataset "$tmp/other" --data "$data" --predictions "$tmp/p3"
expect 0 "within" jcb partition --dataset "$tmp/own" --clusters 4 --data "$data" --write "$tmp/part"
holds "a cluster for each node" [ "$(wc -l <"$tmp/part")" -eq 200 ]
expect 1 "clusters" jcb partition --dataset "$tmp/own" --clusters 201 --data "$data"
expect 2 "method\|partition" jcb partition --dataset "$tmp/own" --method stars --data "$data"
expect 2 "model and --predictions" jcb predict
expect 1 "features" jcb predict --model "$tmp/model" --dataset twin:cora --data "$data" --predictions "$tmp/p4"
echo "3 77" >>"$tmp/own/edges.tsv"
expect 0 "has changed since the model was trained" jcb predict --model "$tmp/model" --data "$data" --predictions "$tmp/p4"

# A large user's graph, whose nodes are reordered internally: output has the ids and the order of the files. Features determine the classes, and links join
# nodes that are far apart in the files.
mkdir "$tmp/large"
awk 'BEGIN { for (i = 0; i < 100000; i++) print i, (i + 331) % 100000 "\n" i, (i + 33100) % 100000 }' >"$tmp/large/edges.tsv"
awk 'BEGIN { for (i = 0; i < 100000; i++) print i, i * i % 7 % 3 }' >"$tmp/large/labels.tsv"
awk '{ print ($2 == 0), ($2 == 1), ($2 == 2) }' "$tmp/large/labels.tsv" >"$tmp/large/features.tsv"
expect 0 "test 100.00 %" jcb train --dataset "$tmp/large" --model mlp --dropout 0 --loss jc --lr 0.05 --epochs 20 --data "$data" --predictions "$tmp/p1" --save "$tmp/large.model"
expect 0 "100000 nodes" jcb predict --model "$tmp/large.model" --data "$data" --predictions "$tmp/p2"
holds "the saved model of a large graph predicts the same" cmp -s "$tmp/p1" "$tmp/p2"
holds "predictions name the nodes of the files" awk 'FNR == NR { y[$1] = $2; next } FNR > 1 && ($1 != FNR - 2 || $2 != y[$1] || $3 != $2) { bad++ }
    END { exit bad > 0 || FNR != 100001 }' "$tmp/large/labels.tsv" "$tmp/p1"
expect 0 "between" jcb partition --dataset "$tmp/large" --clusters 4 --data "$data" --write "$tmp/part"
holds "clusters are those of the nodes of the files" awk 'NR == 1 { for (i = 1; i < NF; i++) if ($i == "between") want = $(i + 1) } FILENAME ~ /part$/ { of[n++] = $1 }
    FILENAME ~ /edges.tsv$/ { cut += of[$1] != of[$2] } END { exit !(cut > 0 && cut == want) }' "$tmp/out" "$tmp/part" "$tmp/large/edges.tsv"

# Damaged input: one clear line, exit 1.
echo "5 900" >>"$tmp/other/edges.tsv"
expect 1 "edges.tsv" jcb train --dataset "$tmp/other" --data "$data"
cp "$tmp/own/features.tsv" "$tmp/other/"; cp "$tmp/own/edges.tsv" "$tmp/other/"
sed -i '7s/.*/nan 1 2/' "$tmp/other/features.tsv"
expect 1 "features.tsv" jcb train --dataset "$tmp/other" --data "$data"
expect 1 "saved by" jcb predict --model "$tmp/p1" --data "$data" --predictions "$tmp/p4"
expect 1 "write" jcb train --dataset "$tmp/own" --epochs 2 --data "$data" --predictions /dev/full/x
if [ -e /dev/full ]; then # a full disk: a message, and nothing is lost
    mkdir -p "$tmp/full/records"
    ln -s /dev/full "$tmp/full/records/balanced.tsv"
    expect 1 "balanced.tsv" bench_balanced --only dataset=cora,model=mlp,loss=ce --runs 1 --data "$data" --out "$tmp/full" --quiet
fi
expect 1 "none: no records" jcb report --records "$tmp/none" --paper "$srcdir/paper_tables" --out "$tmp/report.html"
holds "nothing is written" [ ! -e "$tmp/report.html" ]
expect 1 "none: no records" jcb tables --records "$tmp/none" --paper "$srcdir/paper_tables" --out "$tmp/tables"
holds "no directory is made" [ ! -e "$tmp/tables" ]
expect 0 "0 of 375 comparisons confirmed" jcb report --records "$tmp/few/records" --paper "$srcdir/paper_tables" --out "$tmp/report.html"
expect 1 "tables.tsv" jcb report --records "$tmp/few/records" --paper "$tmp/none" --out "$tmp/report.html"
report() { jcb report --records "$tmp/few/records" --paper "$srcdir/paper_tables" --data "$data" "$@"; }
printf 'first\n<!-- results: begin -->\nold\n<!-- results: end -->\nlast\n' >"$tmp/README.md"
expect 0 "^$tmp/RESULTS.md: 0 of 375" report --markdown "$tmp/RESULTS.md" --readme "$tmp/README.md" --draft
holds "the block of the README" [ "$(sed -n '1p;3s/.*Nothing comparable yet.*/block/p;$p' "$tmp/README.md" | tr '\n' ' ')" = "first block last " ]
printf 'first\n' >"$tmp/README.md"
expect 1 "README.md: no line that begins with '<!-- results: begin'" report --markdown "$tmp/RESULTS.md" --readme "$tmp/README.md" --draft
expect 2 "readme needs --markdown" report --readme "$tmp/README.md"
expect 2 "unexpected argument 'x'" report x
expect 1 "write\|directory" jcb report --records "$tmp/few/records" --paper "$srcdir/paper_tables" --out /dev/full/x
# The record has the chosen parameters of Correct & Smooth.
bench_correct_smooth --only "dataset=cora,loss=ce+cs" --runs 1 --data "$data" --out "$tmp/r" --quiet 2>/dev/null
expect 0 "^correct [AD]* [0-9.]* [autox0-9.]*, smooth [AD]* [0-9.]*$" columns "$tmp/r/records/correct_smooth.tsv" smooth
bench_balanced --only "dataset=cora,model=mlp,loss=ce" --runs 1 --data "$data" --out "$tmp/r" --quiet 2>/dev/null
expect 0 "^-$" columns "$tmp/r/records/balanced.tsv" smooth
# --out is the results directory in all programs; hyper-parameters of the experiments; a key that is both in settings and a hyper-parameter.
jcb tables --out "$tmp/r" --paper "$srcdir/paper_tables" || fail "jcb tables --out"
expect 0 "^[1-9][0-9]* figures: $tmp/r/figures" jcb figures --out "$tmp/r" --paper "$srcdir/paper_tables"
expect 0 "^$tmp/r/report.html: " jcb report --out "$tmp/r" --paper "$srcdir/paper_tables" --data "$data"
holds "tables and figures are beside the records" [ -f "$tmp/r/tables/README.md" -a -f "$tmp/r/figures/ours-vs-paper.tsv" ]
expect 0 "^run 0: .* epoch [12] of 2 " jcb train --dataset twin:cora --model mlp --loss jc --spec bench --epochs 2 --data "$data"
expect 1 "no experiment has a cell" jcb train --dataset "$tmp/own" --spec bench --data "$data"
expect 0 "graphsage" bench_large --list --only dataset=humloc,method=graphsage --data "$data"
expect 0 "cora" jcb data list --data "$data"
expect 0 "Usage" jcb data --help

# Products of options. A run chooses an epoch, whatever patience and the epochs that are evaluated; --short too.
train() { jcb train --dataset twin:cora --epochs 40 --data "$data" --tsv "$@"; }
chosen() { train "$@" 2>/dev/null >"$tmp/out" && [ "$(columns "$tmp/out" best_epoch)" -gt 0 ]; }
holds "patience below validate_every" chosen --model mlp --patience 10 --validate-every 20
holds "patience below evaluate_from" chosen --model mlp --evaluate-from 30 --patience 5
for k in 2 5 9; do
    bench_balanced --only dataset=cora,model=gat,loss=ce --runs 1 --short $k --data "$data" --out "$tmp/short" --quiet 2>/dev/null || fail "--short $k"
done
holds "--short: epochs are chosen" [ "$(columns "$tmp/short/records/balanced.tsv" best_epoch status | grep -c '^[1-9][0-9]* ok$')" -eq 3 ]
expect 1 "no records but those of --short" jcb tables --out "$tmp/short" --paper "$srcdir/paper_tables"
expect 0 "humloc" bench_large --only dataset=humloc --short 10 --list --data "$data"
# --method keeps what --spec says.
{
    printf 'dataset\tmodel\tloss\tsetting\tspec\tgrid\ttrials\tseeds\tval_acc\tnote\n'
    printf 'twin:cora\tmlp\tce\t-\thidden=7 lr=0.02\t-\t1\t1\t1\t-\ntwin:cora\tgmnn\t-\t-\tmethod=gmnn hidden=5\t-\t1\t1\t1\t-\n'
} >"$tmp/mine.tsv"
bits() { train "$@" 2>/dev/null >"$tmp/out" && columns "$tmp/out" param_hash; }
holds "--spec" [ "$(bits --model mlp --spec "$tmp/mine.tsv")" = "$(bits --model mlp --hidden 7 --lr 0.02)" ]
holds "--spec with the default method" [ "$(bits --model mlp --spec "$tmp/mine.tsv" --method network)" = "$(bits --model mlp --hidden 7 --lr 0.02)" ]
holds "--spec of a method" [ "$(bits --epochs 3 --method gmnn --spec "$tmp/mine.tsv")" = "$(bits --epochs 3 --method gmnn --hidden 5)" ]
# Options without effect, also in a search and a comparison.
expect 2 "heads has no effect on mlp with loss ce" train --model mlp --heads 4
expect 2 "clusters has no effect on gcn with loss ce" train --clusters 7
expect 2 "init has no effect on gcn with loss ce" train --norm-batch 1 --init glorot
expect 2 "patience has no effect on method gmnn" train --method gmnn --patience 3
expect 2 "heads has no effect" jcb tune --experiment x --base "dataset=twin:cora model=mlp" --grid heads=1,2 --data "$data" --out "$tmp/t"
expect 2 "heads has no effect" jcb compare --dataset twin:cora --model mlp --base heads=2 --data "$data" --out "$tmp/t"
expect 2 "setting is for --spec" train --setting x=1
expect 2 "cores is for --plan" jcb reproduce --cores 4 --data "$data"
expect 2 "time must be a time" jcb reproduce --time 0 --data "$data"
expect 1 "takes .* MiB, --memory allows" train --memory 1K
expect 2 "did you mean neighbour:64:5,5" train --batch neighbor:64:5,5
expect 2 "no name may have" jcb train --dataset "$(printf 'a\nb')" --data "$data"
# Real names mean real data; a twin says so everywhere.
expect 1 "cora: .* is missing in .*: get it with .jcb fetch cora., or use the synthetic twin:cora" jcb train --dataset cora --data "$data"
expect 1 "or use the synthetic twin:cora" jcb compare --dataset cora --data "$data" --out "$tmp/t"
expect 1 "or use the synthetic twin:cora" jcb tune --experiment x --base dataset=cora --grid lr=.01,.02 --data "$data" --out "$tmp/t"
expect 1 "or use the synthetic twin:cora" jcb attack --dataset cora --write "$tmp/flips" --data "$data"
expect 2 "unknown data set 'nope'" jcb compare --dataset nope --data "$data" --out "$tmp/t"
holds "a refusal leaves nothing" [ ! -e "$tmp/t" -a ! -e "$tmp/flips" ]
expect 0 '"dataset": "twin:cora", "origin": "twin"' jcb train --dataset twin:cora --epochs 2 --data "$data" --json --predictions "$tmp/twin.tsv"
holds "predictions" grep -q "^# twin:cora: twin data" "$tmp/twin.tsv"
expect 0 "twin:cora, mlp (twin data: nothing follows for the real cora)" jcb compare --dataset twin:cora --model mlp --tune 0 --base epochs=4 --runs 2 --data "$data" --out "$tmp/twin" --quiet
holds "the page" grep -q "twin data: nothing follows" "$tmp"/twin/*.html
# Another comparison has a page of its own; a path with a blank is a path; a larger --tune searches more.
cp -r "$tmp/own" "$tmp/my own"
again() { jcb compare --dataset "$tmp/my own" --seeds 1 --base epochs=5 --runs 2 --time 5m --data "$data" --out "$tmp/again" "$@"; }
again --tune 1 >/dev/null 2>&1 || fail "a path with a blank"
expect 0 "searched equally for both losses, 4 points with 1 seed" again --tune 3 --seed 1 --until runs
holds "no word about --time" [ "$(grep -c 'time' "$tmp/err")" -eq 0 ]
again --tune 0 --losses ce,jcf >/dev/null 2>&1 || fail "another comparison"
holds "two pages" [ "$(ls "$tmp"/again/my_own-gcn-*.html | wc -l)" -eq 2 ]
# Saved models: Correct & Smooth is refused, an attack of a run is that of the run, another graph is taken as it is, jct is refused there.
expect 2 "is not part of a saved network" train --loss ce+cs --save "$tmp/cs"
expect 2 "predicts scores, not probabilities" jcb train --dataset twin:cora --loss jc+cs --calibration --data "$data"
holds "no ECE of scores" [ "$(train --epochs 3 --loss ce+cs 2>/dev/null | awk -F'\t' 'NR == 2 { print $7 $8 $9 }')" = "" ]
mine() { jcb train --dataset "$tmp/own" --epochs 10 --data "$data" "$@"; }
apply() { jcb predict --model "$tmp/s" --data "$data" "$@"; }
mine --attack random:0.3:run --runs 2 --save "$tmp/s" --predictions "$tmp/q1" >/dev/null 2>&1 || fail "attack of a run"
expect 0 "200 nodes" apply --predictions "$tmp/q2"
holds "a model of an attacked graph, without a warning" [ ! -s "$tmp/err" ]
holds "it predicts the same" cmp "$tmp/q1" "$tmp/q2"
cp -r "$tmp/own" "$tmp/copy"
expect 0 "is taken as it is" apply --dataset "$tmp/copy" --predictions "$tmp/q3"
mine --loss jct --save "$tmp/s" --predictions "$tmp/q1" >/dev/null 2>&1 || fail "jct"
expect 0 "200 nodes" apply --predictions "$tmp/q2"
holds "jct predicts the same" cmp "$tmp/q1" "$tmp/q2"
awk '{ print 199 - $1, 199 - $2 }' "$tmp/own/edges.tsv" >"$tmp/copy/edges.tsv"
expect 1 "has learned numbers for each cluster" apply --dataset "$tmp/copy" --predictions "$tmp/q3"
expect 0 "Usage: jcb list" jcb help list
expect 0 "jcbench" jcb version
echo "$checks checks"
