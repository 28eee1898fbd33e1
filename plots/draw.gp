# gnuplot -c draw.gp PLOTS SCRIPT DIR/NAME TITLE FORMATS: draws DIR/NAME.tsv by PLOTS/SCRIPT.gp.
plots = ARG1
script = ARG2
base = ARG3
title = ARG4
data = base . ".tsv"
load plots . "/style.gp"
load plots . "/panel.gp"
do for [format in ARG5] {
    load plots . "/" . script . ".gp"
    unset multiplot
    set output
}
