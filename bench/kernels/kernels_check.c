/* Operands, comparison and limits of bench_kernels. */
#include "../../src/kernel/blas.h"
#include "../../src/kernel/gemm.h"
#include "../../src/kernel/simd.h"
#include "kernels.h"
#include "../../src/run/measure.h"
#include <math.h>
#include <omp.h>
#include <string.h>

int check_spoil;

real *check_random(arena *a, size_t n, uint64_t stream)
{
    real *x = NEW(a, real, n);
    rng r = rng_make(1, stream, RNG_TWIN);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < (n + 3) / 4; i++) {
        uint32_t u[4];
        rng_block(u, r, (uint32_t)i, (uint32_t)(i >> 32), 0, 0);
        for (size_t q = 0; q < 4 && 4 * i + q < n; q++)
            x[4 * i + q] = (real)(((double)u[q] + 0.5) * 0x1p-31 - 1);
    }
    return x;
}

double check_error(const real *x, const real *ref, size_t n)
{
    double max = 0, off = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs((double)x[i] - (double)ref[i]);
        if (!(e <= INFINITY))
            return INFINITY; /* NaN */
        max = fmax(max, fabs((double)ref[i]));
        off = fmax(off, e);
    }
    if (check_spoil)
        off += 0.01 * max + 1e-30;
    return max > 0 ? off / max : off > 0 ? INFINITY : 0;
}

real *check_rows(arena *a, const real *x, const int *rows, int n, size_t d)
{
    real *y = NEW(a, real, (size_t)n * d);
    for (size_t i = 0; i < (size_t)n; i++)
        memcpy(y + i * d, x + (size_t)rows[i] * d, d * sizeof *y);
    return y;
}

int *check_sample(arena *a, int n, int count, int *got)
{
    *got = count < n ? count : n;
    int *id = NEW(a, int, (size_t)*got);
    for (int i = 0; i < *got; i++)
        id[i] = (int)((int64_t)n * i / *got);
    return id;
}

void check_result(work *w, int rows, int width, int sample)
{
    w->rows = rows, w->width = width, w->sample = sample;
    w->out = NEW_2D(&w->a, real, rows, width);
}

double check_kernel(const kernel *k, work *w)
{
    if (k->error)
        return k->error(w);
    int n, *rows = check_sample(&w->a, w->rows, w->sample, &n);
    size_t width = (size_t)w->width, all = (size_t)n * width;
    real *ref = NEW(&w->a, real, all);
    k->ref(w, ref, rows, n);
    return check_error(check_rows(&w->a, w->out, rows, n, width), ref, all);
}

/* --- limits --- */

struct triad {
    real *a, *b, *c;
    long n;
    int times, rows;
};

enum { SIDE = 512 };

CLONES static void triad_piece(real *restrict a, const real *restrict b, const real *restrict c, long n)
{
    for (long i = 0; i < n; i++)
        a[i] = b[i] + (real)3 * c[i];
}

/* Small working sets are repeated within one parallel region: the cost of starting it must not count as bandwidth. */
static void triad_run(void *arg)
{
    struct triad *t = arg;
    const long piece = 1024;
#pragma omp parallel
    for (int k = 0; k < t->times; k++) {
#pragma omp for schedule(static) nowait
        for (long i = 0; i < t->n; i += piece)
            triad_piece(t->a + i, t->b + i, t->c + i, t->n - i < piece ? t->n - i : piece);
    }
}

static void gemm_run(void *arg)
{
    struct triad *t = arg;
    blas_nn(t->a, t->b, t->c, t->rows, SIDE, SIDE, 0);
}

limits limits_measure(double seconds)
{
    limits l = {0};
    for (int k = 0; k < LIMIT_SIZES; k++) { /* 64 KiB, 256 KiB, ... 256 MiB */
        arena a = {0};
        long n = (1L << (16 + 2 * k)) / 3 / (long)sizeof(real);
        struct triad t = {check_random(&a, (size_t)n, 1), check_random(&a, (size_t)n, 2),
                          check_random(&a, (size_t)n, 3), n,
                          k < 4 ? 256 >> 2 * k : 1,       0};
        triad_run(&t);
        l.size[k] = 3.0 * (double)n * sizeof(real);
        l.gbs[k] = l.size[k] * t.times / measure_time(triad_run, &t, seconds).best * 1e-9;
        arena_free(&a);
    }
    arena a = {0};
    struct triad t = {.rows = SIDE * omp_get_max_threads()};
    size_t n = (size_t)t.rows * SIDE;
    t.a = NEW(&a, real, n), t.b = check_random(&a, n, 1), t.c = check_random(&a, (size_t)SIDE * SIDE, 2);
    gemm_run(&t);
    l.gflops = 2.0 * (double)n * SIDE / measure_time(gemm_run, &t, seconds).best * 1e-9;
    arena_free(&a);
    return l;
}

double limits_gbs(const limits *l, double bytes)
{
    int k = 0;
    while (k < LIMIT_SIZES && l->size[k] < bytes)
        k++;
    if (k == 0 || k == LIMIT_SIZES)
        return l->gbs[k ? k - 1 : 0];
    double share = log(bytes / l->size[k - 1]) / log(l->size[k] / l->size[k - 1]);
    return l->gbs[k - 1] * pow(l->gbs[k] / l->gbs[k - 1], share);
}
