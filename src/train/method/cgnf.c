/* CGNF (conditional graph neural fields; 2018, unpublished, no usable code), in this form:
 *
 *   F = A drop(relu(A drop(X) W1)) W2                       A = ADJ_GCN; Adam, L2 on all parameters
 *   Q = the truth on training nodes, softmax(F) elsewhere   no gradient goes through Q
 *   C = A_off Q U^T                                         A_off = A without its diagonal; U (c x c) starts at 0
 *   loss = mean over training nodes of -log softmax(log_softmax(F) + C)[y]
 *
 * With R = (softmax(log_softmax(F) + C) - onehot(y)) / L on training nodes, whose rows sum to 0: dF = R, dU = R^T
 * (A_off Q). Inference: Q <- softmax(log_softmax(F) + A_off Q U^T), training nodes clamped, from Q as above; up to 10
 * rounds. Epoch and number of rounds (0: softmax(F)) are those of the best validation accuracy, the first of equals. */
#include "../../base/clock.h"
#include "../../base/hash.h"
#include "gcn2.h"
#include "../../base/portable.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 10 };

typedef struct cgnf {
    arena *a;
    const problem *p;
    split part;
    int c;
    csr off; /* A_off */
    gcn2 *net;
    gcn2_view train, all;
    int *near, nnear;     /* training nodes and their neighbours: the rows of the view `train` */
    csr local;            /* rows of A_off at the training nodes, columns by `near` */
    int *at;              /* of each training node, its row in the view */
    real *u, *du, *m, *v; /* U, its gradient, its moments */
    mat q, mixed, prob,
        base; /* Q and A_off Q of `near` and of the training nodes; of all nodes: what is predicted, log_softmax(F) */
    mat wide, turned; /* A_off Q, A_off Q U^T of all nodes */
    int *y_val;
    mat val;
} cgnf;

static csr without_diagonal(arena *a, const csr *s)
{
    csr m = csr_new(a, s->rows, s->cols, csr_nnz(s), 1);
    int64_t w = 0;
    for (int i = 0; i < s->rows; i++) {
        m.ptr[i] = w;
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++)
            if (s->idx[k] != i)
                m.idx[w] = s->idx[k], m.val[w++] = s->val[k];
    }
    m.ptr[s->rows] = w;
    return m;
}

static void log_softmax(real *x, int rows, int c)
{
    for (int i = 0; i < rows; i++, x += c) {
        double largest = (double)x[0], sum = 0;
        for (int k = 1; k < c; k++)
            largest = (double)x[k] > largest ? (double)x[k] : largest;
        for (int k = 0; k < c; k++)
            sum += portable_exp((double)x[k] - largest);
        real less = (real)(largest + portable_log(sum));
        for (int k = 0; k < c; k++)
            x[k] -= less;
    }
}

/* The training nodes and their neighbours. */
static void find_near(cgnf *g)
{
    const split *q = &g->part;
    int n = problem_dataset(g->p)->nodes;
    unsigned char *in = NEW(g->a, unsigned char, (size_t)n);
    for (int i = 0; i < q->n[TRAIN]; i++) {
        in[q->idx[TRAIN][i]] = 1;
        for (int64_t k = g->off.ptr[q->idx[TRAIN][i]]; k < g->off.ptr[q->idx[TRAIN][i] + 1]; k++)
            in[g->off.idx[k]] = 1;
    }
    g->near = NEW(g->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        if (in[i])
            g->near[g->nnear++] = i;
    g->local = csr_restrict(g->a, &g->off, q->idx[TRAIN], q->n[TRAIN], g->near, g->nnear);
    g->at = NEW(g->a, int, (size_t)q->n[TRAIN]);
    for (int i = 0, k = 0; i < q->n[TRAIN]; i++) {
        while (g->near[k] < q->idx[TRAIN][i])
            k++;
        g->at[i] = k;
    }
}

static void make(cgnf *g, const node_data *data, const spec *s, uint64_t seed, int run)
{
    const dataset *d = problem_dataset(g->p);
    size_t cc = (size_t)g->c * (size_t)g->c;
    g->off = without_diagonal(g->a, data->adj[ADJ_GCN]);
    find_near(g);
    g->net =
        gcn2_new(g->a, data, &(gcn2_shape){d->features, s->hidden, g->c, s->in_dropout, s->dropout, 1, 0}, seed, run);
    g->train = gcn2_view_new(g->net, g->near, g->nnear, 1);
    g->all = gcn2_view_new(g->net, NULL, 0, 0);
    g->u = NEW(g->a, real, cc), g->du = NEW(g->a, real, cc), g->m = NEW(g->a, real, cc), g->v = NEW(g->a, real, cc);
    g->q = mat_new(g->a, g->nnear, g->c), g->mixed = mat_new(g->a, g->part.n[TRAIN], g->c);
    g->prob = mat_new(g->a, d->nodes, g->c), g->base = mat_new(g->a, d->nodes, g->c);
    g->wide = mat_new(g->a, d->nodes, g->c), g->turned = mat_new(g->a, d->nodes, g->c);
    g->val = mat_new(g->a, g->part.n[VAL], g->c);
    g->y_val = NEW(g->a, int, (size_t)g->part.n[VAL]);
    for (int i = 0; i < g->part.n[VAL]; i++)
        g->y_val[i] = d->y[g->part.idx[VAL][i]];
}

static void one_hot(real *row, int y, int c)
{
    for (int k = 0; k < c; k++)
        row[k] = k == y;
}

/* One step; returns the loss. */
static double learn(cgnf *g, const spec *s, long step)
{
    int c = g->c, n = g->part.n[TRAIN];
    const int *y = problem_dataset(g->p)->y, *rows = g->part.idx[TRAIN];
    double loss = 0;
    adam_now now[2];
    gcn2_forward(&g->train, step);
    softmax(g->q.v, g->train.out.v, g->nnear, c, 1);
    for (int i = 0; i < n; i++)
        one_hot(mat_row(g->q, g->at[i]), y[rows[i]], c);
    spmm(g->mixed.v, &g->local, g->q.v, c, 0);
    memset(g->train.grad.v, 0, (size_t)g->nnear * (size_t)c * sizeof(real));
    memset(g->du, 0, (size_t)c * (size_t)c * sizeof(real));
    for (int i = 0; i < n; i++) {
        const real *f = mat_row(g->train.out, g->at[i]), *mixed = mat_row(g->mixed, i);
        real *r = mat_row(g->train.grad, g->at[i]);
        for (int k = 0; k < c; k++) {
            const real *u = g->u + (size_t)k * (size_t)c;
            r[k] = f[k];
            for (int l = 0; l < c; l++)
                r[k] += u[l] * mixed[l];
        }
        softmax(r, r, 1, c, 1);
        loss -= portable_log((double)r[y[rows[i]]] + 1e-30) / n;
        r[y[rows[i]]] -= 1;
        for (int k = 0; k < c; k++) {
            real *du = g->du + (size_t)k * (size_t)c;
            r[k] /= (real)n;
            for (int l = 0; l < c; l++)
                du[l] += r[k] * mixed[l];
        }
    }
    trainer_steps(now, s, step);
    gcn2_learn(&g->train, now);
    adam_step(g->u, g->du, g->m, g->v, (size_t)c * (size_t)c, now);
    return loss;
}

/* prob <- softmax(base + A_off prob U^T), training nodes clamped. */
static void round_of(cgnf *g)
{
    int c = g->c;
    spmm(g->wide.v, &g->off, g->prob.v, c, 0);
    for (int i = 0; i < g->prob.rows; i++)
        for (int k = 0; k < c; k++) {
            const real *u = g->u + (size_t)k * (size_t)c;
            real sum = mat_row(g->base, i)[k];
            for (int l = 0; l < c; l++)
                sum += u[l] * mat_row(g->wide, i)[l];
            mat_row(g->turned, i)[k] = sum;
        }
    softmax(g->prob.v, g->turned.v, g->prob.rows, c, 1);
    for (int i = 0; i < g->part.n[TRAIN]; i++)
        one_hot(mat_row(g->prob, g->part.idx[TRAIN][i]), problem_dataset(g->p)->y[g->part.idx[TRAIN][i]], c);
}

/* prob = softmax(F), training nodes clamped. */
static void start_rounds(cgnf *g)
{
    gcn2_forward(&g->all, 0);
    memcpy(g->base.v, g->all.out.v, (size_t)g->base.rows * (size_t)g->c * sizeof(real));
    log_softmax(g->base.v, g->base.rows, g->c);
    softmax(g->prob.v, g->all.out.v, g->prob.rows, g->c, 1);
    for (int i = 0; i < g->part.n[TRAIN]; i++)
        one_hot(mat_row(g->prob, g->part.idx[TRAIN][i]), problem_dataset(g->p)->y[g->part.idx[TRAIN][i]], g->c);
}

static double accuracy(cgnf *g)
{
    for (int i = 0; i < g->val.rows; i++)
        memcpy(mat_row(g->val, i), mat_row(g->prob, g->part.idx[VAL][i]), (size_t)g->c * sizeof(real));
    return metric_accuracy(g->val.v, g->y_val, g->val.rows, g->c);
}

/* The best number of rounds by validation accuracy, of the parameters as they are. */
static double best_rounds(int *rounds, cgnf *g)
{
    start_rounds(g);
    double top = accuracy(g);
    *rounds = 0;
    for (int k = 1; k <= ROUNDS; k++) {
        round_of(g);
        double acc = accuracy(g);
        if (acc > top)
            top = acc, *rounds = k;
    }
    return top;
}

/* Returns the number of rounds to infer with; the parameters are those of the best epoch. -1: something is not
 * finite. */
static int train(cgnf *g, outcome *o, const spec *s)
{
    size_t size = g->net->m->size, cc = (size_t)g->c * (size_t)g->c;
    real *best = NEW(g->a, real, size + cc);
    int rounds = 0;
    o->val_score = -1;
    for (int epoch = 1; epoch <= s->epochs; epoch++) {
        int now;
        double loss = learn(g, s, epoch), acc = best_rounds(&now, g);
        o->epochs = epoch;
        if (!isfinite(loss)) {
            snprintf(o->status, sizeof o->status, "failed:loss is not finite at epoch %d", epoch);
            return -1;
        }
        if (acc > o->val_score) {
            o->val_score = acc, o->best_epoch = epoch, o->train_loss = loss, rounds = now;
            gcn2_save(best, g->net);
            memcpy(best + size, g->u, cc * sizeof(real));
        }
    }
    gcn2_load(g->net, best);
    memcpy(g->u, best + size, cc * sizeof(real));
    o->param_hash = hash_bytes(HASH_INIT, best, (size + cc) * sizeof(real));
    return rounds;
}

static void fit(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    arena own = {0};
    cgnf g = {.a = &own, .p = p, .part = trainer_split(&own, p, &c->s, seed, run), .c = problem_dataset(p)->classes};
    const node_data data = problem_data(p, c);
    *o = (outcome){.smooth = "-", .status = "ok"};
    make(&g, &data, &c->s, seed, run);
    o->bytes = own.live;
    double start = clock_now();
    int rounds = train(&g, o, &c->s);
    o->seconds = clock_now() - start;
    o->epoch_ms = 1e3 * o->seconds / o->epochs;
    if (rounds >= 0) {
        start = clock_now();
        start_rounds(&g);
        for (int k = 0; k < rounds; k++)
            round_of(&g);
        o->infer_ms = 1e3 * (clock_now() - start);
        method_judge(o, g.prob, p, &g.part);
        if (prob) {
            *prob = mat_new(a, g.prob.rows, g.prob.cols);
            memcpy(prob->v, g.prob.v, (size_t)g.prob.rows * (size_t)g.c * sizeof(real));
        }
    }
    arena_free(&own);
}

const method method_cgnf = {.name = "cgnf",
                            .about = "GCN with a learned table of class pairs along links, mean-field inference",
                            .own_networks = 1,
                            .full_batch = 1,
                            .reads = "hidden,in_dropout,dropout,lr,wd,epochs,optimiser",
                            .single = 1,
                            .cost = 3,
                            .defaults = "hidden=16 in_dropout=0.5 dropout=0.5 wd=5e-4 lr=0.01 epochs=200",
                            .fit = fit};
