/* ranks: Friedman's test over data sets and Nemenyi's critical difference (Demsar 2006), what other benches print. For
 * a single look; they decide nothing here. */
#ifndef JCB_RANKS_H
#define JCB_RANKS_H

#include "table_parts.h"

/* Mean ranks of k ways over n data sets, 1 the best; equal values share their mean rank.
 *
 *   chi2 = 12 n / (k (k + 1)) (sum of mean^2 - k (k + 1)^2 / 4),   F = (n - 1) chi2 / (n (k - 1) - chi2)
 *
 * p: of F with k - 1 and (k - 1)(n - 1) degrees of freedom (Iman and Davenport); 0 if all data sets agree.
 * cd: two ways whose mean ranks differ by less are not told apart at 5 %, q sqrt(k (k + 1) / (6 n)), q the quantile of
 * the range of k standard normal variables, divided by sqrt 2. */
typedef struct ranks {
    int k, n;
    double *mean; /* k */
    double p, cd;
} ranks;

ranks ranks_compute(arena *a, const double *value, int n, int k); /* value: n x k, n >= 2, k >= 2; larger is better */

/* The ways and data sets of a table whose columns are data sets: those data sets where every way has two runs or more
 * on comparable data. */
typedef struct table_ranks {
    ranks r;           /* r.n = 0: fewer than OVERALL_DATASETS such data sets */
    const char **name; /* r.k, "GCN, JC" */
    const char **loss; /* r.k */
} table_ranks;

table_ranks ranks_of_table(arena *a, const table *t);

#endif
