/* CE: cross-entropy on independent nodes.
 *
 *   p = softmax(logits),  loss = -(1/L) sum_i log p[i][y_i],  d loss / d logits = (p - onehot(y)) / L */
#include "loss.h"

static void prepare(plan *p, node *n)
{
    int *y = n->state = NEW(p->a, int, (size_t)p->task.ntarget);
    for (int i = 0; i < p->task.ntarget; i++)
        y[i] = p->data->y[p->task.target[i]];
}

static void forward(plan *p, node *n)
{
    node *logits = plan_in(p, n, 0);
    softmax(p->prob.v, logits->out.v, p->prob.rows, p->prob.cols, 1);
    p->loss = loss_nll(p->prob, n->state);
}

static void backward(plan *p, node *n)
{
    node *logits = plan_in(p, n, 0);
    const int *y = n->state;
    real scale = (real)1 / (real)p->prob.rows;
    logits->filled = 1;
    for (int i = 0; i < p->prob.rows; i++) {
        real *g = mat_row(logits->grad, i);
        for (int j = 0; j < p->prob.cols; j++)
            g[j] = scale * mat_row(p->prob, i)[j];
        g[y[i]] -= scale;
    }
}

static const op_kind kind = {.name = "ce", .prepare = prepare, .forward = forward, .backward = backward};

static void build(model *m, const spec *s, const backbone *b)
{
    int logits = b->head(m, b->encode(m, s), m->classes);
    model_op(m, (op){&kind, {logits, -1}, -1, -1, .cols = 0});
}

const objective objective_ce = {"ce", "cross-entropy, every node by itself", 0, build};
