#!/bin/sh
# reproduce.sh TIME "PROGRAM ..." [option ...]: runs the experiments one after another within TIME in all. Each may use an
# equal part of the time that is left when its turn comes, so what a short one leaves over goes to the rest.
set -u
case $1 in
    *h) total=$((${1%h} * 3600)) ;;
    *m) total=$((${1%m} * 60)) ;;
    *) total=${1%s} ;;
esac
programs=$2
shift 2
left=$(echo "$programs" | wc -w)
start=$(date +%s)
failed=0
costs=
for program in $programs; do
    now=$(date +%s)
    rest=$((total - (now - start)))
    [ "$rest" -gt 0 ] || rest=1
    echo "== $program (at most $((rest / left)) s) =="
    "$program" --time "$((rest / left))s" "$@" || failed=1
    costs="$costs
  $program $(($(date +%s) - now)) s"
    left=$((left - 1))
done
echo "time used:$costs"
exit $failed
