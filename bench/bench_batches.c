/* Not in the paper: whether training in batches reaches the accuracy of full-batch training. CE on ogbn-arxiv, 3 layers
 * of width 64 with batch normalisation, the same seeds; prediction is exact everywhere.
 *
 *   SGC  full       one step an epoch
 *        rows       20,000 training nodes, 5 steps
 *   GCN  full
 *        all        16,384 targets with all their neighbours, 6 steps
 *        cluster    20 of 100 METIS parts, 5 steps
 *        neighbour  4096 targets with 15, 10, 5 sampled neighbours, 23 steps (learning rate .01 or .003, chosen by the
 *                   validation accuracy of one run each) */
#include "bench.h"
#include <stddef.h>

#define NETWORK "dataset=ogbn-arxiv loss=ce layers=3 hidden=64 norm_batch=1 wd=0 "
#define SGC NETWORK "model=sgc hops=3 validate_every=2 "
#define GCN NETWORK "model=gcn validate_every=5 "

static const char *const cells[] = {
    SGC "epochs=200 setting=batches=full",
    SGC "epochs=200 batch=rows:20000 setting=batches=rows",
    GCN "epochs=300 setting=batches=full",
    GCN "epochs=60 batch=neighbour:16384:0,0,0 setting=batches=all",
    GCN "epochs=200 batch=cluster:100:20 setting=batches=cluster",
    GCN "epochs=40 lr=.003 batch=neighbour:4096:15,10,5 setting=batches=neighbour",
    NULL,
};

const bench bench_batches = {
    .name = "batches",
    .about = "whether training in batches reaches the accuracy of full-batch training (ogbn-arxiv)",
    .cells = cells,
};
BENCH_MAIN(bench_batches)
