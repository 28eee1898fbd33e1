/* Figure cluster_num: accuracy of JC against the number of clusters. The paper shows Cora, ogbn-arxiv and Yelp, and
 * states neither the models on the first two nor the numbers of clusters. Here: GCN, SGC and MLP with 2 to 20 (Cora)
 * and 10 to 200 (ogbn-arxiv) METIS clusters, all else as in bench_balanced and bench_imbalanced; on Yelp (a twin if its
 * files are missing) and on the real graphs HumLoc, EukLoc and PCG the networks of bench_large. Their axis has labels
 * a / b: a clusters in a batch of GraphSAGE and Cluster-GCN, b = 10 a in a batch of SIGN. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define CORA(m)                                                    \
    "dataset=cora model=gcn loss=jc " JC_GCN_CORA CLUSTERS(m),     \
        "dataset=cora model=sgc loss=jc " JC_SGC_CORA CLUSTERS(m), \
        "dataset=cora model=mlp loss=jc " JC_MLP_CORA CLUSTERS(m)
#define LARGE(m)                                                                           \
    ARXIV "model=gcn loss=jc " CLUSTERS(m), ARXIV "model=sgc loss=jc hops=3 " CLUSTERS(m), \
        ARXIV "model=mlp loss=jc " CLUSTERS(m)
#define BATCHES(data, parts, more, a, b)                                                                        \
    NETWORK(data)                                                                                               \
    "model=sage hidden=512 mean_self=0 epochs=30 batch=neighbour:512:15,10 clusters=" a " setting=clusters=" a  \
    ",method=graphsage",                                                                                        \
        NETWORK(data) "model=sage hidden=512 mean_self=0 epochs=50 " more "batch=cluster:" parts " clusters=" a \
                      " setting=clusters=" a ",method=cluster-gcn",                                             \
        NETWORK(data) "model=sign hidden=512 epochs=400 batch=rows:50000 clusters=" b " setting=clusters=" a    \
                      ",method=sign"
#define NETWORK(data) "dataset=" data " loss=jc norm_batch=1 dropout=.1 lr=.01 wd=0 partition=batch "
#define PANEL(data, parts, more)                                                          \
    BATCHES(data, parts, more, "10", "100"), BATCHES(data, parts, more, "25", "250"),     \
        BATCHES(data, parts, more, "50", "500"), BATCHES(data, parts, more, "75", "750"), \
        BATCHES(data, parts, more, "100", "1000")
#define CLUSTERS(m) "clusters=" m " setting=clusters=" m

static const char *const cells[] = {
    CORA("2"),
    CORA("3"),
    CORA("4"),
    CORA("5"),
    CORA("7"),
    CORA("10"),
    CORA("15"),
    CORA("20"),
    LARGE("10"),
    LARGE("20"),
    LARGE("50"),
    LARGE("100"),
    LARGE("200"),
    PANEL("humloc", "100:10", ""),
    PANEL("eukloc", "100:10", ""),
    PANEL("pcg", "100:10", ""),
    PANEL("yelp", "3000:20", "evaluate_from=10 "),
    NULL,
};

const bench bench_cluster_count = {
    .name = "cluster_count",
    .about = "figure cluster_num: accuracy of JC against the number of clusters",
    .cells = cells,
};
BENCH_MAIN(bench_cluster_count)
