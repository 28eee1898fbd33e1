/* batch: the input of one training step or one prediction: nodes, their links, targets. It is independent of ops.
 *
 * The nodes of a batch are numbered 0 .. nodes - 1; id[i] is the node of the graph. Links are given hop by hop: an op
 * with h ops above it that read the graph reads adj[h], or the last hop given. A full batch has one hop, the whole
 * graph. Made by samplers (train/sampler.h). */
#ifndef JCB_BATCH_H
#define JCB_BATCH_H

#include "../data/labels.h"
#include "../kernel/csr.h"

enum { BATCH_HOPS = 16 };

/* Features after propagations: A_hat^k X for k = 0 .. 3 at k, S^k X (S: ADJ_SYM) for k = 1 .. 3 at FEATURES_SYM + k -
 * 1. */
enum { FEATURES_SYM = 4, FEATURE_SETS = 7 };

/* Matrices, features and labels of all nodes of the graph. Shared by all runs on a data set; read-only while workspaces
 * run. */
typedef struct node_data {
    int nodes;
    const csr *adj[ADJ_KINDS];   /* adjacency matrices; NULL where no op asks for them */
    const csr *adj_t[ADJ_KINDS]; /* their transposes */
    const csr *xs[FEATURE_SETS]; /* features where they are sparse, else NULL */
    const mat *xd[FEATURE_SETS]; /* features where they are dense, else NULL */
    node_labels y;
    const int *cluster; /* cluster of each node; NULL when the objective has none */
    const csr *graph;   /* the links themselves: simple, without loops, both directions */
} node_data;

typedef struct batch {
    const node_data *data; /* features and labels, by node of the graph */
    int nodes;             /* the batch numbers them from 0 */
    const int *id;         /* of each node of the batch, its node of the graph, ascending; NULL: the same */
    int hops;              /* layers of links that are given */
    const csr *adj[BATCH_HOPS][ADJ_KINDS];   /* the links of each hop */
    const csr *adj_t[BATCH_HOPS][ADJ_KINDS]; /* their transposes; NULL: the op makes its own */
    const int *cluster;                      /* of each node of the batch; NULL: none */
    const int *target;                       /* nodes to predict, and to learn from when training; ascending */
    const int *mean;                         /* nodes whose embeddings make the cluster means; ascending */
    int ntarget;                             /* length of target */
    int nmean;                               /* length of mean */
    const mat *x[FEATURE_SETS]; /* rows of the features, where the sampler has gathered them; NULL: read data */
    const mat *const *stored;   /* values of ops that were computed earlier, for op_stored; NULL: none */
    int same_nodes;             /* batch normalisation is over all nodes of the batch, not only those that are read */
} batch;

static inline int batch_node(const batch *b, int i) { return b->id ? b->id[i] : i; }

/* The whole graph. */
batch batch_full(const node_data *data, const int *target, int ntarget, const int *mean, int nmean);

/* How batches are made, as text: full, neighbour:B:f1,f2,..., cluster:P:q, rows:B; train/sampler.h says what they
 * are. */
typedef struct batch_rule {
    const char *text; /* the rule as it was given */
    enum batch_kind { BATCH_FULL, BATCH_NEIGHBOUR, BATCH_CLUSTER, BATCH_ROWS } kind;
    int size;            /* of a batch: clusters of BATCH_CLUSTER, training nodes of others */
    int clusters;        /* BATCH_CLUSTER: clusters of the graph */
    int fan[BATCH_HOPS]; /* BATCH_NEIGHBOUR: neighbours drawn for a node, hop by hop from the targets; 0: all */
    int nfan;            /* length of fan */
} batch_rule;

batch_rule batch_rule_read(const char *text); /* keeps the pointer; dies with one line */

#endif
