# Lines of dots with intervals, in groups: ours filled, the paper's hollow. own_lines: each panel has its own lines, around zero.
panels = 0; lines = 0; width = 0; greys = 0; least = NaN; most = NaN
eval scan("panels = max(panels, column('panel')), lines = max(lines, column('row')), greys = greys + (!comparable(str('origin')) && column('n') > 0)")
eval scan("width = max(width, max(strlen(str('label')), 1.2 * strlen(str('group'))))")
eval scan("least = min(least, min(low('mean'), num('paper'))), most = max(most, max(high('mean'), num('paper')))")
step = 16
names = 20 + 6.3 * width # pixels for the names of lines
top = 54
body = panels == 1 ? 520 : panels == 2 ? 320 : 230
eval canvas(own_lines ? panels * (names + body) + 12 : names + panels * (body + 22), top + lines * step + 62)
shade(s, o) = comparable(o) ? colour(s) : stand_in
theirs(s) = own_lines ? 0x333333 : colour(s)
line(l, r) = has(seen, sprintf("%d", r)) ? tics : (seen = once(seen, sprintf("%d", r)), tic(tics, own_lines || p == 1 ? l : "", -r))
head(g, r) = g eq "" || has(group, g) ? groups : (group = once(group, g), \
    groups . sprintf("set label \"%s\" at graph 0, first %d right offset -0.6, 0 font '%s'; ", g, 1 - r, bold(format)))
do for [p = 1:panels] {
    tics = ""; seen = "|"; group = "|"; groups = ""; quantity = ""; last = 0
    eval scan("own_lines == 0 || is(p) ? (tics = line(str('label'), column('row')), groups = head(str('group'), column('row')), last = max(last, column('row'))) : 0")
    eval scan("quantity = is(p) ? str('title') : quantity")
    eval range(p)
    left = own_lines ? (p - 1) * (names + body) + names : names + (p - 1) * (body + 22)
    eval panel(left, left + body - 8, top, top + last * step + step / 2)
    set yrange [-last - 0.6:-0.4]
    eval own_lines ? axis("x", min(least, -0.1), max(most, 0.1), body / 32) : axis("x", from, to, body / 40)
    eval "set ytics (" . tics . ")"
    if (own_lines || p == 1) { eval groups }
    set xlabel quantity
    if (own_lines) { set arrow from first 0, graph 0 to first 0, graph 1 nohead lw 1.2 lc rgb 0x444444 back }
    if (p == 1) {
        eval heading(title)
        if (own_lines) {
            eval mark(16, 38, filled("JC"), colour("JC"), "JC ahead")
            eval mark(106, 38, filled("CE"), colour("CE"), "CE ahead")
            eval mark(196, 38, 7, colour(""), "neither")
            eval mark(274, 38, 6, 0x333333, "the paper's")
            if (greys) { eval mark(374, 38, 7, stand_in, "other data than the paper's") }
        } else {
            eval mark(16, 38, 7, 0x333333, "ours, 95 % interval")
            eval mark(166, 38, 6, 0x333333, "the paper's, std. deviation")
            if (greys) { eval mark(356, 38, 7, stand_in, "other data than the paper's") }
        }
    }
    plot data using (at(p, "paper") - num("paper_sd")):(-column("row") - 0.18):(2 * num("paper_sd")):(0) with vectors nohead lw 0.8 lc rgb 0xAAAAAA, \
        data using (at(p, "paper")):(-column("row") - 0.18):(own_lines ? 6 : hollow(str("series"))):(theirs(str("series"))) with points ps 0.8 pt variable lc rgb variable, \
        data using (at(p, "lo")):(-column("row") + 0.12):(num("hi") - num("lo")):(0):(shade(str("series"), str("origin"))) with vectors nohead lw 1.6 lc rgb variable, \
        data using (at(p, "mean")):(-column("row") + 0.12):(filled(str("series"))):(shade(str("series"), str("origin"))) with points ps 0.8 pt variable lc rgb variable
}
