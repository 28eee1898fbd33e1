#!/bin/sh
# jcb attack: the same flips after kill -9 and a restart; files of other settings and damaged files are refused; ids are those of the files; one line for each
# error.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
attack() { jcb attack --data "$data" --quiet "$@"; }

# A user's graph: 3 classes, 400 nodes, mostly linked within their class, words of their class.
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

# A file of another attack, of other data, or not of an attack is refused and not changed.
for other in "--seed 4" "--rate 0.03" "--init fresh" "--steps 24" "--norm none" "--method metatrain"; do
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
expect 2 "steps" attack --dataset "$own" --write "$tmp/x" --steps 1
expect 2 "no number of inner steps" attack --dataset "$own" --write "$tmp/x" --method ameta --steps 20
expect 2 "must be a number" attack --dataset "$own" --write "$tmp/x" --rate much
expect 2 "unknown attack" attack --dataset "$own" --write "$tmp/x" --method nice
expect 2 "rate must be" attack --dataset "$own" --write "$tmp/x" --rate 0
expect 1 "not one flip" attack --dataset "$own" --write "$tmp/x" --rate 0.0001
for method in metaself random dice; do
    expect 2 "rate must be" attack --dataset "$own" --write "$tmp/x" --method $method --rate 1000
done
holds "nothing was written for bad settings" [ ! -e "$tmp/x" ]
mkdir "$tmp/bare" "$tmp/lone"
cp "$own/edges.tsv" "$own/features.svm" "$tmp/bare/"
expect 1 "labels" attack --dataset "$tmp/bare" --write "$tmp/x"
echo "0 0" >"$tmp/lone/edges.tsv"
awk 'BEGIN { for (i = 0; i < 300; i++) print i, i % 2 }' >"$tmp/lone/labels.tsv"
expect 1 "no links" attack --dataset "$tmp/lone" --write "$tmp/x"
cp -r "$tmp/lone" "$tmp/bare2"
echo "0 2" >>"$tmp/lone/edges.tsv" # nodes without links are fine; the only link must stay
expect 0 "1 added, 0 removed" attack --dataset "$tmp/lone" --rate 1 --write "$tmp/x"

# The attack as a hyper-parameter of a run.
train() { jcb train --data "$data" --dataset "$own" --epochs 5 --model mlp --hidden 4 "$@"; }
expect 0 "^run 0" train --attack "file:$tmp/less" --loss jc
expect 0 "^test accuracy" train --attack random:0.4:run --runs 2
clean=$(jcb partition --data "$data" --dataset "$own" --clusters 3)
holds "METIS clusters the graph that is trained on" [ "$(jcb partition --data "$data" --dataset "$own" --clusters 3 --attack random:0.5)" != "$clean" ]
expect 1 "at most" train --attack random:1000
expect 1 "not one flip" train --attack dice:0.0001
expect 1 "no poisoned graph" train --attack meta:0.2
expect 2 "unknown attack" train --attack nice:0.1
expect 2 "expected METHOD:RATE" train --attack random
expect 2 "expected METHOD:RATE" train --attack metaself:0.1:warm
expect 2 "expected METHOD:RATE" train --attack metaself:0.1:stepsx
expect 2 "2 to 1000" train --attack metaself:0.1:steps1
expect 2 "no number of inner steps" train --attack random:0.1:steps20
expect 1 "x: No such\|cannot" train --attack "file:$tmp/none/x"
printf '0 1\n0 400\n' >"$tmp/far"
expect 1 "far:2: .*400" train --attack "file:$tmp/far"
printf '0 1\n1 0\n' >"$tmp/twice"
expect 1 "twice:2: the same pair as in line 1" train --attack "file:$tmp/twice"
expect 1 "one graph: give a seed" jcb tune --data "$data" --experiment x --base "dataset=$own attack=random:0.4:run" --grid 'lr=.1,.2' --specs "$tmp" --out "$tmp/tune"
expect 1 "no links" jcb train --data "$data" --dataset "$tmp/bare2" --attack random:0.5

# The experiments, on a twin: cells of one data set have different graphs, dice replaces graphs that are not published; a new graph for each run.
bench() { program=$1; shift; bench_$program --data "$data" --specs "$srcdir/bench/specs" --out "$tmp/b" --quiet "$@" >"$tmp/says" 2>&1 || fail "bench_$program: $(cat "$tmp/says")"; }
bench attack --runs 1 --only "dataset=polblogs-lcc,model=sgc,loss=ce,ptb=0|5|10"
grep -q "using dice:0.05" "$tmp/says" || fail "no word about the stand-in"
holds "three rates are three graphs" [ "$(columns "$tmp/b/records/attack.tsv" data_hash | sort -u | wc -l)" -eq 3 ]
holds "all on a twin" [ "$(columns "$tmp/b/records/attack.tsv" origin | sort -u)" = twin ]
bench random_attack --runs 2 --only "dataset=polblogs-lcc,model=sgc,loss=ce,ptb=20"
holds "shared and fresh, two runs each" [ "$(wc -l <"$tmp/b/records/random_attack.tsv")" -ge 5 ]
bench metattack --runs 1 --only "dataset=cora-lcc,model=sgc,loss=ce,ptb=5,graph=published"
holds "a fingerprint" grep -q "^253	\|^1[0-9][0-9]	" "$tmp/b/curves/metattack/"*.tsv
expect 1 "no cell matches" bench_attack --data "$data" --out "$tmp/b" --only ptb=7

# The ids of a large graph, whose nodes are reordered internally, are those of its files.
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
