/* kernels: the loops where the time goes. Each output element is owned by one thread and summed in one order, so the
 * bits do not depend on the number of threads, nor on which other rows are computed along. ref.h has the obvious twins. */
#ifndef JCB_KERNELS_H
#define JCB_KERNELS_H

#include "csr.h"
#include "dropout.h"

/* y (s.rows x d) = s x + beta y, x is s.cols x d. */
void spmm(real *y, const csr *s, const real *x, int d, real beta);

/* y = f s x + beta base[map], map NULL: the rows in their order. */
void spmm_onto(real *y, const csr *s, real f, const real *x, const real *base, const int *map, real beta, int d);

/* to[map[i]] += f from[i], rows of d numbers, those of `from` ld apart; no two go to the same row. */
void add_rows(real *to, const int *map, real f, const real *from, size_t ld, int rows, int d);

enum shape { LINEAR, RELU, ELU };

/* In place on h (rows x d): h = drop(f(h + b)). b may be NULL. id: node of each row, NULL: i itself. */
void activate(real *h, const real *b, int rows, int d, enum shape f, const dropout *drop, const int *id);

/* In place on g = dL/d(output): g becomes dL/d(input) and db (may be NULL) its column sums + beta db. h is the output. */
void activate_back(real *g, real *db, real beta, const real *h, int rows, int d, enum shape f, const dropout *drop, const int *id);

void column_sum(real *sum, const real *x, int rows, int d, real beta); /* + beta sum */

/* Row-wise p = softmax(x * scale), in place allowed. */
void softmax(real *p, const real *x, int rows, int c, real scale);

/* Adam (Kingma & Ba) with L2 decay added to the gradient; t counts from 1. */
typedef struct adam {
    double lr, beta1, beta2, eps;
} adam;
void adam_step(real *w, const real *g, real *m, real *v, size_t n, const adam *o, double decay, long t);

#endif
