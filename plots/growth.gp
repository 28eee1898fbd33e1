# Time and memory of an epoch against the number of edges, with a line of slope 1.
eval canvas(900, 460)
set datafile separator "\t"
set datafile columnheaders
set encoding utf8

last = 0; ms = 0; mb = 0; threads = 0
stats data using (column("edges") > last ? (last = column("edges"), ms = column("epoch_ms"), mb = column("peak_bytes") / 1048576, threads = column("threads")) : 0, 1) nooutput
set border 3 lc rgb 0x888888
set tics nomirror scale 0.4 textcolor rgb 0x222222
set grid lc rgb 0xDDDDDD lt 1 lw 0.6
set logscale xy
set format x "%.0s%c"
set xlabel "edges"
set key left top Left reverse samplen 2 noautotitle
set label 9 sprintf("GCN, cross-entropy, width 64, synthetic graphs of 50 links a node, %d thread%s", threads, threads > 1 ? "s" : "") at screen 0.02, screen 0.955 left font ",11"
set tmargin at screen 0.84; set bmargin at screen 0.16
slope(k) = sprintf("%.2f", k)
f(x) = a + b * x
g(x) = c + d * x
a = 1; b = 1; c = 1; d = 1
set fit quiet logfile "/dev/null"
unset logscale
fit f(x) data using (column("edges") >= 9e4 ? log(column("edges")) : NaN):(log(column("epoch_ms"))) via a, b
fit g(x) data using (column("edges") >= 9e4 ? log(column("edges")) : NaN):(log(column("peak_bytes") / 1048576)) via c, d
set logscale xy

set lmargin at screen 0.08; set rmargin at screen 0.47
set label 1 "milliseconds an epoch" at graph 0, graph 1.05 left
plot ms * x / last lc rgb 0xAAAAAA dt 2 lw 1 title "in proportion", exp(f(log(x))) lc rgb 0x0072B2 lw 1 title "edges to the power of " . slope(b), \
     data using (column("edges")):(column("epoch_ms")) with points pt 7 ps 1 lc rgb 0x0072B2
unset label 9
set lmargin at screen 0.58; set rmargin at screen 0.97
set label 1 "MB of buffers while training" at graph 0, graph 1.05 left
plot mb * x / last lc rgb 0xAAAAAA dt 2 lw 1 title "in proportion", exp(g(log(x))) lc rgb 0xD55E00 lw 1 title "edges to the power of " . slope(d), \
     data using (column("edges")):(column("peak_bytes") / 1048576) with points pt 5 ps 1 lc rgb 0xD55E00, \
     data using (column("edges")):(column("rss_bytes") / 1048576) with points pt 4 ps 1 lc rgb 0x888888 title "resident"
unset multiplot
