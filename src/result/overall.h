/* overall: the paired differences of many cells together, over all data sets.
 *
 * A cell is a data set, model and setting with the differences of its runs. Every cell weighs the same, whatever its
 * number of runs. Intervals are 95 % percentile intervals of a bootstrap at three levels: data sets are resampled,
 * within each the cells, within each cell the runs; so they show the variation between data sets, between cells and
 * between runs. A cell with one run says nothing about the last: leave it out. All of it is valid for a single look at
 * a fixed n and decides nothing. Random numbers are counter-based: the same arguments give the same bits. */
#ifndef JCB_OVERALL_H
#define JCB_OVERALL_H

#include "../base/arena.h"
#include <stdint.h>

typedef struct overall_cell {
    const double *x; /* n >= 1 finite differences */
    int n;
    int group; /* the data set, 0 .. cells - 1 */
} overall_cell;

typedef struct overall_value {
    double value, lo, hi;
} overall_value;

/* win: P(x > 0), the mean over cells of the share of runs with x > 0, x = 0 counting half (Bouthillier et al. 2021).
 * iqm: interquartile mean of all runs, the middle half of their weight, a run weighing 1 / (n cells).
 * profile: for each of the points the share of cells whose mean is > at[i]. */
typedef struct overall_statistics {
    overall_value win, iqm, *profile;
} overall_statistics;

/* cells >= 1, draws >= 1. */
overall_statistics overall_compute(arena *a, const overall_cell *c, int cells, const double *at, int points, int draws,
                                   uint64_t seed);

/* Bayesian signed-rank test (Benavoli et al. 2014, 2017) of n values z, one for each data set, with the region of
 * practical equivalence +-rope:
 *
 *   w ~ Dirichlet(s, 1, ..., 1) over z_0 = 0 (the prior, s = 1/2) and z_1 .. z_n
 *   above = sum_ij w_i w_j [z_i + z_j > 2 rope],   below = the same [< -2 rope],   within = the rest
 *
 * where an equal sum counts half. The results are the shares of draws in which each of them is the largest. n >= 1;
 * without values all are NaN. */
typedef struct overall_posterior {
    double below, within, above;
} overall_posterior;

overall_posterior overall_signed_rank(const double *z, int n, double rope, int draws, uint64_t seed);

#endif
