/* Sparse products.
 *
 *   spmm       Y = A X, A of GCN               spmm_t     Y = A^T X, A of SAGE (the stored transpose)
 *   spmm_rows  only the training rows of A     spmm_rows_t  their gradient
 *   spmm_act   Y = drop(relu(A X + b)): product and epilogue
 *   feat, feat_t   X W and X^T G of the features, sparse or dense */
#include "../../src/kernel/blas.h"
#include "../../src/kernel/kernels.h"
#include "../../src/kernel/ref.h"
#include "kernels.h"

static double csr_bytes(const csr *s)
{
    return 8.0 * (s->rows + 1) + (double)csr_nnz(s) * (sizeof(int) + sizeof(real));
}

static int product(work *w, const csr *s)
{
    size_t d = (size_t)w->d;
    if (!s->rows)
        return 0;
    w->s = s, w->mkl = 1;
    w->x = check_random(&w->a, (size_t)s->cols * d, 1);
    w->n = (size_t)s->rows * d;
    w->out = NEW(&w->a, real, w->n);
    w->flops = 2.0 * (double)csr_nnz(s) * w->d;
    w->bytes = csr_bytes(s) + ((double)s->cols + s->rows) * w->d * sizeof(real);
    w->read = csr_bytes(s) + ((double)csr_nnz(s) + s->rows) * w->d * sizeof(real);
    w->from = (double)s->cols * w->d * sizeof(real);
    return 1;
}

static void product_run(work *w) { spmm(w->out, w->s, w->x, w->d, 0); }

static double compare_rows(work *w, arena *a, const real *ref, const int *rows, int n)
{
    return check_error(check_rows(a, w->out, rows, n, (size_t)w->d), ref, (size_t)n * (size_t)w->d);
}

typedef struct layer { /* state of a product with bias, ReLU and dropout */
    real *b;
    dropout drop;
} layer;

/* Recomputes as many rows as take about four million products. */
static double product_error(work *w)
{
    arena a = {0};
    double each = (double)csr_nnz(w->s) * w->d / w->s->rows;
    int n, *rows = check_sample(&a, w->s->rows, (int)(4e6 / each) + 1, &n);
    csr s = csr_restrict(&a, w->s, rows, n, NULL, 0);
    real *ref = NEW(&a, real, (size_t)n * (size_t)w->d);
    spmm_ref(ref, &s, w->x, w->d, 0);
    layer *then = w->state;
    if (then)
        activate_ref(ref, then->b, n, w->d, RELU, &then->drop, rows);
    double e = compare_rows(w, &a, ref, rows, n);
    arena_free(&a);
    return e;
}

static int adjacency_setup(work *w) { return product(w, &w->in->adj); }
static int mean_t_setup(work *w) { return product(w, &w->in->mean_t); }
static int rows_setup(work *w) { return product(w, &w->in->cut); }
static int rows_t_setup(work *w) { return product(w, &w->in->cut_t); }

/* --- with bias, ReLU and dropout --- */

static int act_setup(work *w)
{
    layer *e = w->state = NEW(&w->a, layer, 1);
    *e = (layer){check_random(&w->a, (size_t)w->d, 2), {rng_make(1, 0, RNG_DROPOUT), 1, 2, 0.5}};
    product(w, &w->in->adj);
    w->mkl = 0;
    w->flops += 3.0 * w->in->nodes * w->d;
    return 1;
}

static void act_run(work *w)
{
    layer *e = w->state;
    spmm_with(w->out, w->s, 1, w->x, w->d, &(epilogue){.bias = e->b, .shape = RELU});
    activate(w->out, NULL, w->in->nodes, w->d, LINEAR, &e->drop, NULL);
}

/* --- features --- */

static int features_setup(work *w)
{
    const input *in = w->in;
    if (in->xs.rows)
        return product(w, &in->xs);
    if (!in->xd.rows)
        return 0;
    w->x = check_random(&w->a, (size_t)in->features * (size_t)w->d, 1);
    w->n = (size_t)in->nodes * (size_t)w->d;
    w->out = NEW(&w->a, real, w->n);
    w->flops = 2.0 * in->nodes * in->features * w->d;
    w->bytes = sizeof(real) * ((double)in->nodes * (in->features + w->d) + (double)in->features * w->d);
    return 1;
}

static void features_run(work *w)
{
    if (w->s)
        product_run(w);
    else
        gemm_nn(w->out, w->in->xd.v, w->x, w->in->nodes, w->d, w->in->features, 0);
}

static double features_error(work *w)
{
    if (w->s)
        return product_error(w);
    arena a = {0};
    int n, d = w->d, f = w->in->features, *rows = check_sample(&a, w->in->nodes, 64, &n);
    real *ref = NEW(&a, real, (size_t)n * (size_t)d);
    gemm_ref(ref, check_rows(&a, w->in->xd.v, rows, n, (size_t)f), w->x, n, d, f, 0, 0, 0);
    double e = compare_rows(w, &a, ref, rows, n);
    arena_free(&a);
    return e;
}

static int features_t_setup(work *w)
{
    const input *in = w->in;
    if (in->xs.rows)
        return product(w, &in->xst);
    if (!features_setup(w))
        return 0;
    w->x = check_random(&w->a, (size_t)in->nodes * (size_t)w->d, 1);
    w->n = (size_t)in->features * (size_t)w->d;
    return 1;
}

static void features_t_run(work *w)
{
    if (w->s)
        product_run(w);
    else
        gemm_tn(w->out, w->in->xd.v, w->x, w->in->features, w->d, w->in->nodes, 0);
}

static double features_t_error(work *w)
{
    if (w->s)
        return product_error(w);
    arena a = {0};
    int n, *rows = check_sample(&a, w->in->features, 2, &n);
    real *column = NEW(&a, real, (size_t)w->in->nodes), *ref = NEW(&a, real, (size_t)n * (size_t)w->d);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < w->in->nodes; k++)
            column[k] = mat_row(w->in->xd, k)[rows[i]];
        gemm_ref(ref + (size_t)i * (size_t)w->d, column, w->x, 1, w->d, w->in->nodes, 0, 0, 0);
    }
    double e = compare_rows(w, &a, ref, rows, n);
    arena_free(&a);
    return e;
}

const kernel kernels_sparse[] = {
    {"spmm", "spmm", ALL_WIDTHS, adjacency_setup, product_run, product_error},
    {"spmm", "spmm_t", ALL_WIDTHS, mean_t_setup, product_run, product_error},
    {"spmm", "spmm_rows", ALL_WIDTHS, rows_setup, product_run, product_error},
    {"spmm", "spmm_rows_t", ALL_WIDTHS, rows_t_setup, product_run, product_error},
    {"spmm", "spmm_act", ALL_WIDTHS, act_setup, act_run, product_error},
    {"features", "feat", ALL_WIDTHS, features_setup, features_run, features_error},
    {"features", "feat_t", ALL_WIDTHS, features_t_setup, features_t_run, features_t_error},
    {0},
};
