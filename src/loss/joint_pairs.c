/* JC where the head reads the graph (GAT): pairs are formed for all nodes and the head runs on the graph of pairs in both orders, with the same weights.
 *   a = head([z ; zbar]),  o = head([zbar ; z]);   loss = -(1/L) sum_i  T . log(softmax(a_i / tau) + eps) + T^T . log(softmax(o_i / tau) + eps)
 * Twice the mean of the linear form (joint.c), as in the authors' release. Prediction: the marginal of softmax(a), with task.at_tau that of
 * softmax(a / tau). */
#include "../model/clusters.h"
#include "joint.h"
#include <math.h>
#include <string.h>

#define EPS 1e-8

double joint_row(real *p, const real *ybar, int c, int cc, int first, int step, real scale)
{
    double loss = 0, sum = 0;
    for (int l = 0; l < c; l++) {
        double q = (double)p[first + l * step], t = (double)ybar[l];
        if (t > 0) {
            loss -= t * log(q + EPS);
            sum += t * (q / (q + EPS));
        }
    }
    for (int l = 0; l < c && sum > 0; l++) {
        double q = (double)p[first + l * step], t = (double)ybar[l];
        p[first + l * step] -= (real)(t * (q / (q + EPS)) / sum);
    }
    real by = (real)sum * scale;
    for (int k = 0; k < cc; k++)
        p[k] *= by;
    return loss;
}

double joint_nll(const real *p, const real *ybar, int y, int c)
{
    double loss = 0;
    for (int l = 0; l < c && y >= 0; l++)
        if (ybar[l] > 0)
            loss -= (double)ybar[l] * log((double)p[y * c + l] + EPS);
    return loss;
}

void joint_marginal(real *prob, const real *p, int c)
{
    for (int k = 0; k < c; k++) {
        real sum = 0;
        for (int l = 0; l < c; l++)
            sum += p[k * c + l];
        prob[k] = sum;
    }
}

typedef struct pairs {
    targets t;
    clusters c; /* for the mean labels */
    real *p;    /* c c */
} pairs;

static void prepare(plan *p, node *n)
{
    pairs *s = n->state = NEW(p->a, pairs, 1);
    s->t = loss_targets(p, n);
    s->c = clusters_new(p, plan_in(p, n, 0));
    s->p = NEW(p->a, real, (size_t)p->m->classes * (size_t)p->m->classes);
}

static void predict(plan *p, node *n)
{
    pairs *s = n->state;
    int c = p->m->classes, known = 0;
    double loss = 0;
    real by = (real)(p->task.at_tau ? 1 / n->d.tau : 1);
    for (int i = 0; i < p->prob.rows; i++) {
        softmax(s->p, mat_row(plan_in(p, n, 0)->out, s->t.row[0][i]), 1, c * c, by);
        joint_marginal(mat_row(p->prob, i), s->p, c);
        if (n->d.own_loss) {
            loss += joint_nll(s->p, mat_row(s->c.ybar, s->t.cluster[i]), s->t.y[i], c);
            known += s->t.y[i] >= 0;
        }
    }
    p->loss = !n->d.own_loss ? loss_nll(p->prob, s->t.y) : known ? loss / known : 0;
}

/* Loss and gradients in one pass: the softmax of a row becomes its gradient where it stands. */
static void forward(plan *p, node *n)
{
    pairs *s = n->state;
    int c = p->m->classes;
    if (!p->task.training) {
        predict(p, n);
        return;
    }
    p->loss = 0;
    for (int q = 0; q < 2; q++) {
        node *logits = plan_in(p, n, q);
        memset(logits->grad.v, 0, (size_t)logits->rows * (size_t)logits->d.cols * sizeof(real));
        for (int i = 0; i < p->task.ntarget; i++) {
            real *g = mat_row(logits->grad, s->t.row[q][i]);
            softmax(g, mat_row(logits->out, s->t.row[q][i]), 1, c * c, (real)(1 / n->d.tau));
            p->loss += joint_row(g, mat_row(s->c.ybar, s->t.cluster[i]), c, c * c, q ? s->t.y[i] : s->t.y[i] * c, q ? c : 1,
                                 (real)(1 / (p->task.ntarget * n->d.tau)));
        }
    }
    p->loss /= p->task.ntarget;
}

static void backward(plan *p, node *n)
{
    plan_in(p, n, 0)->filled = plan_in(p, n, 1)->filled = 1;
}

static const op_kind kind = {.name = "joint pairs", .prepare = prepare, .forward = forward, .backward = backward};

void joint_pairs(model *m, const spec *s, const backbone *b)
{
    int z = m->z = b->encode(m, s, 0), first = m->nparams, cc = m->classes * m->classes;
    int a = b->head(m, s, op_pair(m, z, PAIR_NODE_FIRST), cc);
    m->again = first + 1; /* the same weights */
    int o = b->head(m, s, op_pair(m, z, PAIR_CLUSTER_FIRST), cc);
    m->again = 0;
    model_op(m, (op){&kind, {a, o}, -1, -1, .cols = 0, .tau = s->tau, .own_loss = !strcmp(s->select, "objective")});
}
