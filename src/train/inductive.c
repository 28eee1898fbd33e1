#include "inductive.h"
#include "../base/err.h"
#include <math.h>

csr inductive_links(arena *a, const csr *g, const split *part)
{
    arena tmp = {0};
    unsigned char *in = NEW(&tmp, unsigned char, (size_t)g->rows);
    int64_t *ptr = NEW(a, int64_t, (size_t)g->rows + 1);
    for (int i = 0; i < part->n[TRAIN]; i++)
        in[part->idx[TRAIN][i]] = 1;
#pragma omp parallel for schedule(dynamic, 1024) if (csr_nnz(g) > SERIAL_WORK)
    for (int i = 0; i < g->rows; i++)
        for (int64_t k = g->ptr[i]; in[i] && k < g->ptr[i + 1]; k++)
            ptr[i + 1] += in[g->idx[k]];
    for (int i = 0; i < g->rows; i++)
        ptr[i + 1] += ptr[i];
    csr s = {g->rows, g->cols, ptr, NEW_RAW(a, int, (size_t)ptr[g->rows]), NULL, NULL};
#pragma omp parallel for schedule(dynamic, 1024) if (csr_nnz(g) > SERIAL_WORK)
    for (int i = 0; i < g->rows; i++) {
        int64_t w = ptr[i];
        for (int64_t k = g->ptr[i]; in[i] && k < g->ptr[i + 1]; k++)
            if (in[g->idx[k]])
                s.idx[w++] = g->idx[k];
    }
    arena_free(&tmp);
    return s;
}

void inductive_features(arena *a, node_data *data, const split *part)
{
    for (int h = 0; h < FEATURE_SETS; h++)
        if (data->xs[h] || (h && data->xd[h]))
            die("inductive=1 needs dense features and a network that reads the graph while training (sage, gcn, gat) "
                "or none (mlp)");
    const mat x = *data->xd[0];
    arena tmp = {0};
    double *mean = NEW(&tmp, double, (size_t)x.cols), *by = NEW(&tmp, double, (size_t)x.cols);
    int n = part->n[TRAIN];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < x.cols; j++)
            mean[j] += (double)mat_row(x, part->idx[TRAIN][i])[j] / n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < x.cols; j++) {
            double off = (double)mat_row(x, part->idx[TRAIN][i])[j] - mean[j];
            by[j] += off * off / n;
        }
    for (int j = 0; j < x.cols; j++)
        by[j] = by[j] > 0 ? 1 / sqrt(by[j]) : 1;
    mat *y = NEW(a, mat, 1);
    *y = mat_raw(a, x.rows, x.cols);
#pragma omp parallel for schedule(static) if ((size_t)x.rows * (size_t)x.cols > SERIAL_WORK)
    for (int i = 0; i < x.rows; i++)
        for (int j = 0; j < x.cols; j++)
            mat_row(*y, i)[j] = (real)(((double)mat_row(x, i)[j] - mean[j]) * by[j]);
    data->xd[0] = y;
    arena_free(&tmp);
}
