/* Variance components by hand and on simulated designs with known ones. */
#include "../../src/result/components.h"
#include "../../src/base/rng.h"
#include "test.h"
#include <math.h>

/* Exact on tables made of orthogonal effects; close to the truth on a large random one. */
static void test_two(void)
{
    double rows[] = {-1, 1}, cols[] = {-2, 0, 2}, rest[2][3] = {{1, -2, 1}, {-1, 2, -1}}, a[6], row, col;
    for (int p = 0; p < 2; p++)
        for (int r = 0; r < 3; r++)
            a[3 * p + r] = 80 + rows[p] + cols[r] + rest[p][r];
    components_two(&row, &col, a, 2, 3); /* MS_row = 6, MS_col = 8, MS_rest = 6 */
    CHECK_NEAR(row, 0, 1e-12);
    CHECK_NEAR(col, sqrt(1 + 6), 1e-12);
    enum { P = 400, R = 300 };
    static double big[P * R];
    rng g = rng_make(5, 0, RNG_TUNE);
    for (int p = 0; p < P; p++)
        for (int r = 0; r < R; r++)
            big[p * R + r] = 80 + 1.5 * rng_normal(g, 0, (uint64_t)p) + 0.4 * rng_normal(g, 1, (uint64_t)r) +
                             0.3 * rng_normal(g, 2, (uint64_t)(p * R + r));
    components_two(&row, &col, big, P, R);
    CHECK_NEAR(row, 1.5, 0.15);
    CHECK_NEAR(col, 0.5, 0.05);
    components_two(&row, &col, big, 1, R);
    CHECK(isnan(row) && isnan(col), "one row");
    components_two(&row, &col, big, P, 1);
    CHECK(isnan(row) && isnan(col), "one column");
}

/* x = 3 a(i) + 2 b(j) + a(i) b(j) + c(k) + d a(i) b(j) c(k), a, b, c = -1, 1: sums of squares over 8 values are 72, 32,
 * 8, 8 and 8 d^2, those of AC and BC 0, all with one degree of freedom. */
static void test_three_by_hand(void)
{
    double x[8], var[COMPONENTS];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                int a = 2 * i - 1, b = 2 * j - 1, c = 2 * k - 1;
                x[4 * i + 2 * j + k] = 7 + 3 * a + 2 * b + a * b + c + 2 * a * b * c;
            }
    components_three(var, x, 2, 2, 2);
    CHECK_NEAR(var[COMPONENT_AB], (8 - 32) / 2.0, 1e-12);
    CHECK_NEAR(var[COMPONENT_A], (72 - 8 - 0 + 32) / 4.0, 1e-12);
    CHECK_NEAR(var[COMPONENT_B], (32 - 8 - 0 + 32) / 4.0, 1e-12);
    CHECK_NEAR(var[COMPONENT_REPEAT], (8 + 32) / 4.0, 1e-12); /* 8 + 0 + 0 + 32 over 4 pairs with one degree each */
    for (int n = 0; n < 3; n++) {
        components_three(var, x, n == 0 ? 1 : 2, n == 1 ? 1 : 2, n == 2 ? 1 : 2);
        for (int c = 0; c < COMPONENTS; c++)
            CHECK(isnan(var[c]), "factor %d has one level", n);
    }
}

/* Many tables of the size that the experiment has, with known components and CE's noise shared by all partitions of a
 * split and run: estimates are right on average, below 0 in some. (With runs taken for replicates of a cell, split x
 * partition would be too small by a third of the shared .64, and the split too large by as much.) */
static void test_three_simulated(void)
{
    enum { S = 8, P = 3, R = 3, TABLES = 4000 };
    static const double truth[COMPONENTS] = {0.49, 0.25, 0.16, 0.09 + 0.64 + 0.04 + 1};
    double sum[COMPONENTS] = {0}, squares[COMPONENTS] = {0};
    int below = 0;
    for (int t = 0; t < TABLES; t++) {
        rng g = rng_make(3, (uint64_t)t, RNG_TUNE);
        double x[S * P * R], var[COMPONENTS];
        for (int s = 0; s < S; s++)
            for (int p = 0; p < P; p++)
                for (int r = 0; r < R; r++)
                    x[(s * P + p) * R + r] =
                        2 + 0.7 * rng_normal(g, 0, (uint64_t)s) + 0.5 * rng_normal(g, 1, (uint64_t)p) +
                        0.4 * rng_normal(g, 2, (uint64_t)(s * P + p)) + 0.3 * rng_normal(g, 3, (uint64_t)r) +
                        0.8 * rng_normal(g, 4, (uint64_t)(s * R + r)) + 0.2 * rng_normal(g, 5, (uint64_t)(p * R + r)) +
                        rng_normal(g, 6, (uint64_t)((s * P + p) * R + r));
        components_three(var, x, S, P, R);
        for (int c = 0; c < COMPONENTS; c++) {
            sum[c] += var[c];
            squares[c] += var[c] * var[c];
        }
        below += var[COMPONENT_AB] < 0;
    }
    for (int c = 0; c < COMPONENTS; c++) {
        double mean = sum[c] / TABLES, se = sqrt((squares[c] / TABLES - mean * mean) / TABLES);
        CHECK(fabs(mean - truth[c]) < 4.5 * se && se < 0.02, "component %d: %g (standard error %g) instead of %g", c,
              mean, se, truth[c]);
    }
    CHECK(below > TABLES / 20 && below < TABLES / 2, "%d of %d below 0", below, TABLES);
}

TEST_MAIN(test_components)
{
    test_two();
    test_three_by_hand();
    test_three_simulated();
    return test_end();
}
