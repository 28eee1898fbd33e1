/* anytime: tests and intervals that stay valid under repeated looks and optional stopping.
 *
 * x[0], x[1], ... are the paired differences of run 0, 1, ... in that order, none left out. An e-process is a
 * non-negative E_n with E[E_n] <= 1 at every stopping time under its null hypothesis, so P(E_n >= 1/alpha for some n)
 * <= alpha: the null may be rejected as soon as E_n >= 1/alpha. (A fixed-n test guarantees alpha for one look at one n:
 * if repeated after every run, the t test at 5 % rejects a true null in 36 % of all cases by n = 100.)
 *
 * The functions have no state and keep no memory. An infinite or NaN input makes every result NaN. */
#ifndef JCB_ANYTIME_H
#define JCB_ANYTIME_H

#include "stats.h"

#define ANYTIME_ALPHA 0.05
#define ANYTIME_G 0.5 /* g: variance of the prior on gain / sd, fixed before any run */

/* Paired t e-process: log_e[k - 1] = log E_k for k = 1 .. n.
 *
 *   S = sum x, V = sum x^2 of the first k:   log E_k = -1/2 log(1 + k g) - k/2 log(1 - g S^2 / ((1 + k g) V))
 *
 * E_1 = 1, and E_k = 1 while V = 0. The likelihood ratio of N(0, g) on gain / sd against gain 0, with the right-Haar
 * prior on sd: a martingale under "normal differences of mean 0, any sd". Two-sided: the gain has the sign of S. */
void anytime_t(double *log_e, const double *x, int n);

/* Symmetry e-process, which does not assume normality: log_e[k - 1] = log E_k for k = 1 .. n.
 *
 *   E_k = sum_j w_j prod_{i <= k} (1 + tanh(d_j |x_i| / s_{i-1}) sign x_i),   s_{i-1}^2 = mean of x_1^2 .. x_{i-1}^2
 *   d_j = -1.6, -1.2, ..., 1.6,   w_j ~ exp(-d_j^2 / (2 g)),   s = |x_i| as long as no earlier difference is non-zero
 *
 * A martingale under every law that is symmetric about 0, given the sizes |x_i|. */
void anytime_symmetry(double *log_e, const double *x, int n);

/* The p value that belongs to an e-process: min(1, min over k <= n of 1 / E_k). 1 for n < 1. */
double anytime_p(const double *log_e, int n);

/* Confidence sequence for the mean, valid for all n at once: the gains that the t e-process of x - gain does not
 * reject.
 *
 *   mean -+ sd / sqrt(n) * sqrt((n - 1)(r - 1) / (1 - r / (1 + n g))),   r = ((1 + n g) / alpha^2)^(1/n)
 *
 * The whole line (-inf, inf) while r >= 1 + n g: below n = 6 for alpha = 0.05. NaN for n < 1. */
stats_interval anytime_interval(const double *x, int n, double alpha);

/* Whether the interval lies within +-margin: "practically equal". 0 when margin <= 0 or the interval is NaN. */
int anytime_equal(stats_interval i, double margin);

/* e-Holm, for m claims with e-values e >= 0 under any dependence between them, at any time:
 *
 *   adjusted_i = min over k = 0 .. m-1 of (e_i + the k smallest others) / (k + 1)
 *
 * Rejecting where adjusted_i >= 1/alpha makes any false rejection in the family with probability <= alpha. adjusted and
 * e may be the same array. NaN stays NaN and does not count as a claim. */
void anytime_holm(double *adjusted, const double *e, int m);

/* The smallest e_i with adjusted_i >= 1/alpha, the other claims unchanged; between 1/alpha and m/alpha. */
double anytime_holm_goal(const double *e, int m, int i, double alpha);

/* Runs that are still needed, as an estimate from n runs of mean and sd (sample; NaN for n = 1): whole, at least 1, or
 * INFINITY.
 *
 * to_decide: until log E reaches log_goal,
 *   k = (log_goal - log E) / (1/2 log(1 + d^2)),   d = mean / sd * n g / (1 + n g)   (shrunk to the prior's 0)
 * and not fewer than the process needs when all differences are equal, E_n = (1 + n g)^((n - 1) / 2); that alone for n
 * = 1.
 *
 * to_equal: until the confidence sequence lies within +-margin if mean and sd stay; INFINITY for |mean| >= margin, n
 * = 1. */
double anytime_runs_to_decide(double log_e, double log_goal, double mean, double sd, int n);
double anytime_runs_to_equal(double mean, double sd, int n, double margin, double alpha);

#endif
