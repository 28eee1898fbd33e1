/* ops: what networks are made of. Each returns the index of the op it appends. */
#ifndef JCB_OPS_H
#define JCB_OPS_H

#include "plan.h"

int op_features(model *m, int hops, int cols, double bound); /* (A_hat^hops X) W */
int op_linear(model *m, int in, int cols, double bound);     /* in W */
int op_propagate(model *m, int in, enum adjacency adj);      /* A in */
int op_activate(model *m, int in, double bias_bound, enum shape f, double drop); /* drop(f(in + b)); bias_bound < 0: no bias */

#endif
