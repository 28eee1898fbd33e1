/* The dense and sparse linear ops.
 *
 *   features   Y = X W          dW = X^T dY        X: features after some propagations, sparse or dense
 *   linear     Y = H W          dW = H^T dY, dH = dY W^T
 *   propagate  Y = A H          dH = A^T dY        A: one of enum adjacency, cut to (rows of Y) x (rows of H)
 *   activate   Y = drop(f(H + b)), in place        db = column sums of dH */
#include "ops.h"
#include "../graph/blas.h"

static int wide(const model *m, int k)
{
    return m->ops[k].cols;
}

/* --- features --- */

static void features_prepare(plan *p, node *n)
{
    const csr *xs = p->data->xs[n->d.hops];
    const mat *xd = p->data->xd[n->d.hops];
    if (xs) {
        n->s = csr_restrict(p->a, xs, n->id, n->rows, NULL, 0);
        if (p->task.training)
            n->st = csr_transpose(p->a, &n->s);
    } else if (n->rows == xd->rows) {
        n->x = *xd;
    } else {
        n->x = mat_new(p->a, n->rows, xd->cols);
        for (int i = 0; i < n->rows; i++)
            for (int j = 0; j < xd->cols; j++)
                mat_row(n->x, i)[j] = mat_row(*xd, n->id[i])[j];
    }
}

static void features_forward(plan *p, node *n)
{
    if (n->x.v)
        gemm_nn(n->out.v, n->x.v, plan_w(p, n->d.w), n->rows, n->d.cols, n->x.cols, 0);
    else
        spmm(n->out.v, &n->s, plan_w(p, n->d.w), n->d.cols, 0);
}

static void features_backward(plan *p, node *n)
{
    real beta = plan_beta_param(p, n->d.w);
    if (n->x.v)
        gemm_tn(plan_g(p, n->d.w), n->x.v, n->grad.v, n->x.cols, n->d.cols, n->rows, beta);
    else
        spmm(plan_g(p, n->d.w), &n->st, n->grad.v, n->d.cols, beta);
}

static const op_kind features_kind = {.name = "features", .prepare = features_prepare, .forward = features_forward, .backward = features_backward};

int op_features(model *m, int hops, int cols, double bound)
{
    int w = model_param(m, m->features, cols, bound, 0);
    return model_op(m, (op){&features_kind, {-1, -1}, w, -1, .cols = cols, .hops = hops});
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

static const op_kind linear_kind = {.name = "linear", .forward = linear_forward, .backward = linear_backward};

int op_linear(model *m, int in, int cols, double bound)
{
    int w = model_param(m, wide(m, in), cols, bound, 0);
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

static void propagate_prepare(plan *p, node *n)
{
    const csr *adj = p->data->adj[n->d.adj];
    node *h = plan_in(p, n, 0);
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

static dropout dropout_of(const plan *p, const node *n)
{
    return (dropout){p->r, p->epoch, (uint32_t)(n - p->nodes), p->task.training ? n->d.p : 0};
}

static void activate_forward(plan *p, node *n)
{
    dropout drop = dropout_of(p, n);
    activate(n->out.v, n->d.b < 0 ? NULL : plan_w(p, n->d.b), n->rows, n->d.cols, n->d.shape, &drop, n->id);
}

static void activate_backward(plan *p, node *n)
{
    dropout drop = dropout_of(p, n);
    node *h = plan_in(p, n, 0);
    h->filled = 1; /* the same buffer */
    if (n->d.b >= 0)
        plan_beta_param(p, n->d.b);
    activate_back(n->grad.v, n->d.b < 0 ? NULL : plan_g(p, n->d.b), n->out.v, n->rows, n->d.cols, n->d.shape, &drop, n->id);
}

static const op_kind activate_kind = {.name = "activate", .in_place = 1, .forward = activate_forward, .backward = activate_backward};

int op_activate(model *m, int in, double bias_bound, enum shape f, double drop)
{
    int b = bias_bound < 0 ? -1 : model_param(m, 1, wide(m, in), bias_bound, 0);
    return model_op(m, (op){&activate_kind, {in, -1}, -1, b, .cols = wide(m, in), .shape = f, .p = drop});
}
