#!/bin/sh
# draw.sh [DIR [FORMAT]]: draws every DIR/NAME.tsv that `jcb figures` or `jcb train --curve` wrote as NAME.png, NAME.svg and NAME.pdf, or in one of these
# formats. A drawing that is newer than what it is made from is left as it is.
set -u
dir=${1:-results/figures}
only=${2:-}
plots=$(dirname "$0")
command -v gnuplot >/dev/null || { echo "figures: gnuplot is not installed, nothing drawn (setup.sh installs it); the numbers are in $dir"; exit 0; }
terminals=" $(gnuplot -e 'print GPVAL_TERMINALS' 2>&1) "
formats=''
for pair in png:pngcairo svg:svg pdf:pdfcairo; do
    [ -z "$only" ] || [ "$only" = "${pair%:*}" ] || continue
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
    if [ -e "$base.txt" ]; then title=$(head -n 1 "$base.txt"); else title=$(sed -n '2s/^# //p' "$data"); fi
    wanted=''
    for format in $formats; do
        [ -s "$base.$format" ] && [ -z "$(find "$data" "$base.txt" "$plots"/*.gp -newer "$base.$format" 2>/dev/null)" ] || wanted="$wanted $format"
    done
    [ -n "$wanted" ] || continue
    messages=$(gnuplot -c "$plots/draw.gp" "$plots" "$script" "$base" "$title" "$wanted" 2>&1) && continue
    echo "figures: $base: $(echo "$messages" | grep -v '^ *^*$' | tail -n 1)" >&2
    rm -f "$base.png" "$base.svg" "$base.pdf"
    failed=1
done
exit $failed
