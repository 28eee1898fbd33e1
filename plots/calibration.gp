# A panel for each data set, axis from zero: CE and JC next to each other for each kind of prediction; the paper's hollow.
panels = 0; places = 0; greys = 0; theirs = 0
eval scan("panels = int(max(panels, column('panel'))), places = max(places, column('row')), greys = greys + (!comparable(str('origin')) && column('n') > 0)")
eval scan("theirs = theirs + (num('paper') == num('paper'))")
eval find_series
columns = panels < 3 ? panels : 3
deep = (panels + columns - 1) / columns
eval canvas(max(columns * 300 + 14, 460), 66 + deep * 230)
across(s) = (which(s) - (words(all) + 1) / 2.0) * 0.3
shade(s, o) = comparable(o) ? colour(s) : stand_in
place(r, s) = has(seen, r) ? tics : (seen = once(seen, r), tic(tics, s, real(r)))
do for [p = 1:panels] {
    name = ""; tics = ""; seen = "|"
    eval scan("is(p) ? (name = str('title'), tics = place(str('row'), str('label'))) : 0")
    eval range(p)
    left = ((p - 1) % columns) * 300 + 52
    down = ((p - 1) / columns) * 230 + 86
    eval panel(left, left + 238, down, down + 168)
    eval linear("y", 0, to, 6)
    set yrange [0:1.05 * to]
    set xrange [0.4:places + 0.6]
    eval "set xtics (" . tics . ") scale 0"
    set grid noxtics ytics
    set title name offset 0, -0.5
    if (p == 1) {
        eval heading(title)
        x = 18
        eval legend(42)
        if (theirs) { eval mark(x + 4, 42, 6, 0x333333, "hollow: the paper's") }
        if (greys) { eval mark(x + 184, 42, 7, stand_in, "other data than the paper's") }
    }
    plot data using (column("row") + across(str("series")) + 0.09):(at(p, "paper")):(hollow(str("series"))):(colour(str("series"))) with points pt variable lc rgb variable, \
        data using (column("row") + across(str("series"))):(is(p) && num("lo") == num("lo") ? max(num("lo"), 0) : NaN):(0):(num("hi") - max(num("lo"), 0)):(shade(str("series"), str("origin"))) with vectors nohead lw 1.6 lc rgb variable, \
        data using (column("row") + across(str("series"))):(at(p, "mean")):(filled(str("series"))):(shade(str("series"), str("origin"))) with points pt variable lc rgb variable
}
