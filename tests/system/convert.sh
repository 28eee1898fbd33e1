#!/bin/sh
# Users' graphs: every format to every other and back gives the same data; ambiguous formats and data that cannot be written are refused.
. "$srcdir/tests/tools/common.sh"
info() { jcb data info "$1" --data "$data"; }
hash_of() { info "$1" 2>/dev/null | sed -n 's/^  hash *//p'; }
convert() { jcb data convert "$@" --data "$data"; }
formats="plain arrays mtx ogb"

# Every graph has a size that its files do not imply: the last node has no link, no label or no feature, or a column or class is unused.
graph() { # NAME: links
    mkdir "$tmp/$1"
    awk 'BEGIN { for (i = 0; i < 38; i++) print i, (i * 7 + 3) % 38 }' >"$tmp/$1/edges.tsv"
}
labels() { awk 'BEGIN { for (i = 0; i < 38; i++) if (i != 5) print i, i % 3 }' >"$tmp/$1/labels.tsv"; }
graph sparse; labels sparse
awk 'BEGIN { for (i = 0; i < 39; i += 2) print i, i % 9 ":" (i + 1) / 7, "11:-" i + 1 }' >"$tmp/sparse/features.svm"
printf 'nodes 40\nfeatures 20\nclasses 3\n' >"$tmp/sparse/sizes.tsv"
awk 'BEGIN { for (i = 0; i < 30; i++) if (i != 5) print i, i % 3 ? "train" : "val", i % 2 ? "test" : i % 4 ? "-" : "train" }' >"$tmp/sparse/split.tsv"
graph dense; labels dense
awk 'BEGIN { for (i = 0; i < 40; i++) print i / 3, -i, 1e-30 * i, 0.1 }' >"$tmp/dense/features.tsv"
awk 'BEGIN { for (i = 0; i < 30; i++) if (i != 5) print i, i % 3 ? "train" : i % 2 ? "val" : "test" }' >"$tmp/dense/split.tsv"
graph words
awk 'BEGIN { for (i = 0; i < 38; i++) print i, i % 2 ? "dog" : "cat" }' >"$tmp/words/labels.tsv"
graph several
awk 'BEGIN { print "node classes"; for (i = 0; i < 38; i++) if (i % 4) print i, "c" i % 3, i % 2 ? "d" : "" }' >"$tmp/several/multilabels.tsv"
awk 'BEGIN { for (i = 0; i < 40; i++) print i, i % 4 ":1", 4 + i % 5 ":1", i % 7 + 10 ":1" }' >"$tmp/several/features.svm"
printf 'features 30\n' >"$tmp/several/sizes.tsv"
expect 0 "classes     4 (multi-label)" info "$tmp/several"
expect 0 "splits      2 published, the first 19 / 10 / 0" info "$tmp/sparse"
for g in sparse dense words several; do
    want=$(hash_of "$tmp/$g")
    holds "$g has a hash" [ "${#want}" -eq 16 ]
    for from in $formats; do
        expect 0 "hash $want" convert "$tmp/$g" "$tmp/$g-$from" --format "$from"
        expect 0 "^  format      $from" info "$tmp/$g-$from"
        for to in $formats; do
            convert "$tmp/$g-$from" "$tmp/$g-$from-$to" --format "$to" >"$tmp/out" 2>&1 || { cat "$tmp/out"; fail "$g: $from to $to"; }
            checks=$((checks + 1))
            holds "$g: $from to $to" [ "$(hash_of "$tmp/$g-$from-$to")" = "$want" ]
        done
    done
done
# Reading and writing again gives the same bytes.
for f in $formats; do
    holds "$f: the same files" diff -r "$tmp/sparse-$f" "$tmp/sparse-plain-$f"
done
# Training does not depend on the format.
train() { jcb train --dataset "$1" --epochs 5 --loss jc --clusters 2 --split public --data "$data" --tsv 2>/dev/null | tail -1 | awk '{ print $NF }'; }
want=$(train "$tmp/dense")
holds "training" [ "${#want}" -eq 16 ]
for f in $formats; do
    holds "training on $f" [ "$(train "$tmp/dense-$f")" = "$want" ]
done

# Refused: one line, nothing lost.
expect 1 "is not empty" convert "$tmp/dense" "$tmp/words"
expect 0 "format      plain" info "$tmp/words"
expect 1 "did you mean 'arrays'" convert "$tmp/dense" "$tmp/new" --format array
holds "nothing was made" [ ! -e "$tmp/new" ]
expect 2 "needs FROM and TO" convert "$tmp/dense"
expect 1 "not found" convert "$tmp/nowhere" "$tmp/new"
mkdir "$tmp/empty"
expect 1 "none of edges.tsv (plain), labels.npy (arrays), graph.mtx (mtx), raw/edge.csv.gz (ogb)" info "$tmp/empty"
cp "$tmp/dense-mtx/graph.mtx" "$tmp/dense/graph.mtx"
expect 1 "keep the files of one format" info "$tmp/dense"
rm "$tmp/dense/graph.mtx"
cp "$tmp/dense/labels.tsv" "$tmp/several/labels.tsv"
expect 1 "has both labels.tsv and multilabels.tsv" info "$tmp/several"
rm "$tmp/dense-mtx/labels.tsv"
expect 1 "labels.tsv: No such file" info "$tmp/dense-mtx"
mkdir "$tmp/dense-ogb/split/time"
cp "$tmp/dense-ogb/split/0"/* "$tmp/dense-ogb/split/time"
expect 1 "2 schemes: keep one" info "$tmp/dense-ogb"
rm -r "$tmp/dense-ogb/split/0"
expect 0 "splits      1 published" info "$tmp/dense-ogb"
rm "$tmp/dense-ogb/split/time/valid.csv.gz"
expect 1 "valid.csv.gz" info "$tmp/dense-ogb"
# A dense matrix with few non-zeros would be read back as sparse: an error.
mkdir "$tmp/zeros"
cp "$tmp/dense/edges.tsv" "$tmp/dense/labels.tsv" "$tmp/zeros"
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 20 == 0, 0, 0, 0 }' >"$tmp/zeros/features.tsv"
expect 1 "format ogb cannot represent the data" convert "$tmp/zeros" "$tmp/zeros-ogb" --format ogb
expect 0 "hash" convert "$tmp/zeros" "$tmp/zeros-mtx" --format mtx
echo "$checks checks"
