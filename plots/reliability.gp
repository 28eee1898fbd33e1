# Accuracy in bins of confidence, the gap to the mean confidence hatched; below, the number of nodes in each bin.
panels = 0; fullest = 0
eval scan("panels = int(max(panels, column('panel'))), fullest = str('series') eq 'share' ? max(fullest, column('mean')) : fullest")
columns = panels < 4 ? panels : 4
deep = (panels + columns - 1) / columns
eval canvas(max(columns * 235 + 36, 420), 66 + deep * 338)
middle(r) = (r - 0.5) / 10
says(v, lo, hi, theirs) = sprintf("ECE %.2f %%", v) . (lo == lo ? sprintf(" [%.2f, %.2f]", lo, hi) : "") . (theirs == theirs ? sprintf("\nthe paper's %.2f %%", theirs) : "")
do for [p = 1:panels] {
    name = ""; note = ""
    eval scan("is(p) && str('series') eq 'ece' ? (name = str('title'), note = says(num('mean'), num('lo'), num('hi'), num('paper'))) : 0")
    hue = ends(name, "JC") || strstrt(name, ", JC (") ? colour("JC") : colour("CE")
    first = (p - 1) % columns == 0
    left = ((p - 1) % columns) * 235 + 64
    down = ((p - 1) / columns) * 338 + 92
    eval panel(left, left + 200, down, down + 180)
    if (p == 1) { eval heading(title) }
    set xrange [0:1]
    set yrange [0:1]
    set xtics 0.2 format ""
    set title name . "\n" . note offset 0, -0.5
    if (first) { set ylabel "accuracy" offset 1, 0 }
    set boxwidth 0.092
    plot data using (middle(column("row"))):(of(p, "accuracy", "mean")) with boxes lc rgb hue fs solid 0.35 border, \
        data using (middle(column("row"))):(of(p, "accuracy", "x")):(middle(column("row")) - 0.046):(middle(column("row")) + 0.046): \
            (min(num("x"), num("mean"))):(max(num("x"), num("mean"))) with boxxyerror lc rgb 0x333333 fs transparent pattern 4 noborder, \
        x lc rgb 0x444444 lw 1.2 dt 2, \
        data using (middle(column("row"))):(of(p, "accuracy", "lo")):(0):(num("hi") - num("lo")) with vectors nohead lw 1.6 lc rgb 0x222222
    eval panel(left, left + 200, down + 188, down + 232)
    set xrange [0:1]
    set yrange [0:1.1 * fullest]
    set xtics 0.2
    set ytics fullest > 0.5 ? 0.5 : fullest > 0.2 ? 0.2 : 0.1
    set xlabel "confidence"
    if (first) { set ylabel "share" offset 1, 0 }
    set boxwidth 0.092
    plot data using (middle(column("row"))):(of(p, "share", "mean")) with boxes lc rgb 0x777777 fs solid 0.35 border
}
