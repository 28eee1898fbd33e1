/* stats: with n values of mean m and sample standard deviation s,
 *
 *   s^2 = sum (x_i - m)^2 / (n - 1),   interval m -+ t_{n-1} s / sqrt(n),   t = m / (s / sqrt(n))
 *   Welch: se^2 = v1 + v2, v = s^2 / n,   df = se^4 / (v1^2 / (n1 - 1) + v2^2 / (n2 - 1))
 *   Wilcoxon: W = sum of the ranks of |d_i| with d_i > 0; under the null each sign is a fair coin, so the distribution
 *     of W is the product over i of (1 + z^rank_i) / 2, expanded here for doubled ranks, which are integers under ties
 *   BCa: quantiles of the resampled means at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z = Phi^-1((1 -+ level) / 2),
 *     z0 = Phi^-1(share of resampled means below m), a = sum (x_i - m)^3 / (6 (sum (x_i - m)^2)^1.5)
 *   skewness: (1/n) sum ((x_i - m) / s)^3, so that a = n skewness / (6 (n - 1)^1.5)
 *   Holm: adjusted_(i) = max over j <= i of min(1, (m - j) p_(j)), j = 0 .. m - 1 in ascending order of p
 *
 * Means, deviations, quantiles, sorting and distributions are GSL's. */
#include "stats.h"
#include "../base/arena.h"
#include "../base/rng.h"
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>

#define EXACT_MAX 200
#define WILCOXON_MAX 40000 /* doubled rank sums are ints */
#define ROUNDING 1e-12     /* |d_i| that differ by less, relative to the values subtracted, are equal */

static void gsl_off(void) { gsl_set_error_handler_off(); }

static void gsl_quiet(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, gsl_off);
}

static int all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

static double largest(const double *x, int n)
{
    double smallest, largest;
    gsl_stats_minmax(&smallest, &largest, x, 1, (size_t)n);
    return fmax(fabs(smallest), fabs(largest));
}

double stats_mean(const double *x, int n) { return n < 1 || !all_finite(x, n) ? NAN : gsl_stats_mean(x, 1, (size_t)n); }

double stats_sd(const double *x, int n) { return n < 2 || !all_finite(x, n) ? NAN : gsl_stats_sd(x, 1, (size_t)n); }

double stats_skew(const double *x, int n)
{
    if (n < 3 || !all_finite(x, n))
        return NAN;
    double mean = stats_mean(x, n), sd = stats_sd(x, n);
    return sd <= 10 * DBL_EPSILON * largest(x, n) ? NAN : gsl_stats_skew_m_sd(x, 1, (size_t)n, mean, sd);
}

/* The test of a difference with standard error se, from values of size `scale`. */
static stats_test t_test(double diff, double se, double df, double level, double scale)
{
    gsl_quiet();
    if (!(level > 0 && level < 1) || !isfinite(diff) || !isfinite(se))
        return (stats_test){diff, NAN, NAN, NAN, NAN, NAN};
    if (se <= 10 * DBL_EPSILON * scale) { /* rounding, not variation */
        int zero = fabs(diff) <= 10 * DBL_EPSILON * scale;
        return (stats_test){diff, diff, diff, zero ? 0 : copysign(INFINITY, diff), df, zero ? 1 : NAN};
    }
    double half = gsl_cdf_tdist_Pinv((1 + level) / 2, df) * se, t = diff / se;
    return (stats_test){diff, diff - half, diff + half, t, df, 2 * gsl_cdf_tdist_Q(fabs(t), df)};
}

stats_interval stats_mean_interval(const double *x, int n, double level)
{
    double sd = stats_sd(x, n);
    if (!isfinite(sd))
        return (stats_interval){NAN, NAN};
    stats_test test = t_test(stats_mean(x, n), sd / sqrt(n), n - 1, level, largest(x, n));
    return (stats_interval){test.lo, test.hi};
}

/* x - y, or x if y is NULL, in the arena. *scale: the largest |x| or |y|. NULL if there is no value or one is not
 * finite. */
static double *differences(arena *a, double *scale, const double *x, const double *y, int n)
{
    if (n < 1 || !all_finite(x, n) || (y && !all_finite(y, n)))
        return NULL;
    double *d = NEW(a, double, (size_t)n);
    for (int i = 0; i < n; i++)
        d[i] = y ? x[i] - y[i] : x[i];
    *scale = fmax(largest(x, n), y ? largest(y, n) : 0);
    return d;
}

stats_test stats_paired(const double *x, const double *y, int n, double level)
{
    arena tmp = {0};
    double scale, *d = differences(&tmp, &scale, x, y, n);
    stats_test out = {NAN, NAN, NAN, NAN, NAN, NAN};
    if (d)
        out = t_test(stats_mean(d, n), stats_sd(d, n) / sqrt(n), n - 1, level, scale);
    arena_free(&tmp);
    return out;
}

stats_test stats_welch(double mean1, double sd1, int n1, double mean2, double sd2, int n2, double level)
{
    double diff = mean1 - mean2, v1 = sd1 * sd1 / n1, v2 = sd2 * sd2 / n2;
    if (n1 < 2 || n2 < 2 || !(sd1 >= 0) || !(sd2 >= 0))
        return (stats_test){isfinite(diff) ? diff : NAN, NAN, NAN, NAN, NAN, NAN};
    double df = (v1 + v2) * (v1 + v2) / (v1 * v1 / (n1 - 1) + v2 * v2 / (n2 - 1));
    return t_test(diff, sqrt(v1 + v2), df, level, fmax(fabs(mean1), fabs(mean2)));
}

/* Two-sided p value of the doubled rank sum w2 under n fair signs with doubled ranks r2. */
static double exact_p(arena *a, const int *r2, int n, int w2)
{
    int top = 0;
    for (int i = 0; i < n; i++)
        top += r2[i];
    double *prob = NEW(a, double, (size_t)top + 1), below = 0, above = 0;
    prob[0] = 1;
    for (int i = 0; i < n; i++)
        for (int s = top; s >= 0; s--)
            prob[s] = 0.5 * prob[s] + (s >= r2[i] ? 0.5 * prob[s - r2[i]] : 0);
    for (int s = 0; s <= top; s++) {
        below += s <= w2 ? prob[s] : 0;
        above += s >= w2 ? prob[s] : 0;
    }
    return fmin(1, 2 * fmin(below, above));
}

static double normal_p(const int *r2, int n, int w2)
{
    double mean = 0, var = 0; /* of a sum of r2 / 2 with fair signs */
    for (int i = 0; i < n; i++) {
        mean += 0.25 * r2[i];
        var += 0.0625 * r2[i] * r2[i];
    }
    return 2 * gsl_cdf_ugaussian_Q(fabs(0.5 * w2 - mean) / sqrt(var));
}

stats_ranks stats_wilcoxon(const double *x, const double *y, int n)
{
    gsl_quiet();
    arena tmp = {0};
    double scale, *d = differences(&tmp, &scale, x, y, n);
    if (!d || n > WILCOXON_MAX) {
        arena_free(&tmp);
        return (stats_ranks){0, NAN, NAN};
    }
    int *r2 = NEW(&tmp, int, (size_t)n), used = 0, w2 = 0;
    double *size = NEW(&tmp, double, (size_t)n), *sign = NEW(&tmp, double, (size_t)n);
    for (int i = 0; i < n; i++)
        if (fabs(d[i]) > ROUNDING * scale) {
            size[used] = fabs(d[i]);
            sign[used++] = d[i];
        }
    gsl_sort2(size, 1, sign, 1, (size_t)used);
    for (int i = 0, end; i < used; i = end) {
        for (end = i + 1; end < used && size[end] - size[end - 1] <= ROUNDING * scale; end++)
            ;
        for (int k = i; k < end; k++) {
            r2[k] = i + 1 + end; /* twice the mean of the ranks i + 1 .. end */
            w2 += sign[k] > 0 ? r2[k] : 0;
        }
    }
    double p = used == 0 ? 1 : used <= EXACT_MAX ? exact_p(&tmp, r2, used, w2) : normal_p(r2, used, w2);
    arena_free(&tmp);
    return (stats_ranks){used, 0.5 * w2, p};
}

static stats_interval bca(const double *d, int n, double level, double *draw, int draws, double scale, uint64_t seed)
{
    double mean = stats_mean(d, n), less = 0;
    rng r = rng_make(seed, 0, RNG_STATS);
    for (int b = 0; b < draws; b++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += d[rng_below(r, (uint64_t)b, (uint64_t)i, (uint64_t)n)];
        draw[b] = sum / n;
        double off = draw[b] - mean;
        less += fabs(off) <= ROUNDING * scale ? 0.5 : off < 0;
    }
    gsl_sort(draw, 1, (size_t)draws);
    double a = n * gsl_stats_skew(d, 1, (size_t)n) / (6 * pow(n - 1, 1.5)), end[2];
    double z0 = gsl_cdf_ugaussian_Pinv(fmin(fmax(less / draws, 1.0 / draws), 1 - 1.0 / draws));
    for (int side = 0; side < 2; side++) {
        double z = z0 + gsl_cdf_ugaussian_Pinv(side ? (1 + level) / 2 : (1 - level) / 2);
        double bend = 1 - a * z; /* <= 0, under extreme skew: the end is the last draw */
        end[side] = gsl_stats_quantile_from_sorted_data(draw, 1, (size_t)draws,
                                                        bend > 0 ? gsl_cdf_ugaussian_P(z0 + z / bend) : side);
    }
    return (stats_interval){end[0], end[1]};
}

stats_interval stats_bootstrap(const double *x, const double *y, int n, double level, int draws, uint64_t seed)
{
    gsl_quiet();
    arena tmp = {0};
    double scale, *d = differences(&tmp, &scale, x, y, n);
    stats_interval out = {NAN, NAN};
    if (d && n >= 2 && draws >= 100 && level > 0 && level < 1) {
        if (stats_sd(d, n) <= ROUNDING * scale)
            out.lo = out.hi = stats_mean(d, n);
        else
            out = bca(d, n, level, NEW(&tmp, double, (size_t)draws), draws, scale, seed);
    }
    arena_free(&tmp);
    return out;
}

void stats_holm(double *adjusted, const double *p, int m)
{
    if (m < 1)
        return;
    arena tmp = {0};
    double *value = NEW(&tmp, double, (size_t)m), largest = 0;
    size_t *at = NEW(&tmp, size_t, (size_t)m), *order = NEW(&tmp, size_t, (size_t)m), tests = 0;
    for (int i = 0; i < m; i++)
        if (!isnan(adjusted[i] = p[i])) {
            value[tests] = p[i];
            at[tests++] = (size_t)i;
        }
    gsl_sort_index(order, value, 1, tests);
    for (size_t j = 0; j < tests; j++) {
        largest = fmax(largest, fmin(1, (double)(tests - j) * value[order[j]]));
        adjusted[at[order[j]]] = largest;
    }
    arena_free(&tmp);
}
