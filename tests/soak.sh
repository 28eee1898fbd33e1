#!/bin/sh
# soak.sh MINUTES [SEED], from the top of a build: `jcb reproduce` under kill -9 at random moments, of the scheduler and of its workers, for so
# many minutes; then it is left alone. In the end: every run that was reported is recorded once, the rows have the bits of an undisturbed run, and memory did not grow.
# On twins, or with RAW=DIRECTORY on real data (ONLY, RUNS: which runs; enough for all of the minutes).
srcdir=${srcdir:-.}
PATH="$PWD/src:$PWD/bench:$PATH"
export srcdir PATH
. "$srcdir/tests/common.sh"
raw=${RAW:+$(cd "$RAW" && pwd)} || fail "no directory $RAW"
export JCB_RAW="${raw:-$tmp/none}"
minutes=${1:?minutes} state=${2:-1}
only=${ONLY:-dataset=cora|wisconsin,model=mlp|sgc}
out=${OUT:-$tmp/out}
draw() { state=$(((state * 1103515245 + 12345) % 2147483648)); echo $((state / 65536 % $1)); } # BELOW
start() { exec jcb reproduce --data "$data" --specs "$srcdir/bench/specs" --paper "$srcdir/paper_tables" --out "$1" --runs "${RUNS:-20}" --only "$only" --jobs 2; }
peak() { awk '/^VmHWM/ { print $2 }' "/proc/$1/status" 2>/dev/null; }
end=$(($(date +%s) + 60 * minutes)) kills=0 workers=0 first=0 last=0 most=0
: >"$tmp/said"
while [ "$(date +%s)" -lt $end ]; do
    (start "$out") >>"$tmp/said" 2>>"$tmp/err" &
    pid=$!
    sleep "$(draw 12).$(draw 10)"
    child=$(ps -o pid= --ppid $pid 2>/dev/null | head -n 1)
    if [ -n "$child" ] && [ "$(draw 2)" = 0 ]; then
        kill -9 "$child" 2>/dev/null && workers=$((workers + 1))
        sleep "$(draw 5)"
    fi
    now=$(peak $pid)
    [ -z "$now" ] || { [ $first -gt 0 ] || first=$now; last=$now; [ "$now" -le $most ] || most=$now; }
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
done
(start "$out") >>"$tmp/said" 2>>"$tmp/err" || fail "the last start: $(tail -n 1 "$tmp/err")"
(start "$tmp/want") >/dev/null 2>&1 || fail "the undisturbed one"
for file in "$tmp/want/records"/*.tsv; do
    name=${file##*/}
    columns "$file" key status param_hash | sort -u >"$tmp/a"
    columns "$out/records/$name" key status param_hash | sort >"$tmp/b"
    awk '$2 == "ok" { print $1 }' "$tmp/b" | uniq -d >"$tmp/twice"
    holds "$name: the same runs and bits" [ -z "$(comm -23 "$tmp/a" "$tmp/b" | head -n 1)" ]
    holds "$name: no run twice" [ ! -s "$tmp/twice" ]
done
holds "no temporary file is left" [ -z "$(find "$out" -name '*.tmp*')" ]
jcb check "$out" >"$tmp/check" 2>&1 || fail "jcb check: $(tail -n 1 "$tmp/check")"
echo "$minutes minutes, $kills kills of the scheduler, $workers of workers, $(cat "$out/records"/*.tsv | grep -c '	ok	') runs; peak of memory $first kB at first, $last at last, $most at most; $checks checks"
