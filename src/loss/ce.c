/* CE: cross-entropy on independent nodes.
 *
 *   p = softmax(logits),  loss = -(1/L) sum_i log p[i][y_i],  d loss / d logits = (p - onehot(y)) / L */
#include "loss.h"
#include <string.h>

static void prepare(plan *p, node *n)
{
    targets *t = n->state = NEW(p->a, targets, 1);
    *t = loss_targets(p, n);
}

static void forward(plan *p, node *n)
{
    targets *s = n->state;
    mat logits = plan_in(p, n, 0)->out;
    if (logits.rows > p->prob.rows) {
        for (int i = 0; i < p->prob.rows; i++)
            memcpy(mat_row(p->prob, i), mat_row(logits, s->row[0][i]), (size_t)p->prob.cols * sizeof(real));
        logits = p->prob;
    }
    softmax(p->prob.v, logits.v, p->prob.rows, p->prob.cols, 1);
    p->loss = loss_nll(p->prob, s->y);
}

static void backward(plan *p, node *n)
{
    targets *s = n->state;
    mat g = plan_in(p, n, 0)->grad;
    real scale = (real)1 / (real)p->prob.rows;
    plan_in(p, n, 0)->filled = 1;
    memset(g.v, 0, (size_t)g.rows * (size_t)g.cols * sizeof(real));
    for (int i = 0; i < p->prob.rows; i++) {
        real *to = mat_row(g, s->row[0][i]);
        for (int j = 0; j < p->prob.cols; j++)
            to[j] = scale * mat_row(p->prob, i)[j];
        to[s->y[i]] -= scale;
    }
}

static const op_kind kind = {.name = "ce", .prepare = prepare, .forward = forward, .backward = backward};

int op_ce(model *m, int logits)
{
    return model_op(m, (op){&kind, {logits, -1}, -1, -1, .cols = 0});
}

static void build(model *m, const spec *s, const backbone *b)
{
    m->z = b->encode(m, s, 1);
    op_ce(m, b->head(m, s, m->z, m->classes));
}

const objective objective_ce = {"ce", "cross-entropy, every node by itself", 0, build};
