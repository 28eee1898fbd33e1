/* The plain ops.
 *
 *   linear     Y = H W          dW = H^T dY, dH = dY W^T
 *   identity   Y = H (x I + y W)                   dW = y H^T dY
 *   propagate  Y = x A H + y B  dH = x A^T dY, dB = y dY    A: one of enum adjacency, cut to (rows of Y) x (rows of H)
 *   activate   Y = drop(f(H + b)), in place        db = column sums of dH */
#include "ops.h"
#include "parts.h"
#include "../graph/blas.h"
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
    parts_product(ws, workspace_g(ws, n->d.w), h->out.v, n->grad.v, h->d.cols, n->d.cols, n->rows,
                  workspace_beta_param(ws, n->d.w));
    if (h->grad.v)
        gemm_nt(h->grad.v, n->grad.v, workspace_w(ws, n->d.w), n->rows, h->d.cols, n->d.cols,
                workspace_beta(&h->filled));
}

static const op_kind linear_kind = {.name = "linear",
                                    .inherits_rows = 1,
                                    .product = 1,
                                    .parts = 1,
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
    parts_product(ws, q->g, h->out.v, n->grad.v, d, d, n->rows, 0);
    for (size_t i = 0; i < size; i++)
        g[i] = (real)n->d.y * q->g[i] + (beta == 0 ? 0 : g[i]);
    if (h->grad.v)
        gemm_nt(h->grad.v, n->grad.v, q->w, n->rows, d, d, workspace_beta(&h->filled));
}

static const op_kind identity_kind = {.name = "identity",
                                      .inherits_rows = 1,
                                      .product = 1,
                                      .parts = 1,
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
    return a->all == b->all && !memcmp(a->all_id, b->all_id, (size_t)a->all * sizeof *a->all_id);
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

/* --- its halos --- */

typedef struct border {
    halo *in, *back; /* rows of the input, forward; of the output's gradient, backward */
} border;

typedef struct reads {
    const workspace *ws;
    const csr *adj;
    const op_state *by, *of;  /* rows of `by` read rows of `of` */
    const unsigned char *has; /* the nodes that have a row in `of` */
} reads;

static void reads_mark(const void *arg, int rank, unsigned char *marked)
{
    const reads *r = arg;
    const int *cut = r->ws->b->cut;
    for (int i = 0; i < r->by->all; i++) {
        int id = r->by->all_id[i];
        for (int64_t k = r->adj->ptr[id]; id >= cut[rank] && id < cut[rank + 1] && k < r->adj->ptr[id + 1]; k++)
            marked[r->adj->idx[k]] |= r->has[r->adj->idx[k]];
    }
}

static halo *reads_halo(workspace *ws, const csr *adj, const op_state *by, const op_state *of)
{
    arena tmp = {0};
    unsigned char *has = NEW(&tmp, unsigned char, (size_t)ws->b->nodes);
    for (int i = 0; i < of->all; i++)
        has[of->all_id[i]] = 1;
    halo *h = halo_new(ws, of, reads_mark, &(reads){ws, adj, by, of, has});
    arena_free(&tmp);
    return h;
}

static void make_room(int *tail, const halo *h) { *tail = h->rows > *tail ? h->rows : *tail; }

static void propagate_halo(workspace *ws, op_state *n)
{
    op_state *h = workspace_in(ws, n, 0);
    const op_state *v = earlier(ws, n);
    border *o = n->halo = NEW(ws->a, border, 1);
    int learns = ws->training && ws->p->ops[h - ws->ops].learns, known = v && v->d.cols >= n->d.cols;
    if (known) /* and its rows are as wide: there is room to exchange them */
        *o = *(border *)v->halo;
    else
        o->in = reads_halo(ws, workspace_adj(ws, n), n, h);
    make_room(&ws->ops[ws->p->ops[h - ws->ops].owner].tail, o->in);
    if (!learns)
        return;
    if (!known)
        o->back = reads_halo(ws, ws->b->adj_t[n->hop][n->d.adj], h, n);
    make_room(&ws->ops[ws->p->ops[n - ws->ops].owner].grad_tail, o->back);
}

/* Nodes of the rows of v and of its halo. */
static int *with_halo(arena *a, const op_state *v, const halo *h)
{
    int *id = NEW(a, int, (size_t)(v->rows + h->rows) + 1);
    memcpy(id, v->id, (size_t)v->rows * sizeof *id);
    memcpy(id + v->rows, h->id, (size_t)h->rows * sizeof *id);
    return id;
}

static void propagate_part(workspace *ws, op_state *n, const op_state *h)
{
    arena tmp = {0};
    const border *o = n->halo;
    n->s = csr_restrict(ws->a, workspace_adj(ws, n), n->id, n->rows, with_halo(&tmp, h, o->in), h->rows + o->in->rows);
    if (h->grad.cols)
        n->st = csr_restrict(ws->a, ws->b->adj_t[n->hop][n->d.adj], h->id, h->rows, with_halo(&tmp, n, o->back),
                             n->rows + o->back->rows);
    arena_free(&tmp);
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
    if (ws->b->cut) {
        propagate_part(ws, n, h);
        return;
    }
    int all = n->rows == adj->rows && h->rows == adj->cols;
    n->s = all ? *adj : csr_restrict(ws->a, adj, n->id, n->rows, h->id, h->rows);
    if (h->grad.cols)
        n->st = all && ws->b->adj_t[n->hop][n->d.adj] ? *ws->b->adj_t[n->hop][n->d.adj] : csr_transpose(ws->a, &n->s);
}

static void propagate_forward(workspace *ws, op_state *n)
{
    const border *o = n->halo;
    op_state *h = workspace_in(ws, n, 0);
    epilogue e = workspace_epilogue(ws, n);
    if (o)
        halo_fetch(o->in, h->out.v, h->rows, n->d.cols);
    if (n->d.in[1] >= 0)
        e.base = workspace_in(ws, n, 1)->out.v, e.map = n->state, e.beta = (real)n->d.y;
    spmm_with(n->out.v, &n->s, (real)n->d.x, h->out.v, n->d.cols, &e);
}

static void propagate_backward(workspace *ws, op_state *n)
{
    const border *o = n->halo;
    op_state *h = workspace_in(ws, n, 0);
    if (h->grad.v && o)
        halo_fetch(o->back, n->grad.v, n->rows, n->d.cols);
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
                                       .parts = 1,
                                       .halo = propagate_halo,
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
        parts_column_sum(ws, workspace_g(ws, n->d.b), n->grad.v, n->rows, n->d.cols, workspace_beta_param(ws, n->d.b));
}

static const op_kind activate_kind = {.name = "activate",
                                      .in_place = 1,
                                      .parts = 1,
                                      .equal_in_eval = 1,
                                      .reads_output_back = 1,
                                      .forward = activate_forward,
                                      .backward = activate_backward};

int op_activate(model *m, int in, double bias_bound, enum shape f, double drop)
{
    int b = bias_bound < 0 ? -1 : model_param(m, 1, wide(m, in), bias_bound, m->group);
    return model_op(m, (op){&activate_kind, {in, -1}, -1, b, .cols = wide(m, in), .shape = f, .p = drop});
}
