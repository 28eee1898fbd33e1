# Shared by all figures: colours (Okabe and Ito's, safe for the colour-blind) and markers that also differ in grey, the same for CE and
# JC everywhere; columns of DIR/NAME.tsv; canvas and legend.

# ---- colours and markers by series; the hollow marker has the preceding number ----
ends(s, what) = strlen(s) >= strlen(what) && s[strlen(s) - strlen(what) + 1:] eq what
look(s) = s eq "published" ? 3 : s eq "Meta-Self" || s[1:9] eq "metaself:" ? 4 : s[1:10] eq "Meta-Self," || s[1:8] eq "fixed-25" ? 5 : s eq "A-Meta-Self" || s[1:5] eq "ameta" ? 6 : \
    ends(s, "fitted") ? (s[1:2] eq "CE" ? 8 : 9) : ends(s, "JC") || s eq "METIS" || s eq "GCN" ? 1 : ends(s, "CE") ? 2 : s eq "IC" || s eq "equal" || s eq "K-Means" || s eq "GraphSAGE" || s eq "SAGE" ? 3 : \
    s eq "Mixup" || s eq "Random" || s eq "Cluster-GCN" || s eq "GAT" ? 4 : s eq "CE+C&S" || s[1:3] eq "CE," || s eq "SIGN" || s eq "MLP" ? 5 : \
    s eq "JC+C&S" || s[1:3] eq "JC," || s eq "SGC" ? 6 : 7
colour(s) = int(word("0x0072B2 0xD55E00 0x009E73 0xCC79A7 0xE69F00 0x56B4E9 0x555555 0x7F3C00 0x332288", look(s)))
filled(s) = int(word("5 7 9 13 11 15 7 9 13", look(s)))
hollow(s) = filled(s) - 1
dashes(s) = int(word("1 2 4 5 3 1 1 4 5", look(s)))
stand_in = 0xA0A0A0 # data that are not comparable with the published ones
comparable(origin) = origin eq "real" || origin eq "rebuilt"
faint = 0xDDDDDD

# ---- columns of the data; "-": no value ----
num(c) = strcol(c) eq "-" ? NaN : strcol(c) eq "inf" ? 1e30 : strcol(c) eq "-inf" ? -1e30 : column(c)
str(c) = strcol(c) eq "-" ? "" : strcol(c)
is(p) = column("panel") == p
at(p, c) = is(p) ? num(c) : NaN
of(p, s, c) = is(p) && str("series") eq s ? num(c) : NaN
low(c) = num("lo") == num("lo") ? num("lo") : num(c)   # one run: no interval
high(c) = num("hi") == num("hi") ? num("hi") : num(c)
min(a, b) = a != a ? b : b != b ? a : a < b ? a : b
max(a, b) = a != a ? b : b != b ? a : a > b ? a : b
# eval scan("assignment, ..."): once for each row
scan(what) = sprintf("set autoscale; stats data using ((%s), 1) nooutput", what)
# eval range(p): the smallest and the largest value of panel p, with intervals, in `from` and `to`
range(p) = sprintf("from = NaN; to = NaN; p = %d; ", p) . scan("is(p) ? (from = min(from, min(low('mean'), num('paper'))), to = max(to, max(high('mean'), num('paper')))) : 0") . "; " . \
    scan("from = min(from, at(p, 'paper') - num('paper_sd')), to = max(to, at(p, 'paper') + num('paper_sd'))")
# eval count(p): the fewest and the most runs of a point of panel p that has any, in `few` and `many`; said: what a title says of them
count(p) = sprintf("few = NaN; many = 0; p = %d; ", p) . scan("is(p) && column('n') > 0 ? (few = min(few, column('n')), many = max(many, column('n'))) : 0")
said(few, many) = many == 0 ? ", not run" : few > 1 ? "" : many == 1 ? " (n = 1)" : sprintf(" (n = 1 to %d)", many)
# lists of names, "|one|two|"; tics from such names
has(list, s) = strstrt(list, "|" . s . "|") > 0
once(list, s) = has(list, s) ? list : list . s . "|"
twice(s) = strstrt(s, "%") ? s[1:strstrt(s, "%")] . "%" . twice(s[strstrt(s, "%") + 1:]) : s # labels of tics are format strings
tic(list, name, place) = list . sprintf("%s\"%s\" %g", strlen(list) ? ", " : "", twice(name), place)
# eval find_series: the series of the data, quoted, in `all`
find_series = "all = ''; seen = '|'; " . scan("all = str('series') eq '' || has(seen, str('series')) ? all : all . ' \"' . str('series') . '\"', seen = once(seen, str('series'))")
which(s) = sum [i = 1:words(all)] (word(all, i) eq s ? i : 0)

# ---- the page ----
# eval canvas(w, h): a new page of w x h pixels at 96 dpi; PNG has twice as many.
family(f) = f eq "svg" ? "Helvetica,Arial,sans-serif" : "Sans"
bold(f) = f eq "svg" ? "Helvetica Bold,12" : "Sans:Bold,9"
large(f) = f eq "svg" ? "Helvetica,15" : "Sans,11"
terminal(f, w, h) = f eq "png" ? sprintf("pngcairo size %d,%d fontscale 2 linewidth 2 pointscale 2 font '%s,9'", 2 * w, 2 * h, family(f)) : \
    f eq "svg" ? sprintf("svg size %d,%d font '%s,12'", w, h, family(f)) : sprintf("pdfcairo size %fin,%fin font '%s,9'", w / 96.0, h / 96.0, family(f))
canvas(w, h) = sprintf("reset; load plots . '/panel.gp'; W = %f; H = %f; set terminal %s noenhanced background 'white'; set output base . '.%s'; set multiplot", w, h, terminal(format, w, h), format)
# eval panel(left, right, top, bottom): a new panel at this position, in pixels from the left and the top
panel(l, r, t, b) = sprintf("reset; load plots . '/panel.gp'; set lmargin at screen %f; set rmargin at screen %f; set tmargin at screen %f; set bmargin at screen %f", \
    l / W, r / W, 1 - t / H, 1 - b / H)
# eval axis("x", from, to, n): sets its range, with a margin, and about n tics; logarithmic for wide ranges
digits(x) = x > 2e4 ? "%.0s%c" : "%g"
decade(x) = 10 ** floor(log10(x))
nice(x) = decade(x) * (x / decade(x) <= 1 ? 1 : x / decade(x) <= 2 ? 2 : x / decade(x) <= 2.5 ? 2.5 : x / decade(x) <= 5 ? 5 : 10)
linear(a, from, to, n) = sprintf("set %srange [%.10g:%.10g]; set %stics %g; set format %s '%s'", a, \
    from - 0.05 * (to - from), to + 0.05 * (to - from), a, nice((to - from) / n), a, digits(to))
axis(a, from, to, n) = from > 0 && to / from > 25 ? sprintf("set logscale %s; set %srange [%g:%g]; set format %s '%s'", a, a, from / 1.5, to * 1.5, a, digits(to)) : \
    linear(a, from == to ? from - 1 : from, from == to ? to + 1 : to, n)
# eval heading(title): the title of the figure
heading(text) = sprintf("set label \"%s\" at screen %f, screen %f left font '%s'", text, 12 / W, 1 - 16 / H, large(format))
# eval mark(x, y, marker, colour, text): an entry of the legend
mark(x, y, p, c, text) = sprintf("set label \"%s\" at screen %f, screen %f left point pt %d ps 0.9 lc rgb %d offset 1, -0.15 front", text, x / W, 1 - y / H, p, c)
# eval legend(y): an entry for each of `all`, starting at x, but for NAME:SEED, which looks like its NAME; advances x
legend(y) = "do for [i = 1:words(all)] { if (strstrt(word(all, i), ':') == 0) { eval mark(x, " . sprintf("%d", y) . ", filled(word(all, i)), colour(word(all, i)), word(all, i)); x = x + 30 + 7 * strlen(word(all, i)) } }"
# eval not_run: a panel without data
not_run = "set label 'not run' at graph 0.5, graph 0.5 center font large(format) textcolor rgb stand_in; set border 15; " . \
    "set xrange [0:1]; set yrange [0:1]; unset xtics; unset ytics; plot NaN"
