# Settings at the start of each panel.
set datafile separator "\t"
set datafile columnheaders
set encoding utf8
set border 3 lc rgb 0x888888 lw 0.8
set tics nomirror scale 0.4 textcolor rgb 0x222222
set grid lc rgb faint lt 1 lw 0.6
set key noautotitle
set pointsize 0.9
set bars 0.4
