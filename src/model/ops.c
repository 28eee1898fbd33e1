/* The plain ops.
 *
 *   linear     Y = H W          dW = H^T dY, dH = dY W^T
 *   propagate  Y = A H          dH = A^T dY        A: one of enum adjacency, cut to (rows of Y) x (rows of H)
 *   activate   Y = drop(f(H + b)), in place        db = column sums of dH */
#include "ops.h"
#include "../graph/blas.h"
#include <string.h>

static int wide(const model *m, int k)
{
    return m->ops[k].cols;
}

/* --- linear --- */

static void linear_forward(plan *p, node *n)
{
    node *h = plan_in(p, n, 0);
    gemm_nn(n->out.v, h->out.v, plan_w(p, n->d.w), n->rows, n->d.cols, h->d.cols, 0);
}

static void linear_backward(plan *p, node *n)
{
    node *h = plan_in(p, n, 0);
    gemm_tn(plan_g(p, n->d.w), h->out.v, n->grad.v, h->d.cols, n->d.cols, n->rows, plan_beta_param(p, n->d.w));
    if (h->grad.v)
        gemm_nt(h->grad.v, n->grad.v, plan_w(p, n->d.w), n->rows, h->d.cols, n->d.cols, plan_beta(&h->filled));
}

static const op_kind linear_kind = {.name = "linear", .follows = 1, .forward = linear_forward, .backward = linear_backward};

int op_linear(model *m, int in, int cols, double bound)
{
    int w = model_param(m, wide(m, in), cols, bound, m->group);
    return model_op(m, (op){&linear_kind, {in, -1}, w, -1, .cols = cols});
}

/* --- propagate --- */

static void propagate_need(plan *p, node *n, unsigned char *const *rows)
{
    const csr *adj = p->data->adj[n->d.adj];
    for (int i = 0; i < n->rows; i++)
        for (int64_t k = adj->ptr[n->id[i]]; k < adj->ptr[n->id[i] + 1]; k++)
            rows[n->d.in[0]][adj->idx[k]] = 1;
}

static int same_rows(const node *a, const node *b)
{
    return a->rows == b->rows && !memcmp(a->id, b->id, (size_t)a->rows * sizeof *a->id);
}

static void propagate_prepare(plan *p, node *n)
{
    const csr *adj = p->data->adj[n->d.adj];
    node *h = plan_in(p, n, 0);
    for (node *v = p->nodes; v < n; v++) /* deep networks cut the same piece again and again */
        if (v->d.kind == n->d.kind && v->d.adj == n->d.adj && same_rows(v, n) && same_rows(plan_in(p, v, 0), h) && (v->st.ptr || !h->grad.v)) {
            n->s = v->s, n->st = v->st;
            return;
        }
    int all = n->rows == adj->rows && h->rows == adj->cols;
    n->s = all ? *adj : csr_restrict(p->a, adj, n->id, n->rows, h->id, h->rows);
    if (h->grad.v)
        n->st = all ? *p->data->adj_t[n->d.adj] : csr_transpose(p->a, &n->s);
}

static void propagate_forward(plan *p, node *n)
{
    spmm(n->out.v, &n->s, plan_in(p, n, 0)->out.v, n->d.cols, 0);
}

static void propagate_backward(plan *p, node *n)
{
    node *h = plan_in(p, n, 0);
    if (h->grad.v)
        spmm(h->grad.v, &n->st, n->grad.v, n->d.cols, plan_beta(&h->filled));
}

static const op_kind propagate_kind = {.name = "propagate",
                                       .need = propagate_need,
                                       .prepare = propagate_prepare,
                                       .forward = propagate_forward,
                                       .backward = propagate_backward};

int op_propagate(model *m, int in, enum adjacency adj)
{
    return model_op(m, (op){&propagate_kind, {in, -1}, -1, -1, .cols = wide(m, in), .adj = adj});
}

/* --- activate --- */

static void activate_forward(plan *p, node *n)
{
    dropout drop = plan_dropout(p, n);
    activate(n->out.v, n->d.b < 0 ? NULL : plan_w(p, n->d.b), n->rows, n->d.cols, n->d.shape, &drop, n->id);
}

static void activate_backward(plan *p, node *n)
{
    dropout drop = plan_dropout(p, n);
    node *h = plan_in(p, n, 0);
    h->filled = 1; /* the same buffer */
    real beta = n->d.b < 0 ? 0 : plan_beta_param(p, n->d.b);
    activate_back(n->grad.v, n->d.b < 0 ? NULL : plan_g(p, n->d.b), beta, n->out.v, n->rows, n->d.cols, n->d.shape, &drop, n->id);
}

static const op_kind activate_kind = {.name = "activate", .in_place = 1, .forward = activate_forward, .backward = activate_backward};

int op_activate(model *m, int in, double bias_bound, enum shape f, double drop)
{
    int b = bias_bound < 0 ? -1 : model_param(m, 1, wide(m, in), bias_bound, m->group);
    return model_op(m, (op){&activate_kind, {in, -1}, -1, b, .cols = wide(m, in), .shape = f, .p = drop});
}
