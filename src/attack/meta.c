/* The attack loss is the mean cross-entropy of Z = A_hat^2 X W1 W2 at the end of training. With g = dLoss/dZ (n x c)
 * and B = A_hat^2 X,
 *   dLoss/dW1    = B^T g W2^T = (X^T A_hat^2 g) W2^T
 *   dLoss/dW2    = W1^T (X^T A_hat^2 g)
 *   dLoss/dB     = g (W1 W2)^T + [Gt on training rows],  Gt from inner.h
 *   dLoss/dA_hat = dLoss/dB (A_hat X)^T + A_hat (dLoss/dB) X^T
 * The factors of the last line are passed to score.h. Only the training rows of B are stored; after a flip those within
 * two links of it are recomputed.
 *
 * A-Meta sums dLoss/dA_hat over the weights of 100 steps of Adam, taken as constants.
 */
#include "meta.h"
#include "../base/err.h"
#include "../kernel/gemm.h"
#include "../kernel/kernels.h"
#include "hops.h"
#include "../base/size.h"
#include "surrogate.h"
#include "../base/portable.h"
#include <math.h>
#include <string.h>

static int slots_of(const attack_spec *s) { return s->method->approximate ? 1 : s->steps ? s->steps : INNER_STEPS; }

static enum inner_form form_of(const attack_target *t, int approximate)
{
    return !approximate && t->part.n[TRAIN] <= t->features ? INNER_DUAL : INNER_PRIMAL;
}

double meta_memory(const attack_target *t, const attack_spec *s)
{
    int approximate = s->method->approximate, L = t->part.n[TRAIN], d = t->features, n = t->nodes, c = t->classes;
    double links = (double)csr_nnz(&t->graph) * (1 + s->rate), entries = (double)csr_nnz(&t->xs);
    double total = inner_memory(L, d, c, form_of(t, approximate), slots_of(s));
    total += score_memory(n, d, approximate ? 4 * c * INNER_STEPS : 4 * c, approximate ? 0 : L);
    total += sizeof(real) * ((double)d * ((approximate ? 0 : L) + 3 * INNER_HIDDEN + 2 * c) + 6.0 * n * c);
    total += 8 * links + (links + n) * 2 * (4 + sizeof(real)); /* two graphs; A_hat and Side */
    return total + entries * (4 + (double)sizeof(real)) + 40.0 * n;
}

meta meta_new(arena *a, const attack_target *t, const feature_matrix *x, const attack_spec *s, int64_t budget,
              const int *label)
{
    const int n = t->nodes, d = t->features, c = t->classes, h = INNER_HIDDEN, L = t->part.n[TRAIN];
    const size_t tall = SIZE(n, c), wide = SIZE(d, h), small = SIZE(h, c);
    meta m = {
        .t = t, .x = *x, .e = edit_new(a, &t->graph, budget), .init = s->init, .approximate = s->method->approximate};
    m.lambda = s->method->lambda;
    m.r = rng_make(s->seed, ATTACK_WEIGHTS, RNG_ATTACK);
    m.train_of = surrogate_train_index(a, t);
    m.label = NEW(a, int, (size_t)n), m.row_label = NEW(a, int, (size_t)L), m.changed = NEW(a, int, (size_t)L);
    memcpy(m.label, label, (size_t)n * sizeof(int));
    for (int k = 0; k < L; k++)
        m.row_label[k] = label[t->part.idx[TRAIN][k]], m.changed[k] = k;
    m.w = inner_new(a, L, d, c, m.row_label, form_of(t, m.approximate), slots_of(s));
    m.s = m.approximate ? score_new(a, n, d, 4 * c * m.w.steps, 0) : score_new(a, n, d, 4 * c, L);
    m.xw = NEW(a, real, tall), m.yw = NEW(a, real, tall), m.z = NEW(a, real, tall), m.g = NEW(a, real, tall),
    m.ag = NEW(a, real, tall);
    m.aag = NEW(a, real, tall), m.ww = NEW(a, real, SIZE(d, c)), m.xt = NEW(a, real, SIZE(d, c));
    m.a1 = NEW(a, real, wide), m.a2 = NEW(a, real, small);
    if (m.approximate)
        m.m1 = NEW(a, real, wide), m.v1 = NEW(a, real, wide), m.m2 = NEW(a, real, small), m.v2 = NEW(a, real, small);
    else
        m.gt = NEW(a, real, SIZE(d, L));
    arena tmp = {0};
    csr ahat = csr_adjacency(&tmp, &m.e.graph, ADJ_GCN);
    hops_rows(m.w.bt, &ahat, &m.x, t->part.idx[TRAIN], m.changed, L);
    inner_changed(&m.w, m.changed, L);
    arena_free(&tmp);
    return m;
}

/* Replaces the softmax by dLoss/dlogits; adds up the loss row by row. */
static void attack_loss(meta *m)
{
    const int n = m->t->nodes, c = m->t->classes, L = m->t->part.n[TRAIN];
    const double known = m->lambda / L, other = n > L ? (1 - m->lambda) / (n - L) : 0;
    double loss = 0;
    softmax(m->g, m->z, n, c, 1);
    for (int i = 0; i < n; i++) {
        real *g = m->g + SIZE(i, c), factor = (real)(m->train_of[i] >= 0 ? known : other);
        loss -= (double)factor * portable_log((double)g[m->label[i]] + 1e-30);
        g[m->label[i]] -= 1;
        for (int k = 0; k < c; k++)
            g[k] *= factor;
    }
    m->loss = loss;
    m->accuracy = surrogate_accuracy(m->z, m->t, m->train_of);
}

/* Loss and factors at these weights: xw, yw, z, g, ag. */
static void evaluate(meta *m, const csr *ahat, const real *w1, const real *w2)
{
    const int c = m->t->classes;
    gemm_nn(m->ww, w1, w2, m->t->features, c, m->w.hidden, 0);
    features_mul(m->xw, &m->x, m->ww, c);
    spmm(m->yw, ahat, m->xw, c, 0);
    spmm(m->z, ahat, m->yw, c, 0);
    attack_loss(m);
    spmm(m->ag, ahat, m->g, c, 0);
}

static void exact(meta *m, const csr *ahat)
{
    const int d = m->t->features, c = m->t->classes, h = m->w.hidden;
    inner_train(&m->w);
    evaluate(m, ahat, m->w.end1, m->w.end2);
    score_factors(&m->s, 0, c, m->g, m->ag, m->xw, m->yw);
    spmm(m->aag, ahat, m->ag, c, 0);
    features_mul_t(m->xt, &m->x, m->aag, c);
    gemm_nt(m->a1, m->xt, m->w.end2, d, h, c, 0);
    gemm_tn(m->a2, m->w.end1, m->xt, h, c, d, 0);
    inner_back(m->gt, &m->w, m->a1, m->a2);
    score_training(&m->s, &m->x, ahat, m->gt);
}

static void approximate(meta *m, const csr *ahat)
{
    const int c = m->t->classes, h = m->w.hidden;
    const size_t wide = SIZE(m->t->features, h), small = SIZE(h, c);
    const adam rule = {0.01, 0.9, 0.999, 1e-8};
    inner *w = &m->w;
    memcpy(w->now, w->w1, wide * sizeof(real));
    memcpy(w->end2, w->w2, small * sizeof(real));
    memset(m->m1, 0, wide * sizeof(real)), memset(m->v1, 0, wide * sizeof(real));
    memset(m->m2, 0, small * sizeof(real)), memset(m->v2, 0, small * sizeof(real));
    for (int t = 0; t < w->steps; t++) {
        inner_gradient(w, 0, w->end2);
        evaluate(m, ahat, w->now, w->end2);
        score_factors(&m->s, t * c, c, m->g, m->ag, m->xw, m->yw);
        adam_now now = adam_at(&rule, 0, t + 1);
        adam_step(w->now, w->g1, m->m1, m->v1, wide, &now);
        adam_step(w->end2, w->g2, m->m2, m->v2, small, &now);
    }
}

void meta_gradient(meta *m, arena *scratch, int64_t number)
{
    csr ahat = csr_adjacency(scratch, &m->e.graph, ADJ_GCN);
    inner_start(&m->w, m->r, m->init == ATTACK_FIXED ? 0 : (uint64_t)number, m->init == ATTACK_FIXED);
    if (m->approximate)
        approximate(m, &ahat);
    else
        exact(m, &ahat);
    score_finish(&m->s, scratch, &ahat, m->train_of);
}

void meta_flip(meta *m, flip f)
{
    arena tmp = {0};
    edit_flip(&m->e, &f, 1);
    csr ahat = csr_adjacency(&tmp, &m->e.graph, ADJ_GCN);
    const int *train = m->t->part.idx[TRAIN];
    int n = hops_changed(m->changed, &m->e.graph, f.u, f.v, train, m->t->part.n[TRAIN]);
    hops_rows(m->w.bt, &ahat, &m->x, train, m->changed, n);
    inner_changed(&m->w, m->changed, n);
    arena_free(&tmp);
}

int *meta_labels(arena *a, const attack_target *t, const feature_matrix *x, uint64_t seed)
{
    arena tmp = {0};
    int *label = NEW(a, int, (size_t)t->nodes);
    surrogate s = surrogate_train(&tmp, t, x, 0, 0, seed);
    surrogate_run run = surrogate_run_new(&tmp, &s, t->nodes);
    csr ahat = csr_adjacency(&tmp, &t->graph, ADJ_GCN);
    surrogate_features(&run, &s, x);
    surrogate_forward(&run, &s, &ahat);
    surrogate_classes(label, run.z, t->nodes, t->classes);
    for (int k = 0; k < t->part.n[TRAIN]; k++)
        label[t->part.idx[TRAIN][k]] = t->y[t->part.idx[TRAIN][k]];
    arena_free(&tmp);
    return label;
}

void meta_run(attack_job *j)
{
    if (j->t->part.n[TRAIN] == j->t->nodes && j->s->method->lambda < 1)
        die("%s attacks nodes outside the training set, and there are none", j->s->method->name);
    feature_matrix x = features_of(&j->a, j->t);
    meta m = meta_new(&j->a, j->t, &x, j->s, j->budget, meta_labels(&j->a, j->t, &x, j->s->seed));
    for (int64_t k = 0; j->w && k < j->w->nknown; k++) {
        meta_flip(&m, j->w->known[k]);
        attack_found(j, j->w->known[k].u, j->w->known[k].v);
    }
    while (j->n < j->budget) {
        flip best;
        double value;
        meta_gradient(&m, &j->scratch, j->n);
        int any = score_best(&best, &value, &m.s, &m.e);
        arena_free(&j->scratch);
        if (!isfinite(m.loss))
            die("flip %lld: training of the surrogate diverges; scale the features", (long long)j->n + 1);
        if (!any)
            die("after %lld flips no pair is left that may be flipped; lower the rate", (long long)j->n);
        meta_flip(&m, best);
        attack_found(j, best.u, best.v);
        attack_stepped(j, j->n, j->budget, m.loss, m.accuracy);
    }
}
