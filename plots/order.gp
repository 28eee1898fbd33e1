# Comparisons decided over time: columns minutes, rounds, price, oracle.
eval canvas(640, 330)
eval panel(60, 525, 40, 285)
eval heading(title)
set key off
set xlabel "minutes"
set ylabel "comparisons decided"
set xrange [0:10]
set yrange [0:*]
names = "rounds price oracle"
label_of = "'in rounds' 'by price' 'by an oracle'"
do for [i = 1:3] {
    stats data using (column(word(names, i))) nooutput
    set label word(label_of, i) at 10, STATS_max left offset 0.7, 0 textcolor rgb int(word("0xD55E00 0x0072B2 0x555555", i))
}
plot for [i = 1:3] data using (num("minutes")):(num(word(names, i))) with lines lw 2 dt 1 + (i == 3) lc rgb int(word("0xD55E00 0x0072B2 0x555555", i))
