/* svd: the best rank-k summary of a sparse matrix.
 *
 * X ~ U S V' with the k largest singular values; returned is U S = X V, one row of k numbers for each row of X, columns
 * by falling singular value. The same bits at any thread count. */
#ifndef JCB_SVD_H
#define JCB_SVD_H

#include "../graph/csr.h"

/* k columns; those beyond the rank of X are zero. sigma, when not NULL, receives the k singular values. */
mat svd_reduce(arena *a, const csr *x, int k, double *sigma);

#endif
