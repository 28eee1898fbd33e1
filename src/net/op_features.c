/* The first layer.   Y = drop(X) W,   dW = drop(X)^T dY;   X: features after some propagations, sparse or dense, cut to
 * the rows of Y.
 *
 * Dropout of a sparse row counts its entries, of a dense one its columns: either way a number belongs to (node,
 * position), whatever other rows are computed along. */
#include "../kernel/gemm.h"
#include "ops.h"
#include <string.h>

typedef struct dropped {
    csr s, st;     /* the same pattern with dropped values */
    int64_t *from; /* of each entry of the transpose: its place in s */
    mat x;
} dropped;

/* Of each entry of the transpose of s, its place in s. */
static int64_t *places(arena *a, const csr *s, const csr *st)
{
    arena tmp = {0};
    int64_t *from = NEW(a, int64_t, (size_t)csr_nnz(s)), *next = NEW(&tmp, int64_t, (size_t)st->rows + 1);
    memcpy(next, st->ptr, ((size_t)st->rows + 1) * sizeof *next);
    for (int64_t k = 0; k < csr_nnz(s); k++)
        from[next[s->idx[k]]++] = k;
    arena_free(&tmp);
    return from;
}

static void bind(workspace *ws, op_state *n)
{
    const csr *xs = ws->b->data->xs[n->d.hops];
    const mat *xd = ws->b->data->xd[n->d.hops];
    dropped *d = NULL;
    if (ws->training && n->d.p > 0)
        d = n->state = NEW(ws->a, dropped, 1);
    if (xs) {
        n->s = csr_restrict(ws->a, xs, n->node, n->rows, NULL, 0);
        if (ws->training)
            n->st = csr_transpose(ws->a, &n->s);
        if (d) {
            d->s = n->s, d->st = n->st;
            d->s.val = NEW(ws->a, real, (size_t)csr_nnz(&n->s)), d->st.val = NEW(ws->a, real, (size_t)csr_nnz(&n->s));
            d->from = places(ws->a, &n->s, &n->st);
        }
        return;
    }
    n->x = *xd;
    if (n->rows < xd->rows) {
        const mat *here = n->rows == ws->b->nodes ? ws->b->x[n->d.hops] : NULL;
        n->x = here ? *here : mat_raw(ws->a, n->rows, xd->cols);
        if (!here)
            mat_gather(n->x, *xd, n->node);
    }
    if (d)
        d->x = mat_raw(ws->a, n->rows, xd->cols);
}

static void drop_sparse(dropped *d, const op_state *n, const dropout *o)
{
    int64_t nnz = csr_nnz(&n->s);
    dropout_entries(d->s.val, &n->s, n->node, o);
#pragma omp parallel for schedule(static) if (nnz > SERIAL_WORK)
    for (int64_t k = 0; k < nnz; k++)
        d->st.val[k] = d->s.val[d->from[k]];
}

static void forward(workspace *ws, op_state *n)
{
    dropped *d = n->state;
    if (d) {
        dropout o = workspace_dropout(ws, n);
        if (n->x.v) {
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)n->x.cols > SERIAL_WORK)
            for (int i = 0; i < n->rows; i++)
                dropout_row(mat_row(d->x, i), mat_row(n->x, i), n->x.cols, &o, (uint32_t)n->node[i]);
        } else {
            drop_sparse(d, n, &o);
        }
    }
    epilogue e = workspace_epilogue(ws, n);
    if (n->x.v)
        gemm_nn_act(n->out.v, d ? d->x.v : n->x.v, workspace_w(ws, n->d.w), n->rows, n->d.cols, n->x.cols, e.bias,
                    e.shape);
    else
        spmm_with(n->out.v, d ? &d->s : &n->s, 1, workspace_w(ws, n->d.w), n->d.cols, &e);
}

static void backward(workspace *ws, op_state *n)
{
    dropped *d = n->state;
    real beta = workspace_beta_param(ws, n->d.w);
    size_t at = ws->m->params[n->d.w].at;
    const adam_now *update = n->x.v ? NULL : workspace_step(ws, n->d.w);
    if (n->x.v)
        gemm_tn(workspace_g(ws, n->d.w), d ? d->x.v : n->x.v, n->grad.v, n->x.cols, n->d.cols, n->rows, beta);
    else if (update)
        spmm_adam(ws->net->w + at, ws->net->g + at, ws->net->mean + at, ws->net->var + at, d ? &d->st : &n->st,
                  n->grad.v, n->d.cols, update);
    else
        spmm(workspace_g(ws, n->d.w), d ? &d->st : &n->st, n->grad.v, n->d.cols, beta);
}

static const op_kind kind = {.name = "features",
                             .equal_in_eval = 1,
                             .product = 1,
                             .fuses = FUSES_SHAPE,
                             .bind = bind,
                             .forward = forward,
                             .backward = backward};

int op_features(model *m, int hops, int cols, double bound, double drop)
{
    int w = model_param(m, m->features, cols, bound, m->group);
    return model_op(m, (op){&kind, {-1, -1}, w, -1, .cols = cols, .hops = hops, .p = drop});
}

/* --- the features themselves:   Y = drop(X),  for networks that aggregate before they multiply --- */

static void inputs_forward(workspace *ws, op_state *n)
{
    const mat *x = ws->b->data->xd[0];
    dropout drop = workspace_dropout(ws, n);
    if (ws->b->x[0] && drop.p == 0 && n->rows == ws->b->nodes) {
        n->out.v = ws->b->x[0]->v; /* instead of a copy in its own buffer */
        return;
    }
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)n->d.cols > SERIAL_WORK)
    for (int i = 0; i < n->rows; i++)
        dropout_row(mat_row(n->out, i), mat_row(*x, n->node[i]), n->d.cols, &drop, (uint32_t)n->node[i]);
}

static void inputs_backward(workspace *ws, op_state *n) { (void)ws, (void)n; }

static const op_kind inputs_kind = {
    .name = "inputs", .equal_in_eval = 1, .forward = inputs_forward, .backward = inputs_backward};

int op_inputs(model *m, double drop)
{
    return model_op(m, (op){&inputs_kind, {-1, -1}, -1, -1, .cols = m->features, .p = drop});
}

int op_is_inputs(const op *o) { return o->kind == &inputs_kind; }

int op_reads_features(const op *o) { return o->kind == &kind || op_is_inputs(o); }
