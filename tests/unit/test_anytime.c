/* The e-processes against known values (numerical integration of the mixture over gain and sd, independent of the
 * closed form), and in simulation: false verdicts under repeated looks, coverage, families of claims, equality, power.
 * A fixed-n test must fail the same simulation. */
#include "../../src/base/rng.h"
#include "../../src/result/anytime.h"
#include "test.h"

enum { LOOKS = 100, SIMS = 4000 };
static const double x8[] = {.5, 1.2, -.3, .8, .9, .1, .7, 1.1};

static void test_vectors(void)
{
    const double t[] = {1, 1.235153, .918493, 1.299038, 2.132353, 2.258587, 3.896450, 7.513867};
    const double symmetry[] = {1, 1.384671, 1.122427, 1.603407, 2.462634, 2.676360, 4.127879, 7.177200};
    double log_e[8];
    anytime_t(log_e, x8, 8);
    for (int i = 0; i < 8; i++)
        CHECK_NEAR(exp(log_e[i]), t[i], 1e-6);
    CHECK_NEAR(anytime_p(log_e, 8), 1 / 7.513867, 1e-8);
    CHECK_NEAR(anytime_p(log_e, 3), 1 / 1.235153, 1e-6); /* the running minimum: E_3 is smaller */
    anytime_symmetry(log_e, x8, 8);
    for (int i = 0; i < 8; i++)
        CHECK_NEAR(exp(log_e[i]), symmetry[i], 1e-6);
    const double y[] = {-2.1, -1.7, -2.6, -1.9, -2.4, -2.2};
    const double e[] = {1, 1.398883334, 2.345701895, 4.707226297, 10.670633527, 27.114627965};
    double scaled[6];
    anytime_t(log_e, y, 6);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(exp(log_e[i]), e[i], 1e-6 * e[i]);
        scaled[i] = -3e-5 * y[i];
    }
    double again[6];
    anytime_t(again, scaled, 6); /* neither unit nor sign matters */
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(again[i], log_e[i], 1e-12);
}

static double e_of_shifted(const double *x, int n, double shift)
{
    double y[LOOKS], log_e[LOOKS];
    for (int i = 0; i < n; i++)
        y[i] = x[i] - shift;
    anytime_t(log_e, y, n);
    return exp(log_e[n - 1]);
}

static void test_interval(void)
{
    stats_interval i = anytime_interval(x8, 8, 0.05);
    CHECK_NEAR(i.lo, -.238300, 1e-6);
    CHECK_NEAR(i.hi, 1.488300, 1e-6);
    CHECK_NEAR(e_of_shifted(x8, 8, i.lo), 20, 1e-9); /* its ends are the gains that E = 1 / alpha just rejects */
    CHECK_NEAR(e_of_shifted(x8, 8, i.hi), 20, 1e-9);
    i = anytime_interval(x8, 8, 0.2);
    CHECK_NEAR(e_of_shifted(x8, 8, i.hi), 5, 1e-9);
    for (int n = 1; n <= 5; n++) {
        i = anytime_interval(x8, n, 0.05);
        CHECK(i.lo == -INFINITY && i.hi == INFINITY, "n = %d: %g %g", n, i.lo, i.hi);
    }
    CHECK(isfinite(anytime_interval(x8, 6, 0.05).lo), "n = 6");
    double unit[LOOKS] = {0}; /* mean 0, sample sd 1: half the width is Student's factor / sqrt(n) */
    const struct {
        int n;
        double factor;
    } want[] = {{10, 4.08}, {30, 3.28}, {100, 3.25}};
    for (int k = 0; k < 3; k++) {
        int n = want[k].n;
        for (int j = 0; j < n; j++)
            unit[j] = (j % 2 ? 1 : -1) * sqrt((n - 1.0) / n);
        CHECK_NEAR(anytime_interval(unit, n, 0.05).hi * sqrt(n), want[k].factor, 0.006);
    }
    CHECK(isnan(anytime_interval(x8, 0, 0.05).lo) && isnan(anytime_interval(x8, 8, 1).lo), "undefined");
}

static void test_awkward(void)
{
    double zero[7] = {0}, same[7] = {.3, .3, .3, .3, .3, .3, .3}, bad[] = {1, NAN, 2}, late[] = {0, 0, 1, -1};
    double huge[] = {1, 1e3, -1e6, 1e9}, log_e[7];
    anytime_t(log_e, zero, 7);
    CHECK(log_e[6] == 0 && anytime_p(log_e, 7) == 1, "nothing differs: %g", log_e[6]);
    anytime_symmetry(log_e, zero, 7);
    CHECK_NEAR(log_e[6], 0, 1e-15);
    anytime_t(log_e, same, 7);
    for (int n = 1; n <= 7; n++) /* equal differences: the largest E that n runs can give */
        CHECK_NEAR(log_e[n - 1], 0.5 * (n - 1) * log(1 + 0.5 * n), 1e-9);
    stats_interval i = anytime_interval(same, 7, 0.05);
    CHECK(fabs(i.lo - 0.3) < 1e-12 && fabs(i.hi - 0.3) < 1e-12, "%g %g", i.lo, i.hi);
    anytime_t(log_e, bad, 3);
    CHECK(isnan(log_e[0]) && isnan(log_e[2]) && isnan(anytime_p(log_e, 3)), "NaN");
    anytime_symmetry(log_e, bad, 3);
    CHECK(isnan(log_e[2]) && isnan(anytime_interval(bad, 3, 0.05).lo), "NaN");
    bad[1] = INFINITY;
    anytime_t(log_e, bad, 3);
    CHECK(isnan(log_e[2]), "infinite");
    anytime_symmetry(log_e, late, 4);
    CHECK(log_e[1] == log_e[0] && isfinite(log_e[3]), "zeros first");
    anytime_symmetry(log_e, huge, 4);
    CHECK(isfinite(log_e[3]), "%g", log_e[3]);
    CHECK(anytime_p(NULL, 0) == 1, "no runs");
    CHECK(anytime_equal((stats_interval){-.5, .5}, .5) && !anytime_equal((stats_interval){-.1, .51}, .5) &&
              !anytime_equal((stats_interval){0, 0}, 0) && !anytime_equal((stats_interval){NAN, NAN}, .5) &&
              !anytime_equal((stats_interval){-INFINITY, INFINITY}, .5),
          "equality");
}

static void test_holm(void)
{
    const double want[] = {87.22, 24.025, 9.025, 2.03333333333, .55, .3};
    double e[] = {400, 90, 30, 5, .8, .3}, mixed[] = {5, NAN, 400, .3, 30, NAN, .8, 90}, adjusted[8];
    anytime_holm(adjusted, e, 6);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(adjusted[i], want[i], 1e-6);
    anytime_holm(mixed, mixed, 8);
    CHECK(isnan(mixed[1]) && isnan(mixed[5]), "NaN is no claim");
    CHECK_NEAR(mixed[2], want[0], 1e-6);
    CHECK_NEAR(mixed[4], want[2], 1e-6);
    double ties[] = {50, 50, 1, INFINITY}, one[] = {3};
    anytime_holm(adjusted, ties, 4);
    CHECK_NEAR(adjusted[0], 25.5, 1e-12);
    CHECK(adjusted[1] == adjusted[0] && adjusted[3] == INFINITY, "%g %g", adjusted[1], adjusted[3]);
    anytime_holm(one, one, 1);
    anytime_holm(NULL, NULL, 0);
    CHECK(one[0] == 3, "one claim is not adjusted");
    for (int i = 0; i < 6; i++) { /* the goal is where the adjusted value crosses 20 */
        double keep = e[i];
        e[i] = anytime_holm_goal(e, 6, i, 0.05);
        anytime_holm(adjusted, e, 6);
        CHECK_NEAR(adjusted[i], 20, 1e-9);
        e[i] = keep;
    }
}

static void test_runs_needed(void)
{
    double d = .7 / 1.1 * 5 / 6; /* ten runs of mean .7, sd 1.1 */
    CHECK(anytime_runs_to_decide(log(3), log(500), .7, 1.1, 10) == ceil(log(500 / 3.) / (.5 * log(1 + d * d))),
          "formula");
    CHECK(anytime_runs_to_decide(0, log(20), 5, NAN, 1) == 5, "one run: six are the fewest that can decide");
    CHECK(anytime_runs_to_decide(log(2.5), log(20), 5, 0, 3) == 3, "equal differences");
    CHECK(anytime_runs_to_decide(0, log(20), 0, 1, 10) == INFINITY, "no gain");
    CHECK(anytime_runs_to_decide(log(19.9), log(20), 1, 1, 10) == 1, "almost there");
    double k = anytime_runs_to_equal(.1, .7, 10, .5, .05), x[LOOKS];
    for (int more = (int)k - 1; more <= k; more++) { /* mean .1, sd .7 at exactly that n */
        int n = 10 + more;
        CHECK(n < LOOKS, "%d", n);
        for (int j = 0; j < n; j++)
            x[j] = .1 + .7 * sqrt((n - 1.) / n) *
                            (n % 2 == 0 ? (j % 2 ? 1 : -1)
                             : j == 0   ? 0
                                        : (j % 2 ? 1 : -1) * sqrt(n / (n - 1.)));
        CHECK(anytime_equal(anytime_interval(x, n, .05), .5) == (more == k), "%d more runs", more);
    }
    CHECK(anytime_runs_to_equal(.5, .1, 10, .5, .05) == INFINITY &&
              anytime_runs_to_equal(0, NAN, 1, .5, .05) == INFINITY,
          "never");
    CHECK(anytime_runs_to_equal(0, 0, 3, .5, .05) == 3, "six equal runs");
}

/* ---- simulation ---- */

enum law { NORMAL, LAPLACE, T3, SHIFTED_EXPONENTIAL };
static const double law_sd[] = {1, M_SQRT2, 1.7320508075688772, 1};

static double draw(enum law law, rng r, uint64_t sim, uint64_t i)
{
    double u = rng_uniform(r, sim, 4 * i + 1) + 0x1p-54;
    if (law == NORMAL)
        return rng_normal(r, sim, 4 * i);
    if (law == LAPLACE)
        return u < .5 ? log(2 * u) : -log(2 - 2 * u);
    if (law == SHIFTED_EXPONENTIAL)
        return -log(u) - 1;
    double a = rng_normal(r, sim, 4 * i + 1), b = rng_normal(r, sim, 4 * i + 2), c = rng_normal(r, sim, 4 * i + 3);
    return rng_normal(r, sim, 4 * i) / sqrt((a * a + b * b + c * c) / 3);
}

typedef struct watched {
    double share, runs; /* of simulations that decided within n looks, and when, on average (n: not at all) */
} watched;

static watched watch(void (*process)(double *, const double *, int), enum law law, double gain, int n, uint64_t seed)
{
    rng r = rng_make(seed, law, RNG_STATS);
    int decided = 0;
    double runs = 0, x[LOOKS], log_e[LOOKS];
    for (uint64_t sim = 0; sim < SIMS; sim++) {
        for (int i = 0; i < n; i++)
            x[i] = draw(law, r, sim, (uint64_t)i) + gain * law_sd[law];
        process(log_e, x, n);
        int when = 0;
        while (when < n && log_e[when] < log(20))
            when++;
        decided += when < n;
        runs += when < n ? when + 1 : n;
    }
    return (watched){(double)decided / SIMS, runs / SIMS};
}

/* The t test at p < 0.05, repeated after every run from the third on. */
static void fixed_n(double *log_e, const double *x, int n)
{
    const double none[LOOKS] = {0};
    for (int i = 0; i < n; i++)
        log_e[i] = i >= 2 && stats_paired(x, none, i + 1, 0.95).p < 0.05 ? log(20) : 0;
}

static void test_false_verdicts(void)
{
    static const char *const name[] = {"normal", "Laplace", "t_3"};
    for (int law = NORMAL; law <= T3; law++) {
        double t = watch(anytime_t, law, 0, LOOKS, 1).share, s = watch(anytime_symmetry, law, 0, LOOKS, 2).share;
        printf("false verdicts by n = %d, %s: t e-process %.2f %%, symmetry %.2f %%\n", LOOKS, name[law], 100 * t,
               100 * s);
        CHECK(t <= 0.05 && t > 0.005 && s <= 0.05 && s > 0.005, "%s: %g %g", name[law], t, s);
    }
    double skewed = watch(anytime_t, SHIFTED_EXPONENTIAL, 0, LOOKS, 3).share;
    double ten = watch(fixed_n, NORMAL, 0, 10, 4).share;
    printf("exponential (skewness 2): %.2f %%; the t test for one look, watched from 3 to 10 runs: %.2f %%\n",
           100 * skewed, 100 * ten);
    CHECK(skewed > 0.06, "%g: why the skewness is printed", skewed);
    CHECK(ten > 0.15 && ten < 0.19, "%g: the simulation must find what watching does to a fixed-n test", ten);
}

static void test_power(void)
{
    watched t = watch(anytime_t, NORMAL, .714, LOOKS, 5), s = watch(anytime_symmetry, NORMAL, .714, LOOKS, 5);
    double ten = watch(anytime_t, NORMAL, .714, 10, 6).share;
    printf("gain of .714 sd: decided after %.1f runs (symmetry %.1f); power at 10 runs %.2f\n", t.runs, s.runs, ten);
    CHECK(t.runs > 20 && t.runs < 24 && t.share > 0.99, "%g runs, %g decided", t.runs, t.share);
    CHECK(s.runs < 30 && s.share > 0.98, "%g runs, %g decided", s.runs, s.share);
    CHECK(ten > 0.08 && ten < 0.17, "%g", ten);
}

static void test_coverage(void)
{
    rng r = rng_make(7, 0, RNG_STATS);
    int missed = 0, narrow = 0;
    for (uint64_t sim = 0; sim < SIMS; sim++) {
        double x[LOOKS];
        int out = 0, out_narrow = 0;
        for (int n = 1; n <= LOOKS; n++) {
            x[n - 1] = 3 + 2 * draw(NORMAL, r, sim, (uint64_t)n);
            stats_interval i = anytime_interval(x, n, 0.05), j = stats_mean_interval(x, n, 0.95);
            out |= i.lo > 3 || i.hi < 3;
            out_narrow |= n >= 3 && (j.lo > 3 || j.hi < 3);
        }
        missed += out;
        narrow += out_narrow;
    }
    printf("confidence sequence: misses the mean at some n <= %d in %.2f %%, Student's interval in %.1f %%\n", LOOKS,
           100. * missed / SIMS, 100. * narrow / SIMS);
    CHECK(missed <= 0.05 * SIMS && missed > 0.005 * SIMS, "%d", missed);
    CHECK(narrow > 0.3 * SIMS, "%d", narrow);
}

/* Ten claims, seven of them without gain, correlated because the runs of one side are common to all; a look after each
 * round. */
static void test_family(void)
{
    enum { CLAIMS = 10, NULLS = 7, FAMILIES = 1500, ROUNDS = 60 };
    rng r = rng_make(8, 0, RNG_STATS);
    int wrong = 0, unadjusted = 0, found = 0;
    for (uint64_t sim = 0; sim < FAMILIES; sim++) {
        static double log_e[CLAIMS][ROUNDS];
        for (int c = 0; c < CLAIMS; c++) {
            double x[ROUNDS];
            for (uint64_t i = 0; i < ROUNDS; i++)
                x[i] = .8 * draw(NORMAL, r, sim, i + (uint64_t)(c + 1) * ROUNDS) + .6 * draw(NORMAL, r, sim, i) +
                       (c < NULLS ? 0 : .9);
            anytime_t(log_e[c], x, ROUNDS);
        }
        int any = 0, any_alone = 0, all = 0;
        for (int k = 0; k < ROUNDS; k++) {
            double e[CLAIMS], adjusted[CLAIMS];
            for (int c = 0; c < CLAIMS; c++)
                e[c] = exp(log_e[c][k]);
            anytime_holm(adjusted, e, CLAIMS);
            all = 0;
            for (int c = 0; c < CLAIMS; c++) {
                any |= c < NULLS && adjusted[c] >= 20;
                any_alone |= c < NULLS && e[c] >= 20;
                all += c >= NULLS && adjusted[c] >= 20;
            }
        }
        wrong += any;
        unadjusted += any_alone;
        found += all;
    }
    printf("families of ten: a false verdict in %.2f %%, without e-Holm in %.1f %%; %.0f %% of the gains found\n",
           100. * wrong / FAMILIES, 100. * unadjusted / FAMILIES, 100. * found / (FAMILIES * (CLAIMS - NULLS)));
    CHECK(wrong <= 0.05 * FAMILIES, "%d", wrong);
    CHECK(unadjusted > 0.08 * FAMILIES, "%d: the family must be able to fail", unadjusted);
    CHECK(found > 0.95 * FAMILIES * (CLAIMS - NULLS), "%d", found);
}

/* With margin .5, a gain of 0 is found equal; a gain of .5, which is not within the margin, in at most 5 %. */
static void test_equality(void)
{
    rng r = rng_make(9, 0, RNG_STATS);
    int right = 0, wrong = 0;
    for (uint64_t sim = 0; sim < SIMS / 2; sim++) {
        double x[LOOKS], y[LOOKS];
        int equal = 0, false_equal = 0;
        for (int n = 1; n <= LOOKS; n++) {
            x[n - 1] = .7 * draw(NORMAL, r, sim, (uint64_t)n);
            y[n - 1] = x[n - 1] + .5;
            equal |= anytime_equal(anytime_interval(x, n, .05), .5);
            false_equal |= anytime_equal(anytime_interval(y, n, .05), .5);
        }
        right += equal;
        wrong += false_equal;
    }
    printf("margin .5, sd .7, watched to n = %d: gain 0 is called equal in %.1f %%, gain .5 in %.2f %%\n", LOOKS,
           200. * right / SIMS, 200. * wrong / SIMS);
    CHECK(right > 0.95 * SIMS / 2, "%d", right);
    CHECK(wrong <= 0.05 * SIMS / 2, "%d", wrong);
}

TEST_MAIN(test_anytime)
{
    test_vectors();
    test_interval();
    test_awkward();
    test_holm();
    test_runs_needed();
    test_false_verdicts();
    test_power();
    test_coverage();
    test_family();
    test_equality();
    return test_end();
}
