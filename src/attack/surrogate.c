/* Backward, G = dL/dZ: dL/db2 = column sums of G, P = A_hat G, dL/dW2 = H^T P, dL/dH = P W2^T, and with Q the gradient
 * before f and dropout dL/db1 = column sums of Q, dL/dW1 = X^T A_hat Q. */
#include "surrogate.h"
#include "../base/rng.h"
#include "../kernel/gemm.h"
#include "../kernel/kernels.h"
#include <math.h>
#include <string.h>

enum { EPOCHS = 200 };

int *surrogate_train_index(arena *a, const attack_target *t)
{
    int *of = NEW(a, int, (size_t)t->nodes);
    for (int i = 0; i < t->nodes; i++)
        of[i] = -1;
    for (int k = 0; k < t->part.n[TRAIN]; k++)
        of[t->part.idx[TRAIN][k]] = k;
    return of;
}

surrogate_run surrogate_run_new(arena *a, const surrogate *m, int nodes)
{
    size_t wide = (size_t)nodes * (size_t)m->hidden, out = (size_t)nodes * (size_t)m->classes;
    return (surrogate_run){NEW(a, real, wide), NEW(a, real, wide), NEW(a, real, out), NEW(a, real, out)};
}

void surrogate_features(surrogate_run *r, const surrogate *m, const feature_matrix *x)
{
    features_mul(r->xw, x, m->w1, m->hidden);
}

static void forward(surrogate_run *r, const surrogate *m, const csr *ahat, const dropout *drop)
{
    int n = ahat->rows;
    spmm(r->h, ahat, r->xw, m->hidden, 0);
    activate(r->h, m->b1, n, m->hidden, m->relu ? RELU : LINEAR, drop, NULL);
    gemm_nn(r->hw, r->h, m->w2, n, m->classes, m->hidden, 0);
    spmm(r->z, ahat, r->hw, m->classes, 0);
    activate(r->z, m->b2, n, m->classes, LINEAR, &(dropout){0}, NULL);
}

void surrogate_forward(surrogate_run *r, const surrogate *m, const csr *ahat) { forward(r, m, ahat, &(dropout){0}); }

/* All parameters in one array, with gradients and Adam's moments. */
typedef struct training {
    real *w, *g, *m, *v;
    size_t n;
} training;

static void uniform(real *w, size_t n, double bound, rng r, uint64_t stream)
{
    for (size_t i = 0; i < n; i++)
        w[i] = (real)(bound * (2 * rng_uniform(r, stream, i) - 1));
}

static surrogate start(arena *a, training *p, const attack_target *t, int relu, uint64_t seed)
{
    size_t h = SURROGATE_HIDDEN, c = (size_t)t->classes, d = (size_t)t->features;
    p->n = d * h + h + h * c + c;
    p->w = NEW(a, real, p->n);
    surrogate s = {relu, (int)h, (int)c, p->w, p->w + d * h, p->w + d * h + h, p->w + d * h + h + h * c};
    rng r = rng_make(seed, ATTACK_SURROGATE, RNG_ATTACK);
    uniform(s.w1, d * h, 1 / sqrt((double)h), r, 1);
    uniform(s.b1, h, 1 / sqrt((double)h), r, 2);
    uniform(s.w2, h * c, 1 / sqrt((double)c), r, 3);
    uniform(s.b2, c, 1 / sqrt((double)c), r, 4);
    return s;
}

/* dL/dZ in place of the logits: (softmax - one-hot) / L on training nodes, 0 elsewhere. */
static void loss_gradient(real *z, const attack_target *t, const int *train_of)
{
    int c = t->classes;
    softmax(z, z, t->nodes, c, 1);
    for (int i = 0; i < t->nodes; i++) {
        real *g = z + (size_t)i * (size_t)c;
        if (train_of[i] < 0)
            memset(g, 0, (size_t)c * sizeof *g);
        else
            g[t->y[i]] -= 1;
        for (int k = 0; k < c; k++)
            g[k] /= (real)t->part.n[TRAIN];
    }
}

surrogate surrogate_train(arena *a, const attack_target *t, const feature_matrix *x, int relu, double decay,
                          uint64_t seed)
{
    arena tmp = {0};
    training p;
    surrogate s = start(a, &p, t, relu, seed);
    p.g = NEW(&tmp, real, p.n), p.m = NEW(&tmp, real, p.n), p.v = NEW(&tmp, real, p.n);
    const int n = t->nodes, h = s.hidden, c = s.classes, *train_of = surrogate_train_index(&tmp, t);
    surrogate_run f = surrogate_run_new(&tmp, &s, n);
    real *pg = NEW(&tmp, real, (size_t)n * (size_t)c), *q = NEW(&tmp, real, (size_t)n * (size_t)h);
    csr ahat = csr_adjacency(&tmp, &t->graph, ADJ_GCN);
    const adam rule = {0.01, 0.9, 0.999, 1e-8};
    dropout drop = {.r = rng_make(seed, ATTACK_DROPOUT, RNG_ATTACK), .p = 0.5};
    for (int e = 0; e < EPOCHS; e++) {
        drop.step = (uint32_t)e;
        surrogate_features(&f, &s, x);
        forward(&f, &s, &ahat, &drop);
        loss_gradient(f.z, t, train_of);
        column_sum(p.g + (s.b2 - p.w), f.z, n, c, 0);
        spmm(pg, &ahat, f.z, c, 0);
        gemm_tn(p.g + (s.w2 - p.w), f.h, pg, h, c, n, 0);
        gemm_nt(q, pg, s.w2, n, h, c, 0);
        activate_back(q, p.g + (s.b1 - p.w), 0, f.h, n, h, relu ? RELU : LINEAR, &drop, NULL);
        spmm(f.h, &ahat, q, h, 0);
        features_mul_t(p.g, x, f.h, h);
        adam_now now = adam_at(&rule, decay, e + 1);
        adam_step(p.w, p.g, p.m, p.v, p.n, &now);
    }
    arena_free(&tmp);
    return s;
}

void surrogate_classes(int *predicted, const real *z, int nodes, int classes)
{
    for (int i = 0; i < nodes; i++) {
        const real *row = z + (size_t)i * (size_t)classes;
        predicted[i] = 0;
        for (int k = 1; k < classes; k++)
            if (row[k] > row[predicted[i]])
                predicted[i] = k;
    }
}

double surrogate_accuracy(const real *z, const attack_target *t, const int *train_of)
{
    int64_t right = 0, all = 0;
    for (int i = 0; i < t->nodes; i++) {
        const real *row = z + (size_t)i * (size_t)t->classes;
        int best = 0;
        for (int k = 1; k < t->classes; k++)
            if (row[k] > row[best])
                best = k;
        if (t->y[i] >= 0 && train_of[i] < 0)
            all++, right += best == t->y[i];
    }
    return all ? (double)right / (double)all : NAN;
}
