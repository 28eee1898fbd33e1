/* JCT: JC with trainable cluster statistics (which the paper names as future work). Declared form:
 *
 *   feature  zhat_m = zbar_m + u_m                        u (M x d) starts at 0: each cluster at the mean embedding
 *   label    yhat_m = softmax(log(ybar_m + delta) + v_m)  v (M x c) starts at 0: at the mean label; delta = 1e-3
 *   a = head([z_i ; zhat_m]),  o = head([zhat_m ; z_i])   the same head, c*c outputs;   T[k][l] = [k = y_i] yhat_m[l]
 *   loss = -(1/2L) sum_i  T . log(softmax(a / tau) + eps) + T^T . log(softmax(o / tau) + eps) - 2 yhat_m . log yhat_m
 *
 * (1/L for heads that read the graph, as in joint_pairs.c.) With the entropy of yhat the loss is the divergence from T
 * to the joint: without it the best target would be one class. u and v decay with wd like all weights, which draws them
 * to the means. Prediction as for JC, zhat with the means over training and validation rows.
 *
 * Gradients, G = 1/2L or 1/L: that of the logits as for JC with yhat in place of ybar; u: op_pair_shifted; v, with L_m
 * targets i in cluster m, P = softmax(a / tau), Q = softmax(o / tau):
 *   S_m[l] = -sum over i in m of  log(P_i[y_i][l] + eps) + log(Q_i[l][y_i] + eps)
 *   h_m = G (S_m + 2 L_m log yhat_m),   dv_m = yhat_m (h_m - yhat_m . h_m) */
#include "../clusters.h"
#include "joint.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

#define EPS 1e-8
#define DELTA 1e-3

typedef struct trainable {
    targets t;
    joint_shape shape;
    mat start, yhat, s; /* M x c: log(ybar + delta), the labels, S */
    real *p;            /* of one row */
    int *count;         /* targets of each cluster */
} trainable;

static void bind(workspace *ws, op_state *n)
{
    trainable *s = n->state = NEW(ws->a, trainable, 1);
    int m = ws->m->clusters, c = ws->m->classes;
    s->t = loss_targets(ws, n);
    s->shape = joint_shape_of(ws->m, &n->d);
    s->p = NEW(ws->a, real, (size_t)s->shape.size);
    if (!ws->training)
        return;
    clusters means = clusters_new(ws, workspace_in(ws, n, 0));
    s->start = mat_new(ws->a, m, c), s->yhat = mat_new(ws->a, m, c), s->s = mat_new(ws->a, m, c);
    for (size_t k = 0; k < (size_t)m * (size_t)c; k++)
        s->start.v[k] = (real)portable_log((double)means.ybar.v[k] + DELTA);
    s->count = NEW(ws->a, int, (size_t)m);
    for (int i = 0; i < ws->b->ntarget; i++)
        s->count[s->t.cluster[i]]++;
}

static void predict(workspace *ws, op_state *n)
{
    trainable *s = n->state;
    for (int i = 0; i < ws->prob.rows; i++) {
        memcpy(s->p, mat_row(workspace_in(ws, n, 0)->out, s->t.row[0][i]), (size_t)s->shape.size * sizeof(real));
        joint_softmax(s->p, 1, &s->shape, ws->at_tau ? n->d.tau : 1);
        joint_marginal(mat_row(ws->prob, i), s->p, &s->shape);
    }
    ws->loss = loss_of(ws->prob, &s->t.y);
}

/* Gradients of the logits of one order; adds to S. Returns the sum of -T . log(softmax + eps). */
static double order_forward(workspace *ws, op_state *n, int q, real scale)
{
    trainable *s = n->state;
    op_state *logits = workspace_in(ws, n, q);
    int c = s->shape.side;
    double loss = 0;
    memset(logits->grad.v, 0, (size_t)logits->rows * (size_t)logits->d.cols * sizeof(real));
    for (int i = 0; i < ws->b->ntarget; i++) {
        int y = s->t.y.one[i], m = s->t.cluster[i], first = q ? y : y * c, step = q ? c : 1;
        real *g = mat_row(logits->grad, s->t.row[q][i]);
        memcpy(g, mat_row(logits->out, s->t.row[q][i]), (size_t)s->shape.size * sizeof(real));
        joint_softmax(g, 1, &s->shape, n->d.tau);
        for (int l = 0; l < c; l++)
            mat_row(s->s, m)[l] -= (real)portable_log((double)g[first + l * step] + EPS);
        loss += joint_row(g, mat_row(s->yhat, m), c, s->shape.size, first, step, scale, NULL);
    }
    return loss;
}

static void forward(workspace *ws, op_state *n)
{
    trainable *s = n->state;
    if (!ws->training) {
        predict(ws, n);
        return;
    }
    int m = s->yhat.rows, c = s->yhat.cols;
    double each = n->d.x / ws->b->ntarget;
    memcpy(s->yhat.v, s->start.v, (size_t)m * (size_t)c * sizeof(real));
    add_row(s->yhat.v, 1, 1, workspace_w(ws, n->d.w), (size_t)m * (size_t)c);
    softmax(s->yhat.v, s->yhat.v, m, c, 1);
    memset(s->s.v, 0, (size_t)m * (size_t)c * sizeof(real));
    ws->loss = order_forward(ws, n, 0, (real)(each / n->d.tau));
    ws->loss += order_forward(ws, n, 1, (real)(each / n->d.tau));
    for (size_t k = 0; k < (size_t)m * (size_t)c; k++)
        ws->loss += 2.0 * s->count[k / (size_t)c] * (double)s->yhat.v[k] * portable_log((double)s->yhat.v[k] + 1e-30);
    ws->loss *= each;
}

static void backward(workspace *ws, op_state *n)
{
    trainable *s = n->state;
    int c = s->yhat.cols;
    double each = n->d.x / ws->b->ntarget;
    mat dv = {s->yhat.rows, c, workspace_g(ws, n->d.w)};
    workspace_in(ws, n, 0)->filled = workspace_in(ws, n, 1)->filled = 1;
    workspace_beta_param(ws, n->d.w);
    for (int m = 0; m < s->yhat.rows; m++) {
        const real *yhat = mat_row(s->yhat, m), *sum = mat_row(s->s, m);
        double mean = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int l = 0; l < c; l++) {
                double h = each * ((double)sum[l] + 2.0 * s->count[m] * portable_log((double)yhat[l] + 1e-30));
                if (pass)
                    mat_row(dv, m)[l] = (real)((double)yhat[l] * (h - mean));
                else
                    mean += (double)yhat[l] * h;
            }
    }
}

static const op_kind kind = {.name = "joint trainable", .bind = bind, .forward = forward, .backward = backward};

static void build(model *m, const spec *s, const backbone *b)
{
    op last = {.kind = &kind, .b = -1, .tau = s->tau, .x = b->graph_head ? 1 : 0.5};
    int z = m->z = b->encode(m, s, 0), cc = joint_shape_of(m, &last).size, first = m->nparams;
    last.in[0] = loss_head(m, s, b, op_pair_shifted(m, z, PAIR_NODE_FIRST), cc);
    m->again = first + 1; /* the same shifts and weights */
    last.in[1] = loss_head(m, s, b, op_pair_shifted(m, z, PAIR_CLUSTER_FIRST), cc);
    m->again = 0;
    last.w = model_param(m, m->clusters, m->classes, 0, m->group);
    model_op(m, last);
}

const objective objective_jct = {.name = "jct",
                                 .about = "joint-cluster cross-entropy, trainable cluster statistics",
                                 .clusters = 1,
                                 .head = HEAD_PAIRS,
                                 .learns_clusters = 1,
                                 .build = build};
