/* Not in the paper: JC with the factorised head (2c outputs, loss=jcf) beside the full joint head (c*c outputs) and CE,
 * where c is large: ogbn-arxiv with 40 classes, and LastFMAsia with 18 as in bench_imbalanced. On ogbn-arxiv SGC has
 * width 64 and 100 epochs: with the full head, the paper's width 256 and 500 epochs take about an hour a run on two
 * cores (bench/README.md). */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define LOSSES(cell) cell "loss=ce", cell "loss=jc", cell "loss=jcf"

static const char *const cells[] = {
    LOSSES(LASTFM "model=sgc "),
    LOSSES("dataset=ogbn-arxiv model=sgc hops=3 layers=3 hidden=64 norm_batch=1 lr=.01 wd=0 clusters=50 epochs=100 "
           "validate_every=5 "),
    NULL,
};

const bench bench_factorised = {
    .name = "factorised",
    .about = "JC with the factorised head beside the full joint head, on graphs with many classes",
    .cells = cells,
};
BENCH_MAIN(bench_factorised)
