/* The backward half of attention: the equations are in attention.h.
 *
 * 1. by rows: pull.  2. by columns, through the transpose: du in place of alpha, dsrc in place of src, and the first
 *                    term of dH, in one pass over
 * the rows of g that read the column.  3. by columns: ddst from the column's own row of du, the other terms of dH, and
 * da over blocks of columns. */
#include "attention_loops.h"
#include <string.h>

/* How rows of dL/d out are read: `width` numbers a row, pieces xs apart, all times `scale`. */
struct gradient {
    const real *v;
    int width, xs;
    real scale;
};

INLINE void pull_rows_of(attention_state *st, const struct gradient *g, int heads, int f, int first, int last)
{
    for (int i = first; i < last; i++) {
        real *pull = st->dst + ((size_t)i * 2 + 1) * (size_t)heads;
        dots(pull, g->v + (size_t)i * (size_t)g->width, st->each + (size_t)i * (size_t)(heads * f), heads, f, g->xs);
        for (int b = 0; b < heads; b++)
            pull[b] *= g->scale;
    }
}

CLONES static void pull_rows(attention_state *st, const struct gradient *g, const attention *o, int first, int last)
{
#define CALL(heads, f) pull_rows_of(st, g, heads, f, first, last)
    BY_SHAPE(o);
#undef CALL
}

/* One entry: w comes as g . H and leaves as the entry's weight, alpha becomes du, which is added to dsrc. dst: the
 * row's dst and pull. */
INLINE void entry(real *restrict w, real *restrict alpha, real *restrict dsrc, const real *restrict dst,
                  const real *restrict src, real scale, real slope, int heads)
{
#pragma omp simd
    for (int b = 0; b < heads; b++) {
        real x = alpha[b], kept = x > 0 ? scale : 0, size = x > 0 ? x : -x;
        real du = size * fused(kept, w[b], -dst[heads + b]);
        du = src[b] + dst[b] > 0 ? du : slope * du;
        alpha[b] = du;
        dsrc[b] += du;
        w[b] = kept * size;
    }
}

struct back {
    real *dh, beta, scale; /* scale: of what dropout keeps, and of the gradient */
    attention_state *st;
    const attention_graph *g;
    struct gradient dout;
    const real *h;
    real slope;
};

/* Prefetches what entry k reads. */
INLINE void fetch_entry(const struct back *p, int64_t k, int heads, int width)
{
    size_t i = (size_t)p->g->t.idx[k];
    fetch(p->dout.v + i * (size_t)width, width);
    __builtin_prefetch(p->st->dst + i * (size_t)heads * 2);
    __builtin_prefetch(p->st->alpha + (size_t)p->g->from[k] * (size_t)heads, 1);
}

INLINE void back_columns_of(const struct back *p, int heads, int f, int width, int xs, int first, int last)
{
    const csr *t = &p->g->t;
    size_t d = (size_t)heads * (size_t)f;
    int64_t stop = csr_nnz(t) - AHEAD;
    for (int j = first; j < last; j++) {
        real dsrc[ATTENTION_HEADS], w[CHUNK * ATTENTION_HEADS], *src = p->st->src + (size_t)j * (size_t)heads,
                                                                *dh = p->dh ? p->dh + (size_t)j * d : NULL;
        for (int b = 0; b < heads; b++)
            dsrc[b] = 0;
        for (size_t q = 0; q < d && dh && t->ptr[j] == t->ptr[j + 1]; q++) /* nobody reads this column */
            dh[q] = p->beta != 0 ? p->beta * dh[q] : 0;
        for (int64_t k = t->ptr[j]; k < t->ptr[j + 1]; k += CHUNK) {
            int n = t->ptr[j + 1] - k < CHUNK ? (int)(t->ptr[j + 1] - k) : CHUNK;
            const int *idx = t->idx + k, *from = p->g->from + k;
            for (int e = 0; e < n; e++) {
                if (k + e < stop)
                    fetch_entry(p, k + e + AHEAD, heads, width);
                dots(w + e * heads, p->dout.v + (size_t)idx[e] * (size_t)width, p->h + (size_t)j * d, heads, f, xs);
            }
            for (int e = 0; e < n; e++)
                entry(w + e * heads, p->st->alpha + (size_t)from[e] * (size_t)heads, dsrc,
                      p->st->dst + (size_t)idx[e] * (size_t)heads * 2, src, p->scale, p->slope, heads);
            if (dh)
                mix(dh, w, p->dout.v, idx, n, heads, f, width, xs, k > t->ptr[j] ? 1 : p->beta);
        }
        memcpy(src, dsrc, (size_t)heads * sizeof *src);
    }
}

CLONES static void back_columns(const struct back *p, const attention *o, int first, int last)
{
#define CALL(heads, f) back_columns_of(p, heads, f, (heads) * (f), f, first, last)
    if (o->mean)
        back_columns_of(p, o->heads, o->f, o->f, 0, first, last);
    else
        BY_SHAPE(o);
#undef CALL
}

/* One head of one column: its part of da1 and da2 (d apart, as are a1 and a2), and of dH. */
INLINE void finish_head(real *restrict partial, real *restrict dh, const real *restrict h, const real *restrict a,
                        real src, real dst, int d, int f)
{
    int q = 0;
    for (; q + 8 <= f; q += 8) {
        FUSE_BY_32(AT(partial + q), src, FROM(h + q));
        if (d == 128 && f == 16 && q == 0) /* twice rounded in all results so far: a compiler's choice for this shape */
            AT(partial + d) += dst * FROM(h);
        else
            FUSE_BY_32(AT(partial + d + q), dst, FROM(h + q));
        if (dh) {
            v8 more = dst * FROM(a + d + q);
            FUSE_BY_32(more, src, FROM(a + q));
            AT(dh + q) += more;
        }
    }
    for (; q < f; q++) {
        partial[q] = fused(src, h[q], partial[q]);
        partial[d + q] = fused(dst, h[q], partial[d + q]);
        if (dh)
            dh[q] += fused(src, a[q], dst * a[d + q]);
    }
}

INLINE void finish_block_of(const struct back *p, real *restrict partial, const real *restrict a, int heads, int f,
                            int first, int last)
{
    size_t d = (size_t)heads * (size_t)f;
    memset(partial, 0, 2 * d * sizeof *partial);
    for (int j = first; j < last; j++) {
        const real *restrict src = p->st->src + (size_t)j * (size_t)heads, *restrict h = p->h + (size_t)j * d;
        real dst[ATTENTION_HEADS];
        for (int b = 0; b < heads; b++)
            dst[b] = 0;
        int i = p->g->row[j];
        if (i >= 0)
            for (int64_t k = p->g->s.ptr[i]; k < p->g->s.ptr[i + 1]; k++)
#pragma omp simd
                for (int b = 0; b < heads; b++)
                    dst[b] += p->st->alpha[k * heads + b];
        for (int b = 0; b < heads; b++)
            finish_head(partial + b * f, p->dh ? p->dh + (size_t)j * d + b * f : NULL, h + b * f, a + b * f, src[b],
                        dst[b], (int)d, f);
    }
}

CLONES static void finish_block(const struct back *p, real *partial, const real *a, const attention *o, int first,
                                int last)
{
#define CALL(heads, f) finish_block_of(p, partial, a, heads, f, first, last)
    BY_SHAPE(o);
#undef CALL
}

void attention_backward(real *dh, real *da, attention_state *st, const attention_graph *g, const real *dout,
                        const real *h, const real *a, const attention *o, real beta_h, real beta_a)
{
    int rows = g->s.rows, cols = g->s.cols, d = o->heads * o->f;
    real kept = o->drop.p > 0 ? (real)(65536.0 / keep_below(o)) : 1;
    struct gradient grad = {dout, o->mean ? o->f : d, o->mean ? 0 : o->f, o->mean ? 1 / (real)o->heads : 1};
    struct back p = {dh, beta_h, kept * grad.scale, st, g, grad, h, (real)o->slope};
#pragma omp parallel for schedule(static) if ((int64_t)rows * d > SERIAL_WORK)
    for (int i = 0; i < rows; i += ROWS)
        pull_rows(st, &grad, o, i, least(i + ROWS, rows));
#pragma omp parallel for schedule(dynamic) if (csr_nnz(&g->s) * d > SERIAL_WORK)
    for (int j = 0; j < cols; j += ROWS)
        back_columns(&p, o, j, least(j + ROWS, cols));
#pragma omp parallel for schedule(static) if ((int64_t)cols * d > SERIAL_WORK)
    for (int b = 0; b < g->blocks; b++)
        finish_block(&p, st->partial + (size_t)b * 2 * (size_t)d, a, o, g->block[b], g->block[b + 1]);
    for (int q = 0; q < 2 * d; q++) {
        real sum = 0;
        for (int b = 0; b < g->blocks; b++)
            sum += st->partial[(size_t)b * 2 * (size_t)d + (size_t)q];
        da[q] = beta_a != 0 ? beta_a * da[q] + sum : sum;
    }
}
