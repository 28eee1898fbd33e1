/* stats: means of a few runs and their differences: intervals and tests for a fixed n.
 *
 * In all functions an infinite or NaN input makes every result NaN, and so do too few values (each states its minimum).
 * `level` is the coverage of an interval, such as 0.95, and p is two-sided. No state. */
#ifndef JCB_STATS_H
#define JCB_STATS_H

#include <stdint.h>

typedef struct stats_interval {
    double lo, hi;
} stats_interval;

/* A difference with its interval and test. If all differences are equal, the interval is the point diff, and p is 1 if
 * diff = 0, else NaN: without a spread there is no test. */
typedef struct stats_test {
    double diff, lo, hi;
    double t, df, p;
} stats_test;

typedef struct stats_ranks {
    int n;    /* pairs that differ */
    double w; /* the rank sum of those where x > y */
    double p;
} stats_ranks;

double stats_mean(const double *x, int n);                                /* n >= 1 */
double stats_sd(const double *x, int n);                                  /* sample, divides by n - 1; n >= 2 */
double stats_skew(const double *x, int n);                                /* n >= 3; NaN when nothing varies */
stats_interval stats_mean_interval(const double *x, int n, double level); /* Student; n >= 2 */

/* t test of x - y; n >= 2, and diff alone from n >= 1. */
stats_test stats_paired(const double *x, const double *y, int n, double level);

/* Student's t with Welch's degrees of freedom for mean1 - mean2, from summary statistics: mean, sample sd, number of
 * runs. Both n >= 2; else, or when a sd is negative or unknown (NaN), all but diff is NaN. */
stats_test stats_welch(double mean1, double sd1, int n1, double mean2, double sd2, int n2, double level);

/* Wilcoxon's signed-rank test of x - y; n = 1 .. 40000. Equal pairs are left out (all equal: p = 1), equal sizes share
 * their mean rank, and sizes that differ only by the rounding of the subtraction are equal. Exact, ties or not, up to
 * 200 pairs that differ; normal beyond. */
stats_ranks stats_wilcoxon(const double *x, const double *y, int n);

/* Bootstrap interval (bias-corrected and accelerated) of the mean of x, or of x - y when y is not NULL. draws >= 100
 * resamples from the counter-based generator: the same arguments give the same interval. n >= 2; a point when all
 * values are equal. */
stats_interval stats_bootstrap(const double *x, const double *y, int n, double level, int draws, uint64_t seed);

/* Holm's step-down adjustment of m p values; adjusted and p may be the same array. NaN stays NaN and does not count as
 * a test. */
void stats_holm(double *adjusted, const double *p, int m);

#endif
