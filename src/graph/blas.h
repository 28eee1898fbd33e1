/* blas: dense products, row-major. blas.c is the only user of MKL or OpenBLAS; gemm.c has loops of our own for small weights.
 *
 * The BLAS runs on one thread a call. Parallelism is ours: the output is cut into blocks whose borders depend on the
 * shape alone, each computed by one call, so that the bits do not depend on the number of threads. */
#ifndef JCB_BLAS_H
#define JCB_BLAS_H

#include "mat.h"

void blas_init(void);         /* once, before the first product; fixes the code path for the process */
const char *blas_name(void);  /* e.g. "mkl-2020.4 avx2" */
int blas_fast(void);          /* 0: it knows nothing of this CPU, gemm_* do without it */

/* C (m x n) = op(A) op(B) + beta C; A is m x k (nn, nt) or k x m (tn), B is k x n (nn, tn) or n x k (nt). All rows packed. */
void gemm_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void gemm_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void gemm_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta);

/* The same by the BLAS: what gemm_* call for large weights. */
void blas_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void blas_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta);
void blas_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta);

#endif
