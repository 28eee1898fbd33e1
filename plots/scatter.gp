# Ours against the printed number, and their difference; results on substitutes and twins are grey and in the background.
greys = 0
eval scan("greys = greys + !comparable(str('origin'))")
eval find_series
eval range(1)
under = 0; over = 0
eval scan("under = min(under, low('mean') - num('paper')), over = max(over, high('mean') - num('paper'))")
eval canvas(900, 500)
ours(c) = comparable(str("origin")) ? num(c) : NaN
other(c) = comparable(str("origin")) ? NaN : num(c)
do for [p = 1:2] {
    eval panel(p == 1 ? 64 : 530, p == 1 ? 444 : 890, 76, H - 54)
    eval axis("x", from, to, 8)
    eval p == 1 ? axis("y", from, to, 8) : axis("y", under, over, 8)
    if (p == 1) {
        eval heading(title)
        x = 18
        eval legend(42)
        if (greys) { eval mark(x + 4, 42, 7, stand_in, "other data than the paper's") }
    }
    set xlabel "the paper's mean (%)"
    set ylabel p == 1 ? "our mean (%)" : "ours - the paper's (percentage points)"
    t(v) = p == 1 ? v : v - num("paper")
    plot (p == 1 ? x : 0) lc rgb 0x444444 lw 1.2, \
        data using (other("x")):(t(num("lo"))):(0):(num("hi") - num("lo")) with vectors nohead lw 0.8 lc rgb faint, \
        data using (other("x")):(t(num("mean"))):(filled(str("series"))) with points ps 0.6 pt variable lc rgb stand_in, \
        data using (ours("x")):(t(num("lo"))):(0):(num("hi") - num("lo")):(colour(str("series"))) with vectors nohead lw 0.8 lc rgb variable, \
        data using (ours("x")):(t(num("mean"))):(filled(str("series"))):(colour(str("series"))) with points ps 0.6 pt variable lc rgb variable
}
