#!/bin/sh
# reproduce.sh TIME RUNS "PROGRAM ..." [option ...]: runs the experiments within TIME in all, in rounds over all programs, so that every table fills
# early: one run of each cell, then 3, then RUNS, each program with an equal part of the time that is left. These rounds leave out runs longer
# than a thirtieth of TIME (large graphs, deep networks); those up to a tenth of TIME get one run before the last round, and what is left of TIME
# after it goes to all of them, one run of each, then RUNS. Finished runs are not repeated: a round costs what it adds.
set -u
case $1 in
    *h) total=$((${1%h} * 3600)) ;;
    *m) total=$((${1%m} * 60)) ;;
    *) total=${1%s} ;;
esac
runs=$2
programs=$3
shift 3
costs=$(mktemp) || exit 1
trap 'rm -f "$costs"' EXIT
trap 'exit 130' INT TERM
start=$(date +%s)
failed=0
count=$(echo "$programs" | wc -w)

# round RUNS SHARE [option ...]: all programs; SHARE 1: equal parts of the time, 0: first come, first served.
round() {
    n=$1 share=$2 left=$count
    shift 2
    for program in $programs; do
        now=$(date +%s)
        time=$((total - (now - start)))
        [ "$time" -gt 0 ] || return
        [ "$share" = 0 ] || time=$((time / left + 1))
        left=$((left - 1))
        echo "== $program: up to $n runs of each cell, at most $time s =="
        "$program" "$@" --runs "$n" --time "${time}s" >/dev/null || failed=1
        echo "$program $(($(date +%s) - now))" >>"$costs"
    done
}
short="--longest $((total / 30 + 1))s"
round 1 1 "$@" $short
[ "$runs" -le 3 ] || round 3 1 "$@" $short
round 1 0 "$@" --longest $((total / 10 + 1))s
round "$runs" 1 "$@" $short
round 1 0 "$@"
round "$runs" 0 "$@"
echo "time used, of $total s:"
awk '{ if (!($1 in sum)) name[++k] = $1; sum[$1] += $2 } END { for (i = 1; i <= k; i++) printf "  %-28s %6d s\n", name[i], sum[name[i]] }' "$costs"
exit $failed
