/* blas: dense products, row-major. gemm_* choose between our own kernels (gemm.c: weights below 2^18 elements, and any
 * size on a CPU that the BLAS does not know) and the BLAS (blas.c, the only file that calls MKL or OpenBLAS).
 *
 * The BLAS is called single-threaded. The output is partitioned into blocks that depend on the shape alone, one call
 * per block, so results are bitwise independent of the number of threads. In our own kernels a row's bits are, in
 * addition, independent of which other rows are computed in the same call (gemm.c); those of the BLAS may depend on
 * it. */
#ifndef JCB_BLAS_H
#define JCB_BLAS_H

#include "kernels.h"

void blas_init(void);        /* once, before the first product; fixes the code path for the process */
const char *blas_name(void); /* e.g. "mkl-2020.4 avx2" */
int blas_fast(void);         /* 0: the BLAS has no optimised code for this CPU and gemm_* never call it */

/* C (m x n) = op(A) op(B) + beta C; A is m x k (nn, nt) or k x m (tn), B is k x n (nn, tn) or n x k (nt). All rows
 * packed. */
void gemm_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void gemm_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void gemm_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta);

/* C = shape(A B + bias); bias may be NULL. The epilogue is applied to a block of rows while it is in the cache. */
void gemm_nn_act(real *c, const real *a, const real *b, int m, int n, int k, const real *bias, enum shape shape);

/* The first three, always by the BLAS. */
void blas_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void blas_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void blas_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta);

#endif
