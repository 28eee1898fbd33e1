/* Dense kernels, on as many rows as the graph has nodes.
 *
 *   gemm_nn    H W, a hidden layer d -> d        gemm_tn    H^T G, its gradient         gemm_nt  G W^T
 *   act        bias, ReLU, dropout               act_back   their gradient
 *   rng        the random numbers of dropout, 16 bits each
 *   softmax    of c*c joint logits, training rows           exp   its exponentials
 *   adam       all parameters of a network: features x d + 2 d x c*c
 *
 * Operations an element: exp 17 (its polynomial), softmax 21, Adam 12; Philox 60 for eight numbers. */
#include "../../src/kernel/blas.h"
#include "../../src/kernel/exp.h"
#include "../../src/kernel/kernels.h"
#include "../../src/kernel/philox.h"
#include "../../src/kernel/ref.h"
#include "../../src/kernel/simd.h"
#include "kernels.h"
#include <math.h>

static const dropout drop = {{17, 4}, 1, 2, 0.5};

typedef struct dense {
    real *h, *g, *b, *was; /* was: a copy of the operands that a run overwrites */
    uint16_t *number;
    size_t n;
} dense;

static dense *dense_new(work *w, size_t n)
{
    dense *s = w->state = NEW(&w->a, dense, 1);
    s->n = w->n = n;
    return s;
}

/* --- products --- */

static void square(work *w, int tn)
{
    size_t n = (size_t)w->in->nodes * (size_t)w->d, dd = (size_t)w->d * (size_t)w->d;
    dense *s = dense_new(w, tn ? dd : n);
    s->h = check_random(&w->a, n, 1);
    s->g = check_random(&w->a, tn ? n : dd, 2);
    w->out = NEW(&w->a, real, w->n);
    w->flops = 2.0 * (double)n * w->d;
    w->bytes = sizeof(real) * (2.0 * (double)n + (double)dd);
}

static int nn_setup(work *w) { return square(w, 0), 1; }
static int tn_setup(work *w) { return square(w, 1), 1; }

static void nn_run(work *w)
{
    dense *s = w->state;
    gemm_nn(w->out, s->h, s->g, w->in->nodes, w->d, w->d, 0);
}

static void nt_run(work *w)
{
    dense *s = w->state;
    gemm_nt(w->out, s->h, s->g, w->in->nodes, w->d, w->d, 0);
}

static void tn_run(work *w)
{
    dense *s = w->state;
    gemm_tn(w->out, s->h, s->g, w->d, w->d, w->in->nodes, 0);
}

static double rows_error(work *w, int tb)
{
    arena a = {0};
    dense *s = w->state;
    size_t d = (size_t)w->d;
    int n, *rows = check_sample(&a, w->in->nodes, 64, &n);
    real *ref = NEW(&a, real, (size_t)n * d);
    gemm_ref(ref, check_rows(&a, s->h, rows, n, d), s->g, n, w->d, w->d, 0, tb, 0);
    double e = check_error(check_rows(&a, w->out, rows, n, d), ref, (size_t)n * d);
    arena_free(&a);
    return e;
}

static double nn_error(work *w) { return rows_error(w, 0); }
static double nt_error(work *w) { return rows_error(w, 1); }

static double tn_error(work *w)
{
    arena a = {0};
    dense *s = w->state;
    int d = w->d, n, *rows = check_sample(&a, d, 2, &n);
    real *column = NEW(&a, real, (size_t)w->in->nodes), *ref = NEW(&a, real, (size_t)d);
    double e = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < w->in->nodes; k++)
            column[k] = s->h[(size_t)k * (size_t)d + (size_t)rows[i]];
        gemm_ref(ref, column, s->g, 1, d, w->in->nodes, 0, 0, 0);
        e = fmax(e, check_error(w->out + (size_t)rows[i] * (size_t)d, ref, (size_t)d));
    }
    arena_free(&a);
    return e;
}

/* --- bias, ReLU, dropout --- */

static int act_setup(work *w)
{
    dense *s = dense_new(w, (size_t)w->in->nodes * (size_t)w->d);
    w->out = check_random(&w->a, s->n, 1);
    s->was = check_random(&w->a, s->n, 1);
    s->b = check_random(&w->a, (size_t)w->d, 2);
    w->flops = (3 + 7.5) * (double)s->n;
    w->bytes = 2.0 * sizeof(real) * (double)s->n;
    return 1;
}

static void act_run(work *w)
{
    dense *s = w->state;
    activate(w->out, s->b, w->in->nodes, w->d, RELU, &drop, NULL);
}

static double act_error(work *w)
{
    dense *s = w->state;
    size_t d = (size_t)w->d;
    int n, *rows = check_sample(&w->a, w->in->nodes, 1000000 / w->d, &n);
    real *ref = check_rows(&w->a, s->was, rows, n, d);
    activate_ref(ref, s->b, n, w->d, RELU, &drop, rows);
    return check_error(check_rows(&w->a, w->out, rows, n, d), ref, (size_t)n * d);
}

static int act_back_setup(work *w)
{
    dense *s = dense_new(w, (size_t)w->in->nodes * (size_t)w->d);
    w->out = check_random(&w->a, s->n, 1);
    s->was = check_random(&w->a, s->n, 1);
    s->h = check_random(&w->a, s->n, 2);
    s->b = NEW(&w->a, real, (size_t)w->d);
    w->flops = 2.0 * (double)s->n;
    w->bytes = 3.0 * sizeof(real) * (double)s->n;
    return 1;
}

static void act_back_run(work *w)
{
    dense *s = w->state;
    activate_back(w->out, s->b, 0, s->h, w->in->nodes, w->d, RELU, &drop, NULL);
}

static double act_back_error(work *w)
{
    dense *s = w->state;
    for (size_t i = 0; i < s->n; i++)
        s->was[i] = s->h[i] > 0 ? 2 * s->was[i] : 0;
    double e = check_error(w->out, s->was, s->n);
    real *sum = NEW(&w->a, real, (size_t)w->d);
    column_sum_ref(sum, s->was, w->in->nodes, w->d);
    return fmax(e, check_error(s->b, sum, (size_t)w->d));
}

/* --- random numbers --- */

static int rng_setup(work *w)
{
    dense *s = dense_new(w, (size_t)w->in->nodes * 64);
    s->number = NEW(&w->a, uint16_t, s->n);
    w->out = (real *)s->number, w->n = s->n / 2;
    w->flops = 7.5 * (double)s->n;
    w->bytes = 2.0 * (double)s->n;
    return 1;
}

CLONES static void numbers_of_row(uint16_t *to, uint32_t row)
{
    uint32_t block[8], rows[8];
    for (uint32_t v = 0; v < 8; v++)
        block[v] = v, rows[v] = row;
    philox8(to, drop.r, block, rows, drop.op, drop.step);
}

static void rng_run(work *w)
{
    dense *s = w->state;
#pragma omp parallel for schedule(static) if (s->n > SERIAL_WORK)
    for (int i = 0; i < w->in->nodes; i++)
        numbers_of_row(s->number + (size_t)i * 64, (uint32_t)i);
}

static double rng_error(work *w)
{
    dense *s = w->state;
    real *got = NEW(&w->a, real, s->n), *ref = NEW(&w->a, real, s->n);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t u[4], j = (uint32_t)(i % 64);
        rng_block(u, drop.r, j / 8, (uint32_t)(i / 64), drop.op, drop.step);
        got[i] = (real)s->number[i];
        ref[i] = (real)(u[j % 8 / 2] >> (j % 2 ? 16 : 0) & 0xffff);
    }
    return check_error(got, ref, s->n);
}

/* --- softmax --- */

static int softmax_setup(work *w)
{
    int cc = w->in->classes * w->in->classes, max = (16 << 20) / cc, rows = w->in->ntrain < max ? w->in->ntrain : max;
    dense *s = dense_new(w, (size_t)rows * (size_t)cc);
    s->h = check_random(&w->a, s->n, 1);
    w->out = NEW(&w->a, real, s->n);
    w->flops = 21.0 * (double)s->n;
    w->bytes = 2.0 * sizeof(real) * (double)s->n;
    return 1;
}

static void softmax_run(work *w)
{
    int cc = w->in->classes * w->in->classes;
    dense *s = w->state;
    softmax(w->out, s->h, (int)(s->n / (size_t)cc), cc, 2);
}

static double softmax_error(work *w)
{
    int cc = w->in->classes * w->in->classes;
    dense *s = w->state;
    real *ref = NEW(&w->a, real, s->n);
    softmax_ref(ref, s->h, (int)(s->n / (size_t)cc), cc, 2);
    return check_error(w->out, ref, s->n);
}

static int exp_setup(work *w)
{
    dense *s = dense_new(w, (size_t)w->in->nodes * 64);
    s->h = check_random(&w->a, s->n, 1);
    for (size_t i = 0; i < s->n; i++)
        s->h[i] = 5 * s->h[i] - 5;
    w->out = NEW(&w->a, real, s->n);
    w->flops = 17.0 * (double)s->n;
    w->bytes = 2.0 * sizeof(real) * (double)s->n;
    return 1;
}

CLONES static void exp_of_row(real *restrict to, const real *restrict x)
{
    for (int j = 0; j < 64; j++)
        to[j] = exp_negative(x[j]);
}

static void exp_run(work *w)
{
    dense *s = w->state;
#pragma omp parallel for schedule(static) if (s->n > SERIAL_WORK)
    for (int i = 0; i < w->in->nodes; i++)
        exp_of_row(w->out + (size_t)i * 64, s->h + (size_t)i * 64);
}

static double exp_error(work *w)
{
    dense *s = w->state;
    real *ref = NEW(&w->a, real, s->n);
    for (size_t i = 0; i < s->n; i++)
        ref[i] = (real)exp((double)s->h[i]);
    return check_error(w->out, ref, s->n);
}

/* --- Adam --- */

static const adam optimiser = {0.01, 0.9, 0.999, 1e-8};

static int adam_setup(work *w)
{
    size_t d = (size_t)w->d, cc = (size_t)w->in->classes * (size_t)w->in->classes;
    dense *s = dense_new(w, (size_t)w->in->features * d + 2 * d * cc);
    s->g = check_random(&w->a, s->n, 1);
    s->h = NEW(&w->a, real, 2 * s->n); /* the moments */
    w->out = check_random(&w->a, s->n, 2);
    s->was = check_random(&w->a, s->n, 2);
    w->flops = 12.0 * (double)s->n;
    w->bytes = 7.0 * sizeof(real) * (double)s->n;
    return 1;
}

static void adam_run(work *w)
{
    dense *s = w->state;
    const adam_now now = adam_at(&optimiser, 5e-4, 1);
    adam_step(w->out, s->g, s->h, s->h + s->n, s->n, &now);
}

static double adam_error(work *w)
{
    dense *s = w->state;
    real *moment = NEW(&w->a, real, 2 * s->n);
    adam_ref(s->was, s->g, moment, moment + s->n, s->n, &optimiser, 5e-4, 1);
    return fmax(check_error(w->out, s->was, s->n), check_error(s->h, moment, 2 * s->n));
}

const kernel kernels_dense[] = {
    {"gemm", "gemm_nn", ALL_WIDTHS, nn_setup, nn_run, nn_error},
    {"gemm", "gemm_nt", ALL_WIDTHS, nn_setup, nt_run, nt_error},
    {"gemm", "gemm_tn", ALL_WIDTHS, tn_setup, tn_run, tn_error},
    {"dropout", "act", ALL_WIDTHS, act_setup, act_run, act_error},
    {"dropout", "act_back", ALL_WIDTHS, act_back_setup, act_back_run, act_back_error},
    {"dropout", "rng", ONE_WIDTH, rng_setup, rng_run, rng_error},
    {"softmax", "softmax", ONE_WIDTH, softmax_setup, softmax_run, softmax_error},
    {"softmax", "exp", ONE_WIDTH, exp_setup, exp_run, exp_error},
    {"adam", "adam", ONE_WIDTH, adam_setup, adam_run, adam_error},
    {0},
};
