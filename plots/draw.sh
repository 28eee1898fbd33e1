#!/bin/sh
# draw.sh [DIR]: draws every DIR/NAME.tsv that `jcb figures` wrote as NAME.png, NAME.svg and NAME.pdf.
set -u
dir=${1:-results/figures}
plots=$(dirname "$0")
command -v gnuplot >/dev/null || { echo "figures: gnuplot is not installed, nothing drawn (setup.sh installs it); the numbers are in $dir"; exit 0; }
terminals=" $(gnuplot -e 'print GPVAL_TERMINALS' 2>&1) "
formats=''
for pair in png:pngcairo svg:svg pdf:pdfcairo; do
    case $terminals in
        *" ${pair#*:} "*) formats="$formats ${pair%:*}" ;;
        *) echo "figures: this gnuplot has no terminal ${pair#*:}, no ${pair%:*} is drawn (install gnuplot-nox)" ;;
    esac
done
failed=0
for data in "$dir"/*.tsv; do
    script=$(sed -n '1s|^# plots/\([a-z]*\)\.gp$|\1|p' "$data" 2>/dev/null)
    [ -n "$script" ] || continue
    base=${data%.tsv}
    messages=$(gnuplot -c "$plots/draw.gp" "$plots" "$script" "$base" "$(head -n 1 "$base.txt")" "$formats" 2>&1) && continue
    echo "figures: $base: $(echo "$messages" | grep -v '^ *^*$' | tail -n 1)" >&2
    rm -f "$base.png" "$base.svg" "$base.pdf"
    failed=1
done
exit $failed
