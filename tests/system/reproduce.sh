#!/bin/sh
# jcb reproduce: one order of runs over all experiments, on a synthetic twin, also if it is killed; after three runs only open orderings get more; the same bits at any --jobs; --time; unavailable data; --list of every program.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
paper="$srcdir/paper_tables"
only="experiment=balanced|incontext|cluster_count,dataset=cora,model=mlp" # orderings between three cells; eight cells that feed a figure
reproduce() { jcb reproduce --data "$data" --paper "$paper" --specs "$srcdir/bench/specs" "$@"; }
# counts DIR: experiment, loss, setting and number of runs of each cell that has any
counts() { for f in "$1"/records/*.tsv; do columns "$f" experiment loss setting status; done | grep ' ok$' | sort | uniq -c | awk '{ print $2, $3, $4, $1 }'; }
hashes() { for f in "$1"/records/*.tsv; do columns "$f" check key run param_hash test_acc; done | sed -n 's/^[0-9a-f]\{16\} \([0-9a-f]\{16\} [0-9]* [0-9a-f]\{16\} \)/\1/p' | sort; } # whole rows

# Killed at any moment: no other cell has a second run before all printed cells have three and all others one (with two jobs it may, while data are
# being prepared).
for jobs in 1 2; do
    for lines in 3 6 9 4 2; do
        kill_after "$tmp/killed$jobs/records/cluster_count.tsv" $lines jcb reproduce --data "$data" --paper "$paper" --specs "$srcdir/bench/specs" --only "$only" --runs 3 --quiet --out "$tmp/killed$jobs" --jobs $jobs
        counts "$tmp/killed$jobs" | awk -v jobs=$jobs '$1 == "cluster_count" { c++; second += $4 > 1; next } { full += $4 > 2 }
            END { exit !(c == 8 && full == 3 || second < jobs || jobs > 1) }' || fail "order, $jobs jobs: $(counts "$tmp/killed$jobs")"
        [ $lines -ne 9 ] || printf '0123456789abcdef\t1\tbalanced\tcora' >>"$tmp/killed$jobs/records/balanced.tsv" # a torn write
    done
    reproduce --only "$only" --runs 3 --quiet --out "$tmp/killed$jobs" --jobs $jobs || fail "resumed, $jobs jobs"
    reproduce --only "$only" --runs 3 --quiet --out "$tmp/whole$jobs" --jobs $jobs || fail "whole, $jobs jobs"
    hashes "$tmp/whole$jobs" >"$tmp/want$jobs"
    hashes "$tmp/killed$jobs" | cmp -s - "$tmp/want$jobs" || fail "kill -9 changes the records: $(hashes "$tmp/killed$jobs" | diff - "$tmp/want$jobs")"
done
[ "$(wc -l <"$tmp/want1")" -eq 33 ] || fail "$(wc -l <"$tmp/want1") of 33 runs"
cmp -s "$tmp/want1" "$tmp/want2" || fail "--jobs 1 and 2 give different bits"
# same_runs.sh accepts the killed one, and detects a run that is lost, recorded twice, or has different bits.
judge() { sh "$srcdir/tests/tools/same_runs.sh" "$tmp/whole1" "$1" "$tmp/seen" >"$tmp/log" 2>&1; }
sh "$srcdir/tests/tools/same_runs.sh" --rows "$tmp/killed1" >"$tmp/seen"
judge "$tmp/killed1" || fail "same_runs.sh: $(cat "$tmp/log")"
while read -r damage message; do
    rm -rf "$tmp/damaged"
    cp -r "$tmp/killed1" "$tmp/damaged"
    sed -i -E "$damage" "$tmp/damaged/records/balanced.tsv"
    ! judge "$tmp/damaged" && grep -q "FAILED: $message" "$tmp/log" || fail "same_runs.sh on $damage: $(cat "$tmp/log")"
done <<'END'
$d rows are lost
$p runs are there twice
$s/[0-9a-f]{16}(\t[^\t]*\tok\t)/0123456789abcdef\1/ different bits
/\tce\t/d other cells
END
awk -v want=0 '$2 != int((NR - 1) / 8) { exit 1 }' <<END || fail "curves in rounds"
$(columns "$tmp/whole1/records/cluster_count.tsv" key run)
END

# Open orderings get further runs until they are decided; then nothing is left to do. Without --until the cells of the figure get ten runs.
reproduce --only "$only" --runs 60 --until decided --out "$tmp/whole1" --jobs 2 >"$tmp/out" 2>&1 || fail "orderings: $(cat "$tmp/out")"
grep -q 'on stand-in data 5 decided, 0 open' "$tmp/out" || fail "orderings: $(cat "$tmp/out")"
counts "$tmp/whole1" | awk '$1 == "cluster_count" ? $4 != 3 : !($4 > 5 && $4 < 20) { exit 1 }' || fail "runs of the orderings: $(counts "$tmp/whole1")"
jcb tables --records "$tmp/whole1/records" --paper "$paper" --out "$tmp/tables"
awk -F'\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["origin"] == "twin" { n++; bad += $at["verdict"] == "undecided" } END { exit !(n >= 5 && !bad) }' \
    "$tmp"/tables/*.claims.tsv || fail "verdicts of the tables"
hashes "$tmp/whole1" | awk 'NR == FNR { h[$1] = $0; next } h[$1] != $0 { exit 1 }' - "$tmp/want1" || fail "finished runs were touched"
counts "$tmp/whole1" >"$tmp/before"
reproduce --only "$only" --runs 60 --until decided --out "$tmp/whole1" | grep -q '^0 runs ' || fail "decided orderings get more runs"
reproduce --only "$only" --runs 60 --quiet --out "$tmp/whole1" || fail "curves"
counts "$tmp/whole1" | awk 'NR == FNR { n[$1 $2 $3] = $4; next } $4 != ($1 == "cluster_count" ? 10 : n[$1 $2 $3]) { exit 1 }' "$tmp/before" - || fail "curves: $(counts "$tmp/whole1")"

# Records of other data fill no cell: with another graph under the same name everything is run again, once.
mkdir "$tmp/other"
awk -F'\t' 'BEGIN { OFS = FS } $1 == "cora" { $6 = 5000 } { print }' "$data/catalog.tsv" >"$tmp/other/catalog.tsv"
cmp -s "$data/catalog.tsv" "$tmp/other/catalog.tsv" && fail "the other catalogue"
cp -r "$tmp/killed1" "$tmp/both"
for n in 33 0; do
    jcb reproduce --data "$tmp/other" --paper "$paper" --specs "$srcdir/bench/specs" --only "$only" --runs 3 --out "$tmp/both" --jobs 2 >"$tmp/out" 2>&1 || fail "other data: $(cat "$tmp/out")"
    grep -q "^$n runs " "$tmp/out" || fail "other data, $n runs: $(cat "$tmp/out")"
done
[ "$(hashes "$tmp/both" | wc -l)" -eq 66 ] || fail "other data: $(hashes "$tmp/both" | wc -l) of 66 runs"

# --time: it ends in time, and data sets whose runs do not fit are not opened.
start=$(date +%s)
reproduce --only "dataset=cora|ogbn-arxiv,model=mlp" --time 4s --quiet --out "$tmp/time" || fail "--time"
[ $(($(date +%s) - start)) -le 15 ] || fail "--time 4s took $(($(date +%s) - start)) s"
[ -z "$(find "$data/cache" -name '*arxiv*')" ] || fail "ogbn-arxiv was opened"
[ "$(counts "$tmp/time" | wc -l)" -gt 0 ] || fail "nothing was run in 4 s"

# Ctrl-C: current runs are completed and recorded, no others start.
jcb reproduce --data "$data" --paper "$paper" --specs "$srcdir/bench/specs" --only "$only" --out "$tmp/signal" --jobs 1 >"$tmp/out" 2>&1 &
pid=$!
for _ in $(seq 1000); do
    [ -f "$tmp/signal/records/balanced.tsv" ] && [ "$(wc -l <"$tmp/signal/records/balanced.tsv")" -ge 2 ] && break
    sleep 0.02
done
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "after a signal: $(cat "$tmp/out")"
grep -q "stopped by a signal" "$tmp/out" || fail "a signal: $(cat "$tmp/out")"

# Data that cannot be loaded affect their own cells only.
mkdir "$tmp/less"
grep -v '^citeseer	' "$data/catalog.tsv" >"$tmp/less/catalog.tsv"
jcb reproduce --data "$tmp/less" --paper "$paper" --specs "$srcdir/bench/specs" --only "experiment=balanced,dataset=cora|citeseer,model=mlp" --runs 1 --quiet --out "$tmp/less" 2>"$tmp/err" && fail "no citeseer, and no failure"
[ "$(grep -c citeseer "$tmp/err")" -eq 1 ] || fail "messages: $(cat "$tmp/err")"
[ "$(counts "$tmp/less" | wc -l)" -eq 2 ] || fail "the other data set: $(counts "$tmp/less")"

# Measurements run in separate processes, one at a time.
reproduce --only "experiment=efficiency,dataset=cora,model=mlp,setting=-" --runs 1 --quiet --out "$tmp/measure" || fail "efficiency"
columns "$tmp/measure/records/efficiency.tsv" loss jobs epoch_ms rss_bytes | awk '$2 == 1 && $3 > 0 && $4 > 1e6 && $4 < 1e9 { n++ } END { exit n != 2 }' ||
    fail "efficiency: $(columns "$tmp/measure/records/efficiency.tsv" loss jobs epoch_ms rss_bytes)"

# The plan, and the cells of every program.
reproduce --plan --out "$tmp/plan" >"$tmp/out" || fail "--plan"
[ ! -e "$tmp/plan" ] || fail "--plan writes"
# Costs come from records if there are any: about 1000 s for each run of both cells, on 10 cores.
mkdir -p "$tmp/costs/records"
awk -F'\t' 'BEGIN { OFS = FS } NR == 1 { for (i = 1; i < NF; i++) at[$i] = i } NR > 1 { $at["train_seconds"] = 1000 } { NF--; print }' "$tmp/less/records/balanced.tsv" >"$tmp/costs/records/balanced.tsv"
reproduce --plan --cores 10 --runs 19 --only "experiment=balanced,dataset=cora,model=mlp" --out "$tmp/costs" >"$tmp/out2" || fail "--plan --cores"
grep -q '^balanced  *2  *2  *2  *4  *1.11  *0.11  *36  *10.0[0-9]  *1.00  *main_res ' "$tmp/out2" || fail "--plan --cores: $(cat "$tmp/out2")"
programs=0
for file in "$srcdir"/bench/*.tsv; do
    program=$(basename "$file" .tsv)
    grep -q "^$program  *[1-9]" "$tmp/out" || fail "$program is not in the plan"
    bench_$program --list --data "$data" --specs "$srcdir/bench/specs" --only 'dataset=cora|pubmed|lastfmasia|wisconsin|cora-lcc|humloc|ogbn-arxiv' >"$tmp/list" || fail "bench_$program --list"
    grep -q '^dataset=.* setting=' "$tmp/list" || fail "bench_$program --list: $(head -1 "$tmp/list")"
    programs=$((programs + 1))
done
[ $programs -ge 26 ] || fail "$programs programs"
# --list makes no twins: those of Yelp and Amazon take minutes.
mkdir -p "$tmp/fresh" && cp "$srcdir/data/catalog.tsv" "$tmp/fresh/"
timeout 60 bench_large --list --data "$tmp/fresh" --specs "$srcdir/bench/specs" >"$tmp/list" || fail "bench_large --list"
grep -q '^dataset=amazon .* nodes=1569960 imbalance=- origin=twin seconds=' "$tmp/list" || fail "bench_large --list: $(tail -1 "$tmp/list")"
[ ! -e "$tmp/fresh/cache" ] || fail "--list makes data: $(ls "$tmp/fresh/cache")"
echo "rounds, orderings, time and $programs lists hold"
