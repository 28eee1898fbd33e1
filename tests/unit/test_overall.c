/* References: scipy (trim_mean), a bootstrap in Python (200,000 draws), baycomp (SignedRankTest, 100,000 draws), and
 * what can be computed by hand; for the ranks scipy (rankdata, f, studentized_range). */
#include "../../src/result/overall.h"
#include "../../src/result/ranks.h"
#include "test.h"
#include <math.h>

enum { DRAWS = 20000 };

static void check(overall_value v, double value, double lo, double hi, double tol)
{
    CHECK_NEAR(v.value, value, 1e-12);
    CHECK_NEAR(v.lo, lo, tol);
    CHECK_NEAR(v.hi, hi, tol);
}

static void test_equal_cells(arena *a)
{
    const double x[3][4] = {{.5, 1.2, -.3, .8}, {2.0, 1.5, 2.5, 1.8}, {0., -.4, .3, -.1}}, at[] = {-5, 0, .5, 3};
    overall_cell c[3] = {{x[0], 4, 0}, {x[1], 4, 1}, {x[2], 4, 2}};
    overall_statistics s = overall_compute(a, c, 3, at, 4, DRAWS, 1), t = overall_compute(a, c, 3, at, 4, DRAWS, 1);
    check(s.win, 8.5 / 12, 1. / 3, 1, 1. / 24 + 1e-9); /* one step either way */
    check(s.iqm, 0.7166666666666667, -.1, 1.8667, 0.05);
    check(s.profile[0], 1, 1, 1, 1e-12);
    check(s.profile[1], 2. / 3, 1. / 3, 1, 1e-12);
    check(s.profile[2], 2. / 3, 0, 1, 1e-12);
    check(s.profile[3], 0, 0, 0, 0);
    CHECK(s.win.lo == t.win.lo && s.iqm.lo == t.iqm.lo && s.iqm.hi == t.iqm.hi, "not repeatable");
    t = overall_compute(a, c, 3, at, 4, DRAWS, 2);
    CHECK(s.iqm.lo != t.iqm.lo || s.iqm.hi != t.iqm.hi, "the seed does nothing");
    c[1].group = 0; /* two cells of one data set */
    s = overall_compute(a, c, 3, at, 4, DRAWS, 1);
    check(s.win, 8.5 / 12, 0.1875, 1, 1. / 16 + 1e-9);
    check(s.iqm, 0.7166666666666667, -.2, 1.8375, 0.03);
}

static void test_unequal_cells(arena *a)
{
    const double x[] = {.2, .9}, y[] = {-.5, .1, .4, 1.0}, one[] = {.7};
    overall_cell c[2] = {{x, 2, 0}, {y, 4, 1}}, single = {one, 1, 0};
    overall_statistics s = overall_compute(a, c, 2, NULL, 0, DRAWS, 1);
    CHECK_NEAR(s.iqm.value, 0.425, 1e-12); /* trim_mean of .2 .9 .2 .9 -.5 .1 .4 1.0: cells weigh the same */
    CHECK_NEAR(s.win.value, (1 + .75) / 2, 1e-12);
    s = overall_compute(a, &single, 1, one, 1, 10, 1);
    check(s.iqm, .7, .7, .7, 1e-12);
    check(s.win, 1, 1, 1, 0);
    check(s.profile[0], 0, 0, 0, 0); /* > and not >= */
}

static void check_posterior(const double *z, int n, double below, double within, double above)
{
    overall_posterior p = overall_signed_rank(z, n, .5, DRAWS, 1), q = overall_signed_rank(z, n, .5, DRAWS, 1);
    CHECK_NEAR(p.below, below, 0.012);
    CHECK_NEAR(p.within, within, 0.012);
    CHECK_NEAR(p.above, above, 0.012);
    CHECK_NEAR(p.below + p.within + p.above, 1, 1e-12);
    CHECK(p.above == q.above && p.below == q.below, "not repeatable");
}

static void test_signed_rank(void)
{
    const double z[] = {1.2, .4, -.3, 2.1, .7, .9, .1, -1.4}, same[] = {.3, .2, -.1, .4, .6},
                 worse[] = {-2, -1, -.8, -.2}, one[] = {3};
    check_posterior(z, 8, .0076, .5145, .4779);
    check_posterior(same, 5, 0, .9927, .0073);
    check_posterior(worse, 4, .8737, .1263, 0);
    /* One value beyond the rope: above = 1 - w0^2 wins for w0 < sqrt(1/2), and P(w0 < t) = sqrt(t) for w0 ~ Beta(1/2,
     * 1). */
    check_posterior(one, 1, 0, 1 - sqrt(M_SQRT1_2), sqrt(M_SQRT1_2));
    double mirrored[8];
    for (int i = 0; i < 8; i++)
        mirrored[i] = -z[i];
    CHECK(overall_signed_rank(z, 8, .5, 1000, 3).above == overall_signed_rank(mirrored, 8, .5, 1000, 3).below,
          "not symmetric");
    CHECK(isnan(overall_signed_rank(z, 0, .5, 1000, 3).above), "no values");
}

static void test_ranks(arena *a)
{
    static const double value[14][4] = {{.763, .768, .771, .798}, {.599, .591, .590, .569},
                                        {.954, .971, .968, .967}, {.628, .661, .654, .657},
                                        {.882, .888, .886, .898}, {.936, .931, .916, .931},
                                        {.661, .668, .609, .685}, {.583, .583, .563, .625},
                                        {.775, .838, .866, .875}, {1, 1, 1, 1},
                                        {.940, .962, .965, .962}, {.619, .666, .614, .669},
                                        {.972, .981, .975, .975}, {.957, .978, .946, .970}};
    static const double rank[] = {3.142857, 2, 2.928571, 1.928571};
    static const double q[][2] = {{2, 1.959964}, {3, 2.343701}, {4, 2.569032}, {5, 2.727774}, {10, 3.163684}};
    ranks r = ranks_compute(a, *value, 14, 4);
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(r.mean[k], rank[k], 1e-6);
    CHECK_NEAR(r.p, 0.014352446, 1e-8);
    CHECK_NEAR(r.cd, 1.253559, 1e-6);
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        int k = (int)q[i][0];
        double *same = NEW(a, double, (size_t)(6 * k));
        r = ranks_compute(a, same, 6, k);
        CHECK_NEAR(r.cd, q[i][1] * sqrt(k * (k + 1.0) / 36), 1e-5);
        CHECK_NEAR(r.mean[0], (k + 1) / 2.0, 1e-12);
        CHECK_NEAR(r.p, 1, 1e-9);
    }
}

TEST_MAIN(test_overall)
{
    arena a = {0};
    test_equal_cells(&a);
    test_unequal_cells(&a);
    test_signed_rank();
    test_ranks(&a);
    arena_free(&a);
    return test_end();
}
