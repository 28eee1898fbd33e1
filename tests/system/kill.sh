#!/bin/sh
# kill -9 at random moments of `jcb reproduce` and of a program with curves, each time started again: no reported run is lost, none is recorded twice, and
# in the end the bits are those of an undisturbed run. Then kill -9 of random workers, and workers that abort, exit, hang or run out of memory: the program
# continues by itself, and runs that fail repeatedly are recorded as failed. KILLS=50 tests/system/kill.sh: more kills (make check-long); SEED=N: other moments; TIMEOUT=40s: for slow builds.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
kills=${KILLS:-6} seed=${SEED:-$$}
runs=$((kills / 2 > 3 ? kills / 2 : 3))
here=$(cd "$srcdir" && pwd)
# start PROGRAM OUT [OPTION ...]: replaces this shell by the program
start() {
    program=$1 out=$2
    shift 2
    case $program in
        reproduce) exec jcb reproduce --data "$data" --paper "$here/paper_tables" --specs "$here/bench/specs" --only "experiment=balanced|incontext|cluster_count,dataset=cora,model=mlp" --runs 3 --out "$out" --jobs 2 "$@" ;;
        loss_gap) exec bench_loss_gap --data "$data" --specs "$here/bench/specs" --only "dataset=cora,model=gcn" --runs $runs --out "$out" --jobs 2 "$@" ;;
        workers) exec bench_balanced --data "$data" --specs "$here/bench/specs" --only "dataset=cora,model=mlp|gcn" --runs $runs --out "$out" --jobs 3 --quiet "$@" ;;
    esac
}
if [ "${1-}" = start ]; then # in a subshell, whose process id is known before exec
    data=$2
    trap - EXIT; rm -rf "$tmp"
    echo $$ >"$3.pid"
    start "$4" "$3"
fi
# Complete rows (by their check): file, key, parameters, accuracy; including failed runs.
rows() { for f in "$1"/records/*.tsv; do [ ! -e "$f" ] || columns "$f" check key param_hash test_acc status | sed -n "s|^[0-9a-f]\{16\} |${f##*/} |p"; done | sort; }
now() { date +%s.%N; }

# On a terminal, the progress line names every run when it has ended.
script -qec true /dev/null >/dev/null 2>&1 </dev/null && tty=yes || tty=''
killed=0 rounds=0 reported=0 torn=0 starts=0
# From beginning to end: the records are those of an undisturbed run.
finished() {
    rows "$out" >"$tmp/have"
    cmp -s "$tmp/want" "$tmp/have" || fail "$program: lost, duplicated or different bits: $(diff "$tmp/want" "$tmp/have") (SEED=$seed)"
    torn=$((torn + $(cat "$out"/records/*.tsv | wc -l) - $(ls "$out"/records/*.tsv | wc -l) - $(wc -l <"$tmp/have")))
    curves=$(find "$out/curves" -name '*.tsv' 2>/dev/null | wc -l)
    [ $program != loss_gap ] || [ "$curves" -eq "$(wc -l <"$tmp/have")" ] || fail "$curves curves of $(wc -l <"$tmp/have") runs"
    rounds=$((rounds + 1))
}
for program in reproduce loss_gap; do
    began=$(now)
    (start $program "$tmp/whole-$program" --quiet) || fail "$program, undisturbed"
    whole=$(echo "$(now) $began" | awk '{ print $1 - $2 }')
    rows "$tmp/whole-$program" >"$tmp/want"
    out="$tmp/$program"
    : >"$tmp/have"
    i=0
    while [ $i -lt $((kills / 2)) ]; do
        before=$(wc -l <"$tmp/have")
        command="srcdir='$here' KILLS=$kills exec sh '$here/tests/system/kill.sh' start '$data' '$out' $program"
        rm -f "$out.pid"
        if [ -n "$tty" ]; then script -qfec "$command" "$tmp/log" >/dev/null 2>&1 </dev/null & else sh -c "$command" >"$tmp/log" 2>&1 & fi
        job=$!
        while [ ! -s "$out.pid" ]; do sleep 0.01; done
        sleep "$(awk -v seed=$((seed + starts)) -v whole="$whole" -v n=$((kills / 2)) 'BEGIN { srand(seed); print rand() * (0.3 + 2 * whole / n) }')"
        rows "$out" >"$tmp/seen" # what anybody could have read before the kill
        kill -9 "$(cat "$out.pid")" 2>/dev/null
        hit=$?
        wait $job 2>/dev/null
        starts=$((starts + 1))
        said=$(tr '\r' '\n' <"$tmp/log" | grep -o '[0-9][0-9]* runs' | awk '$1 > n { n = $1 } END { print n + 0 }')
        rows "$out" >"$tmp/have"
        reported=$((reported + said))
        [ $(($(wc -l <"$tmp/have") - before)) -ge "$said" ] || fail "$program, kill $i: $said runs were reported, $(($(wc -l <"$tmp/have") - before)) recorded (SEED=$seed)"
        [ -z "$(comm -23 "$tmp/seen" "$tmp/have")" ] || fail "$program, kill $i: rows are lost: $(comm -23 "$tmp/seen" "$tmp/have") (SEED=$seed)"
        [ -z "$(comm -13 "$tmp/want" "$tmp/have")" ] || fail "$program, kill $i: other rows: $(comm -13 "$tmp/want" "$tmp/have") (SEED=$seed)"
        if [ $hit -eq 0 ]; then
            i=$((i + 1)) killed=$((killed + 1))
        else # it was complete before the kill: start over
            finished
            rm -rf "$out"
            : >"$tmp/have"
        fi
    done
    (start $program "$out" --quiet) || fail "$program, resumed"
    finished
    echo "$program: $((kills / 2)) kills, $(wc -l <"$tmp/have") runs, each once, with the bits of an undisturbed run of $whole s"
done
# Workers: the children of the scheduler.
children() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v of="$1" '$4 == of && $3 != "Z" { print $1 }'; }
ok_rows() { rows "$1" | grep ' ok$'; }
(start workers "$tmp/undisturbed") || fail "workers, undisturbed"
ok_rows "$tmp/undisturbed" >"$tmp/want"
out="$tmp/workers" hits=0
(start workers "$out" 2>"$tmp/log") &
scheduler=$!
while kill -0 $scheduler 2>/dev/null && [ $hits -lt $kills ]; do
    sleep "$(awk -v seed=$((seed + hits)) 'BEGIN { srand(seed); print 0.05 + 0.2 * rand() }')"
    victim=$(children $scheduler | awk -v seed=$((seed + hits)) 'BEGIN { srand(seed) } { v[n++] = $1 } END { if (n) print v[int(n * rand())] }')
    [ -z "$victim" ] || { kill -9 "$victim" && hits=$((hits + 1)); } 2>/dev/null
done
wait $scheduler
code=$?
[ -z "$(ok_rows "$out" | comm -13 "$tmp/want" -)" ] || fail "killed workers: other rows: $(ok_rows "$out" | diff "$tmp/want" -) (SEED=$seed)"
given_up=$(rows "$out" | grep -c 'failed:signal 9') # the same run three times
[ $code -eq $((given_up > 0)) ] && [ $(($(ok_rows "$out" | wc -l) + given_up)) -eq "$(wc -l <"$tmp/want")" ] || fail "killed workers: exit code $code, $(rows "$out" | grep -v ' ok$'), $(cat "$tmp/log")"
(start workers "$out") || fail "killed workers, started again"
ok_rows "$out" | cmp -s - "$tmp/want" || fail "killed workers: lost or doubled: $(ok_rows "$out" | diff "$tmp/want" -) (SEED=$seed)"
[ "$(awk -F'\t' '/^[0-9a-f]/ { print $1 }' "$out/records/balanced.tsv" | sort | uniq -c | awk '$1 > 1' | wc -l)" -le $given_up ] || fail "killed workers: rows are there twice"
echo "workers: $hits kills, $given_up runs given up after three of them; $(wc -l <"$tmp/want") runs with the bits of an undisturbed run"

# A fault that recurs every time costs its run and no other.
for fault in "abort signal 6" "exit exit code 3" "hang timeout" "memory out of memory"; do
    out="$tmp/fault-${fault%% *}"
    (JCB_FAULT="${fault%% *}:cora:mlp:ce:1" start workers "$out" --timeout "${TIMEOUT:-4s}" --only "dataset=cora,model=mlp" --runs 2 2>"$tmp/log") && fail "$fault: exit code 0"
    rows "$out" | grep -q " failed:${fault#* }" && [ "$(ok_rows "$out" | wc -l)" -eq 3 ] || fail "$fault: $(rows "$out"; cat "$tmp/log")"
    [ "$(grep -c 'trying again' "$tmp/log")" -eq "$(case $fault in abort*|exit*) echo 2 ;; *) echo 0 ;; esac)" ] || fail "$fault: $(cat "$tmp/log")"
    (start workers "$out" --only "dataset=cora,model=mlp" --runs 2) || fail "$fault, then without it"
    [ "$(ok_rows "$out" | comm -12 - "$tmp/want" | wc -l)" -eq 4 ] || fail "$fault, then without it: $(rows "$out")"
done
echo "$killed kills in $starts starts, $rounds experiments brought to their end; $reported runs reported before the kills, all recorded; $torn torn rows${tty:+; progress watched on a terminal}; SEED=$seed"
