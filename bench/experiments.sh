#!/bin/sh
# experiments.sh: prints doc/experiments.md from bench/*.tsv and the definitions in paper_tables/.
cd "$(dirname "$0")/.." || exit 1
definitions() { grep -v '^[#$]' "paper_tables/$1.tsv" | sed 1d; }
# tables NAME: the tables whose runs the experiment provides; an experiment that only completes a table is not named there
tables() {
    definitions tables | awk -F'\t' -v name="$1" '{ split($2, of, ","); if (of[1] == name) print "`" $1 "`" }'
    definitions gains | awk -F'\t' -v name="$1" '$2 == name { print "`" $1 "`" }'
    [ "$1" != metattack ] || echo "\`metattack\`" # its table is a kind of its own
}
figures() { definitions figures | awk -F'\t' -v name="$1" '{ n = split($6, of, ","); for (i = 1; i <= n; i++) if (of[i] == name) print "`" $1 "`" }'; }
row() { tr '\n' ' ' | sed 's/ $//; s/ /, /g'; }
cat <<'END'
# The experiments

Written by `bench/experiments.sh`; do not edit. Each experiment is a text file, `bench/NAME.tsv`. It names its cells and
where their hyper-parameters come from. `bench/bench_NAME` runs it alone, `make reproduce` runs all. The runs are in `results/records/NAME.tsv`,
tables in `results/tables/`, figures in `results/figures/`. Tables and figures that the paper does not have are in the list, too.

| experiment | what | tables | figures |
|---|---|---|---|
END
grep -H '^# order:' bench/*.tsv | sort -t: -k3n | cut -d: -f1 | while read -r file; do
    name=$(basename "$file" .tsv)
    echo "| [$name](../$file) | $(sed -n 's/^# about: //p' "$file") | $(tables "$name" | row) | $(figures "$name" | row) |"
done
cat <<'END'

A table also takes runs of other experiments that have the same cells, such as CE and JC of `balanced`.

## Figures

`make figures` draws every figure that has runs as PNG, SVG and PDF. The numbers are in `NAME.tsv`, the caption in `NAME.txt`. CE is orange with
circles, JC blue with squares. Hollow markers are the paper's numbers; grey marks a substitute or twin.

| figure | shows |
|---|---|
END
definitions figures | awk -F'\t' '{ gsub(/ *\$[a-z_]+/, "", $17); print "| `" ($1 == "dots-" ? "dots-TABLE" : $1) "` | " ($16 == "" || $16 == "-" ? "" : $16 ". ") $17 " |" }'
