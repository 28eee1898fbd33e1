# A strip of dots for each series, at places (models) of panels (data sets); a short bar from quartile to quartile, with the median.
panels = 0; places = 0; greys = 0
eval scan("panels = int(max(panels, column('panel'))), places = max(places, column('row')), greys = greys + (!comparable(str('origin')))")
eval find_series
tint(s) = s[1:5] eq "METIS" || s eq "Random splits" ? colour("METIS") : s[1:13] eq "Random splits" ? colour("K-Means") : colour(s)
star(s) = s eq "METIS, the paper's" || s eq "Public split"
strip(s) = (star(s) ? 1 : which(s) - (star(word(all, 1)) ? 1 : 0))
strips = words(all) - (star(word(all, 1)) ? 1 : 0)
wide = max(320, 70 + places * (20 + 30 * strips))
eval canvas(panels * wide + 14, 420)
centre(s) = (strip(s) - (strips + 1) / 2.0) * 0.84 / strips
dot(s) = column("row") + centre(s) + (num("x") - 0.5) * 0.6 / strips
place(r, s) = has(seen, r) ? tics : (seen = once(seen, r), tic(tics, s, real(r)))
do for [p = 1:panels] {
    name = ""; tics = ""; seen = "|"
    eval scan("is(p) ? (name = str('title'), tics = place(str('row'), str('label'))) : 0")
    eval range(p)
    left = (p - 1) * wide + 60
    eval panel(left, left + wide - 66, 92, H - 36)
    set xrange [0.4:places + 0.6]
    eval axis("y", min(from, 0), max(to, 0), 8)
    eval "set xtics (" . tics . ") scale 0"
    set grid noxtics ytics
    set title name offset 0, -0.5
    if (p == 1) {
        set ylabel "JC - CE, percentage points"
        eval heading(title)
        x = 18
        do for [i = 1:words(all)] {
            eval mark(x, 46, star(word(all, i)) ? 3 : 7, star(word(all, i)) ? 0x222222 : tint(word(all, i)), word(all, i))
            x = x + 34 + 7 * strlen(word(all, i))
        }
        eval mark(x, 46, 0, 0xD55E00, "line at 0: CE")
        if (greys) { eval mark(x + 110, 46, 7, stand_in, "other data than the paper's") }
    }
    plot 0 lc rgb 0xD55E00 lw 1.4, \
        data using (star(str("series")) ? NaN : dot(str("series"))):(at(p, "mean")):(comparable(str("origin")) ? tint(str("series")) : stand_in) with points pt 7 ps 0.45 lc rgb variable, \
        data using (column("row") + centre(str("series"))):(num("x") == num("x") ? NaN : at(p, "lo")):(0):(num("hi") - num("lo")) with vectors nohead lw 2.2 lc rgb 0x222222, \
        data using (column("row") + centre(str("series")) - 0.22 / strips):(num("x") == num("x") ? NaN : at(p, "mean")):(0.44 / strips):(0) with vectors nohead lw 2.2 lc rgb 0x222222, \
        data using (star(str("series")) ? column("row") + centre(str("series")) : NaN):(at(p, "mean")) with points pt 3 ps 1.6 lw 2 lc rgb 0x222222
}
