#!/bin/sh
# A user's graph as numpy arrays, and as text files with header lines, gives the same data as plain text files; damaged arrays are refused.
. "$srcdir/tests/tools/common.sh"
# npy FILE SHAPE BYTE...: an array of int8, format 1.0.
npy() {
    out=$1 shape=$2
    shift 2
    { printf '\223NUMPY\001\000\166\000'; printf '%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': ($shape), }"; for b in "$@"; do printf "\\$(printf %03o $((b & 255)))"; done; } >"$out"
}
graph() { sed -n 's/^  \(nodes\|edges\|features\|classes\|class sizes\|hash\) */\1 /p'; }
info() { jcb data info "$1" --data "$data" 2>&1; }
mkdir "$tmp/text" "$tmp/head" "$tmp/arrays"
printf '0 1\n1 2\n2 3\n3 0\n4 5\n' >"$tmp/text/edges.tsv"
printf '0 0\n1 1\n2 0\n3 1\n4 1\n' >"$tmp/text/labels.tsv"
printf '1 0 2\n0 3 0\n1 1 1\n0 0 4\n2 0 0\n0 1 0\n' >"$tmp/text/features.tsv"
printf '0 train\n1 train\n2 val\n3 val\n4 test\n' >"$tmp/text/split.tsv"
sed '1i source target' "$tmp/text/edges.tsv" >"$tmp/head/edges.tsv"
sed '1i id,class' "$tmp/text/labels.tsv" >"$tmp/head/labels.tsv"
sed '1i a b c' "$tmp/text/features.tsv" >"$tmp/head/features.tsv"
sed '1i node part' "$tmp/text/split.tsv" >"$tmp/head/split.tsv"
arrays() {
    npy "$tmp/arrays/edges.npy" "5, 2" 0 1 1 2 2 3 3 0 4 5
    npy "$tmp/arrays/labels.npy" "6," 0 1 0 1 1 -1
    npy "$tmp/arrays/features.npy" "6, 3" 1 0 2 0 3 0 1 1 1 0 0 4 2 0 0 0 1 0
    npy "$tmp/arrays/train.npy" "6," 1 1 0 0 0 0
    npy "$tmp/arrays/val.npy" "2," 2 3
    npy "$tmp/arrays/test.npy" "1," 4
}
arrays
info "$tmp/text" | graph >"$tmp/want"
holds "six facts" [ "$(wc -l <"$tmp/want")" -ge 5 ]
for form in head arrays; do
    info "$tmp/$form" | graph >"$tmp/have"
    holds "$form: the same data" cmp "$tmp/want" "$tmp/have"
    expect 0 "splits      1 published, the first 2 / 2 / 1" info "$tmp/$form"
done
# Several splits, several labels a node, no features.
npy "$tmp/arrays/train.npy" "6, 2" 1 0 1 0 0 1 0 1 0 0 0 0
npy "$tmp/arrays/val.npy" "6, 2" 0 1 0 1 1 0 0 0 0 0 0 0
npy "$tmp/arrays/test.npy" "6, 2" 0 0 0 0 0 0 1 0 1 1 0 0
expect 0 "splits      2 published" info "$tmp/arrays"
npy "$tmp/arrays/labels.npy" "6, 3" 1 0 1 0 1 0 0 0 0 1 1 1 0 0 1 1 0 0
expect 0 "classes     3 (multi-label)" info "$tmp/arrays"
rm "$tmp/arrays/features.npy"
expect 0 "features    6, sparse" info "$tmp/arrays"
# Damaged: one line, exit 1.
refuse() { expect 1 "$1" jcb data info "$tmp/arrays" --data "$data"; rm -f "$tmp/arrays"/*; arrays; }
rm -f "$tmp/arrays"/*; arrays
npy "$tmp/arrays/edges.npy" "5, 2" 0 1 1 2 2 3 3 0 4 6; refuse "edges.npy"
npy "$tmp/arrays/labels.npy" "6," 0 1 0 1 1 -2; refuse "labels.npy"
npy "$tmp/arrays/features.npy" "5, 3" 1 0 2 0 3 0 1 1 1 0 0 4 2 0 0; refuse "there are 6 nodes"
npy "$tmp/arrays/features.npy" "6, 3" 1 0; refuse "features.npy"
npy "$tmp/arrays/val.npy" "2," 3 3; refuse "node 3 is listed twice"
npy "$tmp/arrays/test.npy" "1," 7; refuse "test.npy"
rm "$tmp/arrays/test.npy"; refuse "needs train.npy, val.npy and test.npy"
rm "$tmp/arrays/edges.npy"; refuse "needs either edges.npy or graph.npz"
head -c 40 "$tmp/arrays/labels.npy" >"$tmp/cut" && mv "$tmp/cut" "$tmp/arrays/labels.npy"; refuse "labels.npy"
printf 'x 1\n' >"$tmp/head/edges.tsv"
expect 1 "edges.tsv" jcb data info "$tmp/head" --data "$data"
echo "$checks checks"
