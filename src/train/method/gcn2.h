/* gcn2: a two-layer GCN whose loss is computed by the caller: the building block of methods with several networks.
 *
 *   Y = A drop(relu(A drop(X) W1 + b1)) W2 + b2,  A = ADJ_GCN;  (n x features) -> hidden -> out
 *
 * gcn2_view makes a workspace for some nodes; gcn2_forward computes their rows of Y; gcn2_learn takes dL/dY of these
 * rows and makes a step. Several views of one net share its parameters. */
#ifndef JCB_GCN2_H
#define JCB_GCN2_H

#include "method.h"

typedef struct gcn2_shape {
    int features, hidden, out;
    double in_dropout, dropout;
    int glorot; /* 1: weights in U(-sqrt(6/(in+out)), ...); 0: U(-1/sqrt(out), 1/sqrt(out)) */
    int bias;   /* 1: biases, which start at 0 */
} gcn2_shape;

typedef struct gcn2 {
    arena *a;
    const node_data *data; /* features set 0; must outlive it */
    model *m;
    net net;
    uint64_t seed;
    int run;
} gcn2;

typedef struct gcn2_view {
    workspace *ws;
    gcn2 *net;
    mat out;  /* rows of Y, after gcn2_forward */
    mat grad; /* for the caller to fill before gcn2_learn */
} gcn2_view;

/* Nets of one run must have different seeds. Everything is allocated from the arena. */
gcn2 *gcn2_new(arena *a, const node_data *data, const gcn2_shape *shape, uint64_t seed, int run);

/* Of the nodes rows[0..n), ascending, which must stay; NULL: all. */
gcn2_view gcn2_view_new(gcn2 *net, const int *rows, int n, int training);
void gcn2_forward(gcn2_view *v, long step);         /* training: with the dropout of this step, from 1 on */
void gcn2_learn(gcn2_view *v, const adam_now *now); /* after gcn2_forward */

size_t gcn2_bytes(const gcn2 *net);        /* of the parameters */
void gcn2_save(real *to, const gcn2 *net); /* the parameters */
void gcn2_load(gcn2 *net, const real *from);
uint64_t gcn2_hash(uint64_t h, const gcn2 *net); /* of the parameters */

/* 0 .. n - 1, from the arena. */
int *gcn2_all(arena *a, int n);

/* Mean cross-entropy against distributions and its gradient: v->grad = (softmax(v->out) - target) / rows, row by row.
 * target has a row for each node of the graph; rows: the nodes of the view (NULL: all). Returns the loss. */
double gcn2_cross_entropy(gcn2_view *v, mat target, const int *rows);

#endif
