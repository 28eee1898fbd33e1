/* Table imbalance_res: F1 on class-imbalanced graphs (LastFMAsia: the largest class has 98 times the nodes of the
 * smallest, ogbn-arxiv: 942 times; --list prints it). Hyper-parameters of the authors' release. Micro, macro and
 * weighted F1 are each taken at the epoch that is best by that very score on validation nodes: one run with
 * select=each. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

static const char *const cells[] = {
    LASTFM "select=each model=gcn loss=ce",
    LASTFM "select=each model=gcn loss=jc",
    LASTFM "select=each model=sgc loss=ce",
    LASTFM "select=each model=sgc loss=jc",
    LASTFM "select=each model=mlp loss=ce",
    LASTFM "select=each model=mlp loss=jc",

    ARXIV "select=each model=gcn loss=ce",
    ARXIV "select=each model=gcn loss=jc",
    ARXIV "select=each model=sgc loss=ce hops=3",
    ARXIV "select=each model=sgc loss=jc hops=3",
    ARXIV "select=each model=mlp loss=ce",
    ARXIV "select=each model=mlp loss=jc",
    NULL,
};

const bench bench_imbalanced = {
    .name = "imbalanced",
    .about = "table imbalance_res: F1 on the class-imbalanced graphs",
    .cells = cells,
};
BENCH_MAIN(bench_imbalanced)
