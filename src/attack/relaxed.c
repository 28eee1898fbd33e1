/* With g = dLoss/dlogits, Z = A_hat H W2 + b2, H = relu(A_hat X W1 + b1) and q the gradient before the ReLU,
 *   S_ij = g_i.(H W2)_j + q_i.(X W1)_j + (i and j exchanged),
 *   dLoss/dw_ij = r_i r_j S_ij - v_i - v_j,  v_i = r_i^3 / 2 sum_k S_ik w_ik r_k. */
#include "relaxed.h"
#include "../kernel/gemm.h"
#include "../kernel/kernels.h"
#include "../kernel/simd.h"
#include "../data/variant/edit.h"
#include "../base/size.h"
#include "../base/portable.h"
#include <math.h>
#include <string.h>

enum { LANES = 8 };

relaxed relaxed_new(arena *a, const attack_target *t, const feature_matrix *x, uint64_t seed)
{
    relaxed s = {.t = t, .m = surrogate_train(a, t, x, 1, 5e-4, seed)};
    size_t n = (size_t)t->nodes, c = (size_t)t->classes, h = (size_t)s.m.hidden;
    s.run = surrogate_run_new(a, &s.m, t->nodes);
    surrogate_features(&s.run, &s.m, x);
    s.half = (t->classes + s.m.hidden + LANES - 1) / LANES * LANES;
    s.g = NEW(a, real, n * c), s.pg = NEW(a, real, n * c), s.q = NEW(a, real, n * h), s.v = NEW(a, real, n);
    s.rows = NEW(a, real, 2 * n * (size_t)s.half);
    return s;
}

double relaxed_memory(const attack_target *t)
{
    double n = t->nodes, h = SURROGATE_HIDDEN, c = t->classes;
    return sizeof(real) * (n * (6 * c + 5 * h + 2 * LANES + 1) + 4 * h * t->features) +
           (double)csr_nnz(&t->xs) * (4 + sizeof(real));
}

/* --- the weighted graph --- */

/* The candidates with p > 0 in both directions, columns ascending, their p as values. */
static csr active_pairs(arena *a, const block *b)
{
    int64_t n = 0;
    for (int64_t k = 0; k < b->n; k++)
        n += b->p[k] > 0;
    csr s = csr_new(a, b->nodes, b->nodes, 2 * n, 1);
    arena tmp = {0};
    int64_t *low = NEW(&tmp, int64_t, (size_t)b->nodes + 1), *high = NEW(&tmp, int64_t, (size_t)b->nodes + 1);
    for (int64_t k = 0; k < b->n; k++)
        if (b->p[k] > 0) {
            flip f = block_pair(b->nodes, b->index[k]);
            high[f.u]++, low[f.v]++; /* in a row, smaller partners come first */
        }
    for (int i = 0; i < b->nodes; i++) {
        int64_t at = s.ptr[i];
        s.ptr[i + 1] = at + low[i] + high[i];
        high[i] = at + low[i], low[i] = at;
    }
    for (int64_t k = 0; k < b->n; k++)
        if (b->p[k] > 0) {
            flip f = block_pair(b->nodes, b->index[k]);
            s.idx[high[f.u]] = f.v, s.val[high[f.u]++] = b->p[k];
            s.idx[low[f.v]] = f.u, s.val[low[f.v]++] = b->p[k];
        }
    arena_free(&tmp);
    return s;
}

/* Row i of the graph with its loop and the candidates: ascending columns, and weights; returns their number. */
static int64_t merge_row(int *idx, real *w, const csr *graph, const csr *extra, int i)
{
    int64_t k = graph->ptr[i], last = graph->ptr[i + 1], q = extra->ptr[i], end = extra->ptr[i + 1], n = 0;
    int loop = 0;
    while (k < last || q < end || !loop) {
        int x = k < last ? graph->idx[k] : graph->rows, y = q < end ? extra->idx[q] : graph->rows;
        if (!loop && i < x && i < y) {
            idx[n] = i, w[n++] = 1, loop = 1;
        } else if (x < y) {
            idx[n] = x, w[n++] = 1, k++;
        } else {
            idx[n] = y, w[n++] = x == y ? 1 - extra->val[q] : extra->val[q];
            k += x == y, q++;
        }
    }
    return n;
}

weighted weighted_new(arena *a, const csr *graph, const block *b)
{
    int n = graph->rows;
    csr extra = b ? active_pairs(a, b) : csr_new(a, n, n, 0, 1);
    weighted s = {.ahat = csr_new(a, n, n, csr_nnz(graph) + csr_nnz(&extra) + n, 1), .r = NEW(a, real, (size_t)n)};
    s.w = NEW(a, real, (size_t)(csr_nnz(graph) + csr_nnz(&extra) + n));
    for (int i = 0; i < n; i++) {
        int64_t at = s.ahat.ptr[i], m = merge_row(s.ahat.idx + at, s.w + at, graph, &extra, i);
        double degree = 0;
        for (int64_t k = 0; k < m; k++)
            degree += (double)s.w[at + k];
        s.ahat.ptr[i + 1] = at + m;
        s.r[i] = (real)(1 / sqrt(degree));
    }
#pragma omp parallel for schedule(static) if (csr_nnz(&s.ahat) > TEAM_FROM)
    for (int i = 0; i < n; i++)
        for (int64_t k = s.ahat.ptr[i]; k < s.ahat.ptr[i + 1]; k++)
            s.ahat.val[k] = s.r[i] * s.r[s.ahat.idx[k]] * s.w[k];
    return s;
}

/* --- loss and gradient --- */

void relaxed_loss(relaxed *s, const csr *ahat)
{
    const attack_target *t = s->t;
    const int c = t->classes, n = t->part.n[TEST];
    double loss = 0;
    int right = 0;
    surrogate_forward(&s->run, &s->m, ahat);
    memset(s->g, 0, SIZE(t->nodes, c) * sizeof(real));
    for (int k = 0; k < n; k++) {
        int i = t->part.idx[TEST][k], y = t->y[i], other = -1;
        const real *z = s->run.z + SIZE(i, c);
        for (int q = 0; q < c; q++)
            if (q != y && (other < 0 || z[q] > z[other]))
                other = q;
        if (other < 0)
            continue;
        double x = portable_tanh((double)z[other] - (double)z[y]);
        real slope = (real)((1 - x * x) / n);
        loss += x / n;
        right += z[y] > z[other] || (z[y] == z[other] && y < other);
        s->g[SIZE(i, c) + (size_t)other] = slope;
        s->g[SIZE(i, c) + (size_t)y] = -slope;
    }
    s->loss = loss, s->accuracy = (double)right / n;
}

/* S of two rows. */
CLONES static real pair(const real *x, const real *y, int half)
{
    real sum[LANES] = {0}, total = 0;
    for (int k = 0; k < half; k += LANES)
        for (int q = 0; q < LANES; q++)
            sum[q] += fused(x[k + q], y[half + k + q], x[half + k + q] * y[k + q]);
    for (int q = 0; q < LANES; q++)
        total += sum[q];
    return total;
}

static void fill_rows(relaxed *s)
{
    const int c = s->m.classes, h = s->m.hidden;
#pragma omp parallel for schedule(static) if (SIZE(s->t->nodes, s->half) > TEAM_FROM)
    for (int i = 0; i < s->t->nodes; i++) {
        real *row = s->rows + SIZE(i, 2 * s->half), *second = row + s->half;
        memcpy(row, s->g + SIZE(i, c), (size_t)c * sizeof(real));
        memcpy(row + c, s->q + SIZE(i, h), (size_t)h * sizeof(real));
        memcpy(second, s->run.hw + SIZE(i, c), (size_t)c * sizeof(real));
        memcpy(second + c, s->run.xw + SIZE(i, h), (size_t)h * sizeof(real));
    }
}

void relaxed_gradient(real *grad, relaxed *s, const weighted *a, const csr *graph, const block *b)
{
    const int n = a->ahat.rows, c = s->m.classes, h = s->m.hidden, half = s->half;
    spmm(s->pg, &a->ahat, s->g, c, 0);
    gemm_nt(s->q, s->pg, s->m.w2, n, h, c, 0);
    activate_back(s->q, NULL, 0, s->run.h, n, h, RELU, &(dropout){0}, NULL);
    fill_rows(s);
#define ROW(i) (s->rows + SIZE(i, 2 * half))
#pragma omp parallel for schedule(dynamic, 64) if (csr_nnz(&a->ahat) * half > TEAM_FROM)
    for (int i = 0; i < n; i++) {
        real u = 0;
        for (int64_t k = a->ahat.ptr[i]; k < a->ahat.ptr[i + 1]; k++) {
            int j = a->ahat.idx[k];
            u += pair(ROW(i), ROW(j), half) * a->w[k] * a->r[j];
        }
        s->v[i] = u * a->r[i] * a->r[i] * a->r[i] / 2;
    }
#pragma omp parallel for schedule(dynamic, 4096) if (b->n * half > TEAM_FROM)
    for (int64_t k = 0; k < b->n; k++) {
        flip f = block_pair(n, b->index[k]);
        real g = a->r[f.u] * a->r[f.v] * pair(ROW(f.u), ROW(f.v), half) - s->v[f.u] - s->v[f.v];
        grad[k] = edit_linked(graph, f.u, f.v) ? -g : g;
    }
#undef ROW
}
