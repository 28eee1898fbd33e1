# A panel for each data set and model, three in a row: a line for each series against a rate, ours filled with bars, the paper's hollow.
panels = 0; across = ""; negative = 0
eval scan("panels = int(max(panels, column('panel'))), across = str('label') eq '' ? across : str('label'), negative = negative + (num('mean') < 0)")
eval find_series
columns = panels < 3 ? panels : 3
deep = (panels + columns - 1) / columns
eval canvas(columns * 290 + 14, 96 + deep * 220)
do for [p = 1:panels] {
    name = ""; first = NaN; last = NaN
    eval scan("is(p) ? (name = str('title'), first = min(first, num('x')), last = max(last, num('x'))) : 0")
    eval range(p)
    eval count(p)
    left = ((p - 1) % columns) * 290 + 52
    down = ((p - 1) / columns) * 220 + 86
    eval panel(left, left + 226, down, down + 158)
    set datafile missing NaN # lines skip missing points
    set title name . said(few, many) offset 0, -0.7
    if (p > panels - columns) { set xlabel (across eq "ptb" ? "flipped or added links (% of the links)" : across) offset 0, 0.5 }
    if (p == 1) {
        eval heading(title)
        x = 18
        eval legend(42)
        eval mark(x + 4, 42, 6, 0x333333, "hollow: the paper's")
    }
    if (many == 0) {
        eval not_run
    } else {
        wide = last > first ? last - first : 1
        aside(s) = 0.012 * wide * (which(s) - (words(all) + 1) / 2.0) # shifts series apart
        set xrange [first - 0.06 * wide:last + 0.06 * wide]
        eval linear("y", from == to ? from - 1 : from, from == to ? to + 1 : to, 6)
        set xzeroaxis lt 1 lc rgb 0x888888 lw 0.8
        plot for [s in all] data using (of(p, s, "x") + aside(s)):(num("lo")):(0):(num("hi") - num("lo")) with vectors nohead lw 1.6 lc rgb colour(s), \
            for [s in all] data using (of(p, s, "x") + aside(s)):(of(p, s, "paper")) with points pt hollow(s) ps 1.1 lc rgb colour(s), \
            for [s in all] data using (of(p, s, "x") + aside(s)):(of(p, s, "mean")) with linespoints lw 1.4 dt dashes(s) pt filled(s) ps 0.7 lc rgb colour(s)
    }
}
