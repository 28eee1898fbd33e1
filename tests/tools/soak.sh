#!/bin/sh
# soak.sh MINUTES [SEED], from the top of a build: `jcb reproduce` under kill -9 at random moments, of the scheduler and of its workers, for so
# many minutes; then it runs undisturbed to its end. tests/tools/same_runs.sh checks the records; besides, every run that was reported before a kill must be
# recorded, a further start must find nothing to do, and memory must not grow during the undisturbed run.
# On twins, or with RAW=DIRECTORY on real data; ONLY, RUNS: which runs, enough for all of the minutes; SPECS: hyper-parameters; EVERY: longest life of a
# scheduler in seconds (16). Files are kept if a check fails.
# WANT=DIRECTORY, for sets of runs that would take days: OUT does not run to its end, but is started once more for a minute, and its bits are compared
# with the runs of undisturbed programs in DIRECTORY/records. OUT may have records already.
srcdir=${srcdir:-.}
PATH="$PWD/src:$PWD/bench:$PATH"
export srcdir PATH
. "$srcdir/tests/tools/common.sh"
trap 'code=$?; if [ $code -eq 0 ]; then rm -rf "$tmp"; else echo "kept: $tmp"; fi' EXIT
raw=${RAW:+$(cd "$RAW" && pwd)} || fail "no directory $RAW"
export JCB_RAW="${raw:-$tmp/none}"
minutes=${1:?minutes} state=${2:-1} every=${EVERY:-16}
only=${ONLY:-dataset=cora|wisconsin,model=mlp|sgc}
out=${OUT:-$tmp/out}
draw() { state=$(((state * 1103515245 + 12345) % 2147483648)); drawn=$((state / 65536 % $1)); } # BELOW
reproduce() { # OUT [TIME], after the number of the process is written to OUT.pid
    sh -c 'echo $$ >"$0.pid"; exec jcb reproduce --data "$1" --specs "$2" --paper "$3" --out "$0" --runs "$4" --only "$5" --jobs 2 ${6:+--time "$6"}' \
        "$1" "$data" "${SPECS:-$srcdir/bench/specs}" "$srcdir/paper_tables" "${RUNS:-20}" "$only" "${2-}"
}
watched() { # the same on a terminal, where the progress line counts every run; its output is $tmp/log
    command=$(printf "srcdir='%s' SPECS='%s' RUNS='%s' ONLY='%s' OUT='%s' exec sh '%s' --start '%s'" "$srcdir" "${SPECS-}" "${RUNS-}" "$only" "$out" "$srcdir/tests/tools/soak.sh" "$data")
    script -qfec "$command" "$tmp/log" >/dev/null 2>&1 </dev/null
}
if [ "$minutes" = --start ]; then
    rm -rf "$tmp"
    trap - EXIT
    data=$2
    reproduce "$OUT"
    exit
fi
command -v script >/dev/null || fail "no script(1), which stands for a terminal"
worker_peak() { for child in $(ps -o pid= --ppid "$1"); do peak "$child"; done | sort -n | tail -n 1; }
peak() { awk '/^VmHWM/ { print $2 }' "/proc/$1/status" 2>/dev/null; }
rows() { sh "$srcdir/tests/tools/same_runs.sh" --rows "$1"; }

end=$(($(date +%s) + 60 * minutes)) kills=0 workers=0 starts=0 reported=0
mkdir -p "$out"
: >"$tmp/seen"
: >"$tmp/have"
while [ "$(date +%s)" -lt $end ]; do
    before=$(wc -l <"$tmp/have")
    rm -f "$out.pid"
    watched &
    job=$!
    while [ ! -s "$out.pid" ]; do sleep 0.1; done
    pid=$(cat "$out.pid")
    starts=$((starts + 1))
    draw $((every * 7)) && sleep "$((drawn / 10)).$((drawn % 10))"
    child=$(ps -o pid= --ppid "$pid" 2>/dev/null | head -n 1)
    draw 2
    if [ -n "$child" ] && [ $drawn = 0 ]; then
        kill -9 $child 2>/dev/null && workers=$((workers + 1))
        draw $((every * 3)) && sleep "$((drawn / 10)).$((drawn % 10))"
    fi
    rows "$out" | comm -13 "$tmp/seen" - >"$tmp/new" # what anybody could have read before the kill
    sort "$tmp/seen" "$tmp/new" -o "$tmp/seen"
    echo "$(peak "$pid") $(worker_peak "$pid") $before" >>"$tmp/peaks"
    kill -9 "$pid" 2>/dev/null && kills=$((kills + 1))
    wait $job 2>/dev/null
    said=$(tr '\r' '\n' <"$tmp/log" | grep -o '[0-9][0-9]* runs' | awk '$1 > n { n = $1 } END { print n + 0 }')
    rows "$out" >"$tmp/have"
    reported=$((reported + said))
    holds "start $starts: $said runs were reported, $(($(wc -l <"$tmp/have") - before)) recorded" [ $(($(wc -l <"$tmp/have") - before)) -ge "$said" ]
done
before=$(grep -c ' ok ' "$tmp/have")
figures="$minutes minutes, $kills kills of the scheduler in $starts starts, $workers of workers; $reported runs reported before kills, $before recorded, all of them there at the end"
if [ -n "${WANT:-}" ]; then
    reproduce "$out" 1m >"$tmp/said" 2>"$tmp/err" || fail "the last start: $(tail -n 1 "$tmp/err")"
    holds "no temporary file is left" [ -z "$(find "$out" -name '*.tmp*')" ]
    sh "$srcdir/tests/tools/same_runs.sh" --bits "$WANT" "$out" "$tmp/seen" || fail "the records, see above"
    echo "$figures; peaks in kB of scheduler and workers, and rows at the start, of the first and the last start: $(sed -n '1p;$p' "$tmp/peaks" | tr '\n' ';') $checks checks"
    exit
fi
reproduce "$out" >"$tmp/said" 2>"$tmp/err" || fail "undisturbed: $(tail -n 1 "$tmp/err")"
reproduce "$out" >"$tmp/said" 2>"$tmp/err" || fail "when all is done: $(tail -n 1 "$tmp/err")"
holds "something was left to do: $(head -n 1 "$tmp/said")" grep -q '^0 runs in ' "$tmp/said"

# Undisturbed: the peaks of scheduler and workers, second by second.
reproduce "$tmp/want" >"$tmp/said" 2>"$tmp/err" &
job=$!
while [ ! -s "$tmp/want.pid" ]; do sleep 0.1; done
pid=$(cat "$tmp/want.pid")
while kill -0 "$pid" 2>/dev/null; do
    worker=$(worker_peak "$pid")
    echo "$(peak "$pid") ${worker:-0} $(cat "$tmp"/want/records/*.tsv 2>/dev/null | wc -l)"
    sleep 1
done | awk 'NF == 3' >"$tmp/memory"
wait $job || fail "undisturbed: $(tail -n 1 "$tmp/err")"
# From the first tenth of the runs (by then everything was done once) to the end; the scheduler keeps the rows in memory, 4 kB each, to compute verdicts.
awk '{ s[NR] = $1; w[NR] = $2; n[NR] = $3 } END { for (i = 1; i < NR && n[i] < n[NR] / 10; i++); print s[i], s[NR], w[i], w[NR], n[NR] - n[i] }' "$tmp/memory" >"$tmp/growth"
read -r s1 s2 w1 w2 more <"$tmp/growth"
holds "the scheduler grew from $s1 to $s2 kB in $more runs" [ "$s2" -le $((s1 + s1 / 4 + 4 * more)) ]
holds "a worker grew from $w1 to $w2 kB in $more runs" [ "$w2" -le $((w1 + w1 / 4)) ]
holds "no temporary file is left" [ -z "$(find "$out" -name '*.tmp*')" ]
sh "$srcdir/tests/tools/same_runs.sh" "$tmp/want" "$out" "$tmp/seen" || fail "the records, see above"
echo "$figures; undisturbed, the peak of the scheduler went from $s1 to $s2 kB, of a worker from $w1 to $w2 kB in $more runs; $checks checks"
