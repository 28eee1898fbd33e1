/* The inner loops of attention, for its own two files. */
#ifndef JCB_ATTENTION_LOOPS_H
#define JCB_ATTENTION_LOOPS_H

#include "attention.h"
#include "simd.h"
#include <math.h>

#define BLOCK 1024 /* columns in one partial sum, of those with a gradient */
#define ROWS 32    /* rows or columns of one task */
#define CHUNK 32   /* entries whose weights are computed at a time */
#define AHEAD 24   /* prefetch distance in entries */

/* Eight numbers: one head of width 8 (the default of GAT), or one number of each of eight heads; v8_at: unaligned. */
typedef real v8 __attribute__((vector_size(8 * sizeof(real))));
typedef real v8_at __attribute__((vector_size(8 * sizeof(real)), aligned(sizeof(real)), may_alias));
#define AT(p) (*(v8_at *)(p))
#define FROM(p) (*(const v8_at *)(p))

#ifdef JCB_DOUBLE
typedef int64_t m8 __attribute__((vector_size(64)));
#else
typedef int32_t m8 __attribute__((vector_size(32)));
#endif
#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (m8){__VA_ARGS__})
#endif
#define PICK(mask, a, b) ((v8)(((m8)(a) & (mask)) | ((m8)(b) & ~(mask))))
#define LARGER(a, b) PICK((a) > (b), a, b)

/* Prefetches a row of n numbers. */
INLINE void fetch(const real *x, int n)
{
    for (int q = 0; q < n; q += 64 / (int)sizeof *x)
        __builtin_prefetch(x + q);
}

static inline int least(int x, int y) { return x < y ? x : y; }

/* Numbers below the threshold keep their element, as in activate(). */
static inline uint32_t keep_below(const attention *o) { return (uint32_t)lrint((1 - o->drop.p) * 65536); }

/* Runs CALL(heads, f) with constants for the common shapes, so that what is inlined there is unrolled. */
#define BY_SHAPE(o)                               \
    do {                                          \
        if ((o)->heads == 8 && (o)->f == 8)       \
            CALL(8, 8);                           \
        else if ((o)->heads == 8 && (o)->f == 16) \
            CALL(8, 16);                          \
        else if ((o)->heads == 1)                 \
            CALL(1, (o)->f);                      \
        else                                      \
            CALL((o)->heads, (o)->f);             \
    } while (0)

/* Pairwise sums 0 + 1, 2 + 3, ... of a and b. Two rounds of FOLD and a sum of the halves leave eight horizontal sums in
 * order. */
#define FOLD(a, b) (SHUFFLE(a, b, 0, 2, 8, 10, 4, 6, 12, 14) + SHUFFLE(a, b, 1, 3, 9, 11, 5, 7, 13, 15))

/* dot_h = x_h . y_h; the pieces of x stand xs apart (0: one piece for all heads). */
INLINE void dots(real *dot, const real *x, const real *y, int heads, int f, int xs)
{
    for (int b = 0; b < heads; b += 8) {
        int m = heads - b < 8 ? heads - b : 8;
        v8 p[8] = {{0}};
        real rest[8] = {0};
        UNROLLED (int v = 0; v < 8 && v < m; v++) {
            const real *xv = x + (b + v) * xs, *yv = y + (b + v) * f;
            int q = 0;
            for (; q + 8 <= f; q += 8)
                FUSE_32(p[v], FROM(xv + q), FROM(yv + q));
            for (int four = f - q < 4 ? q : q + 4; q < four; q++)
                rest[v] += xv[q] * yv[q];
            for (; q < f; q++)
                rest[v] = fused(xv[q], yv[q], rest[v]);
        }
        v8 ab = FOLD(p[0], p[1]), cd = FOLD(p[2], p[3]), ef = FOLD(p[4], p[5]), gh = FOLD(p[6], p[7]);
        v8 low = FOLD(ab, cd), high = FOLD(ef, gh);
        real sum[8];
        AT(sum) =
            SHUFFLE(low, high, 0, 1, 2, 3, 8, 9, 10, 11) + SHUFFLE(low, high, 4, 5, 6, 7, 12, 13, 14, 15) + FROM(rest);
        for (int v = 0; v < m; v++)
            dot[b + v] = sum[v];
    }
}

/* As mix for heads of 8 per numbers and rows of x like those of y, d a multiple of 64: registers hold 64 sums while the
 * entries pass. */
INLINE void mix_wide(real *restrict y, const real *restrict w, const real *restrict x, const int *restrict idx, int n,
                     int heads, int per, int d, real beta)
{
    const v8 zero = {0};
    for (int j = 0; j < d; j += 64) {
        v8 sum[8];
        UNROLLED (int v = 0; v < 8; v++)
            sum[v] = zero;
        UNROLLED (int v = 0; v < 8 && beta != 0; v++)
            sum[v] = beta * FROM(y + j + 8 * v);
        for (int k = 0; k < n; k++) {
            const real *row = x + (size_t)idx[k] * (size_t)d + j, *wk = w + k * heads + j / 8 / per;
            UNROLLED (int v = 0; v < 8; v++)
                FUSE_BY_32(sum[v], wk[v / per], FROM(row + 8 * v));
        }
        UNROLLED (int v = 0; v < 8; v++)
            AT(y + j + 8 * v) = sum[v];
    }
}

/* y_h = sum_k w_kh x_(idx_k)h + beta y_h for n entries; rows of x are `width` wide, their pieces xs apart. */
INLINE void mix(real *restrict y, const real *restrict w, const real *restrict x, const int *restrict idx, int n,
                int heads, int f, int width, int xs, real beta)
{
    int d = heads * f;
    if (d % 64 == 0 && xs == f && (f == 8 || f == 16 || f == 32)) {
        if (f == 8)
            mix_wide(y, w, x, idx, n, heads, 1, d, beta);
        else if (f == 16)
            mix_wide(y, w, x, idx, n, heads, 2, d, beta);
        else
            mix_wide(y, w, x, idx, n, heads, 4, d, beta);
        return;
    }
    for (int j = 0; j < d; j++)
        y[j] = beta != 0 ? beta * y[j] : 0;
    for (int k = 0; k < n; k++)
        for (int b = 0; b < heads; b++) {
            const real *xb = x + (size_t)idx[k] * (size_t)width + b * xs;
            real wb = w[k * heads + b];
            for (int q = 0; q < f; q++)
                y[b * f + q] = fused(wb, xb[q], y[b * f + q]);
        }
}

#endif
