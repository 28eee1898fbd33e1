/* features: how the features of a data set are prepared before training (spec field `norm`). X is n x f.
 *
 *   none       X unchanged
 *   row        x_ij / sum_j x_ij, rows of zeros stay; where X has negative entries the smallest one is first subtracted
 *              from all. The protocol of the paper
 *   pyg        PyG's NormalizeFeatures: X - min X, whatever its sign, then x_ij / max(1, sum_j x_ij). Differs from
 *              `row` where min X > 0 and for rows whose sum is below 1, which are not scaled up
 *   standard   (x_ij - m_j) / s_j with the mean and the standard deviation (divisor n) of column j over all nodes; a
 *              constant column becomes 0. Test nodes take part with their features, as everywhere in the transductive
 *              setting; no label does
 *
 * Where zeros change, a sparse matrix becomes dense. */
#ifndef JCB_FEATURES_H
#define JCB_FEATURES_H

#include "../kernel/csr.h"
#include "../net/spec.h"

/* In place, on the one of the two that has rows. */
void features_prepare(arena *a, csr *xs, mat *xd, enum spec_norm norm, const char *name);

/* The matrix x as a dense one; dies with the bytes needed when they exceed the memory limit. `name` is for messages. */
mat features_dense(arena *a, const csr *x, const char *name);

#endif
