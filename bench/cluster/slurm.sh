#!/bin/sh
#SBATCH --job-name=jcbench
#SBATCH --cpus-per-task=1
#SBATCH --output=results/slurm-%A-%a.log
# A Slurm job array over --shard: task K of N does part K/N of an experiment, into records of its own.
#   mkdir -p results && sbatch --array=1-16 bench/cluster/slurm.sh bench/bench_balanced --runs 10
#   src/jcb merge results results/part-*        # when all have ended
# Submit it again after a failure or a time limit: each task continues where it stopped.
set -eu
[ $# -gt 0 ] || { echo "usage: sbatch --array=1-N $0 bench/bench_NAME [option ...]" >&2; exit 2; }
: "${SLURM_ARRAY_TASK_ID:?this is a job array: sbatch --array=1-N}"
first=${SLURM_ARRAY_TASK_MIN:-1} count=${SLURM_ARRAY_TASK_COUNT:-1}
[ "$first" -eq 1 ] && [ "${SLURM_ARRAY_TASK_MAX:-$count}" -eq "$count" ] || { echo "$0: --array must be 1-N without gaps" >&2; exit 2; }
cd "${SLURM_SUBMIT_DIR:-.}"
exec "$@" --shard "$SLURM_ARRAY_TASK_ID/$count" --out "${OUT:-results}/part-$SLURM_ARRAY_TASK_ID" --jobs "${SLURM_CPUS_PER_TASK:-1}" --quiet
