# Panels with a line for each series against a number on a logarithmic axis; panels without runs are only named, if another has some.
panels = 0; across = ""; up = ""
eval scan("panels = max(panels, column('panel')), column('n') > 0 ? (across = str('label'), up = str('group')) : 0")
eval find_series
drawn = ""; waiting = ""
do for [p = 1:panels] {
    name = ""
    eval scan("is(p) ? name = str('title') : 0")
    eval count(p)
    if (many > 0) { drawn = drawn . sprintf(" %d", p) } else { waiting = waiting . (strlen(waiting) ? ", " : "") . name }
}
if (strlen(drawn) == 0) { drawn = "1"; waiting = "" }
eval canvas(max(2, words(drawn)) * 310 + 10, 330)
aside(s) = 1 + 0.06 * (which(s) - (words(all) + 1) / 2.0) # shifts series apart
place(x) = has(seen, x) ? tics : (seen = once(seen, x), tic(tics, x, real(x)))
do for [place_of = 1:words(drawn)] {
    p = int(word(drawn, place_of))
    name = ""; tics = ""; seen = "|"; first = NaN; last = NaN
    eval scan("is(p) ? (name = str('title'), tics = str('x') eq '' ? tics : place(str('x')), first = min(first, num('x')), last = max(last, num('x'))) : 0")
    eval range(p)
    eval count(p)
    left = (place_of - 1) * 310 + 64
    eval panel(left, left + 240, 86, H - 54)
    set datafile missing NaN # lines skip missing points
    set title name . said(few, many) offset 0, -0.5
    set xlabel across
    if (place_of == 1) {
        set ylabel up
        eval heading(title)
        x = 18
        eval legend(42)
        if (strlen(waiting)) { set label "not run: " . waiting at screen x / W, 1 - 42 / H left textcolor rgb stand_in }
    }
    if (many == 0) {
        eval not_run
    } else {
        eval "set xtics (" . tics . ")"
        set logscale x 2
        set xrange [first / 1.2:last * 1.2]
        eval axis("y", from, to, 7)
        plot for [s in all] data using (of(p, s, "x") * aside(s)):(num("lo")):(0):(num("hi") - num("lo")) with vectors nohead lw 1.6 lc rgb colour(s), \
            for [s in all] data using (of(p, s, "x") * aside(s)):(of(p, s, "mean")) with linespoints lw 1.6 dt dashes(s) pt filled(s) lc rgb colour(s)
    }
}
