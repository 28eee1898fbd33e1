#!/bin/sh
# The measuring programs on a small user's graph: every kernel VALID at 1 and 2 threads, every falsified result detected, readable records,
# clear errors. The measured values do not matter here.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"

# Two classes, sparse features in one copy and dense ones in the other.
for kind in sparse dense; do
    mkdir "$tmp/$kind"
    awk 'BEGIN { srand(2); for (i = 0; i < 700; i++) print i, int(700 * rand()) "\n" i, (i + 7) % 700 }' >"$tmp/$kind/edges.tsv"
    awk 'BEGIN { for (i = 0; i < 700; i++) print i, i % 3 }' >"$tmp/$kind/labels.tsv"
done
awk 'BEGIN { srand(1); for (i = 0; i < 700; i++) printf "%d %d:1 %d:1 %d:%g\n", i, i % 3, 3 + i % 5, 8 + i % 50, 1 + rand() }' >"$tmp/sparse/features.svm"
awk 'BEGIN { srand(1); for (i = 0; i < 700; i++) { for (j = 0; j < 20; j++) printf "%g ", rand(); print "" } }' >"$tmp/dense/features.tsv"

quick="--data $data --seconds 0.0001 --widths 8,24"
expect 0 "^VALID: .* 0 wrong" bench_kernels $quick --datasets "$tmp/sparse,$tmp/dense" --threads 1,2 --out "$tmp/r"
holds "no kernel is left out" [ "$(grep -c ' VALID$' "$tmp/out")" -ge 120 ]
holds "a speed-up for each kernel" grep -q "speed-up over 1 thread" "$tmp/out"
holds "records" awk -F'\t' 'NR == 1 { n = NF; for (i = 1; i <= NF; i++) if ($i == "status") at = i; ok = $1 == "key" && at }
    NR > 1 && (NF != n || $at != "ok") { ok = 0 } END { exit !(ok && NR > 120) }' "$tmp/r/records/kernels.tsv"
invalid() { bench_kernels $quick --threads 1 "$@" >"$tmp/out" 2>&1; [ $? -eq 1 ] && grep -q "^INVALID" "$tmp/out"; }
holds "a falsified result is detected" invalid --datasets "$tmp/sparse" --spoil
holds "all falsified results are detected" sh -c "! grep -q ' VALID' '$tmp/out'"
holds "a missing graph is reported" invalid --datasets nowhere --only adam
expect 0 "^Usage: bench_kernels" bench_kernels --help
expect 2 "unknown kernel 'dance'" bench_kernels --only dance
expect 2 "threads must be a list of integers" bench_kernels --threads 1,none
expect 2 "widths must be a list of integers" bench_kernels --widths 0
expect 2 "unknown option" bench_kernels --colour

expect 0 "^time" bench_growth --min-edges 1e5 --max-edges 1e6 --seconds 0.01 --out "$tmp/r"
holds "memory grows with the edges" awk '/^memory/ { sub(/.*\^/, ""); ok = $1 > 0.9 && $1 < 1.1 } END { exit !ok }' "$tmp/out"
expect 2 "must be a number" bench_growth --max-edges lots
expect 0 "^Usage: bench_growth" bench_growth --help
for batch in neighbour:64:5,5 cluster:20:4 rows:100; do
    case $batch in rows*) model=sign ;; *) model=sage ;; esac
    expect 0 "of [0-9]* batches timed, .* sgemm .* times their time" bench_growth --seconds 0.01 --data "$data" --cell "dataset=cora model=$model hidden=8 batch=$batch"
done
expect 1 "needs training in batches" bench_growth --data "$data" --cell "dataset=cora model=sage"
expect 1 "^bench_growth: --cell: 'cora' is not key=value" bench_growth --data "$data" --cell cora

few="--data $data --out $tmp/r --only dataset=cora,model=gcn --epochs 3 --jobs 2 --specs $srcdir/bench/specs"
expect 0 "cora .*gcn" bench_efficiency $few --runs 2 --threads 2
holds "a row for each run, loss and number of threads" [ "$(wc -l <"$tmp/r/records/efficiency.tsv")" -eq 9 ]
expect 0 "cora .*gcn" bench_efficiency $few --runs 2 --threads 2
holds "what is recorded is not measured again" [ "$(wc -l <"$tmp/r/records/efficiency.tsv")" -eq 9 ]
holds "tables are made" jcb tables --records "$tmp/r/records" --paper "$srcdir/paper_tables" --out "$tmp/t"
holds "the table has our times" awk -F'\t' '/train_seconds/ && /cora/ && /gcn/ && $0 ~ /not comparable/ { n++ } END { exit n != 2 }' "$tmp/t/crf-gcn.tsv"
expect 1 "no cell matches" bench_efficiency --data "$data" --out "$tmp/r" --only dataset=dblp
expect 2 "neither a hyper-parameter nor a setting is called" bench_efficiency --data "$data" --out "$tmp/r" --only colour=red
expect 0 "^Usage: bench_efficiency" bench_efficiency --help
echo "$checks checks"
