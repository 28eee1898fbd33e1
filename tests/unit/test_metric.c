/* Reference values: scikit-learn (accuracy_score, f1_score, brier_score_loss) and numpy on the same matrix. */
#include "../../src/base/rng.h"
#include "../../src/kernel/kernels.h"
#include "../../src/net/loss/joint.h"
#include "../../src/train/metric.h"
#include "test.h"
#include <omp.h>

#define ROWS 12
#define CLASSES 4 /* the last one is never true and never predicted */

static const real probs[ROWS][CLASSES] = {
    {.70, .20, .10, 0}, {.25, .25, .25, .25}, {.10, .60, .30, 0}, {.05, .15, .80, 0},
    {.40, .35, .25, 0}, {.33, .34, .33, 0},   {.90, .05, .05, 0}, {.20, .50, .30, 0},
    {.00, 1.0, .00, 0}, {.30, .10, .60, 0},   {.45, .10, .45, 0}, {.95, .03, .02, 0},
};
static const int labels[ROWS] = {0, 0, 1, 2, 1, 1, 0, 2, 0, 2, 2, 0};

static void test_known(arena *a)
{
    metric_work w = metric_work_new(a, CLASSES);
    metric_bins bins;
    for (int again = 0; again < 2; again++) { /* the work is cleared by each call */
        metrics m = metric_compute(again ? NULL : &bins, probs[0], labels, ROWS, &w);
        CHECK_NEAR(m.acc, 0.6666666666666666, 1e-15);
        CHECK_NEAR(m.micro_f1, 0.6666666666666666, 1e-15);
        CHECK_NEAR(m.macro_f1, 0.6551226551226551, 1e-15);
        CHECK_NEAR(m.weighted_f1, 0.6681096681096682, 1e-15);
        CHECK_NEAR(m.brier, 0.5072666667360816, 1e-9);
        CHECK_NEAR(m.nll, 2.1413509082731674, 1e-7);
        CHECK_NEAR(m.ece, 0.3591666618982951, 1e-7);
    }
    int count[METRIC_BINS] = {0, 0, 1, 2, 2, 2, 1, 1, 1, 2};
    for (int b = 0; b < METRIC_BINS; b++)
        CHECK(bins.count[b] == count[b], "bin %d holds %d", b, bins.count[b]);
    CHECK_NEAR(bins.accuracy[3], 0.5, 0);
    CHECK_NEAR(bins.confidence[3], 0.37, 1e-7);
    CHECK_NEAR(bins.accuracy[9], 0.5, 0);
    CHECK(isnan(bins.accuracy[0]) && isnan(bins.confidence[0]), "an empty bin has no accuracy");
    CHECK_NEAR(metric_accuracy(probs[0], labels, ROWS, CLASSES), 0.6666666666666666, 1e-15);
}

/* Class 3 is predicted but never true, class 4 neither: sklearn's macro has 4 terms. */
static void test_absent(arena *a)
{
    int y[5] = {0, 0, 1, 1, 2}, k[5] = {0, 0, 1, 3, 1};
    real p[5][5] = {{0}};
    for (int i = 0; i < 5; i++)
        p[i][k[i]] = 1;
    metric_work w = metric_work_new(a, 5);
    metrics m = metric_compute(NULL, p[0], y, 5, &w);
    CHECK_NEAR(m.macro_f1, 0.375, 1e-15);
    CHECK_NEAR(m.weighted_f1, 0.6, 1e-15);
    CHECK_NEAR(m.micro_f1, 0.6, 1e-15);
    CHECK_NEAR(m.brier, 0.8, 1e-15);
    CHECK_NEAR(m.ece, 0.4, 1e-15);
    CHECK_NEAR(m.nll, -0.4 * log(1e-8), 1e-12);
}

static void test_edges(arena *a)
{
    metric_work w = metric_work_new(a, 2);
    metric_bins bins;
    for (int b = 0; b < METRIC_BINS; b++) { /* a bin owns its upper edge */
        real p[2] = {(real)((b + 1) / 10.0), 0};
        int y = 0;
        metric_compute(&bins, p, &y, 1, &w);
        CHECK(bins.count[b] == 1, "edge %d", b);
    }
    real p[4][2] = {{.5, .5}, {.1, .9}, {.8, .2}, {.3, .7}};
    int y[4] = {0, -1, 5, 1}; /* a tie goes to the first; two rows without a label */
    metrics m = metric_compute(NULL, p[0], y, 4, &w);
    CHECK(m.acc == 1 && m.macro_f1 == 1, "acc %g", m.acc);
    CHECK(metric_accuracy(p[0], y, 4, 2) == 1, "acc");
    int none[4] = {-1, -1, -1, -1};
    m = metric_compute(&bins, p[0], none, 4, &w);
    CHECK(isnan(m.acc) && isnan(m.macro_f1) && isnan(m.ece) && isnan(m.nll) && isnan(m.brier), "no rows");
    CHECK(isnan(metric_accuracy(p[0], y, 0, 2)), "no rows");
    int zero[4] = {0, 0, 0, 0};
    p[2][0] = p[2][1] = NAN;
    m = metric_compute(NULL, p[0], zero, 4, &w);
    CHECK(m.acc == 0.25 && metric_accuracy(p[0], zero, 4, 2) == 0.25, "NaN is wrong: %g", m.acc);
    CHECK(isnan(m.ece) && isnan(m.brier) && isnan(m.nll), "NaN shows");
    CHECK_NEAR(m.micro_f1, 2.0 / 7, 1e-15);
}

static void test_threads(arena *a)
{
    int rows = 40000, classes = 5;
    real *p = NEW(a, real, (size_t)rows * (size_t)classes);
    int *y = NEW(a, int, (size_t)rows);
    rng r = rng_make(1, 0, RNG_TWIN);
    for (int i = 0; i < rows; i++) {
        y[i] = (int)rng_below(r, 0, (uint64_t)i, (uint64_t)classes + 1) - 1;
        for (int j = 0; j < classes; j++)
            p[i * classes + j] = (real)rng_uniform(r, 1 + (uint64_t)j, (uint64_t)i);
    }
    metric_work w = metric_work_new(a, classes);
    double acc = metric_compute(NULL, p, y, rows, &w).acc;
    CHECK_NEAR(acc, 0.2, 0.01);
    for (int threads = 1; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        CHECK(metric_accuracy(p, y, rows, classes) == acc, "%d threads", threads);
    }
}

/* Softmax of made-up logits over three classes; at least three rows of four are predicted right. */
static void made(real *p, int *y, int rows, int phase)
{
    for (int i = 0; i < rows; i++) {
        double z[3], sum = 0;
        int best = 0;
        for (int j = 0; j < 3; j++) {
            sum += exp(z[j] = 4 * sin(.7 * (i + phase) * (j + 1) + j));
            best = z[j] > z[best] ? j : best;
        }
        for (int j = 0; j < 3; j++)
            p[3 * i + j] = (real)(exp(z[j]) / sum);
        y[i] = i % 4 ? best : i / 4 % 3;
    }
}

/* References: numpy, and scipy.optimize.brentq for the temperature. */
static void test_calibration(arena *a)
{
    real test[600], val[270], again[600];
    int y_test[200], y_val[90], rows[200];
    made(test, y_test, 200, 0);
    made(val, y_val, 90, 1000);
    metric_work w = metric_work_new(a, 3);
    metric_calibration c = metric_calibrate(test, y_test, 200, val, y_val, 90, &w);
    CHECK_NEAR(c.temperature, 1.1709256727867112, 1e-6);
    CHECK_NEAR(c.plain.nll, 0.6968129700930044, 1e-6);
    CHECK_NEAR(c.plain.brier, 0.35027890611664453, 1e-6);
    CHECK_NEAR(c.plain.ece, 0.16536095321178435, 1e-6);
    CHECK_NEAR(c.plain.ece_mass, 0.16917237997055054, 1e-6);
    CHECK_NEAR(c.scaled.nll, 0.6737381183010018, 1e-6);
    CHECK_NEAR(c.scaled.brier, 0.35510026361129354, 1e-6);
    CHECK_NEAR(c.scaled.ece, 0.15475002571940422, 1e-6);
    CHECK_NEAR(c.scaled.ece_mass, 0.1708973215520382, 1e-6);
    CHECK_NEAR(metric_temperature(probs[0], labels, ROWS, CLASSES), 49.95229390594703,
               1e-4); /* a sure mistake: almost uniform */
    CHECK_NEAR(metric_ece_mass(probs[0], labels, ROWS, CLASSES), 0.3591666668653488, 1e-7);
    /* Already scaled, the temperature is 1; a temperature keeps the predictions; the order of the rows does not matter.
     */
    metric_temper(again, val, 90, 3, c.temperature);
    CHECK_NEAR(metric_temperature(again, y_val, 90, 3), 1, 1e-5);
    CHECK(metric_accuracy(again, y_val, 90, 3) == metric_accuracy(val, y_val, 90, 3), "accuracy");
    for (int i = 0; i < 200; i++) {
        memcpy(again + 3 * i, test + 3 * (199 - i), 3 * sizeof *test);
        rows[i] = y_test[199 - i];
    }
    CHECK_NEAR(metric_ece_mass(again, rows, 200, 3), c.plain.ece_mass, 1e-12);
    metric_temper(again, test, 200, 3, 1);
    for (int i = 0; i < 600; i++)
        CHECK(fabs((double)(again[i] - test[i])) < 1e-6, "T = 1 changes %d", i);
}

static void test_calibration_edges(void)
{
    real p[4][2] = {{.9, .1}, {.8, .2}, {.3, .7}, {.4, .6}}, tied[4][2] = {{.6, .4}, {.6, .4}, {.6, .4}, {.6, .4}};
    int right[4] = {0, 0, 1, 1}, wrong[4] = {1, 1, 0, 0}, none[4] = {-1, 2, -1, -1}, half[4] = {1, 0, 1, 0},
        flip[4] = {0, 1, 0, 1};
    CHECK(metric_temperature(p[0], right, 4, 2) == METRIC_COLD, "never wrong");
    CHECK(metric_temperature(p[0], wrong, 4, 2) == METRIC_HOT, "always wrong");
    CHECK(isnan(metric_temperature(p[0], none, 4, 2)) && isnan(metric_ece_mass(p[0], none, 4, 2)), "no labels");
    CHECK(metric_ece_mass(tied[0], half, 4, 2) == metric_ece_mass(tied[0], flip, 4, 2), "equal confidences");
    CHECK_NEAR(metric_ece_mass(p[0], right, 4, 2), 0.25, 1e-7); /* four rows, a bin each */
    p[1][0] = p[1][1] = NAN;
    CHECK(isnan(metric_temperature(p[0], right, 4, 2)) && isnan(metric_ece_mass(p[0], right, 4, 2)), "NaN shows");
    real out[4][2], sure[1][3] = {{0, 1, 0}}, cool[1][3];
    metric_temper(out[0], p[0], 4, 2, 2);
    CHECK(isnan(out[1][0]) && isfinite((double)out[2][0]), "NaN stays in its row");
    metric_temper(cool[0], sure[0], 1, 3, 1e6); /* zeros are the smallest float, not nothing */
    CHECK_NEAR(cool[0][0], 1. / 3, 1e-3);
}

/* JC at its training temperature: tempered joint probabilities, summed, are the marginals of softmax(a / tau). */
static void test_joint_temperature(void)
{
    real a[9], q[9], want[9], p[3], r[3];
    for (int k = 0; k < 9; k++)
        a[k] = (real)(3 * sin(1.3 * 2 + .9 * k));
    softmax(q, a, 1, 9, 1);
    metric_temper(q, q, 1, 9, 1.5);
    softmax(want, a, 1, 9, (real)(1 / 1.5));
    const joint_shape three = {JOINT_FULL, 1, 3, 9, 9};
    joint_marginal(p, q, &three);
    joint_marginal(r, want, &three);
    for (int j = 0; j < 3; j++)
        CHECK_NEAR(p[j], r[j], 1e-6);
    CHECK_NEAR(p[0], 0.17943848, 1e-6);
    CHECK_NEAR(p[2], 0.54307373, 1e-6);
}

TEST_MAIN(test_metric)
{
    arena a = {0};
    test_known(&a);
    test_absent(&a);
    test_edges(&a);
    test_threads(&a);
    test_calibration(&a);
    test_calibration_edges();
    test_joint_temperature();
    arena_free(&a);
    return test_end();
}
