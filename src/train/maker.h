/* maker: makes one batch of a sampler (sampler.h). A sampler has two makers: the next batch is made while the network
 * learns from the current one. */
#ifndef JCB_MAKER_H
#define JCB_MAKER_H

#include "../base/rng.h"
#include "../data/dataset.h"
#include "../net/batch.h"
#include "node_set.h"

typedef struct maker {
    arena a; /* of the current batch */
    batch_rule rule;
    const node_data *data;
    const csr *graph;
    const int *cluster_first,
        *cluster_node; /* BATCH_CLUSTER: the nodes of cluster p are cluster_node[cluster_first[p]] ... */
    const split *part;
    rng r;
    int hops, deal, clusters, train_only;
    unsigned char used[ADJ_KINDS];
    unsigned char *is_train;
    int *order, norder, epoch; /* training nodes or clusters, as shuffled in that epoch */
    node_set set;
    unsigned char gather[FEATURE_SETS]; /* features that the network reads: their rows come with the batch */
    double spent[2];                    /* seconds (clock_cpu) of sampling, of gathering */
    batch b;
} maker;

/* Batch k of the epoch, in m->b until the next call. Its ntarget is 0 where no training node is in it. */
void maker_make(maker *m, int epoch, int k);

#endif
