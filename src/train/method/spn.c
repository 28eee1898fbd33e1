/* SPN (structured proxy network; Qu, Cai, Tang, ICLR 2022) on one graph of which some nodes are labelled. Two GCNs, one
 * for nodes (-> c), one for links (-> 64, then a linear map of both ends to c x c logits):
 *
 *   1. proxy         cross-entropy of nodes, and 0.2 times that of links against y_s (x) y_t, each mean over what is
 *                    labelled; `epochs` epochs; the best weights of each by validation accuracy (of nodes; of the links
 *                    among validation nodes)
 *   2. potentials    theta_s = log softmax(node logits), theta_st as in spn.h, gamma of 100, 10, 2, 1, .5, .2, .1 by
 *                    validation accuracy of 3.
 *   3. inference     max-product, 5 steps, rho = 1/2 (belief.h)
 *   4. refinement    3/4 as many epochs (300 of 400), Adam 1e-5: labelled minus expected potentials under sum-product
 *                    (2 steps, log sum exp), on labelled nodes and the links among them; validated by 3. every 20
 *                    epochs, the best kept
 *
 * Links with two labelled ends are few (Cora 21, CiteSeer 8, PubMed none), so there are two variants. spn, strict:
 * learns from these alone; without such links the link network learns nothing and the nodes' probabilities stay.
 * spn-soft: learns from all links, against q_s (x) q_t, q the truth on training nodes and the prediction of the trained
 * node network elsewhere.
 *
 * Node and link network share no parameter, so 1. trains one after the other. The messages of 4. are computed for the
 * nodes within two links of a labelled one, which is exact after two steps. */
#include "../../base/clock.h"
#include "spn.h"
#include "../../base/portable.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINK_WEIGHT 0.2
enum { INFER_STEPS = 5 };
static const double gammas[] = {100, 10, 2, 1, .5, .2, .1};

static int finite_loss(spn *g, double loss)
{
    g->o->train_loss = loss;
    if (!isfinite(loss))
        snprintf(g->o->status, sizeof g->o->status, "failed:loss is not finite at epoch %d", g->o->epochs);
    return isfinite(loss);
}

/* --- 1. proxy --- */

static mat truth(spn *g)
{
    mat y = mat_new(g->a, problem_dataset(g->p)->nodes, g->c);
    for (int k = 0; k < g->part.n[TRAIN]; k++)
        mat_row(y, g->part.idx[TRAIN][k])[problem_dataset(g->p)->y[g->part.idx[TRAIN][k]]] = 1;
    return y;
}

static int train_nodes(spn *g, mat y)
{
    const int *rows = g->part.idx[TRAIN];
    gcn2_view train = gcn2_view_new(g->node, rows, g->part.n[TRAIN], 1),
              val = gcn2_view_new(g->node, g->part.idx[VAL], g->part.n[VAL], 0);
    real *best = NEW(g->a, real, g->node->m->size);
    double top = -1;
    for (int e = 1; e <= g->s->epochs; e++) {
        adam_now now[2];
        trainer_steps(now, g->s, e);
        gcn2_forward(&train, e);
        double loss = gcn2_cross_entropy(&train, y, rows);
        g->o->epochs = e;
        if (!finite_loss(g, loss))
            return 0;
        gcn2_learn(&train, now);
        gcn2_forward(&val, 0);
        double acc = metric_accuracy(val.out.v, g->y_val, val.out.rows, g->c);
        if (acc > top) {
            top = acc, g->o->best_epoch = e;
            gcn2_save(best, g->node);
        }
    }
    gcn2_load(g->node, best);
    return 1;
}

void spn_gather(spn_parts *t, const belief_graph *b, const real *d)
{
    int cc = t->p.cols;
#pragma omp parallel for schedule(static) if ((size_t)csr_nnz(&b->g) * (size_t)cc > SERIAL_WORK)
    for (int i = 0; i < b->nodes; i++) {
        memset(mat_row(t->dp, i), 0, (size_t)cc * sizeof(real)),
            memset(mat_row(t->dr, i), 0, (size_t)cc * sizeof(real));
        for (int64_t k = b->g.ptr[i]; k < b->g.ptr[i + 1]; k++) {
            add_row(mat_row(t->dp, i), 1, 1, d + (size_t)k * (size_t)cc, (size_t)cc);
            add_row(mat_row(t->dr, i), 1, 1, d + (size_t)b->back[k] * (size_t)cc, (size_t)cc);
        }
    }
}

/* d = weight (softmax(logits) - q_s (x) q_t) of each link. Returns the weighted loss. */
static double link_loss(real *d, const spn_parts *t, const belief_graph *b, mat q, real weight)
{
    int c = q.cols, cc = c * c;
    int64_t links = csr_nnz(&b->g);
    double loss = 0;
#pragma omp parallel for schedule(static) if ((size_t)links * (size_t)cc > SERIAL_WORK)
    for (int64_t k = 0; k < links; k++) {
        spn_logits(d + (size_t)k * (size_t)cc, t, b, k);
        softmax(d + (size_t)k * (size_t)cc, d + (size_t)k * (size_t)cc, 1, cc, 1);
    }
    for (int64_t k = 0; k < links; k++) {
        const real *qs = mat_row(q, b->node[b->from[k]]), *qt = mat_row(q, b->node[b->g.idx[k]]);
        real *p = d + (size_t)k * (size_t)cc;
        for (int x = 0; x < c; x++)
            for (int z = 0; z < c; z++, p++) {
                real target = qs[x] * qt[z];
                if (target > (real)1e-6)
                    loss -= (double)(weight * target) * portable_log((double)*p + 1e-30);
                *p = weight * (*p - target);
            }
    }
    return loss;
}

/* The share of links whose likeliest pair of classes is the true one. */
static double link_accuracy(const spn_parts *t, const belief_graph *b, const int *y, int c)
{
    int64_t hit = 0, links = csr_nnz(&b->g);
    real logits[c * c];
    for (int64_t k = 0; k < links; k++) {
        int best = 0;
        spn_logits(logits, t, b, k);
        for (int i = 1; i < c * c; i++)
            best = logits[i] > logits[best] ? i : best;
        hit += best == y[b->node[b->from[k]]] * c + y[b->node[b->g.idx[k]]];
    }
    return links ? (double)hit / (double)links : 0;
}

void spn_learn_links(spn *g, gcn2_view *v, spn_parts *t, const adam_now *now)
{
    spn_head_backward(v->grad, &g->head, t, v->out);
    gcn2_learn(v, now);
    adam_step(g->head.w, g->head.g, g->head.mean, g->head.var, g->head.size, now);
}

/* Against q_s (x) q_t on the links among the nodes (NULL: all). */
static int train_links(spn *g, mat q, const int *nodes, int n)
{
    belief_graph some, val = belief_graph_new(g->a, &problem_dataset(g->p)->graph, g->part.idx[VAL], g->part.n[VAL]),
                       *b = &g->all;
    if (nodes)
        some = belief_graph_new(g->a, &problem_dataset(g->p)->graph, nodes, n), b = &some;
    int64_t links = csr_nnz(&b->g);
    if (!links)
        return 1;
    int cc = g->c * g->c;
    gcn2_view train = gcn2_view_new(g->link, nodes, n, 1),
              look = gcn2_view_new(g->link, g->part.idx[VAL], g->part.n[VAL], 0);
    spn_parts t = spn_parts_new(g->a, b->nodes, cc), u = spn_parts_new(g->a, val.nodes, cc);
    real *d = NEW(g->a, real, (size_t)links * (size_t)cc), *best = NEW(g->a, real, g->link->m->size + g->head.size);
    double top = -1;
    g->links = 1;
    for (int e = 1; e <= g->s->epochs; e++) {
        adam_now now[2];
        trainer_steps(now, g->s, e);
        gcn2_forward(&train, e);
        spn_head_forward(&t, &g->head, train.out);
        if (!finite_loss(g, link_loss(d, &t, b, q, (real)(LINK_WEIGHT / (double)links))))
            return 0;
        spn_gather(&t, b, d);
        spn_learn_links(g, &train, &t, now);
        gcn2_forward(&look, 0);
        spn_head_forward(&u, &g->head, look.out);
        double acc = link_accuracy(&u, &val, problem_dataset(g->p)->y, g->c);
        if (acc > top || !csr_nnz(&val.g)) { /* without links to validate on: the last */
            top = acc;
            gcn2_save(best, g->link);
            memcpy(best + g->link->m->size, g->head.w, g->head.size * sizeof(real));
        }
    }
    gcn2_load(g->link, best);
    memcpy(g->head.w, best + g->link->m->size, g->head.size * sizeof(real));
    return 1;
}

/* --- 2., 3. potentials and inference --- */

void spn_log_rows(real *to, mat prob)
{
    size_t n = (size_t)prob.rows * (size_t)prob.cols;
    softmax(to, prob.v, prob.rows, prob.cols, 1);
    for (size_t i = 0; i < n; i++)
        to[i] = (real)portable_log((double)to[i] + 1e-30);
}

void spn_potentials(belief *f, const spn_parts *t, real gamma)
{
    int c = f->classes;
    int64_t links = csr_nnz(&f->b->g);
#pragma omp parallel for schedule(static) if ((size_t)links * (size_t)(c * c) > SERIAL_WORK)
    for (int64_t k = 0; k < links; k++) {
        real *theta = f->theta_st + (size_t)k * (size_t)(c * c);
        spn_logits(theta, t, f->b, k);
        spn_potential(theta, c, gamma);
    }
}

void spn_forward(spn *g)
{
    gcn2_forward(&g->node_all, 0);
    spn_log_rows(g->infer.theta_s, g->node_all.out);
    if (g->links) {
        gcn2_forward(&g->link_all, 0);
        spn_head_forward(&g->parts_all, &g->head, g->link_all.out);
    }
}

void spn_infer(spn *g, real gamma)
{
    if (g->links)
        spn_potentials(&g->infer, &g->parts_all, gamma);
    belief_run(&g->infer, g->links ? INFER_STEPS : 0, 1);
    belief_nodes(g->prob.v, &g->infer);
}

double spn_accuracy(spn *g)
{
    for (int i = 0; i < g->val.rows; i++)
        memcpy(mat_row(g->val, i), mat_row(g->prob, g->part.idx[VAL][i]), (size_t)g->c * sizeof(real));
    return metric_accuracy(g->val.v, g->y_val, g->val.rows, g->c);
}

static double choose_gamma(spn *g)
{
    double top = -1;
    spn_forward(g);
    for (size_t i = 0; i < sizeof gammas / sizeof *gammas; i++) {
        spn_infer(g, (real)gammas[i]);
        double acc = spn_accuracy(g);
        if (acc > top)
            top = acc, g->gamma = (real)gammas[i];
        if (!g->links)
            break;
    }
    return top;
}

/* --- all of it --- */

static void make(spn *g, const node_data *data, uint64_t seed, int run)
{
    const dataset *d = problem_dataset(g->p);
    gcn2_shape node = {d->features, g->s->hidden, g->c, g->s->in_dropout, g->s->dropout, 1, 1}, link = node;
    link.out = SPN_WIDTH;
    g->all = belief_graph_new(g->a, &d->graph, gcn2_all(g->a, d->nodes), d->nodes);
    g->infer = belief_new(g->a, &g->all, g->c, RHO); /* first: refuses more classes than have a square in an int */
    g->node = gcn2_new(g->a, data, &node, seed, run);
    g->link = gcn2_new(g->a, data, &link, rng_mix(seed, 1), run);
    g->head = spn_head_new(g->a, g->c, rng_mix(seed, 2), run);
    g->node_all = gcn2_view_new(g->node, NULL, 0, 0), g->link_all = gcn2_view_new(g->link, NULL, 0, 0);
    g->parts_all = spn_parts_new(g->a, d->nodes, g->c * g->c);
    g->prob = mat_new(g->a, d->nodes, g->c), g->val = mat_new(g->a, g->part.n[VAL], g->c);
    g->y_val = NEW(g->a, int, (size_t)g->part.n[VAL]);
    for (int i = 0; i < g->part.n[VAL]; i++)
        g->y_val[i] = d->y[g->part.idx[VAL][i]];
}

/* q: the true class where it is known, else the node network's prediction. */
static void soften(spn *g, mat y)
{
    gcn2_forward(&g->node_all, 0);
    softmax(g->prob.v, g->node_all.out.v, y.rows, g->c, 1);
    unsigned char *known = NEW(g->a, unsigned char, (size_t)y.rows);
    for (int k = 0; k < g->part.n[TRAIN]; k++)
        known[g->part.idx[TRAIN][k]] = 1;
    for (int i = 0; i < y.rows; i++)
        if (!known[i])
            memcpy(mat_row(y, i), mat_row(g->prob, i), (size_t)g->c * sizeof(real));
}

static int train(spn *g)
{
    mat y = truth(g);
    if (!train_nodes(g, y))
        return 0;
    if (g->soft)
        soften(g, y);
    if (!train_links(g, y, g->soft ? NULL : g->part.idx[TRAIN], g->part.n[TRAIN]))
        return 0;
    spn_refine(g, choose_gamma(g));
    return 1;
}

static void fit_variant(int soft, outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed,
                        int run)
{
    arena own = {0};
    spn g = {.a = &own,
             .p = p,
             .s = &c->s,
             .part = trainer_split(&own, p, &c->s, seed, run),
             .c = problem_dataset(p)->classes,
             .soft = soft,
             .o = o};
    const node_data data = problem_data(p, c);
    *o = (outcome){.smooth = "-", .status = "ok"};
    make(&g, &data, seed, run);
    double start = clock_now();
    int ok = train(&g);
    o->seconds = clock_now() - start;
    o->epoch_ms = 1e3 * o->seconds / o->epochs;
    o->bytes = own.live;
    if (ok) {
        start = clock_now();
        spn_forward(&g);
        spn_infer(&g, g.gamma);
        o->infer_ms = 1e3 * (clock_now() - start);
        method_judge(o, g.prob, p, &g.part);
        if (prob) {
            *prob = mat_new(a, g.prob.rows, g.prob.cols);
            memcpy(prob->v, g.prob.v, (size_t)g.prob.rows * (size_t)g.c * sizeof(real));
        }
    }
    arena_free(&own);
}

static void fit_strict(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    fit_variant(0, o, prob, a, p, c, seed, run);
}

static void fit_soft(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    fit_variant(1, o, prob, a, p, c, seed, run);
}

#define READS "hidden,in_dropout,dropout,lr,wd,epochs,optimiser"
#define DEFAULTS "hidden=16 dropout=0.5 wd=5e-4 lr=0.005 epochs=400"
const method method_spn = {
    .name = "spn",
    .about = "structured proxy network: GCNs for nodes and for links, belief propagation; links with two labelled ends",
    .own_networks = 1,
    .full_batch = 1,
    .reads = READS,
    .single = 1,
    .cost = 6,
    .defaults = DEFAULTS,
    .fit = fit_strict};
const method method_spn_soft = {.name = "spn-soft",
                                .about = "the same, learning from all links, against predicted classes",
                                .own_networks = 1,
                                .full_batch = 1,
                                .reads = READS,
                                .single = 1,
                                .cost = 15,
                                .defaults = DEFAULTS,
                                .fit = fit_soft};
