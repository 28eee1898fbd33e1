#!/bin/sh
# GNU parallel over --shard: N parts, one process a core, on this machine or on hosts that share this directory (--hosts FILE: one login a line).
#   bench/cluster/parallel.sh 16 bench/bench_balanced --runs 10
#   bench/cluster/parallel.sh --hosts hosts.txt 64 bench/bench_balanced --runs 10
# Each part has records of its own; at the end they are merged into OUT (default: results). Run it again to continue unfinished parts.
set -eu
hosts=
if [ "${1-}" = --hosts ] && [ $# -gt 1 ]; then hosts="--sshloginfile $2 --workdir $PWD"; shift 2; fi
case ${1-} in *[!0-9]* | '') echo "usage: $0 [--hosts FILE] PARTS bench/bench_NAME [option ...]" >&2; exit 2 ;; esac
[ $# -gt 1 ] && [ "$1" -gt 0 ] || { echo "$0: PARTS must be positive and a program must follow" >&2; exit 2; }
command -v parallel >/dev/null || { echo "$0: GNU parallel is missing (apt-get install parallel)" >&2; exit 1; }
parts=$1 out=${OUT:-results} jcb=${JCB:-src/jcb}
shift
failed=0
# shellcheck disable=SC2086
seq "$parts" | parallel --will-cite --quote $hosts "$@" --shard "{}/$parts" --out "$out/part-{}" --jobs 1 --quiet || failed=$?
"$jcb" merge "$out" "$out"/part-*
exit "$failed"
