/* ops: the operations that networks are composed of. Each function appends an op to the model and returns its index. */
#ifndef JCB_OPS_H
#define JCB_OPS_H

#include "workspace.h"

int op_features(model *m, int hops, int cols, double bound, double drop); /* drop(A_hat^hops X) W */
int op_inputs(model *m, double drop);                                     /* drop(X), dense features only */
int op_is_inputs(const op *o);                           /* made by op_inputs: its values are the features themselves */
int op_reads_features(const op *o);                      /* made by op_inputs or op_features */
int op_stored(model *m, int which, int cols);            /* batch.stored[which], a matrix over all nodes of the batch */
int op_linear(model *m, int in, int cols, double bound); /* in W */
int op_identity(model *m, int in, double bound, double x, double y);                       /* in (x I + y W) */
int op_propagate(model *m, int in, enum adjacency adj);                                    /* A in */
int op_propagate_onto(model *m, int in, enum adjacency adj, double x, int base, double y); /* x A in + y base */
/* drop(f(in + b)); bias_bound < 0: no bias. In place: no other op may read `in`. */
int op_activate(model *m, int in, double bias_bound, enum shape f, double drop);
int op_rows(model *m, int in);                              /* a copy of the rows that are read */
int op_combine(model *m, int f, int h, double x, double y); /* x f + y h */
int op_norm(model *m, int in);                              /* batch normalisation over all nodes */
int op_crf(model *m, int in, int iterations);               /* mean field of a CRF on in: op_crf.c */
int op_attention(model *m, int in, int heads, int concat, double slope, double drop);

/* Each node with the mean of its cluster. */
enum pairing { PAIR_NODE_FIRST, PAIR_CLUSTER_FIRST, PAIR_CLUSTER };
int op_pair(model *m, int z, enum pairing how);
int op_pair_shifted(model *m, int z, enum pairing how); /* each mean plus a parameter of its own */

#endif
