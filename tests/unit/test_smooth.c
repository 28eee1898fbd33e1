/* Correct & Smooth against the equations in dense doubles and a worked example; labels that it must not read. */
#include "../../src/train/smooth.h"
#include "../../src/train/metric.h"
#include "test.h"
#include "toy.h"
#include <omp.h>

/* --- reference version: n x n matrices, one formula after the other --- */

static double *dense_ref(arena *a, const csr *g, enum smooth_matrix kind)
{
    int n = g->rows;
    double *s = NEW(a, double, (size_t)n *(size_t)n), *deg = NEW(a, double, (size_t)n);
    for (int i = 0; i < n; i++)
        deg[i] = (double)(g->ptr[i + 1] - g->ptr[i]);
    for (int i = 0; i < n; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
            int j = g->idx[k];
            double dad = 1 / sqrt(deg[i] * deg[j]);
            s[i * n + j] = kind == SMOOTH_DAD ? dad : kind == SMOOTH_DA ? 1 / deg[i] : 1 / deg[j];
        }
    return s;
}

static void step_ref(double *x, double *tmp, const double *s, const double *x0, int n, int c, double alpha, double lo,
                     double hi)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < c; j++) {
            double v = 0;
            for (int k = 0; k < n; k++)
                v += s[i * n + k] * x[k * c + j];
            tmp[i * c + j] = fmin(hi, fmax(lo, alpha * v + (1 - alpha) * x0[i * c + j]));
        }
    memcpy(x, tmp, (size_t)(n * c) * sizeof *x);
}

static double *smooth_ref(arena *a, const csr *g, mat prob, const int *y, const split *part, const smooth_params *q)
{
    int n = g->rows, c = prob.cols;
    size_t bytes = (size_t)(n * c) * sizeof(double);
    double *s1 = dense_ref(a, g, q->s1), *s2 = dense_ref(a, g, q->s2), sigma = 0;
    double *e0 = arena_alloc(a, 1, bytes), *e = arena_alloc(a, 1, bytes), *tmp = arena_alloc(a, 1, bytes);
    for (int k = 0; k < part->n[TRAIN]; k++)
        for (int j = 0, i = part->idx[TRAIN][k]; j < c; j++) {
            e0[i * c + j] = (j == y[i]) - (double)mat_row(prob, i)[j];
            sigma += fabs(e0[i * c + j]) / part->n[TRAIN];
        }
    memcpy(e, e0, bytes);
    for (int t = 0; t < q->steps1; t++) {
        step_ref(e, tmp, s1, e0, n, c, q->a1, q->autoscale ? -1 : -1e300, q->autoscale ? 1 : 1e300);
        for (int k = 0; !q->autoscale && k < part->n[TRAIN]; k++)
            memcpy(e + part->idx[TRAIN][k] * c, e0 + part->idx[TRAIN][k] * c, (size_t)c * sizeof(double));
    }
    double *g0 = arena_alloc(a, 1, bytes);
    for (int i = 0; i < n; i++) {
        double norm = 0, scale = q->scale;
        for (int j = 0; j < c; j++)
            norm += fabs(e[i * c + j]);
        if (q->autoscale)
            scale = norm == 0 || sigma / norm > 1000 ? 1 : sigma / norm;
        for (int j = 0; j < c; j++)
            g0[i * c + j] = (double)mat_row(prob, i)[j] + scale * e[i * c + j];
    }
    for (int k = 0; k < part->n[TRAIN]; k++)
        for (int j = 0, i = part->idx[TRAIN][k]; j < c; j++)
            g0[i * c + j] = j == y[i];
    memcpy(e, g0, bytes);
    for (int t = 0; t < q->steps2; t++)
        step_ref(e, tmp, s2, g0, n, c, q->a2, 0, 1);
    return e;
}

/* --- material --- */

/* Probabilities that favour the true class a little: the larger `noise`, the less. */
static mat noisy(arena *a, const dataset *d, double noise, uint64_t seed)
{
    mat p = mat_new(a, d->nodes, d->classes);
    rng r = rng_make(seed, 0, RNG_TUNE);
    for (int i = 0; i < d->nodes; i++) {
        double sum = 0, v[16];
        for (int j = 0; j < d->classes; j++)
            sum += v[j] = exp((j == d->y[i]) + noise * rng_normal(r, (uint64_t)i, (uint64_t)j));
        for (int j = 0; j < d->classes; j++)
            mat_row(p, i)[j] = (real)(v[j] / sum);
    }
    return p;
}

static double test_accuracy(arena *a, mat g, const int *y, const split *part)
{
    mat rows = mat_new(a, part->n[TEST], g.cols);
    int *labels = NEW(a, int, (size_t)part->n[TEST]);
    for (int k = 0; k < part->n[TEST]; k++) {
        memcpy(mat_row(rows, k), mat_row(g, part->idx[TEST][k]), (size_t)g.cols * sizeof(real));
        labels[k] = y[part->idx[TEST][k]];
    }
    return metric_accuracy(rows.v, labels, rows.rows, rows.cols);
}

/* The labels, moved on by one class in the parts from `first` on and on nodes outside all parts. */
static int *scrambled(arena *a, const dataset *d, const split *part, int first)
{
    int *y = NEW(a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        y[i] = (d->y[i] + 1) % d->classes;
    for (int p = 0; p < first; p++)
        for (int k = 0; k < part->n[p]; k++)
            y[part->idx[p][k]] = d->y[part->idx[p][k]];
    return y;
}

static int same(mat x, mat y) { return !memcmp(x.v, y.v, (size_t)x.rows * (size_t)x.cols * sizeof(real)); }

/* Path 0 - 1 - 2, node 3 alone, node 0 labelled; one step each, numbers by hand. */
static void test_by_hand(void)
{
    arena a = {0};
    int u[] = {0, 1}, v[] = {1, 2}, y[] = {0, -1, -1, -1}, train[] = {0};
    real p[] = {.5f, .5f, .4f, .6f, .3f, .7f, .2f, .8f};
    csr g = csr_from_pairs(&a, 4, 4, u, v, 2, 1, 0);
    smooth_work w = smooth_work_new(&a, &g);
    split part = {.n = {1}, .idx = {train}};
    smooth_params q = {SMOOTH_DA, SMOOTH_DA, .5, .5, 1, 0, 1, 1};
    /* E0_0 = (.5, -.5), sigma = 1; E_0 = (.25, -.25), E_1 = (.125, -.125), others 0; scales 2 and 4: C_1 = (.9, .1) */
    double automatic[] = {.95, .05, .775, .225, .6, .4, .1, .4};
    /* scale 2 and E_0 held at E0_0: C_1 = (.65, .35) */
    double fixed[] = {.825, .175, .65, .35, .475, .525, .1, .4};
    mat x = correct_and_smooth(&a, &w, (mat){4, 2, p}, y, &part, &q);
    for (int k = 0; k < 8; k++)
        CHECK_NEAR((double)x.v[k], automatic[k], 1e-6);
    q.autoscale = 0, q.scale = 2;
    x = correct_and_smooth(&a, &w, (mat){4, 2, p}, y, &part, &q);
    for (int k = 0; k < 8; k++)
        CHECK_NEAR((double)x.v[k], fixed[k], 1e-6);
    /* AD: node 1 has degree 2 and gives half to each side; DAD: 1 / sqrt 2 on every edge */
    CHECK_NEAR((double)w.s[SMOOTH_AD].val[0], .5, 1e-7);
    CHECK_NEAR((double)w.s[SMOOTH_DA].val[0], 1, 1e-7);
    CHECK_NEAR((double)w.s[SMOOTH_DAD].val[0], sqrt(.5), 1e-7);
    char buf[80];
    CHECK(!strcmp(smooth_text(buf, &q), "correct DA 0.5 x2, smooth DA 0.5"), "%s", buf);
    arena_free(&a);
}

/* On a random graph, and on a hub in a ring where all residuals point one way, so that the bounds of E are met. */
static void test_ref(void)
{
    problem *t = toy(120, 20, 5, 0);
    const dataset *d = t->d;
    int u[240] = {0}, v[240], zeros[120] = {0};
    for (int i = 0; i < 120; i++)
        v[i] = u[120 + i] = i, v[120 + i] = (i + 1) % 120;
    csr graph[] = {d->graph, csr_from_pairs(&t->a, 120, 120, u, v, 240, 1, 0)};
    split part = split_draw(&t->a, d, split_rule_read("per-class:4:4"), 1, 0);
    mat p = noisy(&t->a, d, 1, 3);
    const int steps[] = {0, 1, 7, 50};
    const double alpha[] = {0, .4, .9, 1};
    for (int n = 0; n < 2 * SMOOTH_MATRICES * 2 * 4; n++) {
        int hub = n / 24, m = n / 8 % 3, fixed = n / 4 % 2, k = n % 4;
        smooth_params q = {
            (enum smooth_matrix)m, (enum smooth_matrix)((m + k) % 3), alpha[k], alpha[3 - k], !fixed, 1.5, steps[k],
            steps[(k + 1) % 4]};
        const int *y = hub ? zeros : d->y;
        arena a = {0};
        smooth_work w = smooth_work_new(&a, &graph[hub]);
        mat x = correct_and_smooth(&a, &w, p, y, &part, &q);
        double *ref = smooth_ref(&a, &graph[hub], p, y, &part, &q), worst = 0;
        for (int i = 0; i < x.rows * x.cols; i++)
            worst = fmax(worst, fabs((double)x.v[i] - ref[i]));
        CHECK(worst < 1e-5, "%s, %d + %d steps: %g", smooth_text((char[80]){0}, &q), q.steps1, q.steps2, worst);
        arena_free(&a);
    }
    problem_close(t);
}

/* On a planted partition the stage must help, with any matrix, and the tuner must not be worse than the model. */
static void test_helps(void)
{
    problem *t = toy(2000, 20, 4, 0);
    const dataset *d = t->d;
    smooth_work w = smooth_work_new(&t->a, &d->graph);
    split part = split_draw(&t->a, d, split_rule_read("per-class:20:30"), 1, 0);
    mat p = noisy(&t->a, d, 1, 5);
    double plain = test_accuracy(&t->a, p, d->y, &part), val;
    for (int m = 0; m < SMOOTH_MATRICES; m++) {
        smooth_params q = {(enum smooth_matrix)m, (enum smooth_matrix)m, .8, .8, 1, 0, 50, 50};
        double acc = test_accuracy(&t->a, correct_and_smooth(&t->a, &w, p, d->y, &part, &q), d->y, &part);
        CHECK(acc > plain + .15, "%s: %.4f from %.4f", smooth_matrix_name[m], acc, plain);
    }
    smooth_params q = smooth_tune(&t->a, &val, &w, p, smooth_known(&t->a, d->y, d->nodes, &part), &part);
    mat g = correct_and_smooth(&t->a, &w, p, d->y, &part, &q);
    CHECK(test_accuracy(&t->a, g, d->y, &part) > plain + .15, "tuned: from %.4f", plain);
    split swap = part; /* the accuracy it reports is the one it chose by */
    swap.n[TEST] = part.n[VAL], swap.idx[TEST] = part.idx[VAL];
    CHECK_NEAR(test_accuracy(&t->a, g, d->y, &swap), val, 0);
    problem_close(t);
}

/* Changed labels outside the parts that it may read: the same bits. */
static void test_hidden(void)
{
    problem *t = toy(600, 20, 4, 0);
    const dataset *d = t->d;
    smooth_work w = smooth_work_new(&t->a, &d->graph);
    split part = split_draw(&t->a, d, split_rule_read("per-class:10:20"), 1, 0);
    mat p = noisy(&t->a, d, 1.2, 7);
    const int *other = scrambled(&t->a, d, &part, TEST), *only = scrambled(&t->a, d, &part, VAL);
    const int *known = smooth_known(&t->a, d->y, d->nodes, &part), *also = smooth_known(&t->a, other, d->nodes, &part);
    CHECK(!memcmp(known, also, (size_t)d->nodes * sizeof(int)), "test labels get through");
    CHECK(known[part.idx[TEST][0]] == -1 && known[part.idx[VAL][0]] == d->y[part.idx[VAL][0]], "not what it says");
    double v0, v1, v2;
    split no_test = part;
    no_test.n[TEST] = 0, no_test.idx[TEST] = NULL;
    smooth_params q0 = smooth_tune(&t->a, &v0, &w, p, known, &part), q1 = smooth_tune(&t->a, &v1, &w, p, other, &part),
                  q2 = smooth_tune(&t->a, &v2, &w, p, d->y, &no_test);
    CHECK(!memcmp(&q0, &q1, sizeof q0) && v0 == v1, "the tuner reads test labels");
    CHECK(!memcmp(&q0, &q2, sizeof q0) && v0 == v2, "the tuner reads the test part");
    CHECK(same(correct_and_smooth(&t->a, &w, p, d->y, &part, &q0), correct_and_smooth(&t->a, &w, p, only, &part, &q0)),
          "other labels than those of training are propagated");
    problem_close(t);
}

static void test_threads(void)
{
    static const int teams[] = {1, 2, 3, 8};
    problem *t = toy(30000, 20, 8, 0); /* large enough for every loop to go parallel */
    const dataset *d = t->d;
    split part = split_draw(&t->a, d, split_rule_read("per-class:20:30"), 1, 0);
    mat p = noisy(&t->a, d, 1, 9), first[2];
    for (int k = 0; k < 4; k++) {
        omp_set_num_threads(teams[k]);
        smooth_work w = smooth_work_new(&t->a, &d->graph);
        for (int fixed = 0; fixed < 2; fixed++) {
            smooth_params q = {SMOOTH_DAD, SMOOTH_AD, .9, .7, !fixed, 1.5, 10, 10};
            mat g = correct_and_smooth(&t->a, &w, p, d->y, &part, &q);
            if (k == 0)
                first[fixed] = g;
            CHECK(same(first[fixed], g), "%d threads give different bits", teams[k]);
        }
    }
    problem_close(t);
    t = toy(4000, 20, 10, 0);
    d = t->d;
    part = split_draw(&t->a, d, split_rule_read("per-class:20:30"), 1, 0);
    p = noisy(&t->a, d, 1, 9);
    smooth_work w = smooth_work_new(&t->a, &d->graph);
    smooth_params q[2];
    double val[2];
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(teams[k]);
        q[k] = smooth_tune(&t->a, &val[k], &w, p, d->y, &part);
    }
    CHECK(!memcmp(&q[0], &q[1], sizeof *q) && val[0] == val[1], "the tuner depends on the number of threads");
    problem_close(t);
}

/* No edges at all, and a model that is sure and right: predictions stay, nothing turns NaN. */
static void test_degenerate(void)
{
    problem *t = toy(60, 20, 3, 0);
    const dataset *d = t->d;
    split part = split_draw(&t->a, d, split_rule_read("per-class:4:4"), 1, 0);
    csr none = csr_new(&t->a, d->nodes, d->nodes, 0, 0);
    mat p = noisy(&t->a, d, 1, 11), sure = mat_new(&t->a, d->nodes, d->classes);
    for (int i = 0; i < d->nodes; i++)
        mat_row(sure, i)[d->y[i]] = 1;
    for (int fixed = 0; fixed < 2; fixed++)
        for (int m = 0; m < SMOOTH_MATRICES; m++) {
            smooth_work lone = smooth_work_new(&t->a, &none), w = smooth_work_new(&t->a, &d->graph);
            smooth_params q = {(enum smooth_matrix)m, (enum smooth_matrix)m, .9, .75, !fixed, 1, 50, 50};
            mat g = correct_and_smooth(&t->a, &lone, p, d->y, &part, &q);
            for (int k = 0; k < part.n[TEST]; k++)
                for (int j = 0, i = part.idx[TEST][k]; j < 3; j++)
                    CHECK_NEAR((double)mat_row(g, i)[j], .25 * (double)mat_row(p, i)[j], 1e-7);
            g = correct_and_smooth(&t->a, &w, sure, d->y, &part, &q);
            int bad = 0;
            for (int i = 0; i < g.rows * g.cols; i++)
                bad += !(g.v[i] >= 0 && g.v[i] <= 1);
            CHECK(bad == 0, "%d entries outside [0, 1]", bad);
        }
    char buf[80];
    double val;
    smooth_work lone = smooth_work_new(&t->a, &none);
    smooth_params q = smooth_tune(&t->a, &val, &lone, sure, d->y, &part);
    CHECK(!strcmp(smooth_text(buf, &q), "correct DAD 0.3 auto, smooth DAD 0.3") && val == 1, "ties: %s", buf);
    problem_close(t);
}

TEST_MAIN(test_smooth)
{
    test_by_hand();
    test_ref();
    test_helps();
    test_hidden();
    test_threads();
    test_degenerate();
    return test_end();
}
