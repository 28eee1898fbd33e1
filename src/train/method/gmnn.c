/* GMNN (Qu, Bengio, Tang, ICML 2019), its published variant without attributes in p. Two GCNs without biases, hidden
 * 16, dropout on their inputs:
 *
 *   q   from features (every word of a node counts the same, rows sum to 1) to labels: `epochs` epochs on the training
 *       nodes; back to the epoch of the best validation accuracy, with the optimiser's state
 *   p   from labels to labels: the label of each node is drawn once from softmax(q / 0.1), the truth on training nodes;
 *       100 epochs on all nodes, against the same labels
 *   q   100 epochs more on all nodes against what p predicts, the truth on training nodes; the epoch of the best
 *       validation accuracy among these is tested */
#include "../../base/clock.h"
#include "gcn2.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHARPNESS 10 /* 1 / 0.1 */
enum { STAGE = 100, LABELS = 77 /* stream of the draws */ };

typedef struct gmnn {
    arena *a;
    const cell *of;
    const spec *s; /* of->s */
    split part;
    node_data features, labels;
    csr words;
    mat x, y; /* labels as p's input; targets of either, a row for each node */
    gcn2 *q, *p;
    long q_step;
    int *y_val;
    outcome *o;
} gmnn;

/* The truth on training nodes. */
static void put_truth(mat y, const problem *p, const split *part)
{
    for (int k = 0; k < part->n[TRAIN]; k++) {
        real *row = mat_row(y, part->idx[TRAIN][k]);
        memset(row, 0, (size_t)y.cols * sizeof *row);
        row[problem_dataset(p)->y[part->idx[TRAIN][k]]] = 1;
    }
}

/* Sparse features without their weights; dense ones as they are. */
static void make_inputs(gmnn *g, const problem *p)
{
    g->features = problem_data(p, g->of);
    const dataset *d = problem_dataset(p);
    if (g->features.xs[0]) {
        g->words = *g->features.xs[0];
        g->words.val = NEW(g->a, real, (size_t)csr_nnz(&g->words));
        for (int i = 0; i < g->words.rows; i++)
            for (int64_t k = g->words.ptr[i]; k < g->words.ptr[i + 1]; k++)
                g->words.val[k] = 1 / (real)(g->words.ptr[i + 1] - g->words.ptr[i]);
        g->features.xs[0] = &g->words;
    }
    g->labels = g->features;
    g->x = mat_new(g->a, d->nodes, d->classes);
    g->y = mat_new(g->a, d->nodes, d->classes);
    g->labels.xs[0] = NULL, g->labels.xd[0] = &g->x;
    g->y_val = NEW(g->a, int, (size_t)g->part.n[VAL]);
    for (int k = 0; k < g->part.n[VAL]; k++)
        g->y_val[k] = d->y[g->part.idx[VAL][k]];
}

/* One epoch against the targets y. */
static int learn(gmnn *g, gcn2_view *v, const int *rows, long step)
{
    adam_now now[2];
    trainer_steps(now, g->s, step);
    gcn2_forward(v, step);
    double loss = gcn2_cross_entropy(v, g->y, rows);
    gcn2_learn(v, now);
    g->o->epochs++;
    g->o->train_loss = loss;
    if (!isfinite(loss))
        snprintf(g->o->status, sizeof g->o->status, "failed:loss is not finite at epoch %d", g->o->epochs);
    return isfinite(loss);
}

/* Trains q for that many epochs and restores the parameters of the best validation accuracy. Returns 0 when something
 * is not finite. */
static int train_q(gmnn *g, const int *rows, int n, int epochs)
{
    gcn2_view train = gcn2_view_new(g->q, rows, n, 1), val = gcn2_view_new(g->q, g->part.idx[VAL], g->part.n[VAL], 0);
    net *w = &g->q->net;
    size_t size = g->q->m->size;
    real *best = NEW(g->a, real, 3 * size);
    double top = -1;
    long first = g->q_step, at = first;
    int best_epoch = 0;
    for (int e = 1; e <= epochs; e++) {
        if (!learn(g, &train, rows, first + e))
            return 0;
        gcn2_forward(&val, 0);
        double acc = metric_accuracy(val.out.v, g->y_val, val.out.rows, val.out.cols);
        if (acc > top) {
            top = acc, at = first + e, best_epoch = g->o->epochs;
            memcpy(best, w->w, size * sizeof(real)), memcpy(best + size, w->mean, size * sizeof(real)),
                memcpy(best + 2 * size, w->var, size * sizeof(real));
        }
    }
    memcpy(w->w, best, size * sizeof(real)), memcpy(w->mean, best + size, size * sizeof(real)),
        memcpy(w->var, best + 2 * size, size * sizeof(real));
    g->q_step = at;
    g->o->best_epoch = best_epoch, g->o->val_score = top;
    return 1;
}

/* x = y = a label of each node, drawn from q, the truth on training nodes. */
static void draw_labels(gmnn *g, const problem *p)
{
    gcn2_view all = gcn2_view_new(g->q, NULL, 0, 0);
    rng r = rng_make(g->q->seed, (uint64_t)g->q->run, RNG_DROPOUT);
    int c = g->x.cols;
    gcn2_forward(&all, 0);
    softmax(all.out.v, all.out.v, all.out.rows, c, SHARPNESS);
    for (int i = 0; i < g->x.rows; i++) {
        double u = rng_uniform(r, LABELS, (uint64_t)i), sum = 0;
        int k = 0;
        for (; k < c - 1 && (sum += (double)mat_row(all.out, i)[k]) <= u; k++)
            ;
        memset(mat_row(g->x, i), 0, (size_t)c * sizeof(real));
        mat_row(g->x, i)[k] = 1;
    }
    put_truth(g->x, p, &g->part);
    memcpy(g->y.v, g->x.v, (size_t)g->x.rows * (size_t)c * sizeof(real));
}

/* y = what p predicts after its training, the truth on training nodes. */
static int train_p(gmnn *g, const problem *p)
{
    gcn2_view train = gcn2_view_new(g->p, NULL, 0, 1), all = gcn2_view_new(g->p, NULL, 0, 0);
    for (int e = 1; e <= STAGE; e++)
        if (!learn(g, &train, NULL, e))
            return 0;
    gcn2_forward(&all, 0);
    softmax(g->y.v, all.out.v, all.out.rows, all.out.cols, 1);
    put_truth(g->y, p, &g->part);
    return 1;
}

static void fit(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    arena own = {0};
    gmnn g = {.a = &own, .of = c, .s = &c->s, .part = trainer_split(&own, p, &c->s, seed, run), .o = o};
    const spec *s = &c->s;
    int classes = problem_dataset(p)->classes;
    *o = (outcome){.smooth = "-", .status = "ok"};
    make_inputs(&g, p);
    gcn2_shape q = {problem_dataset(p)->features, s->hidden, classes, s->in_dropout, s->dropout, 0, 0}, r = q;
    r.features = classes;
    g.q = gcn2_new(&own, &g.features, &q, seed, run);
    put_truth(g.y, p, &g.part);
    double start = clock_now();
    int ok = train_q(&g, g.part.idx[TRAIN], g.part.n[TRAIN], s->epochs);
    if (ok) {
        draw_labels(&g, p);
        g.p = gcn2_new(&own, &g.labels, &r, rng_mix(seed, 1), run);
        ok = train_p(&g, p) && train_q(&g, NULL, 0, STAGE);
    }
    o->seconds = clock_now() - start;
    o->epoch_ms = 1e3 * o->seconds / o->epochs;
    o->bytes = own.live;
    if (ok) {
        gcn2_view all = gcn2_view_new(g.q, NULL, 0, 0);
        mat out = mat_new(prob ? a : &own, problem_dataset(p)->nodes, classes);
        start = clock_now();
        gcn2_forward(&all, 0);
        softmax(out.v, all.out.v, out.rows, classes, 1);
        o->infer_ms = 1e3 * (clock_now() - start);
        o->param_hash = gcn2_hash(gcn2_hash(0, g.q), g.p);
        method_judge(o, out, p, &g.part);
        if (prob)
            *prob = out;
    }
    arena_free(&own);
}

const method method_gmnn = {.name = "gmnn",
                            .about =
                                "graph Markov neural network: a GCN on features and one on labels teach each other",
                            .own_networks = 1,
                            .full_batch = 1,
                            .reads = "hidden,in_dropout,dropout,lr,wd,epochs,optimiser",
                            .single = 1,
                            .cost = 4,
                            .defaults = "hidden=16 in_dropout=0.5 dropout=0 wd=5e-4 lr=0.01 epochs=200",
                            .fit = fit};
