# Roofline: performance of kernels at the largest number of threads, and the limits of the machine.
# One point for each kernel and width of one graph; roofs: triad bandwidth out of memory and caches, rate of a large sgemm.
graph = "ogbn-arxiv"
eval canvas(900, 600)
set datafile separator "\t"
set datafile columnheaders
set encoding utf8

# Graphs and kernels in the file. Of repeated measurements the last counts: it is drawn over the others.
top = 0; peak = 0; dram = 0; cache = 0; first = 0
stats data using (top = strcol("dataset") eq graph && column("threads") > top ? column("threads") : top, 1) nooutput
mine(k) = strcol("dataset") eq "machine" && strcol("kernel") eq k && column("threads") == top
stats data using (peak = mine("sgemm") ? column("gflops") : peak, dram = mine("triad") && column("d") > 200000 ? column("gbs") : dram, \
    cache = mine("triad") && column("d") == 4096 ? column("gbs") : cache, first = mine("triad") && column("d") == 256 ? column("gbs") : first, 1) nooutput

x0 = 0.05; x1 = 400
set logscale xy
set xrange [x0:x1]
set yrange [0.5:peak * 1.6]
set border 3 lc rgb 0x888888
set tics nomirror scale 0.4 textcolor rgb 0x222222
set grid lc rgb 0xDDDDDD lt 1 lw 0.6
set xlabel "operations for each byte that must move (FLOP/B)"
set ylabel "GFLOP/s"
set label 4 sprintf("Performance of the kernels: %s, %d thread%s", graph, top, top > 1 ? "s" : "") at graph 0, graph 1.04 left font ",11"
set key outside right top vertical Left reverse samplen 1 spacing 1.25 noautotitle
set lmargin 9
set rmargin 28
set tmargin 3

roof(x, b) = x * b < peak ? x * b : peak
inside(x) = x < x1 / 1.2 ? x : x1 / 1.2 # moves the joint head, which is far to the right, into the frame
groups = "spmm feat gemm att joint norm softmax act adam rng"
names = "'spmm' 'features' 'gemm' 'attention' 'joint head' 'batch norm' 'softmax, exp' 'bias, ReLU, dropout' 'Adam' 'Philox'"
colours = "0x0072B2 0x56B4E9 0xD55E00 0x009E73 0xCC79A7 0xE69F00 0x8C6BB1 0x555555 0xA6761D 0x999999"
markers = "7 5 9 13 15 11 6 4 8 12"
starts(k, g) = k[1:strlen(g)] eq g || (g eq "softmax" && k eq "exp")
here(g) = strcol("dataset") eq graph && strcol("setting") eq "-" && column("threads") == top && strcol("status") eq "ok" && starts(strcol("kernel"), g)
set label 1 sprintf("sgemm %.0f GFLOP/s", peak) at x1 / 1.1, peak * 1.15 right textcolor rgb 0x555555 font ",8"
set label 2 sprintf("memory %.0f GB/s", dram) at x0 * 1.5, x0 * 1.5 * dram * 0.72 left textcolor rgb 0x222222 font ",8"
set label 3 sprintf("4 MiB %.0f", cache) at x0 * 1.5, x0 * 1.5 * cache * 0.72 left textcolor rgb 0x888888 font ",8"
plot roof(x, dram) lc rgb 0x222222 lw 1.5, \
     roof(x, cache) lc rgb 0x999999 lw 1 dt 2, \
     roof(x, first) lc rgb 0xBBBBBB lw 1 dt 3 title "triad in 4 MiB, 256 KiB", \
     for [i = 1:words(groups)] data using (here(word(groups, i)) ? inside(column("gflops") / column("gbs")) : NaN):(column("gflops")):(0.5 + 0.22 * log(column("d") / 16.0)) \
         with points pt int(word(markers, i)) ps variable lc rgb int(word(colours, i)) title word(names, i), \
     NaN with points pt 7 ps 0.5 lc rgb 0xBBBBBB title "d = 16", NaN with points pt 7 ps 1.1 lc rgb 0xBBBBBB title "d = 256"
