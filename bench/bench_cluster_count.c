/* Figure cluster_num: accuracy of JC against the number of clusters. The paper shows Cora, ogbn-arxiv and Yelp and names neither the models on the first
 * two nor the numbers: here GCN, SGC and MLP with 2 .. 20 and 10 .. 200 METIS clusters, all else as in bench_balanced and bench_imbalanced.
 * Yelp is not run yet. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define CORA(m)                                                \
    "dataset=cora model=gcn loss=jc " JC_GCN_CORA CLUSTERS(m), \
    "dataset=cora model=sgc loss=jc " JC_SGC_CORA CLUSTERS(m), \
    "dataset=cora model=mlp loss=jc " JC_MLP_CORA CLUSTERS(m)
#define LARGE(m)                                   \
    ARXIV "model=gcn loss=jc " CLUSTERS(m),        \
    ARXIV "model=sgc loss=jc hops=3 " CLUSTERS(m), \
    ARXIV "model=mlp loss=jc " CLUSTERS(m)
#define CLUSTERS(m) "clusters=" m " setting=clusters=" m

static const char *const cells[] = {
    CORA("2"),   CORA("3"),   CORA("4"),   CORA("5"),    CORA("7"),    CORA("10"), CORA("15"), CORA("20"),
    LARGE("10"), LARGE("20"), LARGE("50"), LARGE("100"), LARGE("200"), NULL,
};

const bench bench_cluster_count = {
    .name = "cluster_count",
    .about = "figure cluster_num: accuracy of JC against the number of clusters",
    .cells = cells,
};
BENCH_MAIN(bench_cluster_count)
