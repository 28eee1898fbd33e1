/* Table cluster_mixup: GCN with the cluster mixup loss against CE and JC, whose runs are those of bench_balanced. The
 * paper does not state the weight of the cluster term; that of specs/mixup.tsv was chosen on validation nodes. */
#include "bench.h"
#include <stddef.h>

static const char *const cells[] = {
    "dataset=cora      model=gcn loss=mixup",
    "dataset=citeseer  model=gcn loss=mixup",
    "dataset=pubmed    model=gcn loss=mixup",
    NULL,
};

const bench bench_mixup = {
    .name = "mixup",
    .about = "table cluster_mixup: cluster mixup against CE and JC",
    .cells = cells,
};
BENCH_MAIN(bench_mixup)
