/* JC where the head reads the graph (GAT): pairs are formed for all nodes and the head runs on the graph of pairs in
 * both orders, with the same weights.
 *   a = head([z ; zbar]),  o = head([zbar ; z])
 *   loss = -(1/L) sum_i  T . log(softmax(a_i / tau) + eps) + T^T . log(softmax(o_i / tau) + eps)
 * Twice the mean of the linear form (joint.c), as in the authors' release. Prediction: the marginal of softmax(a), with
 * workspace.at_tau that of softmax(a / tau). */
#include "../clusters.h"
#include "../../base/err.h"
#include "joint.h"
#include "../../base/portable.h"
#include <limits.h>
#include <math.h>
#include <string.h>

#define EPS 1e-8

double joint_row(real *p, const real *ybar, int c, int cc, int first, int step, real scale, double *product)
{
    double loss = 0, sum = 0;
    for (int l = 0; l < c; l++) {
        double q = (double)p[first + l * step], t = (double)ybar[l];
        if (t > 0) {
            sum += t * (q / (q + EPS));
            if (product)
                product[l] *= q + EPS;
            else
                loss -= t * portable_log(q + EPS);
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

double joint_logs(double *product, const real *ybar, int c)
{
    double loss = 0;
    for (int l = 0; l < c; l++) {
        loss -= (double)ybar[l] * portable_log(product[l]);
        product[l] = 1;
    }
    return loss;
}

double joint_nll(const real *p, const joint_shape *s, const real *ybar, int y)
{
    int c = s->side, factors = s->form == JOINT_FACTORS;
    double loss = factors && y >= 0 ? -portable_log((double)p[y] + EPS) : 0;
    for (int l = 0; l < c && y >= 0; l++)
        if (ybar[l] > 0)
            loss -= (double)ybar[l] * portable_log((double)p[(factors ? c : y * c) + l] + EPS);
    return loss;
}

int joint_own_loss(const model *m, const spec *s)
{
    int own = s->select == SELECT_OBJECTIVE;
    if (own && m->multi)
        die("select=objective is for data with one label a node; try select=loss");
    return own;
}

joint_shape joint_shape_of(const model *m, const op *o)
{
    int c = m->classes;
    if (o->factorised)
        return (joint_shape){JOINT_FACTORS, 2, c, c, 2 * c};
    if (!m->multi && c > INT_MAX / c)
        die("%d classes are too many for their pairs; loss jcf has 2 outputs a class instead", c);
    return m->multi ? (joint_shape){JOINT_MULTI, c, 2, 4, 4 * c} : (joint_shape){JOINT_FULL, 1, c, c * c, c * c};
}

void joint_softmax(real *x, int rows, const joint_shape *s, double tau)
{
    softmax(x, x, rows * s->groups, s->width, (real)(1 / tau));
}

double joint_target(real *p, const joint_shape *s, const node_labels *y, int i, const real *ybar, int order, real scale,
                    double *product)
{
    int side = s->side;
    if (s->form == JOINT_FACTORS)
        return factors_target(p, side, y->one[i], ybar, order, scale);
    if (y->one)
        return joint_row(p, ybar, side, s->size, order ? y->one[i] : y->one[i] * side, order ? side : 1, scale,
                         product);
    double loss = 0;
    for (int g = 0; g < s->groups; g++) {
        const real share[2] = {1 - ybar[g], ybar[g]};
        int has = y->many[(size_t)i * (size_t)s->groups + (size_t)g];
        loss += joint_row(p + 4 * g, share, 2, 4, order ? has : 2 * has, order ? 2 : 1, scale, NULL);
    }
    return loss;
}

void joint_marginal(real *prob, const real *p, const joint_shape *s)
{
    int c = s->side;
    for (int g = 0; s->form == JOINT_MULTI && g < s->groups; g++)
        prob[g] = p[4 * g + 2] + p[4 * g + 3];
    if (s->form == JOINT_FACTORS)
        memcpy(prob, p, (size_t)c * sizeof(real));
    if (s->form != JOINT_FULL)
        return;
    for (int k = 0; k < c; k++) {
        real sum = 0;
        for (int l = 0; l < c; l++)
            sum += p[k * c + l];
        prob[k] = sum;
    }
}

typedef struct pairs {
    targets t;
    joint_shape shape;
    clusters c; /* for the mean labels */
    real *p;    /* of one row */
} pairs;

static void bind(workspace *ws, op_state *n)
{
    pairs *s = n->state = NEW(ws->a, pairs, 1);
    s->t = loss_targets(ws, n);
    s->c = clusters_new(ws, workspace_in(ws, n, 0));
    s->shape = joint_shape_of(ws->m, &n->d);
    s->p = NEW(ws->a, real, (size_t)s->shape.size);
}

static void predict(workspace *ws, op_state *n)
{
    pairs *s = n->state;
    int known = 0;
    double loss = 0;
    for (int i = 0; i < ws->prob.rows; i++) {
        memcpy(s->p, mat_row(workspace_in(ws, n, 0)->out, s->t.row[0][i]), (size_t)s->shape.size * sizeof(real));
        joint_softmax(s->p, 1, &s->shape, ws->at_tau ? n->d.tau : 1);
        joint_marginal(mat_row(ws->prob, i), s->p, &s->shape);
        if (n->d.own_loss) {
            loss += joint_nll(s->p, &s->shape, mat_row(s->c.ybar, s->t.cluster[i]), s->t.y.one[i]);
            known += s->t.y.one[i] >= 0;
        }
    }
    ws->loss = !n->d.own_loss ? loss_of(ws->prob, &s->t.y) : known ? loss / known : 0;
}

/* Loss and gradients in one pass: the softmax of a row becomes its gradient where it stands. */
static void forward(workspace *ws, op_state *n)
{
    pairs *s = n->state;
    double over = (double)ws->b->ntarget * (ws->m->multi ? s->shape.groups : 1);
    if (!ws->training) {
        predict(ws, n);
        return;
    }
    ws->loss = 0;
    for (int q = 0; q < 2; q++) {
        op_state *logits = workspace_in(ws, n, q);
        memset(logits->grad.v, 0, (size_t)logits->rows * (size_t)logits->d.cols * sizeof(real));
        for (int i = 0; i < ws->b->ntarget; i++) {
            real *g = mat_row(logits->grad, s->t.row[q][i]);
            memcpy(g, mat_row(logits->out, s->t.row[q][i]), (size_t)s->shape.size * sizeof(real));
            joint_softmax(g, 1, &s->shape, n->d.tau);
            ws->loss += joint_target(g, &s->shape, &s->t.y, i, mat_row(s->c.ybar, s->t.cluster[i]), q,
                                     (real)(1 / (over * n->d.tau)), NULL);
        }
    }
    ws->loss /= over;
}

static void backward(workspace *ws, op_state *n)
{
    workspace_in(ws, n, 0)->filled = workspace_in(ws, n, 1)->filled = 1;
}

static const op_kind kind = {.name = "joint pairs", .bind = bind, .forward = forward, .backward = backward};

void joint_pairs(model *m, const spec *s, const backbone *b, int factorised)
{
    op last = {
        .kind = &kind, .w = -1, .b = -1, .tau = s->tau, .own_loss = joint_own_loss(m, s), .factorised = factorised};
    int z = m->z = b->encode(m, s, 0), first = m->nparams, cc = joint_shape_of(m, &last).size;
    last.in[0] = b->head(m, s, op_pair(m, z, PAIR_NODE_FIRST), cc);
    m->again = first + 1; /* the same weights */
    last.in[1] = b->head(m, s, op_pair(m, z, PAIR_CLUSTER_FIRST), cc);
    m->again = 0;
    model_op(m, last);
}
