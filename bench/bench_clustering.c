/* Tables cluster_methods_num and clustering-methods: GCN with JC on clusters from METIS and from k-means, five of them
 * and as many as classes. The paper has no control; here random clusters of equal size are the control. All runs of a
 * cell share one partition, so their standard deviation does not include that of the partition: Cora is also run on
 * METIS partitions from other seeds. Hyper-parameters of bench_balanced. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define CELLS(method)                                                           \
    "dataset=cora      model=gcn loss=jc " JC_GCN_CORA BY(method, "5"),         \
        "dataset=cora      model=gcn loss=jc " JC_GCN_CORA BY(method, "7"),     \
        "dataset=citeseer  model=gcn loss=jc " JC_GCN_CITESEER BY(method, "5"), \
        "dataset=citeseer  model=gcn loss=jc " JC_GCN_CITESEER BY(method, "6"), \
        "dataset=pubmed    model=gcn loss=jc " JC_GCN_PUBMED BY(method, "5"),   \
        "dataset=pubmed    model=gcn loss=jc " JC_GCN_PUBMED BY(method, "3")
#define BY(method, m) "partition=" method " clusters=" m " setting=clusters=" m ",partition=" method

#define CORA(method)                                                    \
    "dataset=cora      model=gcn loss=jc " JC_GCN_CORA BY(method, "5"), \
        "dataset=cora      model=gcn loss=jc " JC_GCN_CORA BY(method, "7")

static const char *const cells[] = {
    CELLS("metis"),  CELLS("kmeans"), CELLS("random"),
    CORA("metis:1"), CORA("metis:2"), CORA("metis:3"),
    CORA("metis:4"), CORA("metis:5"), NULL,
};

const bench bench_clustering = {
    .name = "clustering",
    .about = "tables cluster_methods_num, clustering-methods: METIS, k-means, random clusters",
    .cells = cells,
};
BENCH_MAIN(bench_clustering)
