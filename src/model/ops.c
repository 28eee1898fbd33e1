/* The plain ops.
 *
 *   linear     Y = H W          dW = H^T dY, dH = dY W^T
 *   identity   Y = H (x I + y W)                   dW = y H^T dY
 *   propagate  Y = x A H + y B  dH = x A^T dY, dB = y dY       A: one of enum adjacency, cut to (rows of Y) x (rows of H)
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

static const op_kind linear_kind = {.name = "linear", .follows = 1, .product = 1, .same = 1, .in_back = 1, .forward = linear_forward, .backward = linear_backward};

int op_linear(model *m, int in, int cols, double bound)
{
    int w = model_param(m, wide(m, in), cols, bound, m->group);
    return model_op(m, (op){&linear_kind, {in, -1}, w, -1, .cols = cols});
}

/* --- identity mapping: the same with a matrix made of W --- */

typedef struct mapping {
    real *w, *g; /* x I + y W, and its gradient */
} mapping;

static void identity_prepare(plan *p, node *n)
{
    mapping *q = n->state = NEW(p->a, mapping, 1);
    size_t size = (size_t)n->d.cols * (size_t)n->d.cols;
    q->w = NEW(p->a, real, size), q->g = NEW(p->a, real, size);
}

static void identity_forward(plan *p, node *n)
{
    mapping *q = n->state;
    const real *w = plan_w(p, n->d.w);
    int d = n->d.cols;
    for (int i = 0; i < d * d; i++)
        q->w[i] = (real)n->d.y * w[i];
    for (int i = 0; i < d; i++)
        q->w[i * d + i] += (real)n->d.x;
    gemm_nn(n->out.v, plan_in(p, n, 0)->out.v, q->w, n->rows, d, d, 0);
}

static void identity_backward(plan *p, node *n)
{
    mapping *q = n->state;
    node *h = plan_in(p, n, 0);
    int d = n->d.cols;
    real *g = plan_g(p, n->d.w), beta = plan_beta_param(p, n->d.w);
    gemm_tn(q->g, h->out.v, n->grad.v, d, d, n->rows, 0);
    for (int i = 0; i < d * d; i++)
        g[i] = (real)n->d.y * q->g[i] + (beta == 0 ? 0 : g[i]);
    if (h->grad.v)
        gemm_nt(h->grad.v, n->grad.v, q->w, n->rows, d, d, plan_beta(&h->filled));
}

static const op_kind identity_kind = {.name = "identity", .follows = 1, .product = 1, .in_back = 1, .prepare = identity_prepare, .forward = identity_forward, .backward = identity_backward};

int op_identity(model *m, int in, double bound, double x, double y)
{
    int w = model_param(m, wide(m, in), wide(m, in), bound, m->group);
    return model_op(m, (op){&identity_kind, {in, -1}, w, -1, .cols = wide(m, in), .x = x, .y = y});
}

/* --- propagate --- */

static void propagate_need(plan *p, node *n, unsigned char *const *rows)
{
    const csr *adj = p->data->adj[n->d.adj];
    for (int i = 0; i < n->rows; i++)
        for (int64_t k = adj->ptr[n->id[i]]; k < adj->ptr[n->id[i] + 1]; k++)
            rows[n->d.in[0]][adj->idx[k]] = 1;
    for (int i = 0; i < n->rows && n->d.in[1] >= 0; i++)
        rows[n->d.in[1]][n->id[i]] = 1;
}

static int same_rows(const node *a, const node *b)
{
    return a->rows == b->rows && !memcmp(a->id, b->id, (size_t)a->rows * sizeof *a->id);
}

static void propagate_prepare(plan *p, node *n)
{
    const csr *adj = p->data->adj[n->d.adj];
    node *h = plan_in(p, n, 0);
    if (n->d.in[1] >= 0)
        n->state = plan_map(p, n, plan_in(p, n, 1));
    for (node *v = p->nodes; v < n; v++) /* deep networks cut the same piece again and again */
        if (v->d.kind == n->d.kind && v->d.adj == n->d.adj && same_rows(v, n) && same_rows(plan_in(p, v, 0), h) && (v->st.ptr || !h->grad.rows)) {
            n->s = v->s, n->st = v->st;
            return;
        }
    int all = n->rows == adj->rows && h->rows == adj->cols;
    n->s = all ? *adj : csr_restrict(p->a, adj, n->id, n->rows, h->id, h->rows);
    if (h->grad.rows)
        n->st = all ? *p->data->adj_t[n->d.adj] : csr_transpose(p->a, &n->s);
}

static void propagate_forward(plan *p, node *n)
{
    epilogue e = {.bias = n->then && n->then->d.b >= 0 ? plan_w(p, n->then->d.b) : NULL, .shape = n->then ? n->then->d.shape : LINEAR};
    if (n->d.in[1] >= 0)
        e.base = plan_in(p, n, 1)->out.v, e.map = n->state, e.beta = (real)n->d.y;
    spmm_with(n->out.v, &n->s, (real)n->d.x, plan_in(p, n, 0)->out.v, n->d.cols, &e);
}

static void propagate_backward(plan *p, node *n)
{
    node *h = plan_in(p, n, 0);
    if (h->grad.v)
        spmm_with(h->grad.v, &n->st, (real)n->d.x, n->grad.v, n->d.cols, &(epilogue){.base = h->grad.v, .beta = plan_beta(&h->filled)});
    if (n->d.in[1] >= 0 && plan_in(p, n, 1)->grad.v)
        plan_scatter(plan_in(p, n, 1), n->state, (real)n->d.y, n->grad.v, n->d.cols, n->rows, n->d.cols);
}

static const op_kind propagate_kind = {.name = "propagate",
                                       .same = 1,
                                       .product = 1,
                                       .ends = ENDS_SHAPE,
                                       .need = propagate_need,
                                       .prepare = propagate_prepare,
                                       .forward = propagate_forward,
                                       .backward = propagate_backward};

int op_propagate(model *m, int in, enum adjacency adj)
{
    return op_propagate_onto(m, in, adj, 1, -1, 0);
}

int op_propagate_onto(model *m, int in, enum adjacency adj, double x, int base, double y)
{
    return model_op(m, (op){&propagate_kind, {in, base}, -1, -1, .cols = wide(m, in), .adj = adj, .x = x, .y = y});
}

/* --- activate --- */

static void activate_forward(plan *p, node *n)
{
    dropout drop = plan_dropout(p, n);
    const node *h = plan_in(p, n, 0);
    int done = h->then == n;
    if (!done || (drop.p > 0 && h->d.kind->ends == ENDS_SHAPE))
        activate(n->out.v, n->d.b < 0 || done ? NULL : plan_w(p, n->d.b), n->rows, n->d.cols, done ? LINEAR : n->d.shape, &drop, n->id);
}

static void activate_prepare(plan *p, node *n)
{
    node *h = plan_in(p, n, 0);
    enum ends ends = h->d.kind->ends;
    if (n->d.shape != ELU && (ends == ENDS_SHAPE || (ends == ENDS_DROPOUT && n->d.b < 0)))
        h->then = n;
}

static void activate_backward(plan *p, node *n)
{
    dropout drop = plan_dropout(p, n);
    node *h = plan_in(p, n, 0);
    h->filled = 1; /* the same buffer */
    real beta = n->d.b < 0 ? 0 : plan_beta_param(p, n->d.b);
    activate_back(n->grad.v, n->d.b < 0 ? NULL : plan_g(p, n->d.b), beta, n->out.v, n->rows, n->d.cols, n->d.shape, &drop, n->id);
}

static const op_kind activate_kind = {.name = "activate", .in_place = 1, .same = 1, .own_back = 1, .prepare = activate_prepare, .forward = activate_forward, .backward = activate_backward};

int op_activate(model *m, int in, double bias_bound, enum shape f, double drop)
{
    int b = bias_bound < 0 ? -1 : model_param(m, 1, wide(m, in), bias_bound, m->group);
    return model_op(m, (op){&activate_kind, {in, -1}, -1, b, .cols = wide(m, in), .shape = f, .p = drop});
}
