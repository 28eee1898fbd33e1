/* anytime: the equations are in the header. Products of many factors are computed as sums of logarithms.
 * S^2 <= n V (Cauchy-Schwarz), so 1 - g S^2 / ((1 + n g) V) >= 1 / (1 + n g) > 0. */
#include "anytime.h"
#include "../base/arena.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { TILTS = 9, RUNS_MAX = 1 << 20 };

static int fill_nan_unless_finite(double *out, const double *x, int n)
{
    int finite = 1;
    for (int i = 0; i < n; i++)
        finite &= isfinite(x[i]) != 0;
    for (int i = 0; i < n && !finite; i++)
        out[i] = NAN;
    return finite;
}

void anytime_t(double *log_e, const double *x, int n)
{
    const double g = ANYTIME_G;
    double sum = 0, squares = 0;
    if (!fill_nan_unless_finite(log_e, x, n))
        return;
    for (int i = 0; i < n; i++) {
        double k = i + 1, grown = 1 + k * g;
        sum += x[i];
        squares += x[i] * x[i];
        log_e[i] = squares > 0 ? -0.5 * log(grown) - 0.5 * k * log1p(-g * sum * sum / (grown * squares)) : 0;
    }
}

/* log of sum_j w_j exp(l_j) for weights that sum to 1. */
static double log_mixture(const double *l, const double *w, int n)
{
    double largest = gsl_stats_max(l, 1, (size_t)n), sum = 0;
    for (int j = 0; j < n; j++)
        sum += w[j] * exp(l[j] - largest);
    return largest + log(sum);
}

void anytime_symmetry(double *log_e, const double *x, int n)
{
    double tilt[TILTS], weight[TILTS], log_product[TILTS] = {0}, squares = 0, all = 0;
    if (!fill_nan_unless_finite(log_e, x, n))
        return;
    for (int j = 0; j < TILTS; j++) {
        tilt[j] = 0.4 * (j - TILTS / 2);
        all += weight[j] = exp(-tilt[j] * tilt[j] / (2 * ANYTIME_G));
    }
    for (int j = 0; j < TILTS; j++)
        weight[j] /= all;
    for (int i = 0; i < n; i++) {
        double size = fabs(x[i]), scale = squares > 0 ? sqrt(squares / i) : size;
        for (int j = 0; j < TILTS && size > 0; j++)
            log_product[j] += log1p(copysign(tanh(tilt[j] * size / scale), x[i] * tilt[j]));
        squares += size * size;
        log_e[i] = log_mixture(log_product, weight, TILTS);
    }
}

double anytime_p(const double *log_e, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(log_e[i]))
            return NAN;
        largest = fmax(largest, log_e[i]);
    }
    return exp(-largest);
}

/* Half the width of the confidence sequence at n, in units of the sample standard deviation. */
static double half_width(double n, double alpha)
{
    double grown = 1 + n * ANYTIME_G, r = pow(grown / (alpha * alpha), 1 / n);
    return r < grown ? sqrt((n - 1) * (r - 1) / (1 - r / grown) / n) : INFINITY;
}

stats_interval anytime_interval(const double *x, int n, double alpha)
{
    double mean = stats_mean(x, n), sd = n > 1 ? stats_sd(x, n) : 0, half = half_width(n, alpha);
    if (isnan(mean) || !(alpha > 0 && alpha < 1))
        return (stats_interval){NAN, NAN};
    half = isinf(half) ? half : half * sd;
    return (stats_interval){mean - half, mean + half};
}

int anytime_equal(stats_interval i, double margin) { return margin > 0 && i.lo >= -margin && i.hi <= margin; }

/* Stores the e-values that are not NaN in ascending order; returns their number. */
static int ascending(double *sorted, const double *e, int m)
{
    int n = 0;
    for (int i = 0; i < m; i++)
        if (!isnan(e[i]))
            sorted[n++] = e[i];
    gsl_sort(sorted, 1, (size_t)n);
    return n;
}

void anytime_holm(double *adjusted, const double *e, int m)
{
    if (m < 1)
        return;
    arena tmp = {0};
    double *sorted = NEW(&tmp, double, (size_t)m);
    int n = ascending(sorted, e, m);
    for (int i = 0; i < m; i++) {
        double mine = e[i], least = mine, sum = mine;
        int self = 0; /* one of the sorted values is the claim itself */
        for (int k = 0; k < n; k++) {
            if (!self && sorted[k] == mine) {
                self = 1;
                continue;
            }
            sum += sorted[k];
            least = fmin(least, sum / (k + 2 - self));
        }
        adjusted[i] = isnan(mine) ? NAN : least;
    }
    arena_free(&tmp);
}

double anytime_holm_goal(const double *e, int m, int i, double alpha)
{
    arena tmp = {0};
    double *sorted = NEW(&tmp, double, (size_t)m), others = 0, goal = 1 / alpha;
    int n = ascending(sorted, e, m), self = 0, used = 0;
    for (int k = 0; k < n; k++) { /* (e_i + others) / (used + 1) >= 1 / alpha for each number of others */
        if (!self && sorted[k] == e[i]) {
            self = 1;
            continue;
        }
        others += sorted[k];
        goal = fmax(goal, (++used + 1) / alpha - others);
    }
    arena_free(&tmp);
    return goal;
}

/* The number of equal differences at which log E reaches log_goal. */
static double fewest(double log_goal)
{
    double n = 1;
    while (n < RUNS_MAX && 0.5 * (n - 1) * log1p(n * ANYTIME_G) < log_goal)
        n++;
    return n;
}

double anytime_runs_to_decide(double log_e, double log_goal, double mean, double sd, int n)
{
    double least = fmax(1, fewest(log_goal) - n);
    if (n < 2 || (sd == 0 && mean != 0))
        return least;
    double d = mean == 0 ? 0 : mean / sd * n * ANYTIME_G / (1 + n * ANYTIME_G);
    double k = ceil((log_goal - log_e) / (0.5 * log1p(d * d)));
    return k <= RUNS_MAX ? fmax(least, k) : INFINITY;
}

double anytime_runs_to_equal(double mean, double sd, int n, double margin, double alpha)
{
    double slack = margin - fabs(mean);
    if (n < 2 || !(slack > 0))
        return INFINITY;
    int few = n, enough = n + 1; /* the width decreases with n: doubling, then bisection */
    while (enough < RUNS_MAX && !(half_width(enough, alpha) < INFINITY && half_width(enough, alpha) * sd <= slack)) {
        few = enough;
        enough *= 2;
    }
    if (enough >= RUNS_MAX)
        return INFINITY;
    while (enough - few > 1) {
        int mid = few + (enough - few) / 2;
        if (half_width(mid, alpha) < INFINITY && half_width(mid, alpha) * sd <= slack)
            enough = mid;
        else
            few = mid;
    }
    return enough - n;
}
