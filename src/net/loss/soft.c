#include "soft.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

typedef struct soft {
    targets t;
    mat target; /* only when training */
} soft;

void soft_bind(workspace *ws, op_state *n, soft_labels *labels)
{
    soft *s = n->state = NEW(ws->a, soft, 1);
    s->t = loss_targets(ws, n);
    if (!ws->training)
        return;
    s->target = mat_new(ws->a, ws->b->ntarget, ws->m->classes);
    labels(s->target, ws, n, &s->t);
    for (int i = 0; i < s->target.rows; i++) {
        real *t = mat_row(s->target, i);
        for (int k = 0; k < s->target.cols; k++)
            t[k] = (real)n->d.x * t[k] + (k == s->t.y.one[i] ? (real)(1 - n->d.x) : 0);
    }
}

void soft_forward(workspace *ws, op_state *n)
{
    soft *s = n->state;
    mat logits = workspace_in(ws, n, 0)->out;
    for (int i = 0; i < ws->prob.rows; i++)
        memcpy(mat_row(ws->prob, i), mat_row(logits, s->t.row[0][i]), (size_t)ws->prob.cols * sizeof(real));
    softmax(ws->prob.v, ws->prob.v, ws->prob.rows, ws->prob.cols, 1);
    if (!ws->training) {
        ws->loss = loss_nll(ws->prob, s->t.y.one);
        return;
    }
    ws->loss = 0;
    for (int i = 0; i < ws->prob.rows; i++)
        for (int k = 0; k < ws->prob.cols; k++)
            ws->loss -= (double)mat_row(s->target, i)[k] * portable_log((double)mat_row(ws->prob, i)[k] + 1e-30);
    ws->loss /= ws->prob.rows;
}

void soft_backward(workspace *ws, op_state *n)
{
    soft *s = n->state;
    mat g = workspace_in(ws, n, 0)->grad;
    real scale = (real)1 / (real)ws->prob.rows;
    workspace_in(ws, n, 0)->filled = 1;
    memset(g.v, 0, (size_t)g.rows * (size_t)g.cols * sizeof(real));
    for (int i = 0; i < ws->prob.rows; i++)
        for (int k = 0; k < ws->prob.cols; k++)
            mat_row(g, s->t.row[0][i])[k] = scale * (mat_row(ws->prob, i)[k] - mat_row(s->target, i)[k]);
}

void soft_build(model *m, const spec *s, const backbone *b, const op_kind *kind)
{
    m->z = b->encode(m, s, 1);
    model_op(m, (op){kind, {b->head(m, s, m->z, m->classes), -1}, -1, -1, .cols = 0, .x = s->eps});
}
