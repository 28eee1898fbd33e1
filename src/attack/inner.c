/* A step, with R = (P - Y) / L of all rows:
 *   N = Bt W1, P = softmax(N W2), U = R W2^T, g1 = Bt^T U, g2 = N^T R.
 * Backward from t = T - 1 to 0, a and b the adjoints of W and v, s = b - eta a that of the new v:
 *   M = Bt s1, Q = M W2 + N s2, T_k = (p_k o Q_k - p_k (p_k . Q_k)) / L, E = R s2^T + T W2^T,
 *   Gt += U s1^T + E W1^T, a1 += Bt^T E, a2 += M^T R + N^T T, b = mu s.
 * Gt is one product at the end: the factors of all steps stand side by side in left and right.
 *
 * Dual: W1 = W1_0 + Bt^T D and s1 = alpha a1_T + Bt^T F with D, F of L x h, so that a1 += Bt^T E adds E to a matrix of
 * L x h, and
 *   N = Bt W1_0 + K D,  M = alpha Bt a1_T + K F,
 *   Gt = (sum alpha U) a1_T^T + (sum E) W1_0^T + (sum U F^T + E D^T) Bt.
 *
 * Every block of rows, of fixed size, has one thread; sums over all rows add the blocks in order. */
#include "inner.h"
#include "../kernel/gemm.h"
#include "../kernel/kernels.h"
#include "../kernel/simd.h"
#include "../base/size.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 48, SLICE = 64 }; /* rows of a step, rows of the last product */
#define SERIAL 4e6               /* flops; below, one thread is faster than a parallel region */
static const real ETA = (real)0.1, MU = (real)0.9;

static int blocks_of(int rows) { return (rows + BLOCK - 1) / BLOCK; }

static int worth_a_team(const inner *w) { return 2.0 * w->rows * w->dim * w->hidden > SERIAL; }

/* Allocates every array; returns the bytes. Without an arena it only counts, for inner_memory. */
static size_t lay_out(inner *w, arena *a)
{
    size_t L = (size_t)w->rows, d = (size_t)w->features, h = (size_t)w->hidden, c = (size_t)w->classes,
           q = (size_t)w->dim, T = (size_t)w->slots;
    size_t dual = w->form == INNER_DUAL, primal = !dual, back = T > 1, blocks = (size_t)blocks_of(w->rows);
    const struct {
        real **to;
        size_t n;
    } all[] = {
        {&w->bt, L * d},
        {&w->phi, dual * L * L},
        {&w->phit, primal * d * L},
        {&w->w1, d * h},
        {&w->w2, h * c},
        {&w->end1, d * h},
        {&w->end2, h * c},
        {&w->n0, dual * L * h},
        {&w->m0, dual * L * h},
        {&w->n, T * L * h},
        {&w->p, T * L * c},
        {&w->w2s, T * h * c},
        {&w->now, q * h},
        {&w->next, q * h},
        {&w->velocity, q * h},
        {&w->velocity2, h * c},
        {&w->s2, h * c},
        {&w->a2, h * c},
        {&w->u, L * h},
        {&w->m, L * h},
        {&w->e, L * h},
        {&w->r, L * c},
        {&w->q, L * c},
        {&w->g1, primal * d * h},
        {&w->g2, h * c},
        {&w->sum, blocks * h * c},
        {&w->left, back * 2 * h * T * L},
        {&w->right, back * 2 * h * T * q},
        {&w->p1, dual * L * h},
        {&w->p2, dual * L * h},
        {&w->ht, dual * back * L * L},
    };
    size_t total = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (a && all[k].n)
            *all[k].to = NEW(a, real, all[k].n);
        total += all[k].n;
    }
    if (primal)
        w->phi = w->bt;
    return total * sizeof(real);
}

static inner shape(int rows, int features, int classes, enum inner_form form, int slots)
{
    return (inner){.form = form,
                   .rows = rows,
                   .features = features,
                   .hidden = INNER_HIDDEN,
                   .classes = classes,
                   .steps = slots > 1 ? slots : INNER_STEPS,
                   .slots = slots,
                   .dim = form == INNER_DUAL ? rows : features};
}

inner inner_new(arena *a, int rows, int features, int classes, const int *label, enum inner_form form, int slots)
{
    inner w = shape(rows, features, classes, form, slots);
    w.label = label;
    lay_out(&w, a);
    return w;
}

double inner_memory(int rows, int features, int classes, enum inner_form form, int slots)
{
    inner w = shape(rows, features, classes, form, slots);
    return (double)lay_out(&w, NULL);
}

void inner_changed(inner *w, const int *row, int n)
{
    const int L = w->rows, d = w->features;
    arena tmp = {0};
    if (w->form == INNER_PRIMAL) {
#pragma omp parallel for schedule(static) if (SIZE(n, d) > TEAM_FROM)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < n; k++)
                w->phit[SIZE(j, L) + (size_t)row[k]] = w->bt[SIZE(row[k], d) + (size_t)j];
    } else {
        real *some = NEW(&tmp, real, SIZE(n, d)), *gram = NEW(&tmp, real, SIZE(n, L));
        for (int k = 0; k < n; k++)
            memcpy(some + SIZE(k, d), w->bt + SIZE(row[k], d), (size_t)d * sizeof(real));
        gemm_nt(gram, some, w->bt, n, L, d, 0);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < L; i++)
                w->phi[SIZE(row[k], L) + (size_t)i] = w->phi[SIZE(i, L) + (size_t)row[k]] =
                    gram[SIZE(k, L) + (size_t)i];
    }
    arena_free(&tmp);
}

void inner_start(inner *w, rng r, uint64_t stream, int xavier)
{
    const int d = w->features, h = w->hidden, c = w->classes;
    const double bound1 = xavier ? sqrt(6.0 / (d + h)) : 1 / sqrt(h),
                 bound2 = xavier ? sqrt(6.0 / (h + c)) : 1 / sqrt(c);
#pragma omp parallel for schedule(static) if (SIZE(d, h) > TEAM_FROM)
    for (int i = 0; i < d * h; i++)
        w->w1[i] = (real)(bound1 * (2 * rng_uniform(r, 2 * stream, (uint64_t)i) - 1));
    for (int i = 0; i < h * c; i++)
        w->w2[i] = (real)(bound2 * (2 * rng_uniform(r, 2 * stream + 1, (uint64_t)i) - 1));
}

/* --- forward --- */

/* R of m rows */
static void residual(real *r, const real *p, const int *label, int m, int c, real scale)
{
    for (int i = 0; i < m; i++)
        for (int k = 0; k < c; k++)
            r[i * c + k] = (p[i * c + k] - (k == label[i])) * scale;
}

/* Stores one of the four factors of step t: half 0 or 1 of the rows of left or right. */
static void keep(real *to, const real *from, const inner *w, int t, int half, int first, int m)
{
    const int h = w->hidden;
    const size_t wide = SIZE(2 * h, w->steps);
    for (int i = 0; i < m; i++)
        memcpy(to + SIZE(first + i, wide) + SIZE(2 * t + half, h), from + SIZE(first + i, h), (size_t)h * sizeof(real));
}

CLONES static void momentum(real *restrict next, real *restrict velocity, const real *restrict now,
                            const real *restrict g, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        velocity[i] = fused(MU, velocity[i], g[i]);
        next[i] = fused(-ETA, velocity[i], now[i]);
    }
}

static void forward_block(inner *w, int slot, const real *w2, int b)
{
    const int h = w->hidden, c = w->classes, first = b * BLOCK, m = w->rows - first < BLOCK ? w->rows - first : BLOCK;
    const size_t at = SIZE(slot, w->rows) + (size_t)first;
    real *n = w->n + at * (size_t)h, *p = w->p + at * (size_t)c, *r = w->r + SIZE(first, c), *u = w->u + SIZE(first, h);
    if (w->form == INNER_DUAL)
        memcpy(n, w->n0 + SIZE(first, h), SIZE(m, h) * sizeof(real));
    gemm_nn(n, w->phi + SIZE(first, w->dim), w->now, m, h, w->dim, w->form == INNER_DUAL);
    gemm_nn(p, n, w2, m, c, h, 0);
    softmax(p, p, m, c, 1);
    residual(r, p, w->label + first, m, c, (real)1 / (real)w->rows);
    gemm_nt(u, r, w2, m, h, c, 0);
    gemm_tn(w->sum + SIZE(b, h * c), n, r, h, c, m, 0);
    if (w->slots > 1) {
        keep(w->left, w->u, w, slot, 0, first, m);
        if (w->form == INNER_DUAL) {
            keep(w->right, w->now, w, slot, 1, first, m);
            momentum(w->next + SIZE(first, h), w->velocity + SIZE(first, h), w->now + SIZE(first, h), u, SIZE(m, h));
        }
    }
}

static void add_blocks(real *to, const inner *w)
{
    const int n = w->hidden * w->classes, blocks = blocks_of(w->rows);
    memset(to, 0, (size_t)n * sizeof *to);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < n; i++)
            to[i] += w->sum[SIZE(b, n) + (size_t)i];
}

/* g (d x h) = Bt^T x */
static void transposed(real *g, const inner *w, const real *x)
{
    const int h = w->hidden, blocks = blocks_of(w->features);
#pragma omp parallel for schedule(static) if (worth_a_team(w))
    for (int b = 0; b < blocks; b++) {
        int first = b * BLOCK, m = w->features - first < BLOCK ? w->features - first : BLOCK;
        gemm_nn(g + SIZE(first, h), w->phit + SIZE(first, w->rows), x, m, h, w->rows, 0);
    }
}

void inner_gradient(inner *w, int slot, const real *w2)
{
    const int blocks = blocks_of(w->rows);
#pragma omp parallel for schedule(static) if (worth_a_team(w))
    for (int b = 0; b < blocks; b++)
        forward_block(w, slot, w2, b);
    add_blocks(w->g2, w);
    if (w->form == INNER_PRIMAL)
        transposed(w->g1, w, w->u);
}

static void swap(real **x, real **y)
{
    real *t = *x;
    *x = *y, *y = t;
}

void inner_train(inner *w)
{
    const int d = w->features, h = w->hidden, c = w->classes, L = w->rows;
    const size_t small = SIZE(h, c), large = SIZE(w->dim, h);
    memset(w->velocity, 0, large * sizeof(real));
    memset(w->velocity2, 0, small * sizeof(real));
    memcpy(w->w2s, w->w2, small * sizeof(real));
    if (w->form == INNER_DUAL) {
        memset(w->now, 0, large * sizeof(real));
        gemm_nn(w->n0, w->bt, w->w1, L, h, d, 0);
    } else {
        memcpy(w->now, w->w1, large * sizeof(real));
    }
    for (int t = 0; t < w->steps; t++, swap(&w->now, &w->next)) {
        real *w2 = w->w2s + SIZE(t, small);
        inner_gradient(w, t, w2);
        if (w->form == INNER_PRIMAL) {
            keep(w->right, w->now, w, t, 1, 0, w->dim);
            momentum(w->next, w->velocity, w->now, w->g1, large);
        }
        momentum(t + 1 < w->steps ? w2 + small : w->end2, w->velocity2, w2, w->g2, small);
    }
    memcpy(w->end1, w->form == INNER_DUAL ? w->w1 : w->now, SIZE(d, h) * sizeof(real));
    if (w->form == INNER_DUAL)
        gemm_tn(w->end1, w->bt, w->now, d, h, L, 1);
}

/* --- backward: now is s1 (or its F), velocity is a1 (or its F) --- */

CLONES static void adjoint(real *restrict next, real *restrict a, const real *restrict now, const real *restrict g,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i] += g[i];
        next[i] = fused(MU, now[i], -(ETA * a[i]));
    }
}

/* T of m rows, in place of Q */
static void softmax_back(real *q, const real *p, int m, int c, real scale)
{
    for (int i = 0; i < m; i++) {
        real dot = 0;
        for (int k = 0; k < c; k++)
            dot += p[i * c + k] * q[i * c + k];
        for (int k = 0; k < c; k++)
            q[i * c + k] = p[i * c + k] * (q[i * c + k] - dot) * scale;
    }
}

static void backward_block(inner *w, int t, real alpha, int b)
{
    const int h = w->hidden, c = w->classes, first = b * BLOCK, m = w->rows - first < BLOCK ? w->rows - first : BLOCK,
              dual = w->form == INNER_DUAL;
    const size_t at = SIZE(t, w->rows) + (size_t)first, wide = SIZE(2 * h, w->steps), row = SIZE(first, h);
    const real *n = w->n + at * (size_t)h, *p = w->p + at * (size_t)c, *w2 = w->w2s + SIZE(t, h * c),
               scale = (real)1 / (real)w->rows;
    real *mm = w->m + row, *q = w->q + SIZE(first, c), *r = w->r + SIZE(first, c), *e = w->e + row,
         *sum = w->sum + SIZE(b, h * c);
    for (size_t i = 0; dual && i < SIZE(m, h); i++)
        mm[i] = alpha * w->m0[row + i];
    gemm_nn(mm, w->phi + SIZE(first, w->dim), w->now, m, h, w->dim, dual);
    gemm_nn(q, mm, w2, m, c, h, 0);
    gemm_nn(q, n, w->s2, m, c, h, 1);
    residual(r, p, w->label + first, m, c, scale);
    softmax_back(q, p, m, c, scale);
    gemm_nt(e, r, w->s2, m, h, c, 0);
    gemm_nt(e, q, w2, m, h, c, 1);
    gemm_tn(sum, mm, r, h, c, m, 0);
    gemm_tn(sum, n, q, h, c, m, 1);
    keep(w->left, w->e, w, t, 1, first, m);
    if (!dual)
        return;
    keep(w->right, w->now, w, t, 0, first, m);
    for (int i = 0; i < m; i++) {
        add_row(w->p1 + row + SIZE(i, h), 1, alpha, w->left + SIZE(first + i, wide) + SIZE(2 * t, h), (size_t)h);
        add_row(w->p2 + row + SIZE(i, h), 1, 1, e + SIZE(i, h), (size_t)h);
    }
    adjoint(w->next + row, w->velocity + row, w->now + row, e, SIZE(m, h));
}

static void backward_start(inner *w, const real *a1, const real *a2)
{
    const size_t small = SIZE(w->hidden, w->classes), large = SIZE(w->dim, w->hidden), tall = SIZE(w->rows, w->hidden);
    for (size_t i = 0; i < small; i++)
        w->a2[i] = a2[i], w->s2[i] = -ETA * a2[i];
    if (w->form == INNER_DUAL) {
        memset(w->now, 0, large * sizeof(real));
        memset(w->velocity, 0, large * sizeof(real));
        memset(w->p1, 0, tall * sizeof(real));
        memset(w->p2, 0, tall * sizeof(real));
        gemm_nn(w->m0, w->bt, a1, w->rows, w->hidden, w->features, 0);
    } else {
        for (size_t i = 0; i < large; i++)
            w->velocity[i] = a1[i], w->now[i] = -ETA * a1[i];
    }
}

void inner_back(real *gt, inner *w, const real *a1, const real *a2)
{
    const int L = w->rows, d = w->features, h = w->hidden, dual = w->form == INNER_DUAL, blocks = blocks_of(L),
              wide = 2 * h * w->steps;
    const size_t small = SIZE(h, w->classes), large = SIZE(w->dim, h);
    real alpha = -ETA;
    backward_start(w, a1, a2);
    for (int t = w->steps - 1; t >= 0; t--, alpha = MU * alpha - ETA, swap(&w->now, &w->next)) {
#pragma omp parallel for schedule(static) if (worth_a_team(w))
        for (int b = 0; b < blocks; b++)
            backward_block(w, t, alpha, b);
        add_blocks(w->g2, w);
        if (!dual) {
            keep(w->right, w->now, w, t, 0, 0, w->dim);
            transposed(w->g1, w, w->e);
            adjoint(w->next, w->velocity, w->now, w->g1, large);
        }
        for (size_t i = 0; i < small; i++) {
            w->a2[i] += w->g2[i];
            w->s2[i] = MU * w->s2[i] - ETA * w->a2[i];
        }
    }
    real *to = dual ? w->ht : gt;
#pragma omp parallel for schedule(dynamic) if (2.0 * w->dim * L * wide > SERIAL)
    for (int first = 0; first < w->dim; first += SLICE)
        gemm_nt(to + SIZE(first, L), w->right + SIZE(first, wide), w->left,
                w->dim - first < SLICE ? w->dim - first : SLICE, L, wide, 0);
    if (dual) {
        gemm_tn(gt, w->bt, w->ht, d, L, L, 0);
        gemm_nt(gt, a1, w->p1, d, L, h, 1);
        gemm_nt(gt, w->w1, w->p2, d, L, h, 1);
    }
}
