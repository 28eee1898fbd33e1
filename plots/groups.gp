# Panels with a group of points for each place (model, data set), one point for each series: ours filled, the paper's hollow.
panels = 0; places = 0; greys = 0
eval scan("panels = int(max(panels, column('panel'))), places = max(places, column('row')), greys = greys + (!comparable(str('origin')) && column('n') > 0)")
eval find_series
columns = panels < 3 ? panels : 3
deep = (panels + columns - 1) / columns
wide = max(300, 62 + places * 48)
eval canvas(columns * wide + 14, 66 + deep * 250)
across(s) = (which(s) - (words(all) + 1) / 2.0) * 0.7 / words(all)
shade(s, o) = comparable(o) ? colour(s) : stand_in
place(r, s) = has(seen, r) ? tics : (seen = once(seen, r), tic(tics, s, real(r)))
do for [p = 1:panels] {
    name = ""; tics = ""; seen = "|"
    eval scan("is(p) ? (name = str('title'), tics = place(str('row'), str('label'))) : 0")
    eval range(p)
    eval count(p)
    left = ((p - 1) % columns) * wide + 52
    down = ((p - 1) / columns) * 250 + 86
    eval panel(left, left + wide - 62, down, down + 188)
    set xrange [0.4:places + 0.6]
    eval axis("y", from, to, 7)
    eval "set xtics (" . tics . ") scale 0"
    set grid noxtics ytics
    set title name . said(few, many) offset 0, -0.5
    if (p == 1) {
        eval heading(title)
        x = 18
        eval legend(42)
        eval mark(x + 4, 42, 6, 0x333333, "hollow: the paper's, sd")
        if (greys) { eval mark(x + 244, 42, 7, stand_in, "other data than the paper's") }
    }
    plot data using (column("row") + across(str("series")) + 0.06):(at(p, "paper") - num("paper_sd")):(0):(2 * num("paper_sd")) with vectors nohead lw 0.8 lc rgb 0xAAAAAA, \
        data using (column("row") + across(str("series")) + 0.06):(at(p, "paper")):(hollow(str("series"))):(colour(str("series"))) with points pt variable lc rgb variable, \
        data using (column("row") + across(str("series")) - 0.06):(at(p, "lo")):(0):(num("hi") - num("lo")):(shade(str("series"), str("origin"))) with vectors nohead lw 1.6 lc rgb variable, \
        data using (column("row") + across(str("series")) - 0.06):(at(p, "mean")):(filled(str("series"))):(shade(str("series"), str("origin"))) with points pt variable lc rgb variable
}
