/* Reference values: scipy.stats (ttest_rel, ttest_ind_from_stats, t.interval, wilcoxon(method="exact"), bootstrap), and
 * R's p.adjust for Holm. With ties, the exact Wilcoxon is checked by listing all 2^n signs. */
#include "../../src/base/rng.h"
#include "../../src/result/stats.h"
#include "test.h"

static const double x10[] = {81.5, 82.1, 80.9, 83.0, 81.7, 82.4, 81.2, 82.8, 81.9, 82.2};
static const double y10[] = {81.3, 81.4, 81.0, 82.1, 81.9, 81.5, 80.7, 82.3, 81.1, 81.8};

static void test_means(void)
{
    CHECK_NEAR(stats_mean(x10, 10), 81.97, 1e-12);
    CHECK_NEAR(stats_sd(x10, 10), 0.6700746227100366, 1e-12);
    stats_interval i = stats_mean_interval(x10, 10, 0.95), j = stats_mean_interval(x10, 10, 0.99);
    CHECK_NEAR(i.lo, 81.49065749112869, 1e-10);
    CHECK_NEAR(i.hi, 82.44934250887131, 1e-10);
    CHECK_NEAR(j.lo, 81.2813721948483, 1e-10);
    double same[] = {0.1, 0.1, 0.1}, bad[] = {1, NAN, 3}, huge[] = {1, INFINITY};
    i = stats_mean_interval(same, 3, 0.95);
    CHECK(i.lo == i.hi && fabs(i.lo - 0.1) < 1e-15, "%g %g", i.lo, i.hi);
    CHECK(isnan(stats_mean(x10, 0)) && isnan(stats_sd(x10, 1)) && stats_mean(x10, 1) == 81.5, "short");
    CHECK(isnan(stats_mean_interval(x10, 1, 0.95).lo) && isnan(stats_mean_interval(x10, 10, 1).lo), "undefined");
    double skew[] = {1, 1.2, .9, 1.1, 1.05, .95, 1.3, 5., 1.15, 1.0, 7.5, 1.02};
    CHECK_NEAR(stats_skew(x10, 10), -0.015634996975340393, 1e-12);
    CHECK_NEAR(stats_skew(skew, 12), 1.7797331445380042, 1e-12);
    CHECK(isnan(stats_skew(same, 3)) && isnan(stats_skew(x10, 2)) && isnan(stats_skew(bad, 3)), "no skewness");
    CHECK(isnan(stats_mean(bad, 3)) && isnan(stats_sd(bad, 3)) && isnan(stats_sd(huge, 2)), "not finite");
}

static void test_paired(void)
{
    stats_test t = stats_paired(x10, y10, 10, 0.95);
    CHECK_NEAR(t.diff, 0.46, 1e-12);
    CHECK_NEAR(t.t, 3.709462980936254, 1e-9);
    CHECK_NEAR(t.p, 0.004849010001580839, 1e-12);
    CHECK_NEAR(t.lo, 0.17947629610134846, 1e-10);
    CHECK_NEAR(t.hi, 0.7405237038986561, 1e-10);
    CHECK(t.df == 9, "%g", t.df);
    t = stats_paired(x10, x10, 10, 0.95);
    CHECK(t.diff == 0 && t.p == 1 && t.lo == 0 && t.hi == 0, "p %g", t.p);
    /* Differences of 0.01 whose last bits differ: no spread, no verdict. */
    double a[] = {0.823, 0.11, 0.623}, b[] = {0.813, 0.1, 0.613};
    t = stats_paired(a, b, 3, 0.95);
    CHECK_NEAR(t.diff, 0.01, 1e-12);
    CHECK(isnan(t.p) && t.t == INFINITY && t.lo == t.diff, "p %g t %g", t.p, t.t);
    t = stats_paired(x10, y10, 1, 0.95);
    CHECK_NEAR(t.diff, 0.2, 1e-12);
    CHECK(isnan(t.p) && isnan(t.lo), "n = 1: p %g", t.p);
    CHECK(isnan(stats_paired(x10, y10, 0, 0.95).diff), "n = 0");
    double c[] = {1, NAN};
    CHECK(isnan(stats_paired(x10, c, 2, 0.95).diff) && isnan(stats_paired(c, x10, 2, 0.95).p), "NaN");
}

static void test_welch(void)
{
    stats_test t = stats_welch(83.2, 0.45, 7, 83.51, 0.35, 10, 0.95);
    CHECK_NEAR(t.diff, -0.31, 1e-12);
    CHECK_NEAR(t.t, -1.5276577085813645, 1e-9);
    CHECK_NEAR(t.df, 10.859222961719878, 1e-9);
    CHECK_NEAR(t.p, 0.15518562299991487, 1e-10);
    CHECK_NEAR(t.lo, -0.757342443862729, 1e-9);
    CHECK_NEAR(t.hi, 0.13734244386272898, 1e-9);
    CHECK_NEAR(stats_welch(70, 0, 10, 71, 1.5, 10, 0.95).p, 0.06425884909585156, 1e-10);
    t = stats_welch(70, 0, 10, 70, 0, 10, 0.95);
    CHECK(t.p == 1 && t.lo == 0 && t.hi == 0, "p %g", t.p);
    CHECK(isnan(stats_welch(70, 0, 10, 71, 0, 10, 0.95).p), "no spread");
    t = stats_welch(70, NAN, 10, 71, 1, 10, 0.95);
    CHECK(t.diff == -1 && isnan(t.p) && isnan(t.hi), "unknown sd: diff %g", t.diff);
    CHECK(isnan(stats_welch(70, 1, 1, 71, 1, 10, 0.95).p), "n = 1");
    CHECK(isnan(stats_welch(NAN, 1, 10, 71, 1, 10, 0.95).diff), "NaN mean");
}

/* All 2^n signs of the midranks of the non-zero differences, which are whole multiples of `unit`. */
static double wilcoxon_ref(const double *x, const double *y, int n, double unit)
{
    long d[20], r2[20], w = 0, low = 0, high = 0, m = 0;
    for (int i = 0; i < n; i++)
        if (lround((x[i] - y[i]) / unit))
            d[m++] = lround((x[i] - y[i]) / unit);
    for (int i = 0; i < m; i++) {
        r2[i] = 1;
        for (int j = 0; j < m; j++)
            r2[i] += 2 * (labs(d[j]) < labs(d[i])) + (labs(d[j]) == labs(d[i]));
        w += d[i] > 0 ? r2[i] : 0;
    }
    for (long signs = 0; signs < 1L << m; signs++) {
        long sum = 0;
        for (int i = 0; i < m; i++)
            sum += signs >> i & 1 ? r2[i] : 0;
        low += sum <= w;
        high += sum >= w;
    }
    return fmin(1, ldexp((double)(low < high ? low : high), (int)(1 - m)));
}

static void test_wilcoxon(void)
{
    double a[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    double b[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    stats_ranks r = stats_wilcoxon(a, b, 9);
    CHECK(r.n == 9 && r.w == 40 && r.p == 0.0390625, "n %d w %g p %.17g", r.n, r.w, r.p);
    r = stats_wilcoxon(x10, y10, 10);
    CHECK(r.n == 10 && r.w == 51.5 && r.p == 0.01171875, "ties: n %d w %g p %.17g", r.n, r.w, r.p);
    double t1[] = {83.1, 82.5, 82.9, 83.4, 82.2, 82.7, 83.0, 82.6};
    double t2[] = {82.6, 82.5, 82.4, 82.4, 82.7, 82.2, 82.0, 82.6};
    r = stats_wilcoxon(t1, t2, 8);
    CHECK(r.n == 6 && r.w == 18.5 && r.p == 0.15625, "ties, zeros: n %d w %g p %.17g", r.n, r.w, r.p);
    double u[300], v[300] = {0};
    for (int i = 0; i < 50; i++)
        u[i] = (i % 3 ? 1 : -1) * (i + 1) * 0.5;
    r = stats_wilcoxon(u, v, 50);
    CHECK(r.w == 850, "w %g", r.w);
    CHECK_NEAR(r.p, 0.03996834652842374, 1e-13);
    for (int i = 0; i < 300; i++)
        u[i] = (i % 5 < 3 ? 1 : -1) * (i / 2 + 1);
    r = stats_wilcoxon(u, v, 300);
    CHECK(r.w == 26910, "w %g", r.w);
    CHECK_NEAR(r.p, 0.003941501468508543, 1e-12);
    double s1[] = {0.1 + 0.2, 0.9, 0.8}, s2[] = {0.3, 0.5, 0.5};
    CHECK(stats_wilcoxon(s1, s2, 3).n == 2, "0.1 + 0.2 is 0.3");
    r = stats_wilcoxon(v, v, 5);
    CHECK(r.n == 0 && r.p == 1 && r.w == 0, "all equal: p %g", r.p);
    CHECK(stats_wilcoxon(u, v, 1).p == 1 && isnan(stats_wilcoxon(u, v, 0).p), "one, none");
    v[1] = NAN;
    CHECK(isnan(stats_wilcoxon(u, v, 3).p), "NaN");
}

static void test_wilcoxon_brute(void)
{
    rng g = rng_make(7, 0, RNG_STATS);
    for (uint64_t t = 0; t < 60; t++) {
        double x[12], y[12];
        int n = 1 + (int)(t % 12);
        for (int i = 0; i < n; i++) {
            double base = 0.07 * i; /* equal differences of different values have different last bits */
            x[i] = base + 0.001 * (double)rng_below(g, t, (uint64_t)i, 8);
            y[i] = base + 0.001 * (double)rng_below(g, t, (uint64_t)i + 100, 6);
        }
        double p = stats_wilcoxon(x, y, n).p;
        CHECK(p == wilcoxon_ref(x, y, n, 0.001), "case %d: %.17g", (int)t, p);
        CHECK(p == stats_wilcoxon(y, x, n).p, "not symmetric in case %d", (int)t);
    }
}

static void test_bootstrap(void)
{
    double skew[] = {1, 1.2, .9, 1.1, 1.05, .95, 1.3, 5., 1.15, 1.0, 7.5, 1.02};
    stats_interval i = stats_bootstrap(x10, NULL, 10, 0.95, 20000, 1);
    stats_interval j = stats_bootstrap(x10, NULL, 10, 0.95, 20000, 1);
    CHECK_NEAR(i.lo, 81.57, 0.015);
    CHECK_NEAR(i.hi, 82.36, 0.015);
    CHECK(i.lo == j.lo && i.hi == j.hi, "not repeatable");
    i = stats_bootstrap(x10, y10, 10, 0.95, 20000, 2);
    CHECK_NEAR(i.lo, 0.20, 0.015);
    CHECK_NEAR(i.hi, 0.67, 0.015);
    i = stats_bootstrap(skew, NULL, 12, 0.95, 50000, 3);
    CHECK_NEAR(i.lo, 1.0733, 0.004); /* the percentile interval would be 1.04 .. 3.21 */
    CHECK_NEAR(i.hi, 3.6875, 0.04);
    double same[] = {0.3, 0.3, 0.3}, two[] = {1, 2}, extreme[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1e9};
    i = stats_bootstrap(same, NULL, 3, 0.95, 200, 1);
    CHECK(i.lo == i.hi && fabs(i.lo - 0.3) < 1e-15, "%g %g", i.lo, i.hi);
    i = stats_bootstrap(two, NULL, 2, 0.95, 1000, 1);
    CHECK(i.lo == 1 && i.hi == 2, "%g %g", i.lo, i.hi);
    i = stats_bootstrap(extreme, NULL, 10, 0.999999, 1000, 1);
    CHECK(i.lo >= 0 && i.hi > i.lo && i.hi <= 1e9, "%g %g", i.lo, i.hi);
    CHECK(isnan(stats_bootstrap(x10, NULL, 1, 0.95, 1000, 1).lo), "n = 1");
    CHECK(isnan(stats_bootstrap(x10, NULL, 10, 0.95, 99, 1).lo), "draws");
    CHECK(isnan(stats_bootstrap(x10, NULL, 10, 0, 1000, 1).lo), "level");
    same[1] = NAN;
    CHECK(isnan(stats_bootstrap(same, NULL, 3, 0.95, 1000, 1).lo), "NaN");
    CHECK(isnan(stats_bootstrap(x10, same, 3, 0.95, 1000, 1).lo), "NaN");
}

static void test_holm(void)
{
    double p[] = {0.01, 0.04, 0.03, 0.005}, want[] = {0.03, 0.06, 0.06, 0.02};
    stats_holm(p, p, 4);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(p[i], want[i], 1e-15);
    double q[] = {NAN, 0.02, 0.01, NAN, 0.9}, r[] = {0.5, 0.4}, out[5];
    stats_holm(out, q, 5);
    CHECK(isnan(out[0]) && isnan(out[3]), "NaN is kept");
    CHECK_NEAR(out[1], 0.04, 1e-15);
    CHECK_NEAR(out[2], 0.03, 1e-15);
    CHECK_NEAR(out[4], 0.9, 0);
    stats_holm(r, r, 2);
    CHECK_NEAR(r[0], 0.8, 1e-15);
    double one[] = {0.2}, none[] = {NAN};
    stats_holm(one, one, 1);
    stats_holm(none, none, 1);
    stats_holm(NULL, NULL, 0);
    CHECK(one[0] == 0.2 && isnan(none[0]), "%g", one[0]);
}

TEST_MAIN(test_stats)
{
    test_means();
    test_paired();
    test_welch();
    test_wilcoxon();
    test_wilcoxon_brute();
    test_bootstrap();
    test_holm();
    return test_end();
}
