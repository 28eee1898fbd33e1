/* metric: for N labelled rows with probabilities p_i, labels y_i and predictions k_i = arg max_j p_ij,
 *
 *   acc   = (1/N) sum_i [k_i = y_i]
 *   F1_j  = 2 hit_j / (predicted_j + actual_j),   micro: of the sums over j, macro: mean, weighted: by actual_j / N
 *   ece   = sum_b (n_b / N) |acc_b - conf_b|   over 10 equal bins of conf_i = max_j p_ij
 *   brier = (1/N) sum_i sum_j (p_ij - [j = y_i])^2
 *   nll   = -(1/N) sum_i log max(p_{i y_i}, 1e-8)
 *
 * Temperature, with u = 1/T, l_ij = log p_ij and q_i ~ exp(u l_i):
 *   f(u) = -(1/N) sum_i log q_{i y_i},   f'(u) = (1/N) sum_i (sum_j q_ij l_ij - l_{i y_i}),   f'' = mean variance of l
 * under q >= 0 so that the minimum is the root of an increasing function. */
#include "metric.h"
#include "../base/portable.h"
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARALLEL_ROWS 16384 /* below, a parallel region costs more than it saves */

metric_work metric_work_new(arena *a, int classes)
{
    size_t c = (size_t)classes;
    return (metric_work){classes, NEW(a, int, c), NEW(a, int, c), NEW(a, int, c)};
}

/* The first largest entry; -1 when all are NaN. */
static inline int arg_max(const real *p, int classes)
{
    int best = -1;
    real largest = -INFINITY;
    for (int j = 0; j < classes; j++)
        if (p[j] > largest) {
            largest = p[j];
            best = j;
        }
    return best;
}

/* Edges are rounded as probabilities are, so that 0.3 falls into (0.2, 0.3]. */
static int bin_of(real confidence)
{
    int b = 0;
    while (b < METRIC_BINS - 1 && confidence > (real)((b + 1) / (double)METRIC_BINS))
        b++;
    return b;
}

static void f1_scores(metrics *m, const metric_work *w, int n)
{
    double macro = 0, weighted = 0;
    int hits = 0, predicted = 0, present = 0;
    for (int j = 0; j < w->classes; j++) {
        int both = w->predicted[j] + w->actual[j];
        double f1 = both ? 2.0 * w->hit[j] / both : 0;
        macro += f1;
        weighted += f1 * w->actual[j];
        present += both > 0;
        hits += w->hit[j];
        predicted += w->predicted[j];
    }
    m->acc = (double)hits / n;
    m->micro_f1 = 2.0 * hits / ((double)predicted + n);
    m->macro_f1 = macro / present;
    m->weighted_f1 = weighted / n;
}

/* Turns sums into means and returns the calibration error. */
static double finish_bins(metric_bins *bins, int n)
{
    double ece = 0;
    for (int b = 0; b < METRIC_BINS; b++) {
        bins->accuracy[b] /= bins->count[b]; /* 0 / 0 is the NaN that an empty bin wants */
        bins->confidence[b] /= bins->count[b];
        if (bins->count[b])
            ece += bins->count[b] * fabs(bins->accuracy[b] - bins->confidence[b]);
    }
    return ece / n;
}

metrics metric_compute(metric_bins *bins, const real *probs, const int *y, int rows, metric_work *work)
{
    metric_bins own;
    if (!bins)
        bins = &own;
    memset(bins, 0, sizeof *bins);
    int n = 0, classes = work->classes;
    size_t bytes = (size_t)classes * sizeof(int);
    memset(work->hit, 0, bytes);
    memset(work->predicted, 0, bytes);
    memset(work->actual, 0, bytes);
    double brier = 0, nll = 0;
    for (int i = 0; i < rows; i++) {
        const real *p = probs + (size_t)i * (size_t)classes;
        if (y[i] < 0 || y[i] >= classes)
            continue;
        int k = arg_max(p, classes), hit = k == y[i], b = bin_of(k < 0 ? NAN : p[k]);
        n++;
        work->actual[y[i]]++;
        if (k >= 0)
            work->predicted[k]++;
        work->hit[y[i]] += hit;
        bins->count[b]++;
        bins->accuracy[b] += hit;
        bins->confidence[b] += k < 0 ? NAN : p[k];
        for (int j = 0; j < classes; j++) {
            double e = (double)p[j] - (j == y[i]);
            brier += e * e;
        }
        nll -= portable_log(p[y[i]] < (real)1e-8 ? 1e-8 : (double)p[y[i]]);
    }
    metrics m = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double ece = finish_bins(bins, n);
    if (n == 0)
        return m;
    f1_scores(&m, work, n);
    m.ece = ece;
    m.brier = brier / n;
    m.nll = nll / n;
    return m;
}

static metrics metric_many(metric_bins *bins, const real *probs, const unsigned char *y, int rows, metric_work *work)
{
    int classes = work->classes, hits = 0, predicted = 0, actual = 0, present = 0;
    size_t n = (size_t)rows * (size_t)classes;
    double brier = 0, nll = 0;
    metrics m = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    memset(bins, 0, sizeof *bins);
    memset(work->hit, 0, (size_t)classes * sizeof(int));
    memset(work->predicted, 0, (size_t)classes * sizeof(int));
    memset(work->actual, 0, (size_t)classes * sizeof(int));
    for (size_t i = 0; i < n; i++) {
        int k = (int)(i % (size_t)classes), yes = probs[i] > (real)0.5;
        double p = (double)probs[i], e = p - y[i], truth = y[i] ? p : 1 - p;
        int b = bin_of((real)(yes ? p : 1 - p));
        work->hit[k] += yes && y[i];
        work->predicted[k] += yes;
        work->actual[k] += y[i];
        bins->count[b]++;
        bins->accuracy[b] += yes == y[i];
        bins->confidence[b] += yes ? p : 1 - p;
        brier += e * e;
        nll -= portable_log(truth < 1e-8 ? 1e-8 : truth);
    }
    double macro = 0, weighted = 0, ece = finish_bins(bins, (int)n);
    for (int k = 0; k < classes; k++) {
        int both = work->predicted[k] + work->actual[k];
        double f1 = both ? 2.0 * work->hit[k] / both : 0;
        macro += f1, weighted += f1 * work->actual[k], present += both > 0;
        hits += work->hit[k], predicted += work->predicted[k], actual += work->actual[k];
    }
    if (!n)
        return m;
    m.acc = m.micro_f1 = predicted + actual ? 2.0 * hits / ((double)predicted + actual) : 0;
    m.macro_f1 = present ? macro / present : 0;
    m.weighted_f1 = actual ? weighted / actual : 0;
    m.ece = ece, m.brier = brier / rows, m.nll = nll / (double)n;
    return m;
}

metrics metric_labels(metric_bins *bins, const real *probs, const node_labels *y, int rows, metric_work *work)
{
    metric_bins own;
    return y->one ? metric_compute(bins, probs, y->one, rows, work)
                  : metric_many(bins ? bins : &own, probs, y->many, rows, work);
}

double metric_accuracy(const real *probs, const int *y, int rows, int classes)
{
    int n = 0, hits = 0;
#pragma omp parallel for reduction(+ : n, hits) schedule(static) if (rows >= PARALLEL_ROWS)
    for (int i = 0; i < rows; i++) {
        if (y[i] < 0 || y[i] >= classes)
            continue;
        n++;
        hits += arg_max(probs + (size_t)i * (size_t)classes, classes) == y[i];
    }
    return n ? (double)hits / n : NAN;
}

typedef struct guess {
    real confidence;
    int hit;
} guess;

static int by_confidence(const void *a, const void *b)
{
    const guess *x = a, *y = b;
    return x->confidence != y->confidence ? (x->confidence > y->confidence) - (x->confidence < y->confidence)
                                          : x->hit - y->hit;
}

double metric_ece_mass(const real *probs, const int *y, int rows, int classes)
{
    arena tmp = {0};
    guess *g = NEW(&tmp, guess, (size_t)rows + 1);
    int n = 0, known = 1;
    for (int i = 0; i < rows; i++) {
        const real *p = probs + (size_t)i * (size_t)classes;
        if (y[i] < 0 || y[i] >= classes)
            continue;
        int k = arg_max(p, classes);
        known &= k >= 0;
        g[n++] = (guess){k < 0 ? 0 : p[k], k == y[i]};
    }
    qsort(g, (size_t)n, sizeof *g, by_confidence);
    double ece = 0;
    for (int b = 0; b < METRIC_BINS; b++) {
        double off = 0; /* hits minus confidence, summed over the bin */
        for (int64_t i = (int64_t)b * n / METRIC_BINS; i < (int64_t)(b + 1) * n / METRIC_BINS; i++)
            off += g[i].hit - (double)g[i].confidence;
        ece += fabs(off);
    }
    arena_free(&tmp);
    return n && known ? ece / n : NAN;
}

/* q = softmax(u log p) in doubles; returns sum_j q_j log p_j. */
static double temper_row(double *q, const real *p, int classes, double u)
{
    double largest = -INFINITY, sum = 0, mean = 0;
    for (int j = 0; j < classes; j++) {
        q[j] = portable_log(fmax((double)p[j], FLT_MIN));
        largest = fmax(largest, q[j]);
    }
    for (int j = 0; j < classes; j++) {
        double l = q[j];
        sum += q[j] = portable_exp(u * (l - largest));
        mean += q[j] * l;
    }
    for (int j = 0; j < classes; j++)
        q[j] /= sum;
    return mean / sum;
}

void metric_temper(real *out, const real *probs, int rows, int classes, double temperature)
{
    arena tmp = {0};
    double *q = NEW(&tmp, double, (size_t)classes);
    for (int i = 0; i < rows; i++) {
        const real *p = probs + (size_t)i * (size_t)classes;
        int unknown = arg_max(p, classes) < 0;
        temper_row(q, p, classes, 1 / temperature);
        for (int j = 0; j < classes; j++)
            out[(size_t)i * (size_t)classes + (size_t)j] = unknown ? NAN : (real)q[j];
    }
    arena_free(&tmp);
}

typedef struct fit {
    const real *probs;
    const int *y;
    int rows, classes;
    double *q;
} fit;

static double slope(double u, void *arg) /* N f'(u) */
{
    const fit *f = arg;
    double sum = 0;
    for (int i = 0; i < f->rows; i++) {
        const real *p = f->probs + (size_t)i * (size_t)f->classes;
        if (f->y[i] >= 0 && f->y[i] < f->classes)
            sum += temper_row(f->q, p, f->classes, u) - portable_log(fmax((double)p[f->y[i]], FLT_MIN));
    }
    return sum;
}

static double root(gsl_function *f, double lo, double hi)
{
    gsl_root_fsolver *s = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_root_fsolver_set(s, f, lo, hi);
    for (int i = 0; i < 100 && gsl_root_test_interval(lo, hi, 0, 1e-10) == GSL_CONTINUE; i++) {
        gsl_root_fsolver_iterate(s);
        lo = gsl_root_fsolver_x_lower(s);
        hi = gsl_root_fsolver_x_upper(s);
    }
    double u = gsl_root_fsolver_root(s);
    gsl_root_fsolver_free(s);
    return u;
}

double metric_temperature(const real *probs, const int *y, int rows, int classes)
{
    arena tmp = {0};
    fit f = {probs, y, rows, classes, NEW(&tmp, double, (size_t)classes)};
    gsl_function g = {slope, &f};
    int labelled = 0, known = 1;
    for (int i = 0; i < rows; i++)
        if (y[i] >= 0 && y[i] < classes) {
            labelled++;
            known &= arg_max(probs + (size_t)i * (size_t)classes, classes) >= 0;
        }
    double t = NAN;
    if (labelled && known)
        t = slope(1 / METRIC_HOT, &f) >= 0    ? METRIC_HOT
            : slope(1 / METRIC_COLD, &f) <= 0 ? METRIC_COLD
                                              : 1 / root(&g, 1 / METRIC_HOT, 1 / METRIC_COLD);
    arena_free(&tmp);
    return t;
}

metric_scores metric_score(const real *probs, const int *y, int rows, metric_work *work)
{
    metrics m = metric_compute(NULL, probs, y, rows, work);
    return (metric_scores){m.nll, m.brier, m.ece, metric_ece_mass(probs, y, rows, work->classes)};
}

metric_calibration metric_calibrate(const real *test, const int *y_test, int rows_test, const real *val,
                                    const int *y_val, int rows_val, metric_work *work)
{
    arena tmp = {0};
    real *scaled = NEW(&tmp, real, (size_t)rows_test * (size_t)work->classes + 1);
    metric_calibration c = {.temperature = metric_temperature(val, y_val, rows_val, work->classes)};
    c.plain = metric_score(test, y_test, rows_test, work);
    metric_temper(scaled, test, rows_test, work->classes, c.temperature);
    c.scaled = metric_score(scaled, y_test, rows_test, work);
    arena_free(&tmp);
    return c;
}
