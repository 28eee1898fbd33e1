/* APPNP against its equation with dense matrices, in double: the probabilities of all nodes at the initial parameters.
 * Its gradients, batches and threads are tested with those of all backbones. */
#include "../../../src/kernel/blas.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/trainer.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"

enum { NODES = 60, FEATURES = 24, CLASSES = 3, HIDDEN = 9 };

/* y = x w + b for all nodes; parameters k (w) and k + 1 (b) of the model. */
static void linear(double *y, const double *x, const trainer *t, int k, int in, int out)
{
    const double *w = t->net.w + t->m->params[k].at, *b = t->net.w + t->m->params[k + 1].at;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < out; j++) {
            y[i * out + j] = b[j];
            for (int l = 0; l < in; l++)
                y[i * out + j] += x[i * in + l] * w[l * out + j];
        }
}

/* A_hat = (D + I)^-1/2 (A + I) (D + I)^-1/2 */
static void adjacency(double *a, const csr *g)
{
    double degree[NODES];
    for (int i = 0; i < NODES; i++) {
        degree[i] = 1 + (double)(g->ptr[i + 1] - g->ptr[i]);
        a[i * NODES + i] = 1;
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            a[i * NODES + g->idx[k]] = 1;
    }
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            a[i * NODES + j] /= sqrt(degree[i] * degree[j]);
}

static void propagate(double *z, const double *h, const double *a, double alpha)
{
    double next[NODES * HIDDEN];
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < HIDDEN; j++) {
            double sum = 0;
            for (int l = 0; l < NODES; l++)
                sum += a[i * NODES + l] * z[l * HIDDEN + j];
            next[i * HIDDEN + j] = (1 - alpha) * sum + alpha * h[i * HIDDEN + j];
        }
    memcpy(z, next, sizeof next);
}

static void check(int hops, double alpha)
{
    static double a[NODES * NODES], x[NODES * FEATURES], h[NODES * HIDDEN], z[NODES * HIDDEN], y[NODES * CLASSES];
    int all[NODES];
    problem *p = toy(NODES, FEATURES, CLASSES, 1);
    spec s = spec_default();
    s.model = "appnp", s.hidden = HIDDEN, s.hops = hops, s.alpha = alpha;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 5, 0);
    for (int i = 0; i < NODES; i++) {
        all[i] = i;
        memcpy(x + i * FEATURES, mat_row(p->xd[0], i), FEATURES * sizeof *x);
    }
    memset(a, 0, sizeof a);
    adjacency(a, &p->d->graph);
    linear(h, x, t, 0, FEATURES, HIDDEN);
    for (int i = 0; i < NODES * HIDDEN; i++)
        h[i] = fmax(h[i], 0);
    memcpy(z, h, sizeof z);
    for (int k = 0; k < hops; k++)
        propagate(z, h, a, alpha);
    linear(y, z, t, 2, HIDDEN, CLASSES);
    mat prob = trainer_predict(t, all, NODES);
    double worst = 0;
    for (int i = 0; i < NODES; i++) {
        double sum = 0;
        for (int j = 0; j < CLASSES; j++)
            sum += exp(y[i * CLASSES + j]);
        for (int j = 0; j < CLASSES; j++)
            worst = fmax(worst, fabs(exp(y[i * CLASSES + j]) / sum - mat_row(prob, i)[j]));
    }
    CHECK(worst < 1e-12, "hops %d, alpha %g: probabilities differ by %g", hops, alpha, worst);
    trainer_free(t);
    problem_close(p);
}

TEST_MAIN(test_appnp)
{
    blas_init();
    check(0, 0.1);
    check(1, 0.5);
    check(10, 0.1);
    return test_end();
}
