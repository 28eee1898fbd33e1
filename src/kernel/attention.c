#include "attention_loops.h"
#include "../base/err.h"
#include "exp.h"
#include "philox.h"
#include <limits.h>
#include <string.h>

/* --- graph and buffers --- */

static int blocks_of(int cols) { return cols / BLOCK + (cols % BLOCK > 0); }

attention_graph attention_graph_new(arena *a, const csr *s, const int *row_id, const int *col_id, int training)
{
    attention_graph g = {.s = *s, .id = row_id};
    if (csr_nnz(s) > INT_MAX)
        die("attention: %lld entries in one graph, at most %d", (long long)csr_nnz(s), INT_MAX);
    g.s.val = NULL;
    g.row = NEW(a, int, (size_t)s->cols);
    for (int j = 0, i = 0; j < s->cols; j++) {
        while (i < s->rows && row_id[i] < col_id[j])
            i++;
        g.row[j] = i < s->rows && row_id[i] == col_id[j] ? i : -1;
    }
    if (!training)
        return g;
    g.blocks = blocks_of(s->cols);
    g.block = NEW(a, int, (size_t)g.blocks + 1);
    for (int b = 0; b <= g.blocks; b++)
        g.block[b] = b < g.blocks ? b * BLOCK : s->cols;
    arena tmp = {0};
    g.t = csr_transpose(a, &g.s);
    g.from = NEW(a, int, (size_t)csr_nnz(s));
    int64_t *next = NEW(&tmp, int64_t, (size_t)s->cols);
    memcpy(next, g.t.ptr, (size_t)s->cols * sizeof *next);
    for (int64_t k = 0; k < csr_nnz(s); k++) /* the order in which csr_transpose places them */
        g.from[next[s->idx[k]]++] = (int)k;
    arena_free(&tmp);
    return g;
}

void attention_graph_blocks(attention_graph *g, const int *col_id, const int *some, int n)
{
    g->blocks = blocks_of(n);
    for (int j = 0, k = 0; k < n && j < g->s.cols; j++)
        if (col_id[j] == some[k]) {
            if (k && k % BLOCK == 0)
                g->block[k / BLOCK] = j;
            k++;
        }
    g->block[g->blocks] = g->s.cols;
}

attention_state attention_state_new(arena *a, const attention_graph *g, const attention *o, int training)
{
    size_t heads = (size_t)o->heads, d = heads * (size_t)o->f, rows = (size_t)g->s.rows, cols = (size_t)g->s.cols;
    attention_state st = {.alpha = NEW(a, real, (size_t)csr_nnz(&g->s) * heads),
                          .src = NEW(a, real, cols * heads),
                          .dst = NEW(a, real, rows * heads * 2)};
    if (training || o->mean)
        st.each = NEW(a, real, rows * d);
    if (training)
        st.partial = NEW(a, real, (size_t)g->blocks * d * 2);
    return st;
}

/* --- forward --- */

INLINE void score_columns_of(attention_state *st, const attention_graph *g, const real *h, const real *a, int heads,
                             int f, int first, int last)
{
    size_t d = (size_t)heads * (size_t)f;
    for (int j = first; j < last; j++) {
        dots(st->src + (size_t)j * (size_t)heads, a, h + (size_t)j * d, heads, f, f);
        if (g->row[j] >= 0)
            dots(st->dst + (size_t)g->row[j] * (size_t)heads * 2, a + d, h + (size_t)j * d, heads, f, f);
    }
}

CLONES static void score_columns(attention_state *st, const attention_graph *g, const real *h, const real *a,
                                 const attention *o, int first, int last)
{
#define CALL(heads, f) score_columns_of(st, g, h, a, heads, f, first, last)
    BY_SHAPE(o);
#undef CALL
}

/* e_kh = LeakyReLU(u), n entries of one row, and the largest of each head. The slope is at most 1: LeakyReLU(u) =
 * max(u, slope u). */
INLINE void scores_of(real *restrict e, real *restrict top, const real *restrict src, const real *restrict dst,
                      const int *restrict idx, int64_t n, real slope, int heads)
{
    if (heads == 8) {
        v8 largest = {0}, to = FROM(dst);
        largest -= INFINITY;
        for (int64_t k = 0; k < n; k++) {
            v8 u = FROM(src + (size_t)idx[k] * 8) + to, v = slope * u;
            u = LARGER(u, v);
            AT(e + k * 8) = u;
            largest = LARGER(u, largest);
        }
        AT(top) = largest;
        return;
    }
    for (int b = 0; b < heads; b++)
        top[b] = -INFINITY;
    for (int64_t k = 0; k < n; k++)
        for (int b = 0; b < heads; b++) {
            real u = src[(size_t)idx[k] * (size_t)heads + (size_t)b] + dst[b], v = slope * u;
            u = u > v ? u : v;
            e[k * heads + b] = u;
            top[b] = u > top[b] ? u : top[b];
        }
}

/* Scores minus the row's maximum, for exp. Prefetches what later entries read and the rows of H for mix. */
INLINE void score_rows_of(attention_state *st, const csr *s, const real *h, real slope, int heads, int f, int first,
                          int last)
{
    int64_t stop = csr_nnz(s) - AHEAD;
    for (int i = first; i < last; i++) {
        int64_t n = s->ptr[i + 1] - s->ptr[i], at = s->ptr[i];
        const int *idx = s->idx + at;
        real top[ATTENTION_HEADS], *restrict e = st->alpha + at * heads;
        for (int64_t k = 0; k < n; k++) {
            if (at + k < stop)
                __builtin_prefetch(st->src + (size_t)idx[k + AHEAD] * (size_t)heads);
            fetch(h + (size_t)idx[k] * (size_t)(heads * f), heads * f);
        }
        scores_of(e, top, st->src, st->dst + (size_t)i * (size_t)heads * 2, idx, n, slope, heads);
        for (int64_t k = 0; k < n; k++)
#pragma omp simd
            for (int b = 0; b < heads; b++)
                e[k * heads + b] -= top[b];
    }
}

INLINE void normalise_of(real *restrict alpha, const csr *s, int heads, int first, int last)
{
    for (int i = first; i < last; i++) {
        real sum[ATTENTION_HEADS];
        for (int b = 0; b < heads; b++)
            sum[b] = 0;
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++)
#pragma omp simd
            for (int b = 0; b < heads; b++)
                sum[b] += alpha[k * heads + b];
        for (int b = 0; b < heads; b++)
            sum[b] = 1 / sum[b];
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++)
#pragma omp simd
            for (int b = 0; b < heads; b++)
                alpha[k * heads + b] *= sum[b];
    }
}

/* alpha of the rows first .. last - 1, before dropout. */
CLONES static void softmax_rows(attention_state *st, const csr *s, const real *h, const attention *o, int first,
                                int last)
{
    real slope = (real)o->slope;
#define CALL(heads, f) score_rows_of(st, s, h, slope, heads, f, first, last)
    BY_SHAPE(o);
#undef CALL
    real *restrict e = st->alpha + s->ptr[first] * o->heads;
    int64_t n = (s->ptr[last] - s->ptr[first]) * o->heads;
    for (int64_t k = 0; k < n; k++)
        e[k] = exp_negative(e[k]);
#define CALL(heads, f) normalise_of(st->alpha, s, heads, first, last)
    BY_SHAPE(o);
#undef CALL
}

/* Eight Philox blocks side by side, each for up to eight numbers of a row. */
struct lanes {
    uint32_t block[8], row[8];
    real *at[8];
    int count[8], n;
};

INLINE void turn_signs(real *restrict x, const uint16_t *restrict number, uint32_t below, int n)
{
#pragma omp simd
    for (int e = 0; e < n; e++)
        x[e] = number[e] < below ? x[e] : -x[e];
}

INLINE void drop_lanes(struct lanes *l, const dropout *o, uint32_t below)
{
    uint16_t number[64];
    philox8(number, o->r, l->block, l->row, o->op, o->step);
    if (l->n == 8 && l->at[7] == l->at[0] + 56 && l->count[7] == 8) /* no gaps: heads in eights */
        turn_signs(l->at[0], number, below, 64);
    else
        for (int v = 0; v < l->n; v++)
            turn_signs(l->at[v], number + 8 * v, below, l->count[v]);
    l->n = 0;
}

/* Negates the weights that dropout removes: their sign is the mask. */
CLONES static void drop_rows(real *alpha, const attention_graph *g, const attention *o, uint32_t below, int first,
                             int last)
{
    struct lanes l = {.n = 0};
    for (int i = first; i < last; i++) {
        real *row = alpha + g->s.ptr[i] * o->heads;
        int64_t n = (g->s.ptr[i + 1] - g->s.ptr[i]) * o->heads;
        for (int64_t e = 0; e < n; e += 8) {
            l.block[l.n] = (uint32_t)(e / 8), l.row[l.n] = (uint32_t)g->id[i];
            l.at[l.n] = row + e, l.count[l.n] = n - e < 8 ? (int)(n - e) : 8;
            if (++l.n == 8)
                drop_lanes(&l, &o->drop, below);
        }
    }
    drop_lanes(&l, &o->drop, below);
}

INLINE void mix_rows_of(real *each, const real *restrict alpha, const csr *s, const real *h, real scale, int heads,
                        int f, int first, int last)
{
    int d = heads * f;
    for (int i = first; i < last; i++) {
        real *y = each + (size_t)i * (size_t)d;
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k += CHUNK) {
            int n = s->ptr[i + 1] - k < CHUNK ? (int)(s->ptr[i + 1] - k) : CHUNK;
            real w[CHUNK * ATTENTION_HEADS];
#pragma omp simd
            for (int e = 0; e < n * heads; e++)
                w[e] = alpha[k * heads + e] > 0 ? alpha[k * heads + e] * scale : 0;
            mix(y, w, h, s->idx + k, n, heads, f, d, f, k > s->ptr[i]);
        }
    }
}

CLONES static void mix_rows(real *each, const real *alpha, const csr *s, const real *h, real scale, const attention *o,
                            int first, int last)
{
#define CALL(heads, f) mix_rows_of(each, alpha, s, h, scale, heads, f, first, last)
    BY_SHAPE(o);
#undef CALL
}

/* Rows first .. last - 1 of out, the mean over heads, from `each`. */
static void join_heads(real *out, const real *each, const attention *o, int first, int last)
{
    size_t f = (size_t)o->f, d = f * (size_t)o->heads;
    if (!o->mean) {
        memcpy(out + (size_t)first * d, each + (size_t)first * d, (size_t)(last - first) * d * sizeof *out);
        return;
    }
    for (size_t i = (size_t)first; i < (size_t)last; i++)
        for (size_t q = 0; q < f; q++) {
            real sum = 0;
            for (size_t b = 0; b < (size_t)o->heads; b++)
                sum += each[i * d + b * f + q];
            out[i * f + q] = sum / (real)o->heads;
        }
}

void attention_forward(real *out, attention_state *st, const attention_graph *g, const real *h, const real *a,
                       const attention *o)
{
    int rows = g->s.rows, cols = g->s.cols, d = o->heads * o->f;
    uint32_t below = keep_below(o);
    real scale = o->drop.p > 0 ? (real)(65536.0 / below) : 1, *each = st->each ? st->each : out;
#pragma omp parallel for schedule(static) if ((int64_t)cols * d > SERIAL_WORK)
    for (int j = 0; j < cols; j += ROWS)
        score_columns(st, g, h, a, o, j, least(j + ROWS, cols));
#pragma omp parallel for schedule(dynamic) if (csr_nnz(&g->s) * d > SERIAL_WORK)
    for (int i = 0; i < rows; i += ROWS) {
        int last = least(i + ROWS, rows);
        softmax_rows(st, &g->s, h, o, i, last);
        if (o->drop.p > 0)
            drop_rows(st->alpha, g, o, below, i, last);
        mix_rows(each, st->alpha, &g->s, h, scale, o, i, last);
        if (each != out)
            join_heads(out, each, o, i, last);
    }
}
