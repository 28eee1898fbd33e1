/* Which epoch is chosen: acc_or_loss against the rule applied to the results of each epoch, objective against the joint
 * loss computed from embeddings and weights in plain loops of doubles; validate_every against the epochs that it
 * evaluates; one layer of SGC against A^K X W + b. */
#include "../../src/net/loss/loss.h"
#include "../../src/train/method/method.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"

enum { EPOCHS = 40 };

typedef struct seen {
    double acc[EPOCHS + 1], loss[EPOCHS + 1];
} seen;

static void look(void *arg, const trainer *t, int epoch)
{
    seen *s = arg;
    int *y = trainer_labels((trainer *)t, t->part.idx[VAL], t->part.n[VAL]);
    s->acc[epoch] = metric_accuracy(t->val->prob.v, y, t->val->prob.rows, t->val->prob.cols);
    s->loss[epoch] = t->val->loss;
}

static spec spec_of(const char *name, const char *loss, enum spec_select select)
{
    spec s = spec_default();
    s.model = name, s.loss = loss, s.select = select, s.hidden = 8, s.epochs = EPOCHS, s.clusters = 3, s.lr = 0.05;
    return s;
}

static void acc_or_loss(problem *p, const char *name, const char *loss, int patience)
{
    spec s = spec_of(name, loss, SELECT_ACC_OR_LOSS);
    seen w = {0};
    outcome o;
    s.patience = patience;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    trainer_fit(t, &o, look, &w);
    double acc = -1, least = INFINITY;
    int last = 0;
    for (int e = 1; e <= o.epochs; e++) {
        if (w.acc[e] > acc || w.loss[e] < least)
            last = e;
        acc = fmax(acc, w.acc[e]);
        least = fmin(least, w.loss[e]);
    }
    CHECK(o.best_epoch == last && last > 0, "%s %s: epoch %d instead of %d", name, loss, o.best_epoch, last);
    CHECK(!patience || o.epochs == EPOCHS || o.epochs - last == patience, "patience %d, epoch %d of %d", patience, last,
          o.epochs);
    trainer_free(t);
}

/* -mean over validation nodes of sum_l ybar[l] log(softmax([z; zbar] W + b)[y c + l] + 1e-8). */
static double joint_loss(trainer *t)
{
    mat z = trainer_embed(t);
    int c = t->m->classes, d = z.cols, clusters = t->c.s.clusters, cc = c * c;
    const param *pw = &t->m->params[t->m->nparams - 2], *pb = &t->m->params[t->m->nparams - 1];
    const real *w = t->net.w + pw->at, *b = t->net.w + pb->at;
    double zbar[3][16] = {{0}}, ybar[3][8] = {{0}}, count[3] = {0}, sum = 0;
    CHECK(pw->rows == 2 * d && pw->cols == cc && clusters == 3 && d <= 16, "the head");
    for (int i = 0; i < t->nmean; i++) {
        int m = t->data.cluster[t->mean[i]];
        count[m]++;
        ybar[m][t->data.y.one[t->mean[i]]]++;
        for (int k = 0; k < d; k++)
            zbar[m][k] += (double)mat_row(z, t->mean[i])[k];
    }
    for (int v = 0; v < t->part.n[VAL]; v++) {
        int i = t->part.idx[VAL][v], m = t->data.cluster[i];
        double a[64], norm = 0;
        for (int j = 0; j < cc; j++) {
            a[j] = (double)b[j];
            for (int k = 0; k < d; k++)
                a[j] += (double)mat_row(z, i)[k] * (double)w[k * cc + j] +
                        zbar[m][k] / count[m] * (double)w[(d + k) * cc + j];
            norm += exp(a[j]);
        }
        for (int l = 0; l < c; l++)
            sum -= ybar[m][l] / count[m] * log(exp(a[t->data.y.one[i] * c + l]) / norm + 1e-8);
    }
    return sum / t->part.n[VAL];
}

static void own_loss(problem *p)
{
    spec s = spec_of("gcn", "jc", SELECT_OBJECTIVE);
    seen w = {0};
    outcome o;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    trainer_fit(t, &o, look, &w);
    int best = 1;
    for (int e = 1; e <= o.epochs; e++)
        best = w.loss[e] < w.loss[best] ? e : best;
    CHECK(o.best_epoch == best, "epoch %d instead of %d", o.best_epoch, best);
    CHECK_NEAR(joint_loss(t), w.loss[best], 1e-4);
    CHECK(fabs(o.val_loss - w.loss[best]) > 1e-3, "the recorded loss is that of the predicted classes");
    trainer_free(t);
    outcome x, y;
    spec ce = spec_of("gcn", "ce", SELECT_OBJECTIVE), plain = spec_of("gcn", "ce", SELECT_LOSS);
    method_once(&x, p, CELL(&ce), 1, 0);
    method_once(&y, p, CELL(&plain), 1, 0);
    CHECK(x.best_epoch == y.best_epoch && x.param_hash == y.param_hash, "CE has one loss");
}

/* validate_every=7: the same training, of which only epochs 7, 14, ... and the last can be chosen. */
static void every_seventh(problem *p, const char *name, const char *loss)
{
    spec s = spec_of(name, loss, SELECT_ACC), seldom = s, last = s;
    seen w = {0};
    outcome all, o, ends;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    trainer_fit(t, &all, look, &w);
    trainer_free(t);
    int best = 0;
    for (int e = 7; e <= EPOCHS; e = e == EPOCHS ? e + 1 : e + 7 > EPOCHS ? EPOCHS : e + 7)
        best = !best || w.acc[e] > w.acc[best] ? e : best;
    seldom.validate_every = 7;
    method_once(&o, p, CELL(&seldom), 1, 0);
    CHECK(o.best_epoch == best && o.epochs == EPOCHS, "%s %s: epoch %d of %d instead of %d", name, loss, o.best_epoch,
          o.epochs, best);
    last.validate_every = last.epochs = best;
    method_once(&ends, p, CELL(&last), 1, 0);
    CHECK(ends.param_hash == o.param_hash, "%s %s: other parameters after epoch %d", name, loss, best);
    s.epochs = best, s.select = SELECT_LOSS, s.patience = 0;
    t = trainer_new(p, CELL(&s), 1, 0);
    trainer_fit(t, &all, NULL, NULL);
    if (all.best_epoch == best) /* the loss still falls there: the parameters of the last epoch are kept */
        CHECK(all.param_hash == o.param_hash, "%s %s: validating changes the training", name, loss);
    trainer_free(t);
}

static void linear(problem *p)
{
    spec s = spec_of("sgc", "ce", SELECT_LOSS);
    outcome o;
    s.layers = 1, s.hops = 3;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    trainer_fit(t, &o, NULL, NULL);
    int c = p->d->classes, f = p->d->features, n = p->d->nodes, *all = NEW(&t->a, int, (size_t)n);
    CHECK(t->m->nparams == 2 && t->m->params[0].rows == f && t->m->params[0].cols == c && t->m->params[1].cols == c,
          "%d parameters", t->m->nparams);
    for (int i = 0; i < n; i++)
        all[i] = i;
    mat prob = trainer_predict(t, all, n), x = p->xd[3];
    CHECK(x.rows == n, "the toy's propagated features are dense");
    double worst = 0;
    for (int i = 0; i < n && x.rows == n; i++) {
        double a[8], norm = 0;
        for (int k = 0; k < c; k++) {
            a[k] = (double)t->net.w[t->m->params[1].at + (size_t)k];
            for (int j = 0; j < f; j++)
                a[k] += (double)mat_row(x, i)[j] * (double)t->net.w[t->m->params[0].at + (size_t)(j * c + k)];
            norm += exp(a[k]);
        }
        for (int k = 0; k < c; k++)
            worst = fmax(worst, fabs(exp(a[k]) / norm - (double)mat_row(prob, i)[k]));
    }
    CHECK(worst < 1e-4, "off by %g", worst);
    trainer_free(t);
}

TEST_MAIN(test_select)
{
    problem *p = toy(120, 20, 3, 1);
    acc_or_loss(p, "gcn", "ce", 0);
    acc_or_loss(p, "gcn", "jc", 0);
    acc_or_loss(p, "sgc", "ce", 5);
    own_loss(p);
    every_seventh(p, "gcn", "ce");
    every_seventh(p, "gcn", "jcf");
    every_seventh(p, "gat", "jc");
    linear(p);
    problem_close(p);
    return test_end();
}
