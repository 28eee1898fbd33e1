# Mean ranks on an axis, 1 (the best) on the left; bars join ways that the critical difference does not tell apart.
k = 0; cd = NaN
eval scan("k = max(k, column('row')), cd = num('mean')")
array rank[k]; array text[k]; array shade_of[k]
eval scan("rank[int(column('row'))] = num('x'), text[int(column('row'))] = str('label'), shade_of[int(column('row'))] = colour(str('series'))")
array order[k]
do for [i = 1:k] { place = 1; do for [j = 1:k] { if (rank[j] < rank[i] || (rank[j] == rank[i] && j < i)) { place = place + 1 } }; order[place] = i }
bars = 0
do for [i = 1:k] { last = i; do for [j = i:k] { if (rank[order[j]] - rank[order[i]] < cd) { last = j } }; if (last > i) { if (i == 1 || rank[order[last]] - rank[order[i - 1]] >= cd) { bars = bars + 1 } } }
half = (k + 1) / 2
eval canvas(760, 140 + bars * 10 + half * 20)
eval panel(150, 610, 60, H - 10)
eval heading(title)
set xrange [0.7:k + 0.3]
set yrange [-(H - 100):30]
set border 0
unset tics
unset grid
set arrow from 1, 0 to k, 0 nohead lw 1.2 lc rgb 0x444444
do for [i = 1:k] {
    set arrow from i, 0 to i, 4 nohead lc rgb 0x444444
    set label sprintf("%d", i) at i, 11 center
}
set arrow from 1, 24 to 1 + cd, 24 heads size screen 0.004, 90 lw 1.6 lc rgb 0x444444
set label sprintf("critical difference %.1f", cd) at 1 + cd, 24 left offset 1, 0 textcolor rgb 0x444444
down = 12; shown = 0
do for [i = 1:k] {
    last = i
    do for [j = i:k] { if (rank[order[j]] - rank[order[i]] < cd) { last = j } }
    if (last > i) {
        if (i == 1 || rank[order[last]] - rank[order[i - 1]] >= cd) {
            set arrow from rank[order[i]] - 0.04, -down to rank[order[last]] + 0.04, -down nohead lw 4 lc rgb 0x777777
            down = down + 10
        }
    }
}
do for [i = 1:k] {
    y = -(down + 8 + 20 * (i <= half ? i - 1 : k - i))
    c = shade_of[order[i]]
    set arrow from rank[order[i]], 0 to rank[order[i]], y nohead lc rgb c
    set arrow from rank[order[i]], y to (i <= half ? 0.7 : k + 0.3), y nohead lc rgb c
    if (i <= half) { set label sprintf("%s  %.1f", text[order[i]], rank[order[i]]) at 0.62, y right textcolor rgb c } else { set label sprintf("%.1f  %s", rank[order[i]], text[order[i]]) at k + 0.38, y left textcolor rgb c }
}
plot NaN
