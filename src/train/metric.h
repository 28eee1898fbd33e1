/* metric: how good a matrix of class probabilities (rows x classes, row-major) is, given the true class of each row.
 *
 * The prediction of a row is its largest probability, the first of equals. Rows whose label is not in 0 .. classes-1 (no
 * label) are left out. A row of NaN predicts nothing: it is wrong, and ece, brier and nll are NaN. Without any row all
 * results are NaN. Sums are doubles in row order. */
#ifndef JCB_METRIC_H
#define JCB_METRIC_H

#include "../base/arena.h"
#include "../graph/real.h"

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

double metric_accuracy(const real *probs, const int *y, int rows, int classes); /* the acc of metric_compute, faster */

#endif
