# Speed-up over one thread, for each kernel of one graph at d = 64, and the ideal.
graph = "ogbn-arxiv"
eval canvas(900, 560)
set datafile separator "\t"
set datafile columnheaders
set encoding utf8

kernels = "spmm spmm_rows feat gemm_nn gemm_tn act softmax norm adam att_train joint"
colours = "0x0072B2 0x56B4E9 0x003F7F 0xD55E00 0xA33E00 0x555555 0x8C6BB1 0xE69F00 0xA6761D 0x009E73 0xCC79A7"
markers = "7 6 5 9 8 4 10 11 12 13 15"
array alone[words(kernels)]
do for [i = 1:words(kernels)] { alone[i] = NaN }
top = 1
here(k) = strcol("dataset") eq graph && strcol("setting") eq "-" && column("d") == 64 && strcol("status") eq "ok" && strcol("kernel") eq k
stats data using (top = strcol("dataset") eq graph && column("threads") > top ? column("threads") : top, 1) nooutput
do for [i = 1:words(kernels)] {
    stats data using (here(word(kernels, i)) && column("threads") == 1 ? (alone[i] = column("ms_best"), 1) : 1) nooutput
}
set border 3 lc rgb 0x888888
set tics nomirror scale 0.4 textcolor rgb 0x222222
set grid lc rgb 0xDDDDDD lt 1 lw 0.6
set xlabel "threads"
set ylabel "times faster than one thread"
set label 1 sprintf("Strong scaling: %s, d = 64", graph) at graph 0, graph 1.04 left font ",11"
set xrange [0.9:top * 1.05]
set yrange [0:top * 1.05 < *] # may exceed the ideal: two caches hold more than one
set xtics 1
set key outside right top vertical Left reverse samplen 2 spacing 1.25 noautotitle
set rmargin 18
set tmargin 3
plot x lc rgb 0xAAAAAA dt 2 lw 1 title "ideal", \
     for [i = 1:words(kernels)] data using (here(word(kernels, i)) ? column("threads") : NaN):(alone[i] / column("ms_best")) \
         with linespoints pt int(word(markers, i)) ps 0.9 lw 1 lc rgb int(word(colours, i)) title word(kernels, i)
