/* metric: for N labelled rows with probabilities p_i, labels y_i and predictions k_i = arg max_j p_ij,
 *
 *   acc   = (1/N) sum_i [k_i = y_i]
 *   F1_j  = 2 hit_j / (predicted_j + actual_j),   micro: of the sums over j, macro: mean, weighted: by actual_j / N
 *   ece   = sum_b (n_b / N) |acc_b - conf_b|   over 10 equal bins of conf_i = max_j p_ij
 *   brier = (1/N) sum_i sum_j (p_ij - [j = y_i])^2
 *   nll   = -(1/N) sum_i log max(p_{i y_i}, 1e-8) */
#include "metric.h"
#include <math.h>
#include <string.h>

#define PARALLEL_ROWS 16384 /* below, a team costs more than it saves */

metric_work metric_work_new(arena *a, int classes)
{
    size_t c = (size_t)classes;
    return (metric_work){classes, NEW(a, int, c), NEW(a, int, c), NEW(a, int, c)};
}

/* The first largest entry; -1 when all are NaN. */
static inline int arg_max(const real *p, int classes)
{
    int best = -1;
    real most = -INFINITY;
    for (int j = 0; j < classes; j++)
        if (p[j] > most) {
            most = p[j];
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
        nll -= log(p[y[i]] < (real)1e-8 ? 1e-8 : (double)p[y[i]]);
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
