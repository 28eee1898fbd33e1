/* CE: cross-entropy on independent nodes.
 *
 *   p = softmax(logits / tau),  loss = -(1/L) sum_i log p[i][y_i],  d loss / d logits = (p - onehot(y)) / (L tau)
 * Prediction: softmax(logits); softmax(logits / tau) where workspace.at_tau asks for it. */
#include "loss.h"
#include <string.h>

static double tau_of(const op_state *n) { return n->d.tau > 0 ? n->d.tau : 1; }

static void bind(workspace *ws, op_state *n)
{
    targets *t = n->state = NEW(ws->a, targets, 1);
    *t = loss_targets(ws, n);
}

static void forward(workspace *ws, op_state *n)
{
    targets *s = n->state;
    const mat logits = workspace_in(ws, n, 0)->out;
    real *p = ws->prob.v, *x = logits.v;
    int rows = ws->prob.rows, c = ws->prob.cols;
    if (logits.rows > rows) {
        for (int i = 0; i < rows; i++)
            memcpy(mat_row(ws->prob, i), mat_row(logits, s->row[0][i]), (size_t)c * sizeof(real));
        x = p;
    }
    softmax(p, x, rows, c, ws->training || ws->at_tau ? (real)(1 / tau_of(n)) : 1);
    ws->loss = loss_nll(ws->prob, s->y.one);
}

static void backward(workspace *ws, op_state *n)
{
    targets *s = n->state;
    mat g = workspace_in(ws, n, 0)->grad;
    real scale = (real)1 / (real)ws->prob.rows / (real)tau_of(n);
    workspace_in(ws, n, 0)->filled = 1;
    memset(g.v, 0, (size_t)g.rows * (size_t)g.cols * sizeof(real));
    for (int i = 0; i < ws->prob.rows; i++) {
        real *to = mat_row(g, s->row[0][i]);
        for (int j = 0; j < ws->prob.cols; j++)
            to[j] = scale * mat_row(ws->prob, i)[j];
        to[s->y.one[i]] -= scale;
    }
}

static const op_kind kind = {.name = "ce", .bind = bind, .forward = forward, .backward = backward};

int op_ce(model *m, int logits, double tau)
{
    return model_op(m, (op){&kind, {logits, -1}, -1, -1, .cols = 0, .tau = tau});
}

static void build(model *m, const spec *s, const backbone *b)
{
    m->z = b->encode(m, s, 1);
    int logits = b->head(m, s, m->z, m->classes);
    if (m->multi)
        op_bce(m, logits);
    else
        op_ce(m, logits, s->tau == 1 ? 0 : s->tau);
}

const objective objective_ce = {
    .name = "ce", .about = "cross-entropy, every node by itself", .multi = 1, .build = build};
