/* stats: with n values of mean m and sample standard deviation s,
 *
 *   s^2 = sum (x_i - m)^2 / (n - 1),   interval m -+ t_{n-1} s / sqrt(n),   t = m / (s / sqrt(n))
 *   Welch: se^2 = v1 + v2, v = s^2 / n,   df = se^4 / (v1^2 / (n1 - 1) + v2^2 / (n2 - 1))
 *   Wilcoxon: W = sum of the ranks of |d_i| with d_i > 0; under the null each sign is a fair coin, so the distribution
 *     of W is the product over i of (1 + z^rank_i) / 2, expanded here for doubled ranks, which are whole under ties
 *   BCa: quantiles of the resampled means at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z = Phi^-1((1 -+ level) / 2),
 *     z0 = Phi^-1(share of resampled means below m), a = sum (x_i - m)^3 / (6 (sum (x_i - m)^2)^1.5)
 *   Holm: adjusted_(i) = max over j <= i of min(1, (m - j) p_(j)), j = 0 .. m - 1 in ascending order of p */
#include "stats.h"
#include "../base/arena.h"
#include "../base/rng.h"
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define EXACT_MAX 200
#define WILCOXON_MAX 40000 /* doubled rank sums are ints */
#define ROUNDING 1e-12 /* sizes this close, relative to the values they came from, are equal */

static void gsl_off(void)
{
    gsl_set_error_handler_off();
}

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
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

double stats_mean(const double *x, int n)
{
    if (n < 1 || !all_finite(x, n))
        return NAN;
    double sum = 0, rest = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    for (int i = 0; i < n; i++)
        rest += x[i] - sum / n; /* what the first pass rounded away */
    return sum / n + rest / n;
}

double stats_sd(const double *x, int n)
{
    if (n < 2)
        return NAN;
    double mean = stats_mean(x, n), sum = 0;
    for (int i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (n - 1));
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

/* x - y, or x itself when y is NULL, from the arena. *scale: the largest size among x and y. NULL when there is no
 * value or one is not finite. */
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

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* P of a rank sum at most as near its end as w2, both ends, n fair signs with doubled ranks r2. */
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
    for (int i = 0; i < n; i++)
        if (fabs(d[i]) > ROUNDING * scale)
            d[used++] = d[i];
    qsort(d, (size_t)used, sizeof *d, by_size);
    for (int i = 0, end; i < used; i = end) {
        for (end = i + 1; end < used && fabs(d[end]) - fabs(d[end - 1]) <= ROUNDING * scale; end++)
            ;
        for (int k = i; k < end; k++) {
            r2[k] = i + 1 + end; /* twice the mean of the ranks i + 1 .. end */
            w2 += d[k] > 0 ? r2[k] : 0;
        }
    }
    double p = used == 0 ? 1 : used <= EXACT_MAX ? exact_p(&tmp, r2, used, w2) : normal_p(r2, used, w2);
    arena_free(&tmp);
    return (stats_ranks){used, 0.5 * w2, p};
}

/* Linear interpolation between order statistics. */
static double quantile(const double *sorted, int n, double q)
{
    double at = q * (n - 1), low = floor(at);
    int i = (int)low;
    return i + 1 < n ? sorted[i] + (at - low) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static stats_interval bca(const double *d, int n, double level, double *draw, int draws, double scale, uint64_t seed)
{
    double mean = stats_mean(d, n), second = 0, third = 0, less = 0;
    rng r = rng_make(seed, 0, RNG_STATS);
    for (int b = 0; b < draws; b++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += d[rng_below(r, (uint64_t)b, (uint64_t)i, (uint64_t)n)];
        draw[b] = sum / n;
        double off = draw[b] - mean;
        less += fabs(off) <= ROUNDING * scale ? 0.5 : off < 0;
    }
    qsort(draw, (size_t)draws, sizeof *draw, by_value);
    for (int i = 0; i < n; i++) {
        double e = d[i] - mean;
        second += e * e;
        third += e * e * e;
    }
    double a = third / (6 * pow(second, 1.5)), end[2];
    double z0 = gsl_cdf_ugaussian_Pinv(fmin(fmax(less / draws, 1.0 / draws), 1 - 1.0 / draws));
    for (int side = 0; side < 2; side++) {
        double z = z0 + gsl_cdf_ugaussian_Pinv(side ? (1 + level) / 2 : (1 - level) / 2);
        double bend = 1 - a * z; /* beyond the pole, where extreme skews lead, the end is the last draw */
        end[side] = quantile(draw, draws, bend > 0 ? gsl_cdf_ugaussian_P(z0 + z / bend) : side);
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

typedef struct ordered {
    double p;
    int i;
} ordered;

static int by_p(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->i > y->i) - (x->i < y->i);
}

void stats_holm(double *adjusted, const double *p, int m)
{
    if (m < 1)
        return;
    arena tmp = {0};
    ordered *o = NEW(&tmp, ordered, (size_t)m);
    int tests = 0;
    for (int i = 0; i < m; i++) {
        if (!isnan(p[i]))
            o[tests++] = (ordered){p[i], i};
        adjusted[i] = p[i];
    }
    qsort(o, (size_t)tests, sizeof *o, by_p);
    double most = 0;
    for (int j = 0; j < tests; j++) {
        most = fmax(most, fmin(1, (tests - j) * o[j].p));
        adjusted[o[j].i] = most;
    }
    arena_free(&tmp);
}
