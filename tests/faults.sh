#!/bin/sh
# Faults and bad input as a user meets them: odd records, files that cannot be read, graphs with mistakes, output that cannot be written, signals. Each has one
# message that names the thing, the right exit code, and costs nothing but what it touches.
. "$srcdir/tests/common.sh"
export JCB_RAW="$tmp/none"
paper="$srcdir/paper_tables"
bench() { bench_balanced --data "$data" --only "dataset=cora,model=mlp" --specs "$srcdir/bench/specs" "$@"; }
tables() { jcb tables --records "$1" --paper "$paper" --out "$tmp/tables"; }
bench --out "$tmp/r" --runs 1 --quiet || fail "bench_balanced"

# A record whose setting the layout of its table does not show: that cell is left out with a warning, all tables are written.
mkdir "$tmp/odd"
awk -F'\t' 'BEGIN { OFS = FS } NR == 1 { for (i = 1; i < NF; i++) { at[$i] = i; row = row (i > 1 ? FS : "") $i } print row; next }
    { n = split($0, v, FS); for (k = 0; k < 2; k++) { row = ""; for (i = 1; i < n; i++) row = row (i > 1 ? FS : "") (k && i == 1 ? "0123456789abcdef" : k && i == at["setting"] ? "threads=4" : v[i]); print row } }' \
    "$tmp/r/records/balanced.tsv" >"$tmp/odd/balanced.tsv"
expect 0 "main_res: cora mlp .*, setting threads=4: left out" tables "$tmp/odd"
holds "all tables are written" [ "$(ls "$tmp/tables" | grep -c '\.claims\.tsv$')" -eq 19 ]
holds "with the runs of the cells that fit" grep -q '^| MLP | CE | ours | [0-9.]* (1, twin)' "$tmp/tables/main_res.md"
holds "and a note" grep -q 'threads=4: left out' "$tmp/tables/README.md"
expect 0 "main_res: cora mlp .*threads=4" jcb report --records "$tmp/odd" --paper "$paper" --figures "$tmp/none" --data "$data" --out "$tmp/report.html"
echo "$checks checks"
