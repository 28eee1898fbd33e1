/* metric: how good a matrix of class probabilities (rows x classes, row-major) is, given the true class of each row.
 *
 * The prediction of a row is its largest probability, the first of equals. Rows whose label is not in 0 .. classes-1
 * (no label) are left out. A row of NaN predicts nothing: it is wrong, and ece, brier and nll are NaN. Without any row
 * all results are NaN. Sums are doubles in row order. */
#ifndef JCB_METRIC_H
#define JCB_METRIC_H

#include "../base/arena.h"
#include "../data/labels.h"
#include "../kernel/real.h"

#define METRIC_BINS 10

typedef struct metrics {
    double acc;
    double micro_f1;
    double macro_f1;    /* mean over the classes that occur among labels or predictions, as scikit-learn takes it */
    double weighted_f1; /* weighted by the number of labels */
    double ece;         /* expected calibration error */
    double brier;       /* sum over classes of squared errors, 0 .. 2 */
    double nll;         /* natural logarithm, probabilities below 1e-8 taken as that */
} metrics;

/* Bin b holds the rows with confidence (largest probability) in (b / 10, (b + 1) / 10]. When it is empty, accuracy and
 * confidence are NaN. */
typedef struct metric_bins {
    int count[METRIC_BINS];
    double accuracy[METRIC_BINS], confidence[METRIC_BINS];
} metric_bins;

/* Counts per class, allocated once for many calls. */
typedef struct metric_work {
    int classes;
    int *hit, *predicted, *actual;
} metric_work;

metric_work metric_work_new(arena *a, int classes);

/* bins may be NULL. classes is the work's. */
metrics metric_compute(metric_bins *bins, const real *probs, const int *y, int rows, metric_work *work);

/* The same of any labels. Multi-label: a class is predicted where its probability is above 1/2; micro-F1 over all
 * classes and rows, and acc is it as well (of one label a node they are the same); nll, ece and the bins are those of
 * the yes-or-no decisions on every class; a NaN predicts nothing. */
metrics metric_labels(metric_bins *bins, const real *probs, const node_labels *y, int rows, metric_work *work);

/* Calibration error over METRIC_BINS bins of equal mass: rows sorted by confidence (of equals the wrong ones first, so
 * that the order of the rows does not matter), bin b holds those from floor(b N / 10) to floor((b + 1) N / 10) - 1. */
double metric_ece_mass(const real *probs, const int *y, int rows, int classes);

/* Temperature scaling (Guo et al. 2017): out_ij ~ p_ij^(1/T), each row summing to 1, which is softmax(logits / T) for p
 * = softmax(logits). In place allowed. Probabilities below FLT_MIN are taken as that. The largest entry of a row stays
 * the largest. Of joint probabilities (classes = c c), with T = tau and summed to marginals afterwards, it is what JC
 * predicts at its training temperature. */
void metric_temper(real *out, const real *probs, int rows, int classes, double temperature);

/* The temperature in METRIC_COLD .. METRIC_HOT that minimises the nll of the rows (validation nodes), which is convex
 * in 1/T; an end of the range when the nll falls up to there. NaN without labelled rows or with a row of NaN. */
#define METRIC_COLD 0.01
#define METRIC_HOT 100.0
double metric_temperature(const real *probs, const int *y, int rows, int classes);

typedef struct metric_scores {
    double nll, brier, ece, ece_mass;
} metric_scores;

metric_scores metric_score(const real *probs, const int *y, int rows, metric_work *work);

/* Calibration of test rows as predicted, and after the one temperature that is fitted on validation rows: what makes
 * losses comparable that train at different temperatures. */
typedef struct metric_calibration {
    double temperature;
    metric_scores plain, scaled;
} metric_calibration;

metric_calibration metric_calibrate(const real *test, const int *y_test, int rows_test, const real *val,
                                    const int *y_val, int rows_val, metric_work *work);

double metric_accuracy(const real *probs, const int *y, int rows, int classes); /* the acc of metric_compute, faster */

#endif
