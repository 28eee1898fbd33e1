/* attention   Y = softmax over neighbours and the node itself, several heads: kernel/attention.h has the equations. The
 * input is H = x W; the bias comes with op_activate. The parameter holds a1 (of the node that is read) and a2 (of the
 * one that reads), each heads x f. */
#include "ops.h"
#include "../base/err.h"
#include "../kernel/attention.h"
#include <math.h>

typedef struct work {
    attention_graph g;
    attention_state st;
} work;

static attention attention_of(const workspace *ws, const op_state *n, const op_state *h)
{
    int heads = n->d.heads;
    return (attention){.heads = heads,
                       .f = h->d.cols / heads,
                       .mean = n->d.cols != h->d.cols,
                       .slope = n->d.x,
                       .drop = workspace_dropout(ws, n)};
}

static void attention_need(workspace *ws, op_state *n, unsigned char *const *rows)
{
    const csr *adj = workspace_adj(ws, n);
    for (int i = 0; i < n->rows; i++)
        for (int64_t k = adj->ptr[n->id[i]]; k < adj->ptr[n->id[i] + 1]; k++)
            rows[n->d.in[0]][adj->idx[k]] = 1;
}

static void attention_bind(workspace *ws, op_state *n)
{
    csr adj = *workspace_adj(ws, n);
    op_state *h = workspace_in(ws, n, 0);
    work *w = n->state = NEW(ws->a, work, 1);
    int training = ws->training;
    adj.val = NULL;
    if (n->rows != adj.rows || h->rows != adj.cols)
        adj = csr_restrict(ws->a, &adj, n->id, n->rows, h->id, h->rows);
    attention o = attention_of(ws, n, h);
    w->g = attention_graph_new(ws->a, &adj, n->node, h->node, training);
    if (h->field_id)
        attention_graph_blocks(&w->g, h->id, h->field_id, h->field);
    w->st = attention_state_new(ws->a, &w->g, &o, training);
}

static void attention_op_forward(workspace *ws, op_state *n)
{
    work *w = n->state;
    op_state *h = workspace_in(ws, n, 0);
    attention o = attention_of(ws, n, h);
    attention_forward(n->out.v, &w->st, &w->g, h->out.v, workspace_w(ws, n->d.w), &o);
}

static void attention_op_backward(workspace *ws, op_state *n)
{
    work *w = n->state;
    op_state *h = workspace_in(ws, n, 0);
    attention o = attention_of(ws, n, h);
    real beta_h = h->grad.v ? workspace_beta(&h->filled) : 0;
    attention_backward(h->grad.v, workspace_g(ws, n->d.w), &w->st, &w->g, n->grad.v, h->out.v, workspace_w(ws, n->d.w),
                       &o, beta_h, workspace_beta_param(ws, n->d.w));
}

static const op_kind attention_kind = {.name = "attention",
                                       .reads_graph = 1,
                                       .reads_input_back = 1,
                                       .need = attention_need,
                                       .bind = attention_bind,
                                       .forward = attention_op_forward,
                                       .backward = attention_op_backward};

int op_attention(model *m, int in, int heads, int concat, double slope, double drop)
{
    int d = m->ops[in].cols;
    if (heads < 1 || heads > ATTENTION_HEADS || d % heads)
        die("attention: %d heads over %d columns (at most %d heads, of equal width)", heads, d, ATTENTION_HEADS);
    if (slope < 0 || slope > 1)
        die("attention: LeakyReLU slope %g, wanted 0 to 1", slope);
    int a = model_param(m, 2, d, sqrt(6.0 / (heads + d / heads)), m->group);
    return model_op(m, (op){&attention_kind,
                            {in, -1},
                            a,
                            -1,
                            .cols = concat ? d : d / heads,
                            .adj = ADJ_GCN,
                            .heads = heads,
                            .p = drop,
                            .x = slope});
}
