/* The plain ops.
 *
 *   linear     Y = H W          dW = H^T dY, dH = dY W^T
 *   identity   Y = H (x I + y W)                   dW = y H^T dY
 *   propagate  Y = x A H + y B  dH = x A^T dY, dB = y dY    A: one of enum adjacency, cut to (rows of Y) x (rows of H)
 *   activate   Y = drop(f(H + b)), in place        db = column sums of dH */
#include "ops.h"
#include "../kernel/gemm.h"
#include <string.h>

static int wide(const model *m, int k) { return m->ops[k].cols; }

/* --- linear --- */

static void linear_forward(workspace *ws, op_state *n)
{
    op_state *h = workspace_in(ws, n, 0);
    epilogue e = workspace_epilogue(ws, n);
    gemm_nn_act(n->out.v, h->out.v, workspace_w(ws, n->d.w), n->rows, n->d.cols, h->d.cols, e.bias, e.shape);
}

static void linear_backward(workspace *ws, op_state *n)
{
    op_state *h = workspace_in(ws, n, 0);
    gemm_tn(workspace_g(ws, n->d.w), h->out.v, n->grad.v, h->d.cols, n->d.cols, n->rows,
            workspace_beta_param(ws, n->d.w));
    if (h->grad.v)
        gemm_nt(h->grad.v, n->grad.v, workspace_w(ws, n->d.w), n->rows, h->d.cols, n->d.cols,
                workspace_beta(&h->filled));
}

static const op_kind linear_kind = {.name = "linear",
                                    .inherits_rows = 1,
                                    .product = 1,
                                    .fuses = FUSES_SHAPE,
                                    .equal_in_eval = 1,
                                    .reads_input_back = 1,
                                    .forward = linear_forward,
                                    .backward = linear_backward};

int op_linear(model *m, int in, int cols, double bound)
{
    int w = model_param(m, wide(m, in), cols, bound, m->group);
    return model_op(m, (op){&linear_kind, {in, -1}, w, -1, .cols = cols});
}

/* --- identity mapping: the same with a matrix made of W --- */

typedef struct mapping {
    real *w, *g; /* x I + y W, and its gradient */
} mapping;

static void identity_bind(workspace *ws, op_state *n)
{
    mapping *q = n->state = NEW(ws->a, mapping, 1);
    size_t size = (size_t)n->d.cols * (size_t)n->d.cols;
    q->w = NEW(ws->a, real, size), q->g = NEW(ws->a, real, size);
}

static void identity_forward(workspace *ws, op_state *n)
{
    mapping *q = n->state;
    const real *w = workspace_w(ws, n->d.w);
    int d = n->d.cols;
    size_t size = (size_t)d * (size_t)d;
    for (size_t i = 0; i < size; i++)
        q->w[i] = (real)n->d.y * w[i];
    for (size_t i = 0; i < size; i += (size_t)d + 1)
        q->w[i] += (real)n->d.x;
    gemm_nn(n->out.v, workspace_in(ws, n, 0)->out.v, q->w, n->rows, d, d, 0);
}

static void identity_backward(workspace *ws, op_state *n)
{
    mapping *q = n->state;
    op_state *h = workspace_in(ws, n, 0);
    int d = n->d.cols;
    size_t size = (size_t)d * (size_t)d;
    real *g = workspace_g(ws, n->d.w), beta = workspace_beta_param(ws, n->d.w);
    gemm_tn(q->g, h->out.v, n->grad.v, d, d, n->rows, 0);
    for (size_t i = 0; i < size; i++)
        g[i] = (real)n->d.y * q->g[i] + (beta == 0 ? 0 : g[i]);
    if (h->grad.v)
        gemm_nt(h->grad.v, n->grad.v, q->w, n->rows, d, d, workspace_beta(&h->filled));
}

static const op_kind identity_kind = {.name = "identity",
                                      .inherits_rows = 1,
                                      .product = 1,
                                      .reads_input_back = 1,
                                      .bind = identity_bind,
                                      .forward = identity_forward,
                                      .backward = identity_backward};

int op_identity(model *m, int in, double bound, double x, double y)
{
    int w = model_param(m, wide(m, in), wide(m, in), bound, m->group);
    return model_op(m, (op){&identity_kind, {in, -1}, w, -1, .cols = wide(m, in), .x = x, .y = y});
}

/* --- propagate --- */

static void propagate_need(workspace *ws, op_state *n, unsigned char *const *rows)
{
    const csr *adj = workspace_adj(ws, n);
    for (int i = 0; i < n->rows; i++)
        for (int64_t k = adj->ptr[n->id[i]]; k < adj->ptr[n->id[i] + 1]; k++)
            rows[n->d.in[0]][adj->idx[k]] = 1;
    for (int i = 0; i < n->rows && n->d.in[1] >= 0; i++)
        rows[n->d.in[1]][n->id[i]] = 1;
}

static int same_rows(const op_state *a, const op_state *b)
{
    return a->rows == b->rows && !memcmp(a->id, b->id, (size_t)a->rows * sizeof *a->id);
}

/* An earlier op with the same matrix, NULL: none. Deep networks cut the same piece again and again. */
static const op_state *earlier(workspace *ws, const op_state *n)
{
    const op_state *h = workspace_in(ws, n, 0);
    for (const op_state *v = ws->ops; v < n; v++)
        if (v->d.kind == n->d.kind && v->d.adj == n->d.adj && v->hop == n->hop && same_rows(v, n) &&
            same_rows(workspace_in(ws, v, 0), h) && ws->p->ops[v->d.in[0]].learns >= ws->p->ops[n->d.in[0]].learns)
            return v;
    return NULL;
}

static void propagate_bind(workspace *ws, op_state *n)
{
    const csr *adj = workspace_adj(ws, n);
    op_state *h = workspace_in(ws, n, 0);
    if (n->d.in[1] >= 0)
        n->state = workspace_map(ws, n, workspace_in(ws, n, 1));
    const op_state *v = earlier(ws, n);
    if (v) {
        n->s = v->s, n->st = v->st;
        return;
    }
    int all = n->rows == adj->rows && h->rows == adj->cols;
    n->s = all ? *adj : csr_restrict(ws->a, adj, n->id, n->rows, h->id, h->rows);
    if (h->grad.cols)
        n->st = all && ws->b->adj_t[n->hop][n->d.adj] ? *ws->b->adj_t[n->hop][n->d.adj] : csr_transpose(ws->a, &n->s);
}

static void propagate_forward(workspace *ws, op_state *n)
{
    op_state *h = workspace_in(ws, n, 0);
    epilogue e = workspace_epilogue(ws, n);
    if (n->d.in[1] >= 0)
        e.base = workspace_in(ws, n, 1)->out.v, e.map = n->state, e.beta = (real)n->d.y;
    spmm_with(n->out.v, &n->s, (real)n->d.x, h->out.v, n->d.cols, &e);
}

static void propagate_backward(workspace *ws, op_state *n)
{
    op_state *h = workspace_in(ws, n, 0);
    if (h->grad.v)
        spmm_with(h->grad.v, &n->st, (real)n->d.x, n->grad.v, n->d.cols,
                  &(epilogue){.base = h->grad.v, .beta = workspace_beta(&h->filled)});
    if (n->d.in[1] >= 0 && workspace_in(ws, n, 1)->grad.v)
        workspace_scatter(workspace_in(ws, n, 1), n->state, (real)n->d.y, n->grad.v, n->d.cols, n->rows, n->d.cols);
}

static const op_kind propagate_kind = {.name = "propagate",
                                       .equal_in_eval = 1,
                                       .product = 1,
                                       .reads_graph = 1,
                                       .fuses = FUSES_SHAPE,
                                       .need = propagate_need,
                                       .bind = propagate_bind,
                                       .forward = propagate_forward,
                                       .backward = propagate_backward};

int op_propagate(model *m, int in, enum adjacency adj) { return op_propagate_onto(m, in, adj, 1, -1, 0); }

int op_propagate_onto(model *m, int in, enum adjacency adj, double x, int base, double y)
{
    return model_op(m, (op){&propagate_kind, {in, base}, -1, -1, .cols = wide(m, in), .adj = adj, .x = x, .y = y});
}

/* --- activate --- */

static void activate_forward(workspace *ws, op_state *n)
{
    dropout drop = workspace_dropout(ws, n);
    const op_state *h = workspace_in(ws, n, 0);
    int done = h->fused == n;
    if (!done || (drop.p > 0 && h->d.kind->fuses == FUSES_SHAPE))
        activate(n->out.v, n->d.b < 0 || done ? NULL : workspace_w(ws, n->d.b), n->rows, n->d.cols,
                 done ? LINEAR : n->d.shape, &drop, n->node);
}

static void activate_backward(workspace *ws, op_state *n)
{
    dropout drop = workspace_dropout(ws, n);
    op_state *h = workspace_in(ws, n, 0);
    h->filled = 1; /* the same buffer */
    if (workspace_fuses_back(ws, h) && h->fused == n)
        return;
    if (ws->p->ops[n - ws->ops].bias_summed) {
        workspace_beta_param(ws, n->d.b);
        return;
    }
    activate_back(n->grad.v, NULL, 0, n->out.v, n->rows, n->d.cols, n->d.shape, &drop, n->node);
    if (n->d.b >= 0)
        column_sum(workspace_g(ws, n->d.b), n->grad.v, n->rows, n->d.cols, workspace_beta_param(ws, n->d.b));
}

static const op_kind activate_kind = {.name = "activate",
                                      .in_place = 1,
                                      .equal_in_eval = 1,
                                      .reads_output_back = 1,
                                      .forward = activate_forward,
                                      .backward = activate_backward};

int op_activate(model *m, int in, double bias_bound, enum shape f, double drop)
{
    int b = bias_bound < 0 ? -1 : model_param(m, 1, wide(m, in), bias_bound, m->group);
    return model_op(m, (op){&activate_kind, {in, -1}, -1, b, .cols = wide(m, in), .shape = f, .p = drop});
}
