#include "kernels.h"
#include "exp.h"
#include "simd.h"
#include "../base/portable.h"
#include <math.h>
#include <string.h>

CLONES void add_row(real *restrict to, real beta, real f, const real *restrict from, size_t d)
{
    for (size_t j = 0; j < d && beta == 0; j++)
        to[j] = f * from[j] + 0; /* + 0: as if added to zero, no minus zeros */
    for (size_t j = 0; j < d && beta != 0; j++)
        to[j] = fused(f, from[j], to[j]);
}

void add_rows(real *to, const int *map, real beta, real f, const real *from, size_t ld, int rows, int d)
{
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > SERIAL_WORK)
    for (int i = 0; i < rows; i++)
        add_row(to + (size_t)map[i] * (size_t)d, beta, f, from + (size_t)i * ld, (size_t)d);
}

/* --- bias, ReLU, dropout --- */

CLONES void activate_row(real *restrict h, const real *restrict b, int d, enum shape f)
{
    if (b)
        for (int j = 0; j < d; j++)
            h[j] += b[j];
    if (f == RELU)
        for (int j = 0; j < d; j++)
            h[j] = h[j] > 0 ? h[j] : 0;
    if (f == ELU)
        for (int j = 0; j < d; j++)
            h[j] = h[j] > 0 ? h[j] : expm1_negative(h[j]);
}

void activate(real *h, const real *b, int rows, int d, enum shape f, const dropout *drop, const int *id)
{
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > SERIAL_WORK)
    for (int i = 0; i < rows; i++) {
        real *row = h + (size_t)i * (size_t)d;
        activate_row(row, b, d, f);
        dropout_row(row, row, d, drop, (uint32_t)(id ? id[i] : i));
    }
}

/* The output tells the slope: with ReLU it is positive exactly where both ReLU and dropout let it through; with ELU the
 * slope is 1 above zero and 1 + output below, once the scale of dropout is taken off (what was dropped has lost its
 * gradient already). */
CLONES void activate_back_row(real *restrict g, const real *restrict h, int d, enum shape f, real scale)
{
    if (f == RELU)
        for (int j = 0; j < d; j++)
            g[j] = h[j] > 0 ? g[j] * scale : 0;
    if (f == ELU)
        for (int j = 0; j < d; j++)
            g[j] = h[j] > 0 ? g[j] : g[j] * (1 + h[j] / scale);
}

void activate_back(real *g, real *db, real beta, const real *h, int rows, int d, enum shape f, const dropout *drop,
                   const int *id)
{
    real scale = dropout_scale(drop);
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > SERIAL_WORK)
    for (int i = 0; i < rows; i++) {
        size_t at = (size_t)i * (size_t)d;
        if (f != RELU)
            dropout_row(g + at, g + at, d, drop, (uint32_t)(id ? id[i] : i));
        activate_back_row(g + at, h + at, d, f, scale);
    }
    if (db)
        column_sum(db, g, rows, d, beta);
}

/* --- sums over rows: one chain a column, in double, so that rows of zeros may be left out --- */

enum { WIDE = 64 }; /* columns of one owner */

CLONES static void column_add_wide(double *restrict total, const real *restrict x, int rows, int d, int w)
{
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < w; q++)
            total[q] += (double)x[(size_t)r * (size_t)d + (size_t)q];
}

static void column_sum_wide(real *sum, const real *x, int rows, int d, int w, real beta)
{
    double total[WIDE] = {0};
    for (int q = 0; q < w && beta != 0; q++)
        total[q] = (double)(beta * sum[q]);
    column_add_wide(total, x, rows, d, w);
    for (int q = 0; q < w; q++)
        sum[q] = (real)total[q];
}

void column_sum(real *sum, const real *x, int rows, int d, real beta)
{
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > SERIAL_WORK && d > WIDE)
    for (int j = 0; j < d; j += WIDE)
        column_sum_wide(sum + j, x + j, rows, d, d - j < WIDE ? d - j : WIDE, beta);
}

/* --- softmax --- */

/* Rows of 16 and more, 16 lanes at a time, then across the lanes in a fixed order. The last 16, which may overlap
 * others, count only where they are new. No load spans two stores: CPUs wait for such. */
enum { L = 16 };

/* v[0] becomes the sum, or the largest, of 16. */
#define HALVE(v, w, a, b, what)      \
    for (int q = 0; q < w; q++) {    \
        real a = v[q], b = v[q + w]; \
        v[q] = what;                 \
    }
#define ACROSS(v, a, b, what) \
    HALVE(v, 8, a, b, what) HALVE(v, 4, a, b, what) HALVE(v, 2, a, b, what) HALVE(v, 1, a, b, what)

#define EACH_LANE(what) _Pragma("omp simd") for (int q = 0; q < L; q++) what;

CLONES static void softmax_row(real *p, const real *x, int c, real scale)
{
    static const real counted[2 * L] = {[L] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    real end[L], v[L], largest, inv;
    int j, rest = c % L;
    EACH_LANE(v[q] = x[c - L + q])
    for (j = 0; j + L <= c; j += L)
        EACH_LANE(v[q] = v[q] > x[j + q] ? v[q] : x[j + q])
    ACROSS(v, a, b, a > b ? a : b)
    largest = v[0];
    EACH_LANE(end[q] = exp_negative((x[c - L + q] - largest) * scale))
    EACH_LANE(v[q] = end[q] * counted[rest + q])
    for (j = 0; j + L <= c; j += L) {
        EACH_LANE(p[j + q] = exp_negative((x[j + q] - largest) * scale))
        EACH_LANE(v[q] += p[j + q])
    }
    ACROSS(v, a, b, a + b)
    inv = 1 / v[0];
    for (j = 0; j + L <= c; j += L)
        EACH_LANE(p[j + q] *= inv)
    for (; j < c; j++)
        p[j] = end[j - c + L] * inv;
}

/* Rows of less than 16: the exponentials of all of them in one loop. */
CLONES static void softmax_narrow(real *p, const real *x, int rows, int c, real scale)
{
    int n = rows * c;
    for (int i = 0; i < n; i += c) {
        real largest = x[i];
        for (int j = 1; j < c; j++)
            largest = x[i + j] > largest ? x[i + j] : largest;
        for (int j = 0; j < c; j++)
            p[i + j] = (x[i + j] - largest) * scale;
    }
    for (int i = 0; i < n; i++)
        p[i] = exp_negative(p[i]);
    for (int i = 0; i < n; i += c) {
        real total = 0;
        for (int j = 0; j < c; j++)
            total += p[i + j];
        real inv = 1 / total;
        for (int j = 0; j < c; j++)
            p[i + j] *= inv;
    }
}

void softmax(real *p, const real *x, int rows, int c, real scale)
{
    const int chunk = 64;
    if (c < L && rows <= chunk) {
        softmax_narrow(p, x, rows, c, scale);
    } else if (c < L) {
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)c > SERIAL_WORK)
        for (int i = 0; i < rows; i += chunk)
            softmax_narrow(p + (size_t)i * (size_t)c, x + (size_t)i * (size_t)c, rows - i < chunk ? rows - i : chunk, c,
                           scale);
    } else {
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)c > SERIAL_WORK)
        for (int i = 0; i < rows; i++)
            softmax_row(p + (size_t)i * (size_t)c, x + (size_t)i * (size_t)c, c, scale);
    }
}

/* --- Adam --- */

adam_now adam_at(const adam *o, double decay, long t)
{
    return (adam_now){(real)(o->lr / (1 - portable_power(o->beta1, t))),
                      (real)o->beta1,
                      (real)o->beta2,
                      1 - (real)o->beta1,
                      1 - (real)o->beta2,
                      (real)o->eps,
                      (real)decay,
                      (real)(1 / sqrt(1 - portable_power(o->beta2, t)))};
}

CLONES static void adam_range(real *restrict w, const real *restrict g, real *restrict m, real *restrict v, size_t n,
                              const adam_now *now)
{
    const adam_now o = *now;
    for (size_t i = 0; i < n; i++)
        ADAM(w[i], g[i], m[i], v[i], &o, FUSE_ONE, real_root);
}

void adam_step(real *w, const real *g, real *m, real *v, size_t n, const adam_now *o)
{
    const size_t chunk = 16384;
    long chunks = (long)((n + chunk - 1) / chunk);
#pragma omp parallel for schedule(static) if (n > SERIAL_WORK)
    for (long c = 0; c < chunks; c++) {
        size_t at = (size_t)c * chunk, count = n - at < chunk ? n - at : chunk;
        adam_range(w + at, g + at, m + at, v + at, count, o);
    }
}
