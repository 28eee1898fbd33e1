/* kernels: sparse and element-wise kernels. Each output element is computed by one thread in a fixed order of
 * summation, so results are bitwise independent of the number of threads and of which other rows are computed in the
 * same call. ref.h has plain reference versions. */
#ifndef JCB_KERNELS_H
#define JCB_KERNELS_H

#include "csr.h"
#include "dropout.h"

/* y (s.rows x d) = s x + beta y, x is s.cols x d. */
void spmm(real *y, const csr *s, const real *x, int d, real beta);

enum shape { LINEAR, RELU, ELU };

/* Epilogue of a product, applied to each row before it is stored. */
typedef struct epilogue {
    const real *base; /* + beta base[map]; map NULL: row by row */
    const int *map;
    real beta;        /* 0: no base */
    const real *bias; /* then + bias, NULL: none */
    enum shape shape; /* LINEAR or RELU */
} epilogue;

/* y = shape(f s x + beta base[map] + bias) */
void spmm_with(real *y, const csr *s, real f, const real *x, int d, const epilogue *e);

/* to = beta to + f from, beta 0 or 1, d numbers. */
void add_row(real *restrict to, real beta, real f, const real *restrict from, size_t d);

/* to[map[i]] = beta to[map[i]] + f from[i], beta 0 or 1, rows of d numbers, those of `from` ld apart; no two go to the
 * same row. */
void add_rows(real *to, const int *map, real beta, real f, const real *from, size_t ld, int rows, int d);

/* In place on h (rows x d): h = drop(f(h + b)). b may be NULL. id: node of each row (the counter of dropout), NULL: the
 * row index. */
void activate(real *h, const real *b, int rows, int d, enum shape f, const dropout *drop, const int *id);

/* The same of one row, without dropout. */
void activate_row(real *restrict h, const real *restrict b, int d, enum shape f);

/* In place on g = dL/d(output): g becomes dL/d(input) and db (may be NULL) its column sums + beta db. h is the
 * output. */
void activate_back(real *g, real *db, real beta, const real *h, int rows, int d, enum shape f, const dropout *drop,
                   const int *id);

/* The same of one row, for RELU and ELU; scale: dropout_scale. */
void activate_back_row(real *restrict g, const real *restrict h, int d, enum shape f, real scale);

void column_sum(real *sum, const real *x, int rows, int d, real beta); /* + beta sum */

/* Row-wise p = softmax(x * scale), in place allowed. */
void softmax(real *p, const real *x, int rows, int c, real scale);

/* Adam (Kingma & Ba) with L2 decay added to the gradient. */
typedef struct adam {
    double lr, beta1, beta2, eps;
} adam;

typedef struct adam_now { /* its factors at step t, from 1 on */
    real step, b1, b2, new1, new2, eps, decay, root;
} adam_now;
adam_now adam_at(const adam *o, double decay, long t);

void adam_step(real *w, const real *g, real *m, real *v, size_t n, const adam_now *o);

/* Adam step with the gradient s x (s.rows x d), fused where possible. g: scratch of the same size; its contents are
 * unspecified afterwards. */
void spmm_adam(real *w, real *g, real *m, real *v, const csr *s, const real *x, int d, const adam_now *o);

/* One Adam update of scalars or of vectors: slope = g + decay w, m = b1 m + new1 slope, v = b2 v + new2 slope^2,
 * w -= step m / (root sqrt(v) + eps). fuse(c, a, b): c += a b, fused; root_of(&x) replaces x by its square root. */
#define ADAM(w, g, m, v, o, fuse, root_of)                                                     \
    do {                                                                                       \
        __typeof__(w) slope = (g), mean, square, length, over = (__typeof__(w)){0} + (o)->eps; \
        fuse(slope, (o)->decay, w);                                                            \
        mean = (o)->new1 * slope, square = (o)->new2 * slope * slope;                          \
        fuse(mean, (o)->b1, m);                                                                \
        fuse(square, (o)->b2, v);                                                              \
        (m) = mean, length = (v) = square;                                                     \
        root_of(&length);                                                                      \
        fuse(over, (o)->root, length);                                                         \
        (w) -= (o)->step * (m) / over;                                                         \
    } while (0)

#endif
