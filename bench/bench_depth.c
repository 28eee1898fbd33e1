/* Figure over-smooth: accuracy of GCN with 2, 4, 8, 16 and 32 layers of width 64. JC has as many propagations as CE:
 * layers - 1 hidden layers and one more propagation, then the joint head in place of CE's last weight.
 *
 * Two layers have the hyper-parameters of bench_balanced except for the width. Deeper networks do not learn with its
 * weight decay and small initial weights; theirs were searched with equal budgets for CE and JC (specs/depth.tsv).
 * Cells without a row there (32 layers; PubMed from 8 layers on) were not searched: lr .01, no decay, dropout .5. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define DEEP(n)                                                              \
    DEPTH(n)                                                                 \
    "init=glorot wd=0 lr=.01 dataset=cora      loss=ce",                     \
        DEPTH(n) "init=glorot wd=0 lr=.01 dataset=cora      loss=jc tau=.1", \
        DEPTH(n) "init=glorot wd=0 lr=.01 dataset=citeseer  loss=ce",        \
        DEPTH(n) "init=glorot wd=0 lr=.01 dataset=citeseer  loss=jc tau=.8", \
        DEPTH(n) "init=glorot wd=0 lr=.01 dataset=pubmed    loss=ce",        \
        DEPTH(n) "init=glorot wd=0 lr=.01 dataset=pubmed    loss=jc tau=1.5"
#define DEPTH(n) "model=gcn layers=" n " setting=layers=" n " "

static const char *const cells[] = {
    DEPTH("2") "dataset=cora      loss=ce",
    DEPTH("2") "dataset=cora      loss=jc " JC_GCN_CORA,
    DEPTH("2") "dataset=citeseer  loss=ce",
    DEPTH("2") "dataset=citeseer  loss=jc " JC_GCN_CITESEER "hidden=64",
    DEPTH("2") "dataset=pubmed    loss=ce",
    DEPTH("2") "dataset=pubmed    loss=jc " JC_GCN_PUBMED,
    DEEP("4"),
    DEEP("8"),
    DEEP("16"),
    DEEP("32"),
    NULL,
};

const bench bench_depth = {
    .name = "depth",
    .about = "figure over-smooth: accuracy of GCN with 2 to 32 layers",
    .cells = cells,
};
BENCH_MAIN(bench_depth)
