# A bar for each table: shares of its numbers (left) and of its comparisons (right) by verdict; the counts are in the bars.
rows = 0
eval scan("rows = max(rows, column('row'))")
eval canvas(900, 92 + rows * 19)
kinds = "agrees equal higher lower undecided other not_run"
shown = "'agrees, confirmed' 'equal' 'higher' 'lower, contradicted' 'undecided' 'not comparable' 'not run'"
tone(s) = int(word("0x0072B2 0x009E73 0xE69F00 0xD55E00 0x999999 0xD9B3CC 0xEEEEEE", sum [i = 1:7] (word(kinds, i) eq s ? i : 0)))
ink(s) = s eq "agrees" || s eq "equal" || s eq "lower" || s eq "undecided" ? 0xFFFFFF : 0x333333
place(r, s) = has(seen, r) ? tics : (seen = once(seen, r), tic(tics, s, real(r)))
do for [p = 1:2] {
    tics = ""; seen = "|"; name = ""
    eval scan("tics = place(str('row'), str('label')), is(p) ? name = str('title') : 0")
    left = p == 1 ? 150 : 540
    eval panel(left, left + 340, 76, 76 + rows * 19)
    set title name offset 0, -0.6
    set xrange [0:100]
    set yrange [rows + 0.5:0.5]
    set border 0
    unset xtics
    unset grid
    if (p == 1) { eval "set ytics (" . tics . ") scale 0" } else { unset ytics }
    if (p == 1) {
        eval heading(title)
        x = 18
        do for [i = 1:7] {
            eval mark(x, 42, 5, tone(word(kinds, i)), word(shown, i))
            x = x + 30 + 7 * strlen(word(shown, i))
        }
    }
    plot data using (num("x")):(is(p) ? column("row") : NaN):(num("x")):(num("x") + num("mean")):(column("row") - 0.4):(column("row") + 0.4):(tone(str("series"))) with boxxyerror fs solid 1 noborder lc rgb variable, \
        data using (num("x") + num("mean") / 2):(is(p) && num("mean") > 7 ? column("row") : NaN):(sprintf("%d", num("paper"))):(ink(str("series"))) with labels font (format eq "svg" ? "Helvetica,10" : "Sans,7") tc rgb variable
}
