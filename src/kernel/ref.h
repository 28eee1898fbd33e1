/* ref: plain reference versions of kernels.h and blas.h, accumulating in double where it matters. For tests only. */
#ifndef JCB_REF_H
#define JCB_REF_H

#include "kernels.h"

void spmm_ref(real *y, const csr *s, const real *x, int d, real beta);
void gemm_ref(real *c, const real *a, const real *b, int m, int n, int k, int ta, int tb, real beta);
void activate_ref(real *h, const real *b, int rows, int d, enum shape f, const dropout *drop, const int *id);
void column_sum_ref(real *sum, const real *x, int rows, int d);
void softmax_ref(real *p, const real *x, int rows, int c, real scale);
void adam_ref(real *w, const real *g, real *m, real *v, size_t n, const adam *o, double decay, long t);

#endif
