/* Not in the paper: whether training in batches reaches the accuracy of full-batch training. GCN with CE on ogbn-arxiv,
 * 3 layers of width 64 with batch normalisation, the same seeds; in full batches (a step an epoch), in cluster batches
 * (20 of 100 METIS parts: 5 steps an epoch) and in batches of sampled neighbours (4096 targets: 23 steps an epoch; the
 * rate by validation accuracy of one run at .01 and .003). Prediction is exact in all three. */
#include "bench.h"
#include <stddef.h>

#define NETWORK "dataset=ogbn-arxiv model=gcn loss=ce layers=3 hidden=64 norm_batch=1 wd=0 "

static const char *const cells[] = {
    NETWORK "epochs=300 validate_every=5 setting=batches=full",
    NETWORK "epochs=200 validate_every=5 batch=cluster:100:20 setting=batches=cluster",
    NETWORK "epochs=40 lr=.003 batch=neighbour:4096:15,10,5 setting=batches=neighbour",
    NULL,
};

const bench bench_batches = {
    .name = "batches",
    .about = "whether training in batches reaches the accuracy of full-batch training (ogbn-arxiv)",
    .cells = cells,
};
BENCH_MAIN(bench_batches)
