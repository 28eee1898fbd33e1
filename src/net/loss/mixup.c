/* Mixup: cross-entropy on nodes, and with weight beta the same head on cluster means with their mean labels:
 *   loss = -(1/L) sum_i log softmax(g(z_i))[y_i]  -  beta (1/M') sum_m ybar_m . log softmax(g(zbar_m))
 * where M' is the number of clusters with training nodes.
 *
 * The head sees zbar_m once for each training node i of cluster m; with weight 1 / (M' L_m) each such row, that is the
 * sum over clusters. Prediction: g(z_i). */
#include "loss.h"
#include "../clusters.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

typedef struct mix {
    targets t;
    real *weight; /* 1 / (M' L_m) of each target */
    clusters c;   /* for the mean labels */
    mat prob;     /* of the cluster logits */
} mix;

static void bind(workspace *ws, op_state *n)
{
    mix *s = n->state = NEW(ws->a, mix, 1);
    int nt = ws->b->ntarget, used = 0;
    s->t = loss_targets(ws, n);
    s->weight = NEW(ws->a, real, (size_t)nt);
    s->prob = mat_new(ws->a, nt, ws->m->classes);
    s->c = clusters_new(ws, workspace_in(ws, n, 0));
    for (int m = 0; m < ws->m->clusters; m++)
        used += s->c.count[m] > 0;
    for (int i = 0; i < nt; i++) {
        int count = s->c.count[s->t.cluster[i]];
        s->weight[i] = count ? (real)(1.0 / used / count) : 0;
    }
}

static void probabilities(mat prob, const op_state *logits, const int *row)
{
    for (int i = 0; i < prob.rows; i++)
        memcpy(mat_row(prob, i), mat_row(logits->out, row[i]), (size_t)prob.cols * sizeof(real));
    softmax(prob.v, prob.v, prob.rows, prob.cols, 1);
}

static void forward(workspace *ws, op_state *n)
{
    mix *s = n->state;
    probabilities(ws->prob, workspace_in(ws, n, 0), s->t.row[0]);
    ws->loss = loss_nll(ws->prob, s->t.y.one);
    if (!ws->training)
        return;
    probabilities(s->prob, workspace_in(ws, n, 1), s->t.row[1]);
    for (int i = 0; i < s->prob.rows; i++)
        for (int k = 0; k < s->prob.cols; k++)
            ws->loss -= n->d.x * (double)s->weight[i] * (double)mat_row(s->c.ybar, s->t.cluster[i])[k] *
                        portable_log((double)mat_row(s->prob, i)[k] + 1e-30);
}

static void backward(workspace *ws, op_state *n)
{
    mix *s = n->state;
    for (int q = 0; q < 2; q++) {
        op_state *logits = workspace_in(ws, n, q);
        logits->filled = 1;
        memset(logits->grad.v, 0, (size_t)logits->rows * (size_t)logits->d.cols * sizeof(real));
        for (int i = 0; i < ws->prob.rows; i++) {
            real *to = mat_row(logits->grad, s->t.row[q][i]),
                 f = q ? (real)n->d.x * s->weight[i] : (real)1 / (real)ws->prob.rows;
            for (int k = 0; k < ws->prob.cols; k++) {
                real target = q ? mat_row(s->c.ybar, s->t.cluster[i])[k] : (real)(k == s->t.y.one[i]);
                to[k] = f * (mat_row(q ? s->prob : ws->prob, i)[k] - target);
            }
        }
    }
}

static const op_kind kind = {.name = "mixup", .bind = bind, .forward = forward, .backward = backward};

static void build(model *m, const spec *s, const backbone *b)
{
    int z = m->z = b->encode(m, s, 0), first = m->nparams;
    int one = loss_head(m, s, b, op_rows(m, z), m->classes);
    m->again = first + 1; /* the same weights */
    int two = loss_head(m, s, b, op_pair(m, z, PAIR_CLUSTER), m->classes);
    m->again = 0;
    model_op(m, (op){&kind, {one, two}, -1, -1, .cols = 0, .x = s->beta});
}

const objective objective_mixup = {
    .name = "mixup", .about = "cross-entropy on nodes and on cluster means", .clusters = 1, .build = build};
