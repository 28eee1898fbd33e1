/* Kernels that go over rows or elements, on as many rows as the graph has nodes.
 *
 *   act        bias, ReLU, dropout               act_back   their gradient, and that of the bias as a last row
 *   softmax    of c*c joint logits, training rows
 *   adam       all parameters of a network, features x d + 2 d x c*c, then their two moments
 *
 * Operations an element: softmax 21, Adam 12; Philox 60 for eight random numbers. */
#include "../../src/kernel/kernels.h"
#include "../../src/kernel/ref.h"
#include "kernels.h"
#include <limits.h>
#include <math.h>
#include <string.h>

static const dropout drop = {{17, 4}, 1, 2, 0.5};

static int act_setup(work *w)
{
    size_t n = (size_t)w->in->nodes * (size_t)w->d;
    check_result(w, w->in->nodes, w->d, 1000000 / w->d);
    w->was = check_random(&w->a, n, 1);
    memcpy(w->out, w->was, n * sizeof *w->out);
    w->b = check_random(&w->a, (size_t)w->d, 2);
    w->flops = (3 + 7.5) * (double)n;
    w->bytes = 2.0 * sizeof(real) * (double)n;
    return 1;
}

static void act_run(work *w) { activate(w->out, w->b, w->rows, w->d, RELU, &drop, NULL); }

static void act_ref(work *w, real *out, const int *rows, int n)
{
    size_t d = (size_t)w->d;
    memcpy(out, check_rows(&w->a, w->was, rows, n, d), (size_t)n * d * sizeof *out);
    activate_ref(out, w->b, n, w->d, RELU, &drop, rows);
}

static int act_back_setup(work *w)
{
    size_t n = (size_t)w->in->nodes * (size_t)w->d;
    check_result(w, w->in->nodes + 1, w->d, 0);
    w->was = check_random(&w->a, n, 1);
    memcpy(w->out, w->was, n * sizeof *w->out);
    w->left = check_random(&w->a, n, 2); /* the output of the layer */
    w->flops = 2.0 * (double)n;
    w->bytes = 3.0 * sizeof(real) * (double)n;
    return 1;
}

static void act_back_run(work *w)
{
    size_t n = (size_t)w->in->nodes * (size_t)w->d;
    activate_back(w->out, w->out + n, 0, w->left, w->in->nodes, w->d, RELU, &drop, NULL);
}

static double act_back_error(work *w)
{
    size_t n = (size_t)w->in->nodes * (size_t)w->d;
    real *ref = NEW(&w->a, real, n + (size_t)w->d);
    for (size_t i = 0; i < n; i++)
        ref[i] = w->left[i] > 0 ? 2 * w->was[i] : 0;
    column_sum_ref(ref + n, ref, w->in->nodes, w->d);
    return fmax(check_error(w->out, ref, n), check_error(w->out + n, ref + n, (size_t)w->d));
}

static int softmax_setup(work *w)
{
    int cc = w->in->classes * w->in->classes, max = (16 << 20) / cc, rows = w->in->ntrain < max ? w->in->ntrain : max;
    double n = (double)rows * cc;
    check_result(w, rows, cc, INT_MAX);
    w->left = check_random(&w->a, (size_t)n, 1);
    w->flops = 21 * n;
    w->bytes = 2 * sizeof(real) * n;
    return 1;
}

static void softmax_run(work *w) { softmax(w->out, w->left, w->rows, w->width, 2); }

static void softmax_rows_ref(work *w, real *out, const int *rows, int n)
{
    (void)rows; /* all of them */
    softmax_ref(out, w->left, n, w->width, 2);
}

static const adam optimiser = {0.01, 0.9, 0.999, 1e-8};

static int adam_setup(work *w)
{
    int cc = w->in->classes * w->in->classes, n = w->in->features * w->d + 2 * w->d * cc;
    check_result(w, 3, n, 0);
    w->was = check_random(&w->a, (size_t)n, 2);
    memcpy(w->out, w->was, (size_t)n * sizeof *w->out);
    w->left = check_random(&w->a, (size_t)n, 1); /* the gradient */
    w->flops = 12.0 * n;
    w->bytes = 7.0 * sizeof(real) * n;
    return 1;
}

static void adam_run(work *w)
{
    size_t n = (size_t)w->width;
    const adam_now now = adam_at(&optimiser, 5e-4, 1);
    adam_step(w->out, w->left, w->out + n, w->out + 2 * n, n, &now);
}

static double adam_error(work *w)
{
    size_t n = (size_t)w->width;
    real *ref = NEW(&w->a, real, 3 * n);
    memcpy(ref, w->was, n * sizeof *ref);
    adam_ref(ref, w->left, ref + n, ref + 2 * n, n, &optimiser, 5e-4, 1);
    return fmax(check_error(w->out, ref, n), check_error(w->out + n, ref + n, 2 * n));
}

const kernel kernels_rows[] = {
    {"dropout", "act", ALL_WIDTHS, act_setup, act_run, act_ref, NULL},
    {"dropout", "act_back", ALL_WIDTHS, act_back_setup, act_back_run, NULL, act_back_error},
    {"softmax", "softmax", ONE_WIDTH, softmax_setup, softmax_run, softmax_rows_ref, NULL},
    {"adam", "adam", ONE_WIDTH, adam_setup, adam_run, NULL, adam_error},
    {0},
};
