# Two pictures of the embedding, with a colour and marker for each class, and the loss gap with its band.
class(c) = int(word("0x0072B2 0xD55E00 0x009E73 0xCC79A7 0xE69F00 0x56B4E9 0x000000 0xB8A800", (c == c ? int(c) % 8 : 0) + 1))
shape(c) = int(word("7 5 9 13 11 15 6 4", (c == c ? int(c) % 8 : 0) + 1))
eval canvas(980, 366)
do for [p = 1:3] {
    name = ""; runs = 0; first = NaN; last = 0
    eval scan("is(p) ? (name = str('title'), runs = runs + column('n'), first = min(first, num('x')), last = max(last, num('x'))) : 0")
    eval range(p)
    left = p < 3 ? (p - 1) * 306 + 14 : 692
    eval panel(left, left + (p < 3 ? 290 : 270), 60, p < 3 ? 350 : H - 54)
    if (p == 1) { eval heading(title) }
    set title name offset 0, -0.5
    if (runs == 0) {
        eval not_run
    } else {
        if (p < 3) {
            set border 15
            unset xtics
            unset ytics
            set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03
            plot data using (at(p, "x")):(at(p, "mean")):(shape(at(p, "series"))):(class(at(p, "series"))) with points ps 0.3 pt variable lc rgb variable
        } else {
            set datafile missing NaN # lines skip missing points
            set xtics nice(max(last, 1) / 5.0)
            if (first == last) { set xrange [first - 1:last + 1] } # one epoch: gnuplot rejects an empty range
            eval axis("y", from, to, 7)
            set xlabel "epoch"
            set ylabel "test - training loss, scaled" offset 1, 0
            set style fill transparent solid 0.2 noborder
            eval mark(left + 180, 20, filled("CE"), colour("CE"), "CE")
            eval mark(left + 230, 20, filled("JC"), colour("JC"), "JC")
            plot for [s in "CE JC"] data using (of(p, s, "x")):(low("mean")):(high("mean")) with filledcurves lc rgb colour(s), \
                for [s in "CE JC"] data using (of(p, s, "x")):(of(p, s, "mean")) with lines lw 1.6 dt dashes(s) lc rgb colour(s)
        }
    }
}
