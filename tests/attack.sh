#!/bin/sh
# jcb attack as a user meets it: kill -9 and start again ends with the same flips, other settings and damaged files are refused, ids are those of the files,
# mistakes get one line.
. "$srcdir/tests/common.sh"
export JCB_RAW="$tmp/none"
attack() { jcb attack --data "$data" --quiet "$@"; }

# A graph of one's own: 3 classes, 400 nodes, mostly linked within their class, words of their class.
own="$tmp/own"
mkdir "$own"
awk 'BEGIN { srand(3); n = 400; for (k = 0; k < 3 * n; k++) { i = int(n * rand()); j = rand() < .8 ? int(n / 3 * rand() - .01) * 3 + i % 3 : int(n * rand());
    if (i != j && j < n) print i, j } }' >"$own/edges.tsv"
awk 'BEGIN { for (i = 0; i < 400; i++) print i, "abc" i % 3 }' >"$own/labels.tsv"
awk 'BEGIN { srand(4); for (i = 0; i < 400; i++) { split("", w); printf "%d", i; for (k = 0; k < 6; k++) { c = rand() < .6 ? int(20 * rand()) * 3 + i % 3 : int(60 * rand());
    if (!(c in w)) { w[c] = 1 } } for (c = 0; c < 60; c++) if (c in w) printf " %d:1", c; print "" } }' >"$own/features.svm"

# Killed in the middle, its last line torn, started again at another number of threads.
for method in metaself ameta grbcd prbcd; do
    rate=0.05
    [ $method = prbcd ] && rate=0.02
    set -- --dataset "$own" --method $method --rate $rate --seed 3 --block 20000
    attack "$@" --write "$tmp/whole-$method" >"$tmp/out" || fail "$method"
    kill_after "$tmp/cut-$method" 9 jcb attack --data "$data" --quiet "$@" --write "$tmp/cut-$method" >/dev/null
    before=$(wc -l <"$tmp/cut-$method")
    whole=$(wc -l <"$tmp/whole-$method")
    [ "$before" -lt "$whole" ] || [ $method = prbcd ] || echo "$method: was done before it could be killed"
    printf '12 3' >>"$tmp/cut-$method"
    OMP_NUM_THREADS=3 attack "$@" --write "$tmp/cut-$method" >"$tmp/out" || fail "$method, started again"
    holds "$method ends with the same flips after kill -9 at $before of $whole lines" cmp -s "$tmp/whole-$method" "$tmp/cut-$method"
    OMP_NUM_THREADS=1 attack "$@" --write "$tmp/whole-$method" >"$tmp/out" || fail "$method, complete"
    holds "a complete file stays as it is" cmp -s "$tmp/whole-$method" "$tmp/cut-$method"
done
flips=$(grep -vc '^#' "$tmp/whole-metaself")
expect 0 "^$flips flips ($flips of them from an earlier start)" attack --dataset "$own" --rate 0.05 --seed 3 --block 20000 --write "$tmp/whole-metaself"

# Smaller rates are prefixes.
attack --dataset "$own" --rate 0.02 --seed 3 --write "$tmp/less" >/dev/null
n=$(grep -vc '^#' "$tmp/less")
tail -n +2 "$tmp/whole-metaself" | head -n "$n" >"$tmp/prefix"
tail -n +2 "$tmp/less" | cmp -s - "$tmp/prefix" || fail "the flips of a smaller rate are not the first ones of a larger"

# A file of another attack, of other data, or not of an attack at all is left alone.
for other in "--seed 4" "--rate 0.03" "--init fixed" "--norm none" "--method metatrain"; do
    cp "$tmp/less" "$tmp/kept"
    expect 1 "is not of this attack" attack --dataset "$own" --rate 0.02 --seed 3 $other --write "$tmp/kept"
    holds "a file that is refused is not touched" cmp -s "$tmp/less" "$tmp/kept"
done
cp -r "$own" "$tmp/more"
echo "0 399" >>"$tmp/more/edges.tsv"
expect 1 "is not of this attack" attack --dataset "$tmp/more" --rate 0.02 --seed 3 --write "$tmp/kept"
echo "0 1" >"$tmp/plain"
expect 1 "is not of this attack" attack --dataset "$own" --rate 0.02 --seed 3 --write "$tmp/plain"
# Damaged lines of the right file.
damaged() { head -1 "$tmp/less" >"$tmp/kept"; printf '%b' "$1" >>"$tmp/kept"; expect 1 "$2" attack --dataset "$own" --rate 0.02 --seed 3 --write "$tmp/kept"; }
damaged '0 400\n' "kept:2: .*400"
damaged '5 5\n' "kept:2: node 5 with itself"
damaged '1 2\n3 4\n2 1\n' "kept:4: the same pair as in line 2"
damaged '1 two\n' "kept:2: expected a node id"
damaged '1\n' "kept:2: expected a node id"
awk 'BEGIN { for (i = 1; i < 99; i++) print 0, i }' >"$tmp/long"
damaged "$(cat "$tmp/long")\n" "more than the"
expect 1 "cannot write\|not a regular\|Not a directory\|create" attack --dataset "$own" --write /dev/null/x
[ ! -e /dev/full ] || expect 1 "/dev/full" attack --dataset "$own" --write /dev/full

# Bad settings.
expect 2 "are needed" attack --dataset "$own"
expect 2 "fresh or fixed" attack --dataset "$own" --write "$tmp/x" --init warm
expect 2 "none, row or auto" attack --dataset "$own" --write "$tmp/x" --norm log
expect 2 "wants a number" attack --dataset "$own" --write "$tmp/x" --rate much
expect 2 "unknown attack" attack --dataset "$own" --write "$tmp/x" --method nice
expect 1 "positive" attack --dataset "$own" --write "$tmp/x" --rate 0
expect 1 "not one flip" attack --dataset "$own" --write "$tmp/x" --rate 0.0001
for method in metaself random dice; do
    expect 1 "at most" attack --dataset "$own" --write "$tmp/x" --method $method --rate 1000
done
holds "nothing was written for bad settings" [ ! -e "$tmp/x" ]
mkdir "$tmp/bare" "$tmp/lone"
cp "$own/edges.tsv" "$own/features.svm" "$tmp/bare/"
expect 1 "labels" attack --dataset "$tmp/bare" --write "$tmp/x"
echo "0 0" >"$tmp/lone/edges.tsv"
awk 'BEGIN { for (i = 0; i < 300; i++) print i, i % 2 }' >"$tmp/lone/labels.tsv"
expect 1 "no links" attack --dataset "$tmp/lone" --write "$tmp/x"
echo "0 2" >>"$tmp/lone/edges.tsv" # nodes without links are fine; the only link must stay
expect 0 "1 added, 0 removed" attack --dataset "$tmp/lone" --rate 1 --write "$tmp/x"

# The ids of a large graph, whose nodes are renamed inside, are those of its files.
large="$tmp/large"
mkdir "$large"
awk 'BEGIN { for (i = 0; i < 100000; i++) print i, (i + 331) % 100000 "\n" i, (i + 33100) % 100000 }' >"$large/edges.tsv"
awk 'BEGIN { for (i = 0; i < 100000; i++) print i, i * i % 7 % 3 }' >"$large/labels.tsv"
awk '{ print ($2 == 0), ($2 == 1), ($2 == 2) }' "$large/labels.tsv" >"$large/features.tsv"
expect 0 "removed" attack --dataset "$large" --method dice --rate 0.01 --write "$tmp/dice"
holds "dice removes links within and adds links between classes of the files" awk 'FILENAME ~ /labels/ { y[$1] = $2; next }
    FILENAME ~ /edges/ { link[$1 " " $2] = link[$2 " " $1] = 1; next } /^#/ { next }
    { n++; cut += ($1 " " $2) in link; bad += (($1 " " $2) in link) != (y[$1] == y[$2]) } END { exit !(n == 2000 && bad == 0 && cut > 900 && cut < 1100) }' \
    "$large/labels.tsv" "$large/edges.tsv" "$tmp/dice"
echo "$checks checks"
