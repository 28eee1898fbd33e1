/* Not in the paper: whether training in batches reaches the accuracy of full-batch training. GCN with CE on ogbn-arxiv,
 * 3 layers of width 64 with batch normalisation; the same network, rate and seeds in full batches (a step an epoch), in
 * cluster batches (20 of 100 METIS parts: 5 steps an epoch) and in batches of sampled neighbours (4096 targets: 23
 * steps an epoch). Each has as many epochs as it needs to level off; prediction is exact in all three. The factorised
 * head of JC in full and in cluster batches, with 50 METIS clusters whose means are those of the batch. */
#include "bench.h"
#include <stddef.h>

#define NETWORK "dataset=ogbn-arxiv model=gcn layers=3 hidden=64 norm_batch=1 lr=.01 wd=0 clusters=50 "
#define FULL "epochs=300 validate_every=5 setting=batches=full"
#define CLUSTER "batch=cluster:100:20 epochs=60 setting=batches=cluster"
#define NEIGHBOUR "batch=neighbour:4096:15,10,5 epochs=15 setting=batches=neighbour"

static const char *const cells[] = {
    NETWORK "loss=ce " FULL,  NETWORK "loss=ce " CLUSTER,  NETWORK "loss=ce " NEIGHBOUR,
    NETWORK "loss=jcf " FULL, NETWORK "loss=jcf " CLUSTER, NULL,
};

const bench bench_batches = {
    .name = "batches",
    .about = "whether training in batches reaches the accuracy of full-batch training (ogbn-arxiv)",
    .cells = cells,
};
BENCH_MAIN(bench_batches)
