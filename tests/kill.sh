#!/bin/sh
# kill -9 at random moments of `jcb reproduce` and of a program with curves, each time started again: nothing that was reported is lost, nothing is there
# twice, and in the end the bits are those of an undisturbed run. KILLS=50 tests/kill.sh for more of them (make check-long), SEED=N for other moments.
. "$srcdir/tests/common.sh"
export JCB_RAW="$tmp/none"
kills=${KILLS:-6} seed=${SEED:-$$}
runs=$((kills / 2 > 3 ? kills / 2 : 3))
here=$(cd "$srcdir" && pwd)
# start PROGRAM OUT [OPTION ...]: becomes the program
start() {
    program=$1 out=$2
    shift 2
    case $program in
        reproduce) exec jcb reproduce --data "$data" --paper "$here/paper_tables" --specs "$here/bench/specs" --only "experiment=balanced|incontext|cluster_count,dataset=cora,model=mlp" --runs 3 --out "$out" --jobs 2 "$@" ;;
        loss_gap) exec bench_loss_gap --data "$data" --specs "$here/bench/specs" --only "dataset=cora,model=gcn" --runs $runs --out "$out" --jobs 2 "$@" ;;
    esac
}
if [ "${1-}" = start ]; then # in a process of its own, whose number is known before it becomes the program
    data=$2
    trap - EXIT; rm -rf "$tmp"
    echo $$ >"$3.pid"
    start "$4" "$3"
fi
# Whole rows, by their check: file, key, parameters, accuracy; failed ones count as well.
rows() { for f in "$1"/records/*.tsv; do [ ! -e "$f" ] || columns "$f" check key param_hash test_acc status | sed -n "s|^[0-9a-f]\{16\} |${f##*/} |p"; done | sort; }
now() { date +%s.%N; }

tty=$(command -v script) # a terminal: the progress line names every run when it has ended
killed=0 rounds=0 reported=0 torn=0 starts=0
# From beginning to end: what is there is what an undisturbed run leaves.
finished() {
    rows "$out" >"$tmp/have"
    cmp -s "$tmp/want" "$tmp/have" || fail "$program: lost, doubled or other bits: $(diff "$tmp/want" "$tmp/have") (SEED=$seed)"
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
        command="srcdir='$here' KILLS=$kills exec sh '$here/tests/kill.sh' start '$data' '$out' $program"
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
        else # it was done before: from the beginning again
            finished
            rm -rf "$out"
            : >"$tmp/have"
        fi
    done
    (start $program "$out" --quiet) || fail "$program, resumed"
    finished
    echo "$program: $((kills / 2)) kills, $(wc -l <"$tmp/have") runs, each once, with the bits of an undisturbed run of $whole s"
done
echo "$killed kills in $starts starts, $rounds experiments brought to their end; $reported runs reported before the kills, all recorded; $torn torn rows${tty:+; progress watched on a terminal}; SEED=$seed"
