/* Training: the same bits at any number of threads, a plan over fewer rows predicts what one over all rows does, selection, failure, saved
 * models, and the joint loss against a direct evaluation of its formula. */
#include "../src/base/err.h"
#include "../src/graph/blas.h"
#include "../src/loss/loss.h"
#include "../src/train/saved.h"
#include "test.h"
#include "toy.h"
#include <omp.h>
#include <unistd.h>

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 4, 8};
    for (int dense = 0; dense < 2; dense++) {
        problem *p = toy(6000, 200, 5, dense);
        p->split_rule = "per-class:300:100";
        for (int b = 0; backbones[b]; b++)
            for (int o = 0; objectives[o]; o++) {
                spec s = spec_default();
                s.model = backbones[b]->name, s.loss = objectives[o]->name, s.epochs = 4, s.hidden = 40, s.partition = "random";
                problem_prepare(p, &s);
                outcome first, now;
                for (int k = 0; k < 5; k++) {
                    omp_set_num_threads(threads[k]);
                    train_once(&now, p, &s, 1, 0);
                    if (!k)
                        first = now;
                    CHECK(now.param_hash == first.param_hash && now.test_loss == first.test_loss, "%s %s: %d threads give other bits", s.model, s.loss,
                          threads[k]);
                }
                train_once(&now, p, &s, 1, 1);
                CHECK(now.param_hash != first.param_hash, "%s %s: run 1 is run 0 again", s.model, s.loss);
            }
        omp_set_num_threads(2);
        problem_close(p);
    }
}

/* Predicting three nodes alone must agree with predicting all of them (up to the order of sums inside the BLAS). */
static void test_rows(void)
{
    problem *p = toy(500, 60, 4, 0);
    for (int b = 0; backbones[b]; b++)
        for (int o = 0; objectives[o]; o++) {
            spec s = spec_default();
            s.model = backbones[b]->name, s.loss = objectives[o]->name, s.epochs = 5, s.partition = "random";
            problem_prepare(p, &s);
            trainer *t = trainer_new(p, &s, 1, 0);
            outcome r;
            trainer_fit(t, &r, NULL, NULL);
            int all[500], few[] = {7, 100, 499};
            for (int i = 0; i < 500; i++)
                all[i] = i;
            mat x = trainer_predict(t, all, 500), y = trainer_predict(t, few, 3);
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 4; k++)
                    CHECK_NEAR((double)mat_row(x, few[i])[k], (double)mat_row(y, i)[k], 1e-6);
            trainer_free(t);
        }
    problem_close(p);
}

/* The paper's formula, term by term, in double. */
static double joint_direct(trainer *t, const mat z)
{
    const split *q = &t->part;
    const int *cluster = t->data.cluster, *y = t->data.y;
    int d = z.cols, c = t->m->classes, M = t->m->clusters, L = q->n[TRAIN];
    double *zbar = calloc((size_t)(M * d), sizeof *zbar), *ybar = calloc((size_t)(M * c), sizeof *ybar), *n = calloc((size_t)M, sizeof *n), loss = 0;
    for (int i = 0; i < L; i++) {
        int m = cluster[q->idx[TRAIN][i]];
        n[m]++;
        ybar[m * c + y[q->idx[TRAIN][i]]]++;
        for (int k = 0; k < d; k++)
            zbar[m * d + k] += (double)mat_row(z, i)[k];
    }
    const op *last = t->m->ops + t->m->nops - 1;
    const real *w = t->net.w + t->m->params[last->w].at, *b = t->net.w + t->m->params[last->b].at;
    for (int i = 0; i < L; i++)
        for (int order = 0; order < 2; order++) {
            int m = cluster[q->idx[TRAIN][i]];
            double logit[64], sum = 0;
            for (int j = 0; j < c * c; j++) {
                logit[j] = (double)b[j];
                for (int k = 0; k < d; k++) {
                    double one = (double)mat_row(z, i)[k], two = zbar[m * d + k] / n[m];
                    logit[j] += (order ? two : one) * (double)w[k * c * c + j] + (order ? one : two) * (double)w[(d + k) * c * c + j];
                }
                sum += exp(logit[j] / t->s.tau);
            }
            for (int k = 0; k < c; k++)
                for (int l = 0; l < c; l++) {
                    double target = order ? ybar[m * c + k] / n[m] * (l == y[q->idx[TRAIN][i]]) : (k == y[q->idx[TRAIN][i]]) * ybar[m * c + l] / n[m];
                    loss -= target * log(exp(logit[k * c + l] / t->s.tau) / sum + 1e-8);
                }
        }
    free(zbar), free(ybar), free(n);
    return loss / (2.0 * L);
}

static void test_joint(void)
{
    problem *p = toy(900, 50, 4, 0);
    p->split_rule = "per-class:50:20"; /* two tiles */
    spec s = spec_default();
    s.loss = "jc", s.tau = 0.6, s.clusters = 7, s.partition = "random";
    problem_prepare(p, &s);
    trainer *t = trainer_new(p, &s, 1, 0);
    plan_forward(t->train, 1);
    CHECK_NEAR(t->train->loss, joint_direct(t, t->train->nodes[t->m->nops - 2].out), 1e-5);
    trainer_free(t);
    problem_close(p);
}

/* More clusters than training nodes: most clusters are empty, and everything stays finite. */
static void test_empty_clusters(void)
{
    problem *p = toy(300, 50, 3, 0);
    spec s = spec_default();
    s.loss = "jc", s.clusters = 150, s.partition = "random", s.epochs = 20;
    problem_prepare(p, &s);
    outcome o;
    train_once(&o, p, &s, 1, 0);
    CHECK(!strcmp(o.status, "ok") && o.test.acc > 0.34 && isfinite(o.test_loss), "%s acc %g", o.status, o.test.acc);
    problem_close(p);
}

static void test_selection(void)
{
    problem *p = toy(600, 60, 3, 0);
    static const char *const how[] = {"acc", "macro_f1", "weighted_f1", "loss"};
    for (int k = 0; k < 4; k++) {
        spec s = spec_default();
        s.select = how[k], s.epochs = 60;
        outcome o;
        problem_prepare(p, &s);
        train_once(&o, p, &s, 1, 0);
        double chosen = k == 0 ? o.val.acc : k == 1 ? o.val.macro_f1 : k == 2 ? o.val.weighted_f1 : -o.val_loss;
        CHECK_NEAR(chosen, o.val_score, 1e-9);
        s.patience = 5;
        outcome early;
        train_once(&early, p, &s, 1, 0);
        CHECK(early.epochs <= o.epochs && (early.epochs == 60 || early.epochs == early.best_epoch + 5), "patience: %d epochs, best %d", early.epochs,
              early.best_epoch);
    }
    spec s = spec_default();
    s.lr = 100, s.wd = 100, s.epochs = 2000; /* blows up or not, it must say so or finish */
    outcome o;
    train_once(&o, p, &s, 1, 0);
    CHECK(!strcmp(o.status, "ok") || !strncmp(o.status, "failed:", 7), "%s", o.status);
    problem_close(p);
}

static char path[64];

static void read_saved(void *arg)
{
    saved_read(arg, path);
}

static void test_saved(void)
{
    problem *p = toy(300, 50, 3, 0);
    spec s = spec_default();
    s.loss = "jc", s.partition = "random", s.epochs = 10;
    problem_prepare(p, &s);
    trainer *t = trainer_new(p, &s, 3, 2);
    outcome o;
    trainer_fit(t, &o, NULL, NULL);
    snprintf(path, sizeof path, "test_train_%ld.model", (long)getpid());
    saved_write(path, t);
    saved m = saved_read(&t->a, path);
    CHECK(m.run == 2 && m.seed == 3 && !strcmp(m.s.loss, "jc"), "run %d seed %d", m.run, (int)m.seed);
    int all[300];
    for (int i = 0; i < 300; i++)
        all[i] = i;
    mat x = trainer_predict(t, all, 300), y = saved_predict(&t->a, &m, p);
    CHECK(!memcmp(x.v, y.v, 900 * sizeof(real)), "a saved model predicts otherwise");
    FILE *f = fopen(path, "r+");
    fseek(f, -5, SEEK_END);
    fputc(0x55, f);
    fclose(f);
    CHECK(err_try(read_saved, &t->a) != NULL, "a damaged model was read");
    CHECK(truncate(path, 300) == 0 && err_try(read_saved, &t->a) != NULL, "a truncated model was read");
    unlink(path);
    trainer_free(t);
    problem_close(p);
}

int main(void)
{
    blas_init();
    test_threads();
    test_rows();
    test_joint();
    test_empty_clusters();
    test_selection();
    test_saved();
    return test_end();
}
