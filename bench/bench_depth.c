/* Figure over-smooth: accuracy of GCN with 2, 4, 8, 16 and 32 layers, hidden 64. JC has as many propagations as CE: layers - 1 hidden layers, one
 * more propagation, then the joint head where CE has its last weight. Hyper-parameters of bench_balanced but for the width; specs/depth.tsv has
 * what was tuned. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define CELLS(n)                                                               \
    DEPTH(n) "dataset=cora      loss=ce",                                      \
    DEPTH(n) "dataset=cora      loss=jc " JC_GCN_CORA,                         \
    DEPTH(n) "dataset=citeseer  loss=ce",                                      \
    DEPTH(n) "dataset=citeseer  loss=jc " JC_GCN_CITESEER "hidden=64",         \
    DEPTH(n) "dataset=pubmed    loss=ce",                                      \
    DEPTH(n) "dataset=pubmed    loss=jc " JC_GCN_PUBMED
#define DEPTH(n) "model=gcn layers=" n " setting=layers=" n " "

static const char *const cells[] = {CELLS("2"), CELLS("4"), CELLS("8"), CELLS("16"), CELLS("32"), NULL};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &(bench){.name = "depth", .about = "figure over-smooth: accuracy of GCN with 2 to 32 layers", .cells = cells});
}
