/* Table imbalance_res: F1 on class-imbalanced graphs (LastFMAsia: the largest class has 98 times the nodes of the
 * smallest, ogbn-arxiv: 942 times; --list prints it). Hyper-parameters of the authors' release. Micro, macro and
 * weighted F1 are each measured at the epoch with the best such score on validation nodes (select=each). Not in the
 * paper: loss=jcf, JC with the factorised head, which is much cheaper on ogbn-arxiv (2c outputs instead of c*c). */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define LOSSES(cell) cell "loss=ce", cell "loss=jc", cell "loss=jcf"

static const char *const cells[] = {
    LOSSES(LASTFM "select=each model=gcn "),
    LOSSES(LASTFM "select=each model=sgc "),
    LOSSES(LASTFM "select=each model=mlp "),
    LOSSES(ARXIV "select=each model=gcn "),
    LOSSES(ARXIV "select=each model=sgc hops=3 "),
    LOSSES(ARXIV "select=each model=mlp "),
    NULL,
};

const bench bench_imbalanced = {
    .name = "imbalanced",
    .about = "table imbalance_res: F1 on the class-imbalanced graphs",
    .cells = cells,
};
BENCH_MAIN(bench_imbalanced)
