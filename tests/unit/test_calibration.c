/* Calibration of a trained network: scores against a plain implementation and numbers worked out by hand, the fitted
 * temperature against a grid, JC at tau against the joint logits in double precision and against the value of the
 * training loss, and what a measurement must not change. */
#include "../../src/base/err.h"
#include "../../src/net/loss/loss.h"
#include "../../src/train/method/method.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"

/* ---- scores ---- */

/* Each score by its definition, in double; the bin of a row by counting edges below it, or rows before it. */
static metric_scores plain_scores(const double *p, const int *y, int rows, int classes)
{
    double conf[512], hit[512], width[10][3] = {{0}}, mass[10][3] = {{0}};
    metric_scores s = {0, 0, 0, 0};
    for (int i = 0; i < rows; i++) {
        int best = 0;
        for (int j = 0; j < classes; j++) {
            s.brier += pow(p[i * classes + j] - (y[i] == j), 2) / rows;
            best = p[i * classes + j] > p[i * classes + best] ? j : best;
        }
        s.nll -= log(fmax(p[i * classes + y[i]], 1e-8)) / rows;
        conf[i] = p[i * classes + best];
        hit[i] = best == y[i];
    }
    for (int i = 0; i < rows; i++) {
        int below = 0, before = 0;
        for (int b = 1; b < 10; b++)
            below += conf[i] > b / 10.0;
        for (int k = 0; k < rows; k++)
            before += conf[k] < conf[i] || (conf[k] == conf[i] && (hit[k] < hit[i] || (hit[k] == hit[i] && k < i)));
        int bin = 0; /* of equal mass: floor(b N / 10) <= before */
        while (bin < 9 && before >= (bin + 1) * rows / 10)
            bin++;
        width[below][0] += hit[i], width[below][1] += conf[i];
        mass[bin][0] += hit[i], mass[bin][1] += conf[i];
    }
    for (int b = 0; b < 10; b++) {
        s.ece += fabs(width[b][0] - width[b][1]) / rows;
        s.ece_mass += fabs(mass[b][0] - mass[b][1]) / rows;
    }
    return s;
}

static void near(const metric_scores *x, const metric_scores *y, double tol)
{
    CHECK_NEAR(x->nll, y->nll, tol);
    CHECK_NEAR(x->brier, y->brier, tol);
    CHECK_NEAR(x->ece, y->ece, tol);
    CHECK_NEAR(x->ece_mass, y->ece_mass, tol);
}

/* softmax(logits / t), rows of n. */
static void plain_softmax(double *p, const double *logits, int rows, int n, double t)
{
    for (int i = 0; i < rows; i++) {
        double max = -INFINITY, sum = 0;
        for (int j = 0; j < n; j++)
            max = fmax(max, logits[i * n + j]);
        for (int j = 0; j < n; j++)
            sum += p[i * n + j] = exp((logits[i * n + j] - max) / t);
        for (int j = 0; j < n; j++)
            p[i * n + j] /= sum;
    }
}

enum { ROWS = 317, CLASSES = 5 };

/* Labels drawn from softmax(logits / cool): the right temperature is about cool. */
static void draw(double *logits, real *p, int *y, double cool, uint64_t seed)
{
    double q[ROWS * CLASSES];
    rng r = rng_make(seed, 0, RNG_TWIN);
    for (int k = 0; k < ROWS * CLASSES; k++)
        logits[k] = 2 * rng_normal(r, 0, (uint64_t)k);
    plain_softmax(q, logits, ROWS, CLASSES, cool);
    for (int i = 0; i < ROWS; i++) {
        double u = rng_uniform(r, 1, (uint64_t)i);
        for (y[i] = 0; y[i] < CLASSES - 1 && u > q[i * CLASSES + y[i]]; y[i]++)
            u -= q[i * CLASSES + y[i]];
    }
    plain_softmax(q, logits, ROWS, CLASSES, 1);
    for (int k = 0; k < ROWS * CLASSES; k++)
        p[k] = (real)q[k];
}

static double plain_nll(const double *logits, const int *y, double t)
{
    double q[ROWS * CLASSES], sum = 0;
    plain_softmax(q, logits, ROWS, CLASSES, t);
    for (int i = 0; i < ROWS; i++)
        sum -= log(q[i * CLASSES + y[i]]);
    return sum / ROWS;
}

static void test_scores(arena *a)
{
    double logits[2][ROWS * CLASSES], q[ROWS * CLASSES];
    static const double cool[] = {0.4, 1, 1.7, 3};
    real p[2][ROWS * CLASSES];
    int y[2][ROWS];
    metric_work w = metric_work_new(a, CLASSES);
    for (int k = 0; k < 4; k++) {
        for (int part = 0; part < 2; part++)
            draw(logits[part], p[part], y[part], cool[k], (uint64_t)(10 * k + part));
        metric_calibration c = metric_calibrate(p[0], y[0], ROWS, p[1], y[1], ROWS, &w);
        plain_softmax(q, logits[0], ROWS, CLASSES, 1);
        metric_scores plain = plain_scores(q, y[0], ROWS, CLASSES);
        near(&c.plain, &plain, 1e-6);
        plain_softmax(q, logits[0], ROWS, CLASSES, c.temperature);
        plain = plain_scores(q, y[0], ROWS, CLASSES);
        near(&c.scaled, &plain, 2e-6);
        double best = NAN, least = INFINITY, step = 1.0005; /* the grid: T = 0.05 step^i */
        for (double t = 0.05; t < 20; t *= step)
            if (plain_nll(logits[1], y[1], t) < least)
                least = plain_nll(logits[1], y[1], best = t);
        CHECK(fabs(log(c.temperature / best)) <= log(step), "fitted %g, on the grid %g", c.temperature, best);
        CHECK(plain_nll(logits[1], y[1], c.temperature) <= least + 1e-9, "the grid has a lower NLL than T = %g",
              c.temperature);
        CHECK(fabs(log(c.temperature / cool[k])) < 0.35, "labels drawn at %g, fitted %g", cool[k], c.temperature);
    }
}

/* Confidences .95, .65, .55, .65 of which the second and the fourth share a bin of width .1; the third is wrong.
 *   ECE       (.05 + |2 - 1.3| + .55) / 4 = .325       equal mass, a bin each: (.05 + .35 + .35 + .55) / 4 = .325
 *   Brier     2 (.05^2 + .35^2 + .55^2 + .35^2) / 4     NLL  -(log .95 + 2 log .65 + log .45) / 4 */
static void test_by_hand(arena *a)
{
    real p[] = {.95f, .05f, .35f, .65f, .55f, .45f, .65f, .35f};
    int y[] = {0, 1, 1, 0};
    metric_work w = metric_work_new(a, 2);
    metric_scores s = metric_score(p, y, 4, &w), want = {0.4278417, 0.275, 0.325, 0.325};
    near(&s, &want, 1e-6);
}

/* ---- JC at tau ---- */

typedef struct dense {
    int c, cc, d, clusters;
    const double *w1, *w2, *b;
    double *zbar; /* clusters x d */
} dense;

static dense dense_new(trainer *t, mat z, const int *rows, int n)
{
    const op *last = &t->m->ops[t->m->nops - 1];
    int c = t->m->classes, d = z.cols;
    size_t size = (size_t)(2 * d * c * c);
    double *w = NEW(&t->a, double, size), *b = NEW(&t->a, double, (size_t)(c * c));
    for (size_t k = 0; k < size; k++)
        w[k] = (double)t->net.w[t->m->params[last->w].at + k];
    for (int k = 0; k < c * c; k++)
        b[k] = (double)t->net.w[t->m->params[last->b].at + (size_t)k];
    dense q = {c, c * c, d, t->m->clusters, w, w + size / 2, b, NEW(&t->a, double, (size_t)(t->m->clusters * d))};
    for (int m = 0; m < q.clusters; m++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            count += t->data.cluster[rows[i]] == m;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < d && (!count || t->data.cluster[rows[i]] == m); k++)
                q.zbar[m * d + k] += (double)mat_row(z, rows[i])[k] / (count ? count : n);
    }
    return q;
}

/* softmax(a / tau) of the node in cluster m; with turned != 0 softmax(o / tau). */
static void dense_joint(double *p, const dense *q, const real *z, int m, double tau, int turned)
{
    const double *wz = turned ? q->w2 : q->w1, *wc = turned ? q->w1 : q->w2;
    for (int k = 0; k < q->cc; k++) {
        p[k] = q->b[k];
        for (int i = 0; i < q->d; i++)
            p[k] += (double)z[i] * wz[i * q->cc + k] + q->zbar[m * q->d + i] * wc[i * q->cc + k];
    }
    plain_softmax(p, p, 1, q->cc, tau);
}

/* The value of the training loss from the same probabilities: so tau is that of training. */
static double dense_loss(trainer *t, const dense *q, mat z)
{
    const int *rows = t->part.idx[TRAIN], n = t->part.n[TRAIN];
    double sum = 0, p[64];
    for (int i = 0; i < n; i++) {
        int m = t->data.cluster[rows[i]], y = t->data.y.one[rows[i]], count = 0;
        double ybar[8] = {0};
        for (int k = 0; k < n; k++)
            if (t->data.cluster[rows[k]] == m)
                ybar[t->data.y.one[rows[k]]]++, count++;
        for (int turned = 0; turned < 2; turned++) {
            dense_joint(p, q, mat_row(z, rows[i]), m, t->c.s.tau, turned);
            for (int l = 0; l < q->c; l++)
                sum -= ybar[l] / count * log(p[turned ? l * q->c + y : y * q->c + l] + 1e-8);
        }
    }
    return sum / (2 * n);
}

static void marginal(double *out, const double *p, int c)
{
    for (int k = 0; k < c; k++)
        for (int l = (int)(out[k] = 0); l < c; l++)
            out[k] += p[k * c + l];
}

static spec jc_spec(const char *name, double tau)
{
    spec s = spec_default();
    s.model = name, s.loss = "jc", s.tau = tau, s.clusters = 4, s.epochs = 25, s.lr = 0.02, s.dropout = 0;
    return s;
}

static void test_joint(double tau)
{
    problem *p = toy(300, 40, 3, 0);
    spec s = jc_spec("gcn", tau);
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    outcome o;
    trainer_fit(t, &o, NULL, NULL);
    calibration_measure(&o.calibration, t);
    mat z = trainer_embed(t);
    const int *rows = t->part.idx[TEST], n = t->part.n[TEST], *y = trainer_labels(t, rows, n);
    dense learn = dense_new(t, z, t->part.idx[TRAIN], t->part.n[TRAIN]), judge = dense_new(t, z, t->mean, t->nmean);
    double joint[64], *at_tau = NEW(&t->a, double, (size_t)(3 * n)), differs = 0;
    for (int i = 0; i < n; i++) {
        dense_joint(joint, &judge, mat_row(z, rows[i]), t->data.cluster[rows[i]], tau, 0);
        marginal(at_tau + 3 * i, joint, 3);
    }
    CHECK(n <= 512, "%d rows", n);
    metric_scores want = plain_scores(at_tau, y, n, 3);
    near(&o.calibration.at_tau, &want, 1e-5);
    t->test->at_tau = 1;
    workspace_forward(t->test, 0);
    for (int k = 0; k < 3 * n; k++)
        CHECK_NEAR((double)t->test->prob.v[k], at_tau[k], 2e-6);
    t->test->at_tau = 0;
    workspace_forward(t->test, 0);
    for (int k = 0; k < 3 * n; k++)
        differs = fmax(differs, fabs((double)t->test->prob.v[k] - at_tau[k]));
    CHECK(tau == 1 ? differs < 2e-6 : differs > 1e-3, "tau %g: at tau and as predicted differ by %g", tau, differs);
    workspace_forward(t->val, 0);
    workspace_forward(t->train, 1); /* without dropout: of the same parameters */
    CHECK_NEAR(t->train->loss, dense_loss(t, &learn, z), 1e-5);
    trainer_free(t);
    problem_close(p);
}

/* GAT's head reads the graph: the joint logits are an op's output. */
static void test_pairs(void)
{
    problem *p = toy(300, 40, 3, 0);
    spec s = jc_spec("gat", 0.5);
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    outcome o;
    trainer_fit(t, &o, NULL, NULL);
    calibration_measure(&o.calibration, t);
    const int *rows = t->part.idx[TEST], n = t->part.n[TEST], *y = trainer_labels(t, rows, n);
    const op_state *last = t->test->ops + t->m->nops - 1, *a = workspace_in(t->test, last, 0);
    double logits[9], joint[9], *at_tau = NEW(&t->a, double, (size_t)(3 * n));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 9; k++)
            logits[k] = (double)mat_row(a->out, workspace_row(a, rows[i]))[k];
        plain_softmax(joint, logits, 1, 9, 0.5);
        marginal(at_tau + 3 * i, joint, 3);
    }
    metric_scores want = plain_scores(at_tau, y, n, 3);
    near(&o.calibration.at_tau, &want, 1e-5);
    trainer_free(t);
    problem_close(p);
}

/* ---- a measurement changes nothing ---- */

static void measure(void *arg)
{
    calibration c;
    calibration_measure(&c, arg);
}

static void test_unchanged(const char *loss)
{
    problem *p = toy(300, 40, 3, 0);
    spec s = jc_spec("gcn", 2);
    s.loss = loss;
    method_prepare(p, CELL(&s));
    outcome with, without;
    method_once(&without, p, CELL(&s), 1, 0);
    trainer *t = CELL(&s)->method->trainer(p, CELL(&s), 1, 0);
    trainer_fit(t, &with, NULL, NULL);
    CHECK(!with.calibration.measured && with.param_hash == without.param_hash, "%s: nobody asked", loss);
    if (loss_smoothed(loss)) {
        const char *why = err_try(measure, t);
        CHECK(why && strstr(why, "Correct & Smooth"), "%s", why ? why : "measured");
    } else {
        size_t bytes = (size_t)(t->test->prob.rows * t->test->prob.cols) * sizeof(real);
        real *before = NEW(&t->a, real, bytes / sizeof(real));
        memcpy(before, t->test->prob.v, bytes);
        calibration_measure(&with.calibration, t);
        const calibration *c = &with.calibration;
        CHECK(!memcmp(before, t->test->prob.v, bytes), "%s: other probabilities", loss);
        CHECK(c->measured && c->predicted.plain.ece == with.test.ece && c->predicted.plain.nll == with.test.nll,
              "%s: ECE %g", loss, c->predicted.plain.ece);
        CHECK(isnan(c->at_tau.nll) == (strncmp(loss, "jc", 2) && strcmp(loss, "ce")) &&
                  isfinite(c->predicted.scaled.ece_mass),
              "%s: NLL at tau %g", loss, c->at_tau.nll);
    }
    trainer_free(t);
    problem_close(p);
}

TEST_MAIN(test_calibration)
{
    arena a = {0};
    test_scores(&a);
    test_by_hand(&a);
    test_joint(1.5);
    test_joint(0.3);
    test_joint(1);
    test_pairs();
    for (int k = 0; objectives[k]; k++)
        test_unchanged(objectives[k]->name);
    test_unchanged("jc+cs");
    arena_free(&a);
    return test_end();
}
