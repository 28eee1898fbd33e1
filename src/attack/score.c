#include "score.h"
#include "../kernel/gemm.h"
#include "../kernel/kernels.h"
#include "../kernel/simd.h"
#include "../base/size.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { WIDE = 64, TALL = 128, LANES = 16 }; /* training rows made at a time; nodes transposed; scores compared */

static size_t lay_out(score *s, arena *a, int dim)
{
    size_t n = (size_t)s->nodes, wide = s->train ? WIDE : 0;
    const struct {
        real **to;
        size_t n;
    } all[] = {{&s->left, n * (size_t)s->rank},
               {&s->right, n * (size_t)s->rank},
               {&s->t, 2 * (size_t)s->train * n},
               {&s->wide, n * wide},
               {&s->wider, n * wide},
               {&s->some, (size_t)dim * wide},
               {&s->r, n},
               {&s->v, n}};
    size_t total = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (a)
            *all[k].to = NEW(a, real, all[k].n);
        total += all[k].n;
    }
    return total * sizeof(real);
}

score score_new(arena *a, int nodes, int dim, int rank, int train)
{
    score s = {.nodes = nodes, .part = rank / 4, .rank = rank, .train = train};
    lay_out(&s, a, dim);
    return s;
}

double score_memory(int nodes, int dim, int rank, int train)
{
    score s = {.nodes = nodes, .rank = rank, .train = train};
    return (double)lay_out(&s, NULL, dim);
}

static int width_of(const score *s, int col0) { return s->nodes - col0 < SCORE_COLS ? s->nodes - col0 : SCORE_COLS; }

void score_factors(score *s, int at, int c, const real *r, const real *ar, const real *xw, const real *yw)
{
    const real *const from[4] = {r, ar, yw, xw};
#pragma omp parallel for schedule(static) if (SIZE(s->nodes, 8 * c) > TEAM_FROM)
    for (int col0 = 0; col0 < s->nodes; col0 += SCORE_COLS) {
        int w = width_of(s, col0);
        real *right = s->right + SIZE(col0, s->rank);
        for (int j = 0; j < w; j++)
            for (int q = 0; q < 4; q++)
                for (int k = 0; k < c; k++) {
                    real x = from[q][SIZE(col0 + j, c) + (size_t)k];
                    s->left[SIZE(col0 + j, s->rank) + (size_t)(q * s->part + at + k)] = x;
                    right[SIZE((q ^ 2) * s->part + at + k, w) + (size_t)j] = x;
                }
    }
}

/* to (w x n) = transpose of from (n x w). Rows of `to` are far apart: writing more of each at a time touches fewer
 * pages. */
static void transpose(real *to, const real *from, int n, int w)
{
#pragma omp parallel for schedule(static) if (SIZE(n, w) > TEAM_FROM)
    for (int j0 = 0; j0 < n; j0 += TALL) {
        int m = n - j0 < TALL ? n - j0 : TALL;
        for (int t = 0; t < w; t++)
            for (int j = 0; j < m; j++)
                to[SIZE(t, n) + (size_t)(j0 + j)] = from[SIZE(j0 + j, w) + (size_t)t];
    }
}

void score_training(score *s, const feature_matrix *x, const csr *ahat, const real *gt)
{
    const int n = s->nodes, L = s->train;
    for (int first = 0; first < L; first += WIDE) {
        int w = L - first < WIDE ? L - first : WIDE;
        for (int j = 0; j < x->cols; j++)
            memcpy(s->some + SIZE(j, w), gt + SIZE(j, L) + (size_t)first, (size_t)w * sizeof(real));
        features_mul(s->wide, x, s->some, w);
        spmm(s->wider, ahat, s->wide, w, 0);
        transpose(s->t + SIZE(first, n), s->wide, n, w);
        transpose(s->t + SIZE(L + first, n), s->wider, n, w);
    }
}

/* Row i of Side: A_hat_ik for training nodes k, at the column of k; 1 at L + i's column where i trains itself. */
static csr make_side(arena *a, const csr *ahat, const int *train_of, int train)
{
    int n = ahat->rows;
    int64_t w = 0;
    csr side = csr_new(a, n, 2 * train, csr_nnz(ahat) + n, 1);
    for (int i = 0; i < n; i++) {
        for (int64_t k = ahat->ptr[i]; train && k < ahat->ptr[i + 1]; k++)
            if (train_of[ahat->idx[k]] >= 0) {
                side.idx[w] = train_of[ahat->idx[k]];
                side.val[w++] = ahat->val[k];
            }
        if (train && train_of[i] >= 0) {
            side.idx[w] = train + train_of[i];
            side.val[w++] = 1;
        }
        side.ptr[i + 1] = w;
    }
    return side;
}

/* (Side T)_ij */
static real side_at(const score *s, int i, int j)
{
    real x = 0;
    for (int64_t e = s->side.ptr[i]; e < s->side.ptr[i + 1]; e++)
        x += s->side.val[e] * s->t[SIZE(s->side.idx[e], s->nodes) + (size_t)j];
    return x;
}

static real pair(const score *s, int i, int j)
{
    const int half = s->rank / 2; /* a row of right^T is one of left with its halves exchanged */
    const real *x = s->left + SIZE(i, s->rank), *y = s->left + SIZE(j, s->rank);
    real sum = side_at(s, i, j) + side_at(s, j, i);
    for (int k = 0; k < half; k++)
        sum += x[k] * y[half + k] + x[half + k] * y[k];
    return sum;
}

void score_finish(score *s, arena *a, const csr *ahat, const int *train_of)
{
    s->side = make_side(a, ahat, train_of, s->train);
    for (int i = 0; i < s->nodes; i++)
        s->r[i] = (real)(1 / sqrt((double)(ahat->ptr[i + 1] - ahat->ptr[i])));
#pragma omp parallel for schedule(dynamic, 16) if (csr_nnz(ahat) * s->rank > TEAM_FROM)
    for (int i = 0; i < s->nodes; i++) {
        real u = 0;
        for (int64_t k = ahat->ptr[i]; k < ahat->ptr[i + 1]; k++)
            u += pair(s, i, ahat->idx[k]) * s->r[ahat->idx[k]];
        s->v[i] = u * s->r[i] * s->r[i] * s->r[i] / 2;
    }
}

CLONES static void add_segment(real *restrict to, real f, const real *restrict from, int n)
{
    for (int j = 0; j < n; j++)
        to[j] = fused(f, from[j], to[j]);
}

CLONES static void with_degrees(real *restrict g, real ri, real vi, const real *restrict r, const real *restrict v,
                                int n)
{
    for (int j = 0; j < n; j++)
        g[j] = fused(ri * r[j], g[j], -vi) - v[j];
}

void score_tile(real *g, const score *s, int row0, int rows, int col0, int cols)
{
    const csr *side = &s->side;
    real column[SCORE_ROWS];
    gemm_nn(g, s->left + SIZE(row0, s->rank), s->right + SIZE(col0, s->rank), rows, cols, s->rank, 0);
    for (int i = 0; i < rows; i++)
        for (int64_t e = side->ptr[row0 + i]; e < side->ptr[row0 + i + 1]; e++)
            add_segment(g + SIZE(i, cols), side->val[e], s->t + SIZE(side->idx[e], s->nodes) + (size_t)col0, cols);
    for (int j = 0; j < cols; j++) {
        if (side->ptr[col0 + j] == side->ptr[col0 + j + 1])
            continue;
        memset(column, 0, (size_t)rows * sizeof(real));
        for (int64_t e = side->ptr[col0 + j]; e < side->ptr[col0 + j + 1]; e++)
            add_segment(column, side->val[e], s->t + SIZE(side->idx[e], s->nodes) + (size_t)row0, rows);
        for (int i = 0; i < rows; i++)
            g[SIZE(i, cols) + (size_t)j] += column[i];
    }
    for (int i = 0; i < rows; i++)
        with_degrees(g + SIZE(i, cols), s->r[row0 + i], s->v[row0 + i], s->r + col0, s->v + col0, cols);
}

/* --- the scan --- */

typedef struct found {
    real value;
    int u, v; /* u < 0: nothing yet */
} found;

static int better(found x, found y)
{
    return x.u >= 0 &&
           (y.u < 0 || x.value > y.value || (x.value == y.value && (x.u < y.u || (x.u == y.u && x.v < y.v))));
}

/* Negates the scores of links; excludes removals that would leave a node without a link, and pairs flipped before. */
static void mask_row(real *g, const edit *e, int i, int col0, int cols)
{
    const csr *a = &e->graph;
    const int64_t least = a->ptr[i + 1] - a->ptr[i];
    for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; k++) {
        int j = a->idx[k];
        if (j >= col0 && j < col0 + cols)
            g[j - col0] = least > 1 && a->ptr[j + 1] - a->ptr[j] > 1 ? -g[j - col0] : -INFINITY;
    }
    for (int64_t k = edit_from(e, i, col0); k < e->ndone && e->done[k] < (int64_t)i * a->rows + col0 + cols; k++)
        g[e->done[k] - (int64_t)i * a->rows - col0] = -INFINITY;
    for (int j = col0; j <= i && j < col0 + cols; j++)
        g[j - col0] = -INFINITY;
}

CLONES static real largest(const real *g, int n)
{
    real largest[LANES], top = -INFINITY;
    int j = 0;
    for (int q = 0; q < LANES; q++)
        largest[q] = -INFINITY;
    for (; j + LANES <= n; j += LANES)
        for (int q = 0; q < LANES; q++)
            largest[q] = g[j + q] > largest[q] ? g[j + q] : largest[q];
    for (; j < n; j++)
        top = g[j] > top ? g[j] : top;
    for (int q = 0; q < LANES; q++)
        top = largest[q] > top ? largest[q] : top;
    return top;
}

static found scan(const score *s, const edit *e, real *g, int row0, int col0)
{
    int cols = width_of(s, col0), rows = s->nodes - row0 < SCORE_ROWS ? s->nodes - row0 : SCORE_ROWS;
    found best = {0, -1, -1};
    score_tile(g, s, row0, rows, col0, cols);
    for (int i = 0; i < rows; i++) {
        real *row = g + SIZE(i, cols);
        mask_row(row, e, row0 + i, col0, cols);
        real top = largest(row, cols);
        if (!(top > -INFINITY) || (best.u >= 0 && !(top > best.value)))
            continue;
        int j = 0;
        while (row[j] != top)
            j++;
        best = (found){top, row0 + i, col0 + j};
    }
    return best;
}

int score_best(flip *best, double *value, const score *s, const edit *e)
{
    const int down = (s->nodes + SCORE_ROWS - 1) / SCORE_ROWS, across = (s->nodes + SCORE_COLS - 1) / SCORE_COLS;
    found all = {0, -1, -1};
    arena tmp = {0};
    real *tiles = NEW(&tmp, real, SIZE(omp_get_max_threads(), SCORE_ROWS * SCORE_COLS));
#pragma omp parallel
    {
        real *g = tiles + SIZE(omp_get_thread_num(), SCORE_ROWS * SCORE_COLS);
        found mine = {0, -1, -1};
#pragma omp for schedule(dynamic) collapse(2)
        for (int p = 0; p < down; p++)
            for (int q = 0; q < across; q++)
                if ((q + 1) * SCORE_COLS > p * SCORE_ROWS + 1) { /* else every pair of it has u >= v */
                    found f = scan(s, e, g, p * SCORE_ROWS, q * SCORE_COLS);
                    if (better(f, mine))
                        mine = f;
                }
#pragma omp critical
        if (better(mine, all))
            all = mine;
    }
    arena_free(&tmp);
    *best = (flip){all.u, all.v};
    *value = (double)all.value;
    return all.u >= 0;
}
