/* hops: rows of A_hat^2 X, and which of them a flipped link changes. */
#ifndef JCB_HOPS_H
#define JCB_HOPS_H

#include "features.h"

/* The listed nodes (ascending) whose row of A_hat^2 X depends on whether u and v are linked: those within two links of
 * either. graph: after the flip; the ball is the same before. Returns how many; their positions in the list go to `at`.
 */
int hops_changed(int *at, const csr *graph, int u, int v, const int *list, int n);

/* Row at[k] of `to` (rows of x->cols) becomes row list[at[k]] of A_hat^2 X, k < n. */
void hops_rows(real *to, const csr *ahat, const feature_matrix *x, const int *list, const int *at, int n);

#endif
