# Lines of dots with intervals, in groups: ours filled, the paper's hollow. own_lines: each panel has its own lines, around zero, and
# intervals may be infinite: they are cut at the ends of the axis and end in an arrow. The axis includes all means and three quarters of the
# finite intervals, and is extended by at most a quarter for the others.
apart = own_lines && !shared_names # each panel has names of its own lines
panels = 0; lines = 0; width = 0; greys = 0; least = NaN; most = NaN; room = 0
eval scan("panels = max(panels, column('panel')), lines = max(lines, column('row')), greys = greys + (!comparable(str('origin')) && column('n') > 0)")
eval scan("width = max(width, max(strlen(str('label')), 1.2 * strlen(str('group'))))")
finite(c) = abs(num(c)) < 1e30 ? num(c) : NaN
tip(o) = num("lo") == -1e30 ? 0xBBBBBB : shade(str("series"), o)
if (own_lines) {
    eval scan("least = min(least, min(num('mean'), num('paper'))), most = max(most, max(num('mean'), num('paper')))")
    bounded = 0; eval scan("bounded = bounded + (finite('lo') == finite('lo'))")
    if (bounded) {
        stats data using (finite("lo")) name "LO" nooutput
        stats data using (finite("hi")) name "HI" nooutput
        least = min(least, LO_lo_quartile); most = max(most, HI_up_quartile)
    }
    least = min(least, -0.1); most = max(most, 0.1)
    from = least - (most - least) / 4; to = most + (most - least) / 4
    eval scan("least = finite('lo') >= from ? min(least, finite('lo')) : least, most = finite('hi') <= to ? max(most, finite('hi')) : most")
    room = 0.06 * (most - least) # for the arrows, beyond the last mean
    least = least - room; most = most + room
} else {
    eval scan("least = min(least, min(low('mean'), num('paper'))), most = max(most, max(high('mean'), num('paper')))")
}
cut(v) = own_lines ? (v < least ? least : v > most ? most : v) : v
step = 16
names = 20 + 6.3 * width # pixels for the names of lines
top = 54
body = panels == 1 ? 520 : panels == 2 ? 320 : 230
eval canvas(apart ? panels * (names + body) + 12 : names + panels * (body + 22), top + lines * step + 62)
shade(s, o) = comparable(o) ? colour(s) : stand_in
theirs(s) = own_lines ? 0x333333 : colour(s)
line(l, r) = has(seen, sprintf("%d", r)) ? tics : (seen = once(seen, sprintf("%d", r)), tic(tics, apart || p == 1 ? l : "", -r))
head(g, r) = g eq "" || has(group, g) ? groups : (group = once(group, g), \
    groups . sprintf("set label \"%s\" at graph 0, first %d right offset -0.6, 0 font '%s'; ", g, 1 - r, bold(format)))
do for [p = 1:panels] {
    tics = ""; seen = "|"; group = "|"; groups = ""; quantity = ""; last = 0
    eval scan("own_lines == 0 || is(p) ? (tics = line(str('label'), column('row')), groups = head(str('group'), column('row')), last = max(last, column('row'))) : 0")
    eval scan("quantity = is(p) ? str('title') : quantity")
    eval range(p)
    left = apart ? (p - 1) * (names + body) + names : names + (p - 1) * (body + 22)
    eval panel(left, left + body - 8, top, top + last * step + step / 2)
    set yrange [-last - 0.6:-0.4]
    eval own_lines ? axis("x", least, most, body / 32) : axis("x", from, to, body / 40)
    eval "set ytics (" . tics . ")"
    if (apart || p == 1) { eval groups }
    set xlabel quantity
    if (own_lines) { set arrow from first 0, graph 0 to first 0, graph 1 nohead lw 1.2 lc rgb 0x444444 back }
    if (p == 1) {
        eval heading(title)
        if (own_lines) {
            eval mark(16, 38, filled("JC"), colour("JC"), apart ? "JC ahead" : "above CE")
            eval mark(106, 38, filled("CE"), colour("CE"), apart ? "CE ahead" : "below CE")
            eval mark(196, 38, filled("equal"), colour("equal"), "equal")
            eval mark(260, 38, 7, colour(""), "undecided")
            if (apart) { eval mark(354, 38, 6, 0x333333, "the paper's") }
            if (greys) { eval mark(454, 38, 7, stand_in, "other data than the paper's") }
        } else {
            eval mark(16, 38, 7, 0x333333, "ours, 95 % interval")
            eval mark(166, 38, 6, 0x333333, "the paper's, std. deviation")
            if (greys) { eval mark(356, 38, 7, stand_in, "other data than the paper's") }
        }
    }
    plot data using (at(p, "paper") - num("paper_sd")):(-column("row") - 0.18):(2 * num("paper_sd")):(0) with vectors nohead lw 0.8 lc rgb 0xAAAAAA, \
        data using (at(p, "paper")):(-column("row") - 0.18):(own_lines ? 6 : hollow(str("series"))):(theirs(str("series"))) with points ps 0.8 pt variable lc rgb variable, \
        data using (num("lo") > -1e30 ? cut(at(p, "lo")) : NaN):(-column("row") + 0.12):(cut(num("hi")) - cut(num("lo"))):(0):(shade(str("series"), str("origin"))) with vectors nohead lw 1.6 lc rgb variable, \
        data using (at(p, "lo") == -1e30 ? least : NaN):(-column("row") + 0.12):(most - least):(0) with vectors nohead lw 0.8 lc rgb 0xBBBBBB, \
        data using (at(p, "lo") < least ? least + 0.4 * room : NaN):(-column("row") + 0.12):(-0.4 * room):(0):(tip(str("origin"))) with vectors head filled size screen 5 / W, 30 fixed lw 1.6 lc rgb variable, \
        data using (at(p, "hi") > most ? most - 0.4 * room : NaN):(-column("row") + 0.12):(0.4 * room):(0):(tip(str("origin"))) with vectors head filled size screen 5 / W, 30 fixed lw 1.6 lc rgb variable, \
        data using (at(p, "mean")):(-column("row") + 0.12):(filled(str("series"))):(shade(str("series"), str("origin"))) with points ps 0.8 pt variable lc rgb variable
}
