/* gemm: dense products, row-major, all rows packed. Not by the BLAS: its bits depend on library, version and CPU, and a
 * row's on which others are computed along (gemm.c). */
#ifndef JCB_GEMM_H
#define JCB_GEMM_H

#include "kernels.h"

/* C (m x n) = op(A) op(B) + beta C; A is m x k (nn, nt) or k x m (tn), B is k x n (nn, tn) or n x k (nt). */
void gemm_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void gemm_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void gemm_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta);

/* C = shape(A B + bias); bias may be NULL. The epilogue is applied to a block of rows while it is in the cache. */
void gemm_nn_act(real *c, const real *a, const real *b, int m, int n, int k, const real *bias, enum shape shape);

#endif
