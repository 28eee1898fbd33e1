/* Sparse and dense products.
 *
 *   spmm       Y = A X, A of GCN               spmm_t     Y = A^T X, A of SAGE (the stored transpose)
 *   spmm_rows  only the training rows of A     spmm_rows_t  their gradient
 *   spmm_act   Y = drop(relu(A X + b)): product and epilogue
 *   feat, feat_t   X W and X^T G of the features, sparse or dense
 *   gemm_nn    H W, a hidden layer d -> d      gemm_tn    H^T G, its gradient         gemm_nt  G W^T */
#include "../../src/kernel/gemm.h"
#include "../../src/kernel/kernels.h"
#include "../../src/kernel/ref.h"
#include "kernels.h"

static const dropout drop = {{17, 4}, 1, 2, 0.5};

/* --- sparse --- */

static double csr_bytes(const csr *s)
{
    return 8.0 * (s->rows + 1) + (double)csr_nnz(s) * (sizeof(int) + sizeof(real));
}

/* Checks as many rows as take about four million multiplications. */
static int sparse(work *w, const csr *s)
{
    if (!s->rows)
        return 0;
    check_result(w, s->rows, w->d, (int)(4e6 * s->rows / ((double)csr_nnz(s) * w->d)) + 1);
    w->s = s, w->mkl = 1;
    w->right = check_random(&w->a, (size_t)s->cols * (size_t)w->d, 1);
    w->flops = 2.0 * (double)csr_nnz(s) * w->d;
    w->bytes = csr_bytes(s) + ((double)s->cols + s->rows) * w->d * sizeof(real);
    w->read = csr_bytes(s) + ((double)csr_nnz(s) + s->rows) * w->d * sizeof(real);
    w->from = (double)s->cols * w->d * sizeof(real);
    return 1;
}

static void sparse_run(work *w) { spmm(w->out, w->s, w->right, w->d, 0); }

static void sparse_ref(work *w, real *out, const int *rows, int n)
{
    csr s = csr_restrict(&w->a, w->s, rows, n, NULL, 0);
    spmm_ref(out, &s, w->right, w->d, 0);
    if (w->b)
        activate_ref(out, w->b, n, w->d, RELU, &drop, rows);
}

static int adjacency_setup(work *w) { return sparse(w, &w->in->adj); }
static int mean_t_setup(work *w) { return sparse(w, &w->in->mean_t); }
static int rows_setup(work *w) { return sparse(w, &w->in->cut); }
static int rows_t_setup(work *w) { return sparse(w, &w->in->cut_t); }

static int act_setup(work *w)
{
    sparse(w, &w->in->adj);
    w->b = check_random(&w->a, (size_t)w->d, 2);
    w->mkl = 0;
    w->flops += 3.0 * w->in->nodes * w->d;
    return 1;
}

static void act_run(work *w)
{
    spmm_with(w->out, w->s, 1, w->right, w->d, &(epilogue){.bias = w->b, .shape = RELU});
    activate(w->out, NULL, w->rows, w->d, LINEAR, &drop, NULL);
}

/* --- dense --- */

static int dense(work *w, const real *left, int rows, int inner, int sample)
{
    double a = (double)rows * inner, b = (double)inner * w->d, c = (double)rows * w->d;
    check_result(w, rows, w->d, sample);
    w->left = left, w->inner = inner;
    w->right = check_random(&w->a, (size_t)inner * (size_t)w->d, 2);
    w->flops = 2 * a * w->d;
    w->bytes = sizeof(real) * (a + b + c);
    return 1;
}

static const real *layer(work *w) { return check_random(&w->a, (size_t)w->in->nodes * (size_t)w->d, 1); }
static int nn_setup(work *w) { return dense(w, layer(w), w->in->nodes, w->d, 64); }
static int tn_setup(work *w) { return dense(w, layer(w), w->d, w->in->nodes, 2); }
static void nn_run(work *w) { gemm_nn(w->out, w->left, w->right, w->rows, w->width, w->inner, 0); }
static void nt_run(work *w) { gemm_nt(w->out, w->left, w->right, w->rows, w->width, w->inner, 0); }
static void tn_run(work *w) { gemm_tn(w->out, w->left, w->right, w->rows, w->width, w->inner, 0); }

static void nn_ref(work *w, real *out, const int *rows, int n)
{
    gemm_ref(out, check_rows(&w->a, w->left, rows, n, (size_t)w->inner), w->right, n, w->width, w->inner, 0, 0, 0);
}

static void nt_ref(work *w, real *out, const int *rows, int n)
{
    gemm_ref(out, check_rows(&w->a, w->left, rows, n, (size_t)w->inner), w->right, n, w->width, w->inner, 0, 1, 0);
}

/* Row i of left^T is a column of left, which is inner x rows. */
static void tn_ref(work *w, real *out, const int *rows, int n)
{
    real *column = NEW(&w->a, real, (size_t)w->inner);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < w->inner; k++)
            column[k] = w->left[(size_t)k * (size_t)w->rows + (size_t)rows[i]];
        gemm_ref(out + (size_t)i * (size_t)w->width, column, w->right, 1, w->width, w->inner, 0, 0, 0);
    }
}

/* --- features: one or the other --- */

static int features_setup(work *w)
{
    const input *in = w->in;
    return in->xs.rows ? sparse(w, &in->xs) : in->xd.rows ? dense(w, in->xd.v, in->nodes, in->features, 64) : 0;
}

static int features_t_setup(work *w)
{
    const input *in = w->in;
    return in->xs.rows ? sparse(w, &in->xst) : in->xd.rows ? dense(w, in->xd.v, in->features, in->nodes, 2) : 0;
}

static void features_run(work *w) { (w->s ? sparse_run : nn_run)(w); }
static void features_t_run(work *w) { (w->s ? sparse_run : tn_run)(w); }

static void features_ref(work *w, real *out, const int *rows, int n) { (w->s ? sparse_ref : nn_ref)(w, out, rows, n); }

static void features_t_ref(work *w, real *out, const int *rows, int n)
{
    (w->s ? sparse_ref : tn_ref)(w, out, rows, n);
}

const kernel kernels_products[] = {
    {"spmm", "spmm", ALL_WIDTHS, adjacency_setup, sparse_run, sparse_ref, NULL},
    {"spmm", "spmm_t", ALL_WIDTHS, mean_t_setup, sparse_run, sparse_ref, NULL},
    {"spmm", "spmm_rows", ALL_WIDTHS, rows_setup, sparse_run, sparse_ref, NULL},
    {"spmm", "spmm_rows_t", ALL_WIDTHS, rows_t_setup, sparse_run, sparse_ref, NULL},
    {"spmm", "spmm_act", ALL_WIDTHS, act_setup, act_run, sparse_ref, NULL},
    {"features", "feat", ALL_WIDTHS, features_setup, features_run, features_ref, NULL},
    {"features", "feat_t", ALL_WIDTHS, features_t_setup, features_t_run, features_t_ref, NULL},
    {"gemm", "gemm_nn", ALL_WIDTHS, nn_setup, nn_run, nn_ref, NULL},
    {"gemm", "gemm_nt", ALL_WIDTHS, nn_setup, nt_run, nt_ref, NULL},
    {"gemm", "gemm_tn", ALL_WIDTHS, tn_setup, tn_run, tn_ref, NULL},
    {0},
};
