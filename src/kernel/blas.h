/* blas: MKL or OpenBLAS, to measure with: the rate of its product is a limit of the machine (bench_kernels), and tests
 * compare gemm.h with it. No result depends on it. */
#ifndef JCB_BLAS_H
#define JCB_BLAS_H

#include "real.h"

void blas_init(void);        /* once, before the first product */
const char *blas_name(void); /* e.g. "mkl-2020.0.4" */

/* As gemm_nn, on all threads. */
void blas_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta);

#endif
