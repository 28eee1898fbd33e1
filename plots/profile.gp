# Left: share of cells whose gain is larger than x, ours with its interval and the paper's; the gains as a rug. Right: probabilities, over all and by model.
eval canvas(940, 380)
of_row(p, r, c) = is(p) && column("row") == r ? num(c) : NaN
least = NaN; most = NaN
eval scan("least = min(least, of_row(1, 1, 'x')), most = max(most, of_row(1, 1, 'x'))")
eval panel(64, 560, 60, H - 52)
eval heading(title)
eval mark(16, 40, filled("JC"), colour("JC"), "ours, 95 % interval")
eval mark(166, 40, 0, 0x333333, "dashed: the paper's, same cells")
eval axis("x", least, most, 10)
set yrange [-0.06:1.03]
set ytics 0.25
set xlabel "x: JC - CE (percentage points)"
set ylabel "share of cells with a gain > x"
set arrow from first 0, graph 0 to first 0, graph 1 nohead lw 1.2 lc rgb 0x444444 back
set object rectangle from first -0.5, graph 0 to first 0.5, graph 1 behind fillcolor rgb 0xF0F0F0 fillstyle solid noborder
plot data using (of_row(1, 1, "x")):(num("lo")):(num("hi")) with filledcurves fillcolor rgb 0xB9D7EA fillstyle solid noborder, \
    data using (of_row(1, 1, "x")):(num("paper")) with lines lw 1.2 dt 2 lc rgb 0x333333, \
    data using (of_row(1, 1, "x")):(num("mean")) with lines lw 2 lc rgb colour("JC"), \
    data using (of_row(1, 2, "x")):(-0.055):(0):(0.035) with vectors nohead lw 1 lc rgb colour("JC")
names = ""; rows = 0
eval scan("names = is(2) ? tic(names, str('label'), -column('row')) : names, rows = is(2) ? max(rows, column('row')) : rows")
eval panel(750, 920, 60, 60 + 40 * rows)
set xrange [-0.03:1.03]
set xtics ("0" 0, "0.25" 0.25, "0.5" 0.5, "0.75" 0.75, "1" 1)
set yrange [-rows - 0.6:-0.4]
eval "set ytics (" . names . ")"
set xlabel "P(JC ahead in a run)"
set arrow from first 0.75, graph 0 to first 0.75, graph 1 nohead lw 1.2 dt 2 lc rgb 0x444444 back
plot data using (at(2, "lo")):(-column("row")):(num("hi") - num("lo")):(0):(colour(str("series"))) with vectors nohead lw 1.6 lc rgb variable, \
    data using (at(2, "mean")):(-column("row")):(filled(str("series"))):(colour(str("series"))) with points ps 1 pt variable lc rgb variable
