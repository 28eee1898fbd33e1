/* Multi-label data: losses and predictions against their formulas term by term, in double; metrics by hand; splits;
 * saved models; threads. */
#include "../../../src/base/err.h"
#include "../../../src/kernel/blas.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/saved.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"
#include <omp.h>
#include <unistd.h>

enum { CLASSES = 3, CLUSTERS = 4 };

static trainer *start(problem **p, const char *model_name, const char *loss)
{
    *p = toy_multi(200, 24, CLASSES, 1);
    spec s = spec_default();
    s.model = model_name, s.loss = loss, s.hidden = 8, s.clusters = CLUSTERS,
    s.partition = partition_rule_read("random"), s.tau = 0.7, s.dropout = 0, s.epochs = 8;
    problem_prepare(*p, CELL(&s));
    return trainer_new(*p, CELL(&s), 5, 0);
}

/* Mean of -log of what is true over nodes and classes. */
static double bce_direct(const trainer *t, mat logits, const int *rows, int n)
{
    double loss = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < CLASSES; k++) {
            double p = 1 / (1 + exp(-(double)mat_row(logits, i)[k]));
            loss -= t->p->d->ym[rows[i] * CLASSES + k] ? log(p) : log(1 - p);
        }
    return loss / (n * CLASSES);
}

static void test_bce(void)
{
    problem *p;
    trainer *t = start(&p, "mlp", "ce"); /* its logits have the rows of the targets */
    workspace_forward(t->val, 0);
    workspace_forward(t->train, 1);
    CHECK_NEAR(t->train->loss, bce_direct(t, t->train->ops[t->m->nops - 2].out, t->part.idx[TRAIN], t->part.n[TRAIN]),
               1e-12);
    workspace_forward(t->val, 0);
    mat x = t->val->ops[t->m->nops - 2].out;
    for (int i = 0; i < t->part.n[VAL]; i++)
        for (int k = 0; k < CLASSES; k++)
            CHECK_NEAR(
                (double)mat_row(t->val->prob, i)[k],
                1 / (1 + exp(-(double)mat_row(x, workspace_row(t->val->ops + t->m->nops - 2, t->part.idx[VAL][i]))[k])),
                1e-12);
    trainer_free(t);
    problem_close(p);
}

/* p[2 a + b] of label k, from [first ; second] W + b. */
static void four(double p[4], const trainer *t, const double *first, const double *second, int d, int k, double tau)
{
    const op *last = t->m->ops + t->m->nops - 1;
    const real *w = t->net.w + t->m->params[last->w].at, *b = t->net.w + t->m->params[last->b].at;
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        double x = (double)b[4 * k + j];
        for (int q = 0; q < d; q++)
            x += first[q] * (double)w[q * 4 * CLASSES + 4 * k + j] +
                 second[q] * (double)w[(d + q) * 4 * CLASSES + 4 * k + j];
        sum += p[j] = exp(x / tau);
    }
    for (int j = 0; j < 4; j++)
        p[j] /= sum;
}

/* The formula of the protocol: both orders, soft labels of the cluster, log(p + 1e-8), mean over 2 B c. */
static double joint_direct(const trainer *t, const op_state *z)
{
    const int *rows = t->part.idx[TRAIN], *cluster = t->data.cluster;
    const unsigned char *y = t->p->d->ym;
    int L = t->part.n[TRAIN], d = z->d.cols;
    double zi[64], zbar[CLUSTERS][64] = {{0}}, ybar[CLUSTERS][CLASSES] = {{0}}, n[CLUSTERS] = {0}, loss = 0;
    for (int i = 0; i < L; i++) {
        int m = cluster[rows[i]];
        n[m]++;
        for (int q = 0; q < d; q++)
            zbar[m][q] += (double)mat_row(z->out, workspace_row(z, rows[i]))[q];
        for (int k = 0; k < CLASSES; k++)
            ybar[m][k] += y[rows[i] * CLASSES + k];
    }
    for (int m = 0; m < CLUSTERS; m++)
        for (int q = 0; q < d; q++)
            zbar[m][q] /= n[m];
    for (int i = 0; i < L; i++) {
        int m = cluster[rows[i]];
        for (int q = 0; q < d; q++)
            zi[q] = (double)mat_row(z->out, workspace_row(z, rows[i]))[q];
        for (int k = 0; k < CLASSES; k++) {
            double p1[4], p2[4], has = y[rows[i] * CLASSES + k], share = ybar[m][k] / n[m];
            four(p1, t, zi, zbar[m], d, k, t->c.s.tau);
            four(p2, t, zbar[m], zi, d, k, t->c.s.tau);
            for (int node = 0; node < 2; node++)
                for (int group = 0; group < 2; group++) {
                    double target = (node ? has : 1 - has) * (group ? share : 1 - share);
                    loss -= target * (log(p1[2 * node + group] + 1e-8) + log(p2[2 * group + node] + 1e-8));
                }
        }
    }
    return loss / (2.0 * L * CLASSES);
}

static void test_joint(void)
{
    static const char *const names[] = {"mlp", "gcn", "sage"};
    for (int b = 0; b < 3; b++) {
        problem *p;
        trainer *t = start(&p, names[b], "jc");
        CHECK(t->m->params[t->m->ops[t->m->nops - 1].w].cols == 4 * CLASSES, "%s: the head has %d outputs", names[b],
              t->m->params[t->m->ops[t->m->nops - 1].w].cols);
        trainer_policy(t, RECYCLE);
        workspace_forward(t->train, 1);
        CHECK_NEAR(t->train->loss, joint_direct(t, t->train->ops + t->m->z), 1e-10);
        trainer_free(t);
        problem_close(p);
    }
}

/* Prediction: order 1, temperature 1, p(1, 0) + p(1, 1), with the mean over training and validation nodes of the
 * cluster. */
static void test_joint_prediction(void)
{
    problem *p;
    trainer *t = start(&p, "mlp", "jc");
    workspace_forward(t->val, 0);
    const op_state *z = t->val->ops + t->m->z;
    for (int i = 0; i < t->part.n[VAL]; i++) {
        int node = t->part.idx[VAL][i], m = t->data.cluster[node], n = 0, d = z->d.cols;
        double zi[64], zbar[64] = {0}, q[4];
        for (int j = 0; j < t->nmean; j++)
            if (t->data.cluster[t->mean[j]] == m) {
                n++;
                for (int k = 0; k < d; k++)
                    zbar[k] += (double)mat_row(z->out, workspace_row(z, t->mean[j]))[k];
            }
        for (int k = 0; k < d; k++)
            zbar[k] /= n, zi[k] = (double)mat_row(z->out, workspace_row(z, node))[k];
        for (int k = 0; k < CLASSES; k++) {
            four(q, t, zi, zbar, d, k, 1);
            CHECK_NEAR((double)mat_row(t->val->prob, i)[k], q[2] + q[3], 1e-10);
        }
    }
    trainer_free(t);
    problem_close(p);
}

static void test_metrics(void)
{
    static const real prob[] = {(real).9, (real).6, (real).1, (real).4, (real).5,
                                (real).2, (real).8, (real).7, (real).3};
    static const unsigned char y[] = {1, 0, 0, 1, 1, 0, 1, 1, 0};
    arena a = {0};
    metric_work w = metric_work_new(&a, 3);
    const node_labels labels = {3, NULL, y};
    metrics m = metric_labels(NULL, prob, &labels, 3, &w);
    /* class 0: TP 2, FP 0, FN 1; class 1: TP 1, FP 1, FN 1; class 2: nothing */
    CHECK_NEAR(m.micro_f1, 2 * 3.0 / (2 * 3 + 1 + 2), 1e-12);
    CHECK_NEAR(m.acc, m.micro_f1, 0);
    CHECK_NEAR(m.macro_f1, (0.8 + 0.5) / 2, 1e-12);
    CHECK_NEAR(m.weighted_f1, (3 * 0.8 + 2 * 0.5) / 5, 1e-12);
    CHECK_NEAR(m.nll, -(log(.9) + log(.4) + log(.9) + log(.4) + log(.5) + log(.8) + log(.8) + log(.7) + log(.7)) / 9,
               1e-7);
    const node_labels single = {3, (const int[]){0, 2, 1}, NULL};
    metrics one = metric_labels(NULL, prob, &single, 3, &w), same = metric_compute(NULL, prob, single.one, 3, &w);
    CHECK(one.acc == same.acc && one.nll == same.nll, "single labels");
    static const real nan_row[] = {NAN, NAN, NAN};
    m = metric_labels(NULL, nan_row, &labels, 1, &w);
    CHECK(m.micro_f1 == 0 && isnan(m.nll), "NaN: %g %g", m.micro_f1, m.nll);
    arena_free(&a);
}

typedef struct drawing {
    problem *p;
    const char *rule;
} drawing;

static void draw(void *arg)
{
    drawing *w = arg;
    split_draw(&w->p->a, w->p->d, split_rule_read(w->rule), 1, 0);
}

static void test_splits(void)
{
    problem *p = toy_multi(200, 24, CLASSES, 1);
    split s = split_draw(&p->a, p->d, split_rule_read("fraction:0.6:0.2"), 1, 0),
          again = split_draw(&p->a, p->d, split_rule_read("fraction:0.6:0.2"), 1, 1);
    CHECK(s.n[TRAIN] == 120 && s.n[VAL] == 40 && s.n[TEST] == 40, "%d %d %d", s.n[TRAIN], s.n[VAL], s.n[TEST]);
    CHECK(memcmp(s.idx[TEST], again.idx[TEST], 40 * sizeof(int)), "runs have the same split");
    dataset *d = (dataset *)p->d;
    d->nsplits = 1, d->splits = &s;
    s.n[TRAIN] = 100, s.n[VAL] = 0;
    split q = split_draw(&p->a, d, split_rule_read("holdout:0.25"), 1, 0);
    CHECK(q.n[TRAIN] == 75 && q.n[VAL] == 25 && q.n[TEST] == 40 && !memcmp(q.idx[TEST], s.idx[TEST], 40 * sizeof(int)),
          "holdout: %d %d %d", q.n[TRAIN], q.n[VAL], q.n[TEST]);
    static const char *const bad[] = {"per-class:5:5", "labels:3", "holdout:0", "holdout:1", "holdout:x"};
    for (int k = 0; k < 5; k++)
        CHECK(err_try(draw, &(drawing){p, bad[k]}), "split '%s' was drawn", bad[k]);
    problem_close(p);
}

static void test_saved_and_threads(void)
{
    static const int threads[] = {1, 2, 3, 8};
    char path[] = "test_multi.model.XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0, "no temporary file");
    close(file);
    for (int jc = 0; jc < 2; jc++) {
        uint64_t first = 0;
        for (int k = 0; k < 4; k++) {
            problem *p;
            omp_set_num_threads(threads[k]);
            trainer *t = start(&p, "gcn", jc ? "jc" : "ce");
            outcome o;
            trainer_fit(t, &o, NULL, NULL);
            first = k ? first : o.param_hash;
            CHECK(!strcmp(o.status, "ok") && o.param_hash == first && o.test.micro_f1 == o.test.acc && o.test.nll > 0,
                  "%s: %d threads", t->c.s.loss, threads[k]);
            saved_write(path, t);
            saved s = saved_read(&t->a, path);
            int all[200];
            for (int i = 0; i < 200; i++)
                all[i] = i;
            mat x = trainer_predict(t, all, 200), y = saved_predict(&t->a, &s, CELL(&s.s), p);
            for (int i = 0; i < 200 * CLASSES; i++)
                CHECK_NEAR((double)x.v[i], (double)y.v[i], 1e-12);
            trainer_free(t);
            problem_close(p);
        }
    }
    unlink(path);
}

static problem *refused;
static void build(void *arg)
{
    model m;
    cell_build(&m, CELL(arg), refused->d, 1);
}

TEST_MAIN(test_multi)
{
    blas_init();
    test_bce();
    test_joint();
    test_joint_prediction();
    test_metrics();
    test_splits();
    test_saved_and_threads();
    static const char *const single_only[] = {"ic", "mixup", "ce+cs"};
    refused = toy_multi(60, 24, CLASSES, 1);
    for (int k = 0; k < 3; k++) {
        spec s = spec_default();
        s.loss = single_only[k];
        CHECK(err_try(build, &s), "%s takes multi-label data", s.loss);
    }
    problem_close(refused);
    return test_end();
}
