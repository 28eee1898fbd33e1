#!/bin/sh
# jcb tune: the winner's row, resuming after kill -9, any number of jobs, no influence of test labels, the bench program that reads it, errors.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
base="dataset=twin:cora model=gcn loss=jc epochs=6 hidden=16 clusters=4 lr=.02"
grid="lr=.02,.05 wd=0,5e-4"
search() { # NAME [option ...]: records and specs below $tmp/NAME
    name=$1
    shift
    jcb tune --experiment balanced --data "$data" --out "$tmp/$name" --specs "$tmp/$name/specs" --base "$base" --grid "$grid" --seeds 2 "$@" >"$tmp/$name.out" 2>&1 ||
        { cat "$tmp/$name.out"; fail "jcb tune $*"; }
}
hashes() { columns "$1" key param_hash val_acc | sort; }
row() { grep '^twin:cora' "$tmp/$1/specs/balanced.tsv"; }

search one --jobs 1
[ "$(grep -vc '^#' "$tmp/one/specs/balanced.tsv")" -eq 2 ] || fail "expected a header and one row"
row one | grep -q "^twin:cora	gcn	jc	-	.* lr=.*	$grid	4	2	[0-9.]*	twin$" || { row one; fail "the row of the winner"; }
grep -q '^ *1 .*+-' "$tmp/one.out" && grep -q '^winner of 4 points, 2 seeds each: lr=' "$tmp/one.out" || { cat "$tmp/one.out"; fail "the table"; }
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["test_acc"] != "nan" || $at["run"] < 1000 { exit 1 }' "$tmp/one/tune/balanced.tsv" ||
    fail "a trial has a test accuracy, or the number of a reported run"
hashes "$tmp/one/tune/balanced.tsv" >"$tmp/want"
[ "$(wc -l <"$tmp/want")" -eq 8 ] || fail "expected 8 runs"
best=$(awk -F"\t" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { k = $at["spec"]; s[k] += $at["val_acc"] } END { for (k in s) if (s[k] > m) m = s[k]; printf "%.2f", 50 * m }' "$tmp/one/tune/balanced.tsv")
[ "$(row one | cut -f9)" = "$best" ] || fail "val_acc is $(row one | cut -f9), the best point has $best"

search two --jobs 2
[ "$(row two)" = "$(row one)" ] || fail "two jobs choose another winner"
hashes "$tmp/two/tune/balanced.tsv" | cmp -s - "$tmp/want" || fail "two jobs give different bits"
search two --jobs 2
[ "$(wc -l <"$tmp/two/tune/balanced.tsv")" -eq 9 ] || fail "finished runs were repeated"

# A trial whose process aborts is tried three times and costs no other trial; without the fault the search continues to the same winner.
JCB_FAULT=abort:twin:cora:gcn:jc:1 jcb tune --experiment balanced --data "$data" --out "$tmp/aborts" --specs "$tmp/aborts/specs" --base "$base" --grid "$grid" --seeds 2 >"$tmp/aborts.out" 2>&1 && fail "aborts: exit 0"
[ "$(grep -c 'trying again' "$tmp/aborts.out")" -eq 8 ] && tail -n 1 "$tmp/aborts.out" | grep -q 'every point failed; no winner is written' && [ ! -e "$tmp/aborts/specs" ] || fail "aborts: $(cat "$tmp/aborts.out")"
columns "$tmp/aborts/tune/balanced.tsv" status | sort | uniq -c | tr -s ' \n' ' ' | grep -q '^ 4 failed:signal 6 4 ok $' || fail "aborts: $(columns "$tmp/aborts/tune/balanced.tsv" status)"
search aborts --jobs 2
[ "$(row aborts)" = "$(row one)" ] || fail "another winner after runs that aborted"
columns "$tmp/aborts/tune/balanced.tsv" key param_hash val_acc status | sed -n 's/ ok$//p' | sort | cmp -s - "$tmp/want" || fail "different bits after runs that aborted"

# A fault at some of the points: they might have won, so that there is no winner until they are done.
cp -r "$tmp/one" "$tmp/some" && rm -r "$tmp/some/specs"
JCB_FAULT=memory:twin:cora:gcn:jc:1 jcb tune --experiment balanced --data "$data" --out "$tmp/some" --specs "$tmp/some/specs" --base "$base" --grid "lr=.02,.05,.1 wd=0,5e-4" --seeds 2 >"$tmp/some.out" 2>&1 && fail "a fault at some points: exit 0"
tail -n 1 "$tmp/some.out" | grep -q '2 of 12 runs ended by a fault and no winner is written' && [ ! -e "$tmp/some/specs" ] || fail "a fault at some points: $(cat "$tmp/some.out")"

kill_after "$tmp/killed/tune/balanced.tsv" 3 jcb tune --experiment balanced --data "$data" --out "$tmp/killed" --specs "$tmp/killed/specs" \
    --base "$base epochs=60" --grid "$grid" --seeds 2 --jobs 1 --quiet
before=$(($(wc -l <"$tmp/killed/tune/balanced.tsv") - 1))
cp "$tmp/killed/tune/balanced.tsv" "$tmp/before"
base="$base epochs=60"
search killed --jobs 2
search whole --jobs 2
head -c "$(wc -c <"$tmp/before")" "$tmp/killed/tune/balanced.tsv" | cmp -s - "$tmp/before" || fail "finished runs were touched"
[ "$(wc -l <"$tmp/killed/tune/balanced.tsv")" -eq 9 ] || fail "runs were repeated after kill -9 ($before were done)"
[ "$(row killed)" = "$(row whole)" ] || fail "another winner after kill -9"

# A second search adds or replaces rows; comment lines stay, rows are sorted.
sed -i '1s/^/# my own words\n/' "$tmp/one/specs/balanced.tsv"
base="dataset=twin:cora model=gcn loss=ce epochs=4 hidden=16"
search one --random 2 --setting few
search one --random 2
search one --random 2
head -1 "$tmp/one/specs/balanced.tsv" | grep -q 'my own words' || fail "comment lines are lost"
[ "$(grep -v '^#' "$tmp/one/specs/balanced.tsv" | cut -f3,4 | tr '\t\n' '/ ')" = "loss/setting ce/- ce/few jc/- " ] || { cat "$tmp/one/specs/balanced.tsv"; fail "rows"; }
grep -q "	3	2	" "$tmp/one/specs/balanced.tsv" || fail "--random 2 tries the base and two points"

# The bench program uses the winner; its cells have the names of the real data.
lr=$(row one | grep 'gcn	jc' | cut -f5 | grep -o 'lr=[^ ]*')
sed -i 's/^twin://' "$tmp/one/specs/balanced.tsv"
bench_balanced --data "$data" --specs "$tmp/one/specs" --list --only "dataset=cora,model=gcn,loss=jc" 2>"$tmp/err" >"$tmp/list"
grep -q "hidden=16 .*$lr .*epochs=6 .*clusters=4" "$tmp/list" || { cat "$tmp/list"; fail "the bench program does not take the winner ($lr)"; }
grep -q 'row 2 matches no cell' "$tmp/err" || fail "no warning about a row that matches no cell"
bench_balanced --data "$data" --specs "$tmp/one/specs" --out "$tmp/run" --only "dataset=cora,model=gcn,loss=jc" --runs 1 2>/dev/null | grep -q '^hyper-parameters of 1 of the 1 cells' ||
    fail "the summary does not say where hyper-parameters are from"

# Test labels have no influence: a graph with a published split, then with changed labels of its test nodes.
mkdir "$tmp/a"
awk 'BEGIN { for (i = 0; i < 200; i++) { print i, (i + 2) % 200; if (i % 50 == 0) print i, i + 1 } }' >"$tmp/a/edges.tsv"
awk 'BEGIN { srand(1); for (i = 0; i < 200; i++) print i % 2 + 2 * rand(), 1 - i % 2 + 2 * rand(), rand() }' >"$tmp/a/features.tsv"
awk 'BEGIN { for (i = 0; i < 200; i++) print i, i < 20 ? "train" : i < 80 ? "val" : "test" }' >"$tmp/a/split.tsv"
cp -r "$tmp/a" "$tmp/b"
awk 'BEGIN { for (i = 0; i < 200; i++) print i, i % 2 }' >"$tmp/a/labels.tsv"
awk 'BEGIN { for (i = 0; i < 200; i++) print i, i < 80 ? i % 2 : (i + 1) % 2 }' >"$tmp/b/labels.tsv"
for x in a b; do
    base="dataset=$tmp/$x loss=jc epochs=20 hidden=8 clusters=3"
    search own$x
    hashes "$tmp/own$x/tune/balanced.tsv" | cut -d' ' -f2- | sort >"$tmp/$x.hashes"
    grep -v '^#' "$tmp/own$x/specs/balanced.tsv" | cut -f4-9 >"$tmp/$x.row"
done
cmp -s "$tmp/a.hashes" "$tmp/b.hashes" && cmp -s "$tmp/a.row" "$tmp/b.row" || fail "test labels matter"

# Errors: one line, exit 1 or 2.
mistake() { # CODE PATTERN option ...
    code=$1 pattern=$2
    shift 2
    expect "$code" "$pattern" jcb tune --data "$data" --out "$tmp/m" --specs "$tmp/m/specs" "$@"
    [ ! -s "$tmp/out" ] && [ ! -d "$tmp/m/specs" ] || fail "jcb tune $* went on"
}
cell="--experiment x --base dataset=cora"
mistake 2 "are needed" --base dataset=cora --grid lr=1
mistake 2 "must be names" --experiment ../x --base dataset=cora --grid lr=1
mistake 2 "'lr' is not key=value" $cell --grid lr
mistake 2 "'lr=' is not key=value" $cell --grid lr=
mistake 2 "empty value" $cell --grid lr=.1,,.2
mistake 2 "lr must be a number, not 'fast'" $cell --grid lr=.1,fast
mistake 2 "hidden must be a whole number" $cell --grid hidden=6.5
mistake 2 "unknown hyper-parameter 'colour'" $cell --grid colour=red
mistake 2 "value 0.1 twice" $cell --grid lr=.1,0.1
mistake 2 "lr is listed twice" $cell --grid "lr=.1 lr=.2"
mistake 2 "set it in --base" $cell --grid dataset=cora,pubmed
mistake 2 "grid is empty" $cell --grid " "
mistake 2 "hidden is 0" $cell --grid hidden=0,16
mistake 2 "too many" $cell --grid "$(for k in lr wd tau epochs; do printf ' %s=%s' $k "$(seq -s, 11)"; done)"
mistake 2 "--base: unknown hyper-parameter" --experiment x --base colour=red --grid lr=1
mistake 2 "unknown loss" --experiment x --base "dataset=cora loss=mse" --grid lr=1
mistake 2 "nowhere" --experiment x --base dataset=nowhere --grid lr=1 --quiet
mistake 1 "stopped by --time, 2 of 2 runs are left" --experiment x --base "dataset=twin:cora epochs=2" --grid lr=.01,.02 --seeds 1 --time 1e-9s --quiet
for bad in 'cora	gcn	jc	-	lr=fast	-	1	1	1	-' 'cora	gcn	jc	-	model=gat	-	1	1	1	-' 'cora	gcn	jc	-	colour=red	-	1	1	1	-'; do
    mkdir -p "$tmp/bad"
    { grep -m1 '^dataset' "$tmp/one/specs/balanced.tsv"; echo "$bad"; } >"$tmp/bad/balanced.tsv"
    expect 1 'balanced.tsv: cora gcn jc -: ' bench_balanced --data "$data" --specs "$tmp/bad" --list
done
echo "killed after $before of 8 runs: the same winner"
