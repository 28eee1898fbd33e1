#!/bin/sh
# kill_workers.sh [RUNS [SEED]], from the top of a build: all cells of bench_balanced, RUNS runs each (10: 500 runs), while a random worker gets kill -9 about
# every EVERY seconds (2); restarted as long as runs were given up (killed three times). In the end each run is recorded once, with the bits of an undisturbed
# run: WANT=FILE is its balanced.tsv, otherwise one is made. RAW=DIRECTORY: real data (otherwise twins); ONLY, JOBS, OUT as for bench_balanced.
srcdir=${srcdir:-.}
PATH="$PWD/src:$PWD/bench:$PATH"
export srcdir PATH
. "$srcdir/tests/tools/common.sh"
raw=${RAW:+$(cd "$RAW" && pwd)} || fail "no directory $RAW"
export JCB_RAW="${raw:-$tmp/none}"
runs=${1:-10} seed=${2:-1} out=${OUT:-$tmp/out}
start() { exec bench_balanced --data "$data" --specs "$srcdir/bench/specs" --runs "$runs" --out "$1" --jobs "${JOBS:-2}" --quiet ${ONLY:+--only "$ONLY"}; }
good() { columns "$1" key param_hash test_acc status | grep ' ok$' | sort; }
children() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v of="$1" '$4 == of && $3 != "Z" { print $1 }'; }
random() { awk -v seed=$((seed + 2 * kills)) -v most="$1" 'BEGIN { srand(seed); print most * rand() }'; }

[ -n "${WANT:-}" ] || { (start "$tmp/want") && WANT="$tmp/want/records/balanced.tsv" || fail "the undisturbed one"; }
[ -f "$WANT" ] || fail "no file $WANT"
code=1 starts=0 kills=0
while [ $code -ne 0 ]; do
    [ $starts -lt 20 ] || fail "not done after $starts starts: $(tail -n 1 "$tmp/err")"
    (start "$out") 2>>"$tmp/err" &
    scheduler=$!
    starts=$((starts + 1))
    while kill -0 $scheduler 2>/dev/null; do
        sleep "$(random $((2 * ${EVERY:-2})))"
        victim=$(children $scheduler | sort -n | awk -v at="$(random 1)" '{ v[n++] = $1 } END { if (n) print v[int(n * at)] }')
        [ -z "$victim" ] || { kill -9 "$victim" && kills=$((kills + 1)); } 2>/dev/null
    done
    wait $scheduler
    code=$?
    [ $code -le 1 ] || fail "exit code $code: $(tail -n 1 "$tmp/err")"
done
good "$WANT" >"$tmp/a"
good "$out/records/balanced.tsv" >"$tmp/b"
holds "workers were killed" [ $kills -gt 0 ]
holds "no run twice" [ -z "$(awk '{ print $1 }' "$tmp/b" | uniq -d)" ]
holds "different bits: $(comm -13 "$tmp/a" "$tmp/b" | head -n 3)" [ -z "$(comm -13 "$tmp/a" "$tmp/b")" ]
[ "$WANT" != "$tmp/want/records/balanced.tsv" ] || holds "all runs" cmp -s "$tmp/a" "$tmp/b"
given_up=$(columns "$out/records/balanced.tsv" status | grep -c '^failed')
echo "$kills kills of workers in $starts starts, $given_up runs given up and repeated; $(wc -l <"$tmp/b") runs with the bits of an undisturbed run; $checks checks"
