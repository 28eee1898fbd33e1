#include "smooth.h"
#include "../base/err.h"
#include "../kernel/kernels.h"
#include "../kernel/simd.h"
#include "metric.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCALE_MAX 1000

const char *const smooth_matrix_name[SMOOTH_MATRICES] = {"DAD", "DA", "AD"};

static const double grid_a1[] = {.3, .5, .7, .8, .9, .95, .98}, grid_a2[] = {.3, .5, .7, .8, .9, .95};
static const double grid_scale[] = {0, .5, 1, 1.5}; /* 0: autoscale */

#define COUNT(x) (int)(sizeof(x) / sizeof(x)[0])

const char *smooth_text(char buf[80], const smooth_params *q)
{
    char scale[24] = "auto";
    if (!q->autoscale)
        snprintf(scale, sizeof scale, "x%.4g", q->scale);
    snprintf(buf, 80, "correct %s %.4g %s, smooth %s %.4g", smooth_matrix_name[q->s1], q->a1, scale,
             smooth_matrix_name[q->s2], q->a2);
    return buf;
}

smooth_work smooth_work_new(arena *a, const csr *g)
{
    smooth_work w;
    for (int m = 0; m < SMOOTH_MATRICES; m++) {
        w.s[m] = *g;
        w.s[m].val = NEW(a, real, (size_t)csr_nnz(g));
    }
#pragma omp parallel for schedule(static) if (csr_nnz(g) > SERIAL_WORK)
    for (int i = 0; i < g->rows; i++) {
        double di = (double)(g->ptr[i + 1] - g->ptr[i]);
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
            double dj = (double)(g->ptr[g->idx[k] + 1] - g->ptr[g->idx[k]]);
            w.s[SMOOTH_DAD].val[k] = (real)(1 / sqrt(di * dj));
            w.s[SMOOTH_DA].val[k] = (real)(1 / di);
            w.s[SMOOTH_AD].val[k] = (real)(1 / dj);
        }
    }
    return w;
}

/* --- propagation --- */

/* What a call works in: base is E0, C or G0, x is E or G. */
typedef struct scratch {
    int rows, cols;
    real *base, *x, *next;
} scratch;

static scratch scratch_new(arena *a, const smooth_work *w, mat prob, const split *part)
{
    if (prob.rows != w->s[0].rows)
        die("correct and smooth: %d rows of probabilities for a graph of %d nodes; predict all of them", prob.rows,
            w->s[0].rows);
    if (!part->n[TRAIN])
        die("correct and smooth: the split has no training nodes");
    size_t n = (size_t)prob.rows * (size_t)prob.cols;
    return (scratch){prob.rows, prob.cols, NEW(a, real, n), NEW(a, real, n), NEW(a, real, n)};
}

CLONES static void blend(real *restrict x, const real *restrict base, size_t n, real alpha, real rest, real lo, real hi)
{
    for (size_t i = 0; i < n; i++) {
        real v = fused(alpha, x[i], rest * base[i]);
        v = v > lo ? v : lo;
        x[i] = v < hi ? v : hi;
    }
}

/* x = base, then steps times x <- clamp(alpha s x + (1 - alpha) base, lo, hi) and x = base on the nodes `hold`. */
static void propagate(scratch *b, const csr *s, double alpha, int steps, real lo, real hi, const int *hold, int nhold)
{
    const size_t chunk = 4096, c = (size_t)b->cols, n = (size_t)b->rows * c;
    long chunks = (long)((n + chunk - 1) / chunk);
    memcpy(b->x, b->base, n * sizeof(real));
    for (int step = 0; step < steps; step++) {
        spmm(b->next, s, b->x, b->cols, 0);
#pragma omp parallel for schedule(static) if (n > SERIAL_WORK)
        for (long k = 0; k < chunks; k++) {
            size_t at = (size_t)k * chunk, count = n - at < chunk ? n - at : chunk;
            blend(b->next + at, b->base + at, count, (real)alpha, (real)(1 - alpha), lo, hi);
        }
        for (int k = 0; k < nhold; k++)
            memcpy(b->next + (size_t)hold[k] * c, b->base + (size_t)hold[k] * c, c * sizeof(real));
        real *last = b->x;
        b->x = b->next;
        b->next = last;
    }
}

/* --- correct --- */

static int labelled(int y, int classes) { return y >= 0 && y < classes; }

/* base = E0; returns the mean of |E0_k|_1 over the training nodes. */
static double residuals(scratch *b, mat prob, const int *y, const split *part)
{
    double sum = 0;
    int n = 0;
    memset(b->base, 0, (size_t)b->rows * (size_t)b->cols * sizeof(real));
    for (int k = 0; k < part->n[TRAIN]; k++) {
        int i = part->idx[TRAIN][k];
        if (!labelled(y[i], b->cols))
            continue;
        const real *p = mat_row(prob, i);
        real *e = b->base + (size_t)i * (size_t)b->cols;
        for (int j = 0; j < b->cols; j++) {
            e[j] = (real)(j == y[i]) - p[j];
            sum += fabs((double)e[j]);
        }
        n++;
    }
    return n ? sum / n : 0;
}

/* From base = E0 to x = E. */
static void spread(scratch *b, const smooth_work *w, const split *part, const smooth_params *q)
{
    const csr *s = &w->s[q->s1];
    if (q->autoscale)
        propagate(b, s, q->a1, q->steps1, -1, 1, NULL, 0);
    else
        propagate(b, s, q->a1, q->steps1, -INFINITY, INFINITY, part->idx[TRAIN], part->n[TRAIN]);
}

/* out = the rows of C (`rows` NULL: all), from x = E. out may be base, not x. */
static void corrected(real *out, const scratch *b, mat prob, const int *rows, int n, double sigma,
                      const smooth_params *q)
{
    int c = b->cols;
#pragma omp parallel for schedule(static) if ((size_t)n * (size_t)c > SERIAL_WORK)
    for (int k = 0; k < n; k++) {
        int i = rows ? rows[k] : k;
        const real *p = mat_row(prob, i), *e = b->x + (size_t)i * (size_t)c;
        double scale = q->scale;
        if (q->autoscale) {
            double norm = 0;
            for (int j = 0; j < c; j++)
                norm += fabs((double)e[j]);
            scale = sigma / norm <= SCALE_MAX ? sigma / norm : 1; /* 1 when the norm is 0, too */
        }
        for (int j = 0; j < c; j++)
            out[(size_t)k * (size_t)c + (size_t)j] = (real)((double)p[j] + scale * (double)e[j]);
    }
}

/* --- smooth --- */

/* base = G0, from x = E. */
static void start_smooth(scratch *b, mat prob, const int *y, const split *part, double sigma, const smooth_params *q)
{
    corrected(b->base, b, prob, NULL, b->rows, sigma, q);
    for (int k = 0; k < part->n[TRAIN]; k++) {
        int i = part->idx[TRAIN][k];
        for (int j = 0; labelled(y[i], b->cols) && j < b->cols; j++)
            b->base[(size_t)i * (size_t)b->cols + (size_t)j] = (real)(j == y[i]);
    }
}

mat correct_and_smooth(arena *a, const smooth_work *w, mat prob, const int *y, const split *part,
                       const smooth_params *q)
{
    scratch b = scratch_new(a, w, prob, part);
    double sigma = residuals(&b, prob, y, part);
    spread(&b, w, part, q);
    start_smooth(&b, prob, y, part, sigma, q);
    propagate(&b, &w->s[q->s2], q->a2, q->steps2, 0, 1, NULL, 0);
    return (mat){b.rows, b.cols, b.x};
}

/* --- the tuner --- */

int *smooth_known(arena *a, const int *y, int n, const split *part)
{
    int *known = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        known[i] = -1;
    for (int p = TRAIN; p <= VAL; p++)
        for (int k = 0; k < part->n[p]; k++)
            known[part->idx[p][k]] = y[part->idx[p][k]];
    return known;
}

typedef struct tuning {
    scratch b;
    const smooth_work *w;
    mat prob;
    const split *part;
    double sigma;
    mat val; /* rows of the validation nodes */
    int *y_val;
} tuning;

static double accuracy(const tuning *t) { return metric_accuracy(t->val.v, t->y_val, t->val.rows, t->val.cols); }

/* Needs base = E0. Fixed scales share one propagation. */
static void tune_correct(tuning *t, smooth_params *best)
{
    double top = -1;
    for (int m = 0; m < SMOOTH_MATRICES; m++)
        for (int k = 0; k < COUNT(grid_a1); k++)
            for (int g = 0; g < COUNT(grid_scale); g++) {
                smooth_params q = *best;
                q.s1 = (enum smooth_matrix)m, q.a1 = grid_a1[k];
                q.autoscale = g == 0, q.scale = grid_scale[g];
                if (g < 2)
                    spread(&t->b, t->w, t->part, &q);
                corrected(t->val.v, &t->b, t->prob, t->part->idx[VAL], t->val.rows, t->sigma, &q);
                double acc = accuracy(t);
                if (acc > top)
                    top = acc, *best = q;
            }
}

/* Needs base = G0. */
static double tune_smooth(tuning *t, smooth_params *best)
{
    double top = -1;
    size_t c = (size_t)t->b.cols;
    for (int m = 0; m < SMOOTH_MATRICES; m++)
        for (int k = 0; k < COUNT(grid_a2); k++) {
            propagate(&t->b, &t->w->s[m], grid_a2[k], best->steps2, 0, 1, NULL, 0);
            for (int r = 0; r < t->val.rows; r++)
                memcpy(mat_row(t->val, r), t->b.x + (size_t)t->part->idx[VAL][r] * c, c * sizeof(real));
            double acc = accuracy(t);
            if (acc > top)
                top = acc, best->s2 = (enum smooth_matrix)m, best->a2 = grid_a2[k];
        }
    return top;
}

smooth_params smooth_tune(arena *a, double *val_acc, const smooth_work *w, mat prob, const int *known,
                          const split *part)
{
    int n = part->n[VAL];
    tuning t = {.b = scratch_new(a, w, prob, part), .w = w, .prob = prob, .part = part};
    t.val = mat_new(a, n, prob.cols);
    t.y_val = NEW(a, int, (size_t)n);
    for (int k = 0; k < n; k++)
        t.y_val[k] = known[part->idx[VAL][k]];
    if (isnan(accuracy(&t)))
        die("correct and smooth: the split has no labelled validation nodes to tune on");
    smooth_params best = {.steps1 = SMOOTH_STEPS, .steps2 = SMOOTH_STEPS};
    t.sigma = residuals(&t.b, prob, known, part);
    tune_correct(&t, &best);
    spread(&t.b, w, part, &best);
    start_smooth(&t.b, prob, known, part, t.sigma, &best);
    double acc = tune_smooth(&t, &best);
    if (val_acc)
        *val_acc = acc;
    return best;
}
