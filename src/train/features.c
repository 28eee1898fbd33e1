#include "features.h"
#include "../base/err.h"
#include "../base/memory.h"
#include <math.h>

mat features_dense(arena *a, const csr *x, const char *name)
{
    double bytes = (double)x->rows * x->cols * sizeof(real), memory = memory_total();
    if (bytes > memory)
        die("%s: %d x %d features as a dense matrix take %.1f GB, the machine has %.1f (negative entries, --norm "
            "standard, or --model sgc with many --hops make them dense)",
            name, x->rows, x->cols, bytes / 1e9, memory / 1e9);
    mat m = mat_new(a, x->rows, x->cols);
    for (int i = 0; i < x->rows; i++)
        for (int64_t k = x->ptr[i]; k < x->ptr[i + 1]; k++)
            mat_row(m, i)[x->idx[k]] = x->val[k];
    return m;
}

static void make_dense(arena *a, csr *xs, mat *xd, const char *name)
{
    if (!xs->rows)
        return;
    *xd = features_dense(a, xs, name);
    *xs = (csr){0};
}

/* X - min(X), the minimum over the whole matrix, where that is negative, or always. */
static void subtract_least(arena *a, csr *xs, mat *xd, int always, const char *name)
{
    int sparse = xs->rows > 0;
    const real *x = sparse ? xs->val : xd->v;
    size_t n = sparse ? (size_t)csr_nnz(xs) : (size_t)xd->rows * (size_t)xd->cols,
           all = sparse ? (size_t)xs->rows * (size_t)xs->cols : n;
    real least = always && n == all && n ? x[0] : 0;
    for (size_t i = 0; i < n; i++)
        least = x[i] < least ? x[i] : least;
    if (least == 0)
        return;
    make_dense(a, xs, xd, name);
    for (size_t i = 0; i < all; i++)
        xd->v[i] -= least;
}

/* Rows without negative entries, divided by their sums, or by `least` where that is more; rows of zeros stay. */
static void scale_rows(csr *xs, mat *xd, double least)
{
    for (int i = 0; i < xs->rows; i++) {
        double sum = 0;
        for (int64_t k = xs->ptr[i]; k < xs->ptr[i + 1]; k++)
            sum += (double)xs->val[k];
        sum = fmax(sum, least);
        for (int64_t k = xs->ptr[i]; sum != 0 && k < xs->ptr[i + 1]; k++)
            xs->val[k] = (real)((double)xs->val[k] / sum);
    }
    for (int i = 0; i < xd->rows; i++) {
        real *x = mat_row(*xd, i);
        double sum = 0;
        for (int j = 0; j < xd->cols; j++)
            sum += (double)x[j];
        sum = fmax(sum, least);
        for (int j = 0; sum != 0 && j < xd->cols; j++)
            x[j] = (real)((double)x[j] / sum);
    }
}

/* Column by column, two passes in the order of the rows. */
static void standardise(mat x)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j < x.cols; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < x.rows; i++)
            sum += (double)mat_row(x, i)[j];
        double mean = sum / x.rows;
        for (int i = 0; i < x.rows; i++)
            squares += ((double)mat_row(x, i)[j] - mean) * ((double)mat_row(x, i)[j] - mean);
        double sd = sqrt(squares / x.rows);
        int constant = !(sd > 1e-7 * fabs(mean)); /* rounding of equal values */
        for (int i = 0; i < x.rows; i++)
            mat_row(x, i)[j] = constant ? 0 : (real)(((double)mat_row(x, i)[j] - mean) / sd);
    }
}

void features_prepare(arena *a, csr *xs, mat *xd, enum spec_norm norm, const char *name)
{
    int pyg = norm == NORM_PYG;
    if (norm == NORM_STANDARD) {
        make_dense(a, xs, xd, name);
        standardise(*xd);
    } else if (norm != NORM_NONE) {
        subtract_least(a, xs, xd, pyg, name);
        scale_rows(xs, xd, pyg);
    }
}
