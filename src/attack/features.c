#include "features.h"
#include "../kernel/gemm.h"
#include "../kernel/kernels.h"

feature_matrix features_of(arena *a, const attack_target *t)
{
    feature_matrix x = {.xs = t->xs, .xd = t->xd, .nodes = t->nodes, .cols = t->features};
    if (t->xs.rows)
        x.xt = csr_transpose(a, &t->xs);
    return x;
}

void features_mul(real *y, const feature_matrix *x, const real *w, int width)
{
    if (x->xs.rows)
        spmm(y, &x->xs, w, width, 0);
    else
        gemm_nn(y, x->xd.v, w, x->nodes, width, x->cols, 0);
}

void features_mul_t(real *y, const feature_matrix *x, const real *g, int width)
{
    if (x->xs.rows)
        spmm(y, &x->xt, g, width, 0);
    else
        gemm_tn(y, x->xd.v, g, x->cols, width, x->nodes, 0);
}

void features_add_row(real *to, real f, const feature_matrix *x, int node)
{
    if (x->xd.rows) {
        add_row(to, 1, f, mat_row(x->xd, node), (size_t)x->cols);
        return;
    }
    for (int64_t k = x->xs.ptr[node]; k < x->xs.ptr[node + 1]; k++)
        to[x->xs.idx[k]] += f * csr_value(&x->xs, k);
}
