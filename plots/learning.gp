# The file of `jcb train --curve`: losses and validation accuracy by epoch, mean over runs with a band of one sample standard deviation.
runs = 0; last = 0
eval scan("runs = max(runs, column('run') + 1), last = max(last, column('epoch'))")
array total[3 * last]; array square[3 * last]; array count[3 * last]
do for [i = 1:3 * last] { total[i] = 0; square[i] = 0; count[i] = 0 }
put(i, y) = y != y ? 0 : (total[i] = total[i] + y, square[i] = square[i] + y * y, count[i] = count[i] + 1)
spot(c) = (c - 1) * last + column("epoch")
eval scan("put(spot(1), num('train_loss')), put(spot(2), num('val_loss')), put(spot(3), 100 * num('val_acc'))")
average(i) = count[i] ? total[i] / count[i] : NaN
spread(i) = count[i] > 1 ? sqrt(max(0, (square[i] - total[i] ** 2 / count[i]) / (count[i] - 1))) : 0
line_of(c, x) = (c - 1) * last + int(x + 0.5)
hue(c) = colour(c == 1 ? "CE" : "JC")
eval canvas(820, 350)
do for [p = 1:2] {
    left = (p - 1) * 405 + 60
    eval panel(left, left + 330, 92, H - 54)
    set xlabel "epoch"
    set title (p == 1 ? "loss" : "accuracy on validation nodes, %") offset 0, -0.5
    if (p == 1) {
        eval heading(title)
        eval mark(18, 44, 7, hue(1), "training")
        eval mark(108, 44, 7, hue(2), "validation")
        set label sprintf(runs > 1 ? "mean of %d runs; band: one standard deviation" : "%d run", runs) at screen 215 / W, 1 - 44 / H left
    }
    first = p == 1 ? 1 : 3; end = p == 1 ? 2 : 3
    set samples max(2, last)
    set xrange [1:max(2, last)]
    set style fill solid 0.2 noborder
    plot for [c = first:end] "+" using 1:(average(line_of(c, $1)) - spread(line_of(c, $1))):(average(line_of(c, $1)) + spread(line_of(c, $1))) with filledcurves lc rgb hue(c), \
        for [c = first:end] "+" using 1:(average(line_of(c, $1))) with lines lw 1.6 lc rgb hue(c)
}
