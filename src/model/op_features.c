/* The first layer.   Y = drop(X) W,   dW = drop(X)^T dY;   X: features after some propagations, sparse or dense, cut to the rows of Y.
 *
 * Dropout of a sparse row counts its entries, of a dense one its columns: either way a number belongs to (node, position), whatever other rows
 * are computed along. */
#include "../graph/blas.h"
#include "ops.h"
#include <string.h>

typedef struct dropped {
    csr s, st;    /* the same pattern with dropped values */
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

static void prepare(plan *p, node *n)
{
    const csr *xs = p->data->xs[n->d.hops];
    const mat *xd = p->data->xd[n->d.hops];
    dropped *d = NULL;
    if (p->task.training && n->d.p > 0)
        d = n->state = NEW(p->a, dropped, 1);
    if (xs) {
        n->s = csr_restrict(p->a, xs, n->id, n->rows, NULL, 0);
        if (p->task.training)
            n->st = csr_transpose(p->a, &n->s);
        if (d) {
            d->s = n->s, d->st = n->st;
            d->s.val = NEW(p->a, real, (size_t)csr_nnz(&n->s)), d->st.val = NEW(p->a, real, (size_t)csr_nnz(&n->s));
            d->from = places(p->a, &n->s, &n->st);
        }
        return;
    }
    n->x = *xd;
    if (n->rows < xd->rows) {
        n->x = mat_new(p->a, n->rows, xd->cols);
        for (int i = 0; i < n->rows; i++)
            memcpy(mat_row(n->x, i), mat_row(*xd, n->id[i]), (size_t)xd->cols * sizeof(real));
    }
    if (d)
        d->x = mat_new(p->a, n->rows, xd->cols);
}

static void drop_sparse(dropped *d, const node *n, const dropout *o)
{
    int64_t nnz = csr_nnz(&n->s);
    dropout_entries(d->s.val, &n->s, n->id, o);
#pragma omp parallel for schedule(static) if (nnz > 200000)
    for (int64_t k = 0; k < nnz; k++)
        d->st.val[k] = d->s.val[d->from[k]];
}

static void forward(plan *p, node *n)
{
    dropped *d = n->state;
    if (d) {
        dropout o = plan_dropout(p, n);
        if (n->x.v) {
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)n->x.cols > 200000)
            for (int i = 0; i < n->rows; i++)
                dropout_row(mat_row(d->x, i), mat_row(n->x, i), n->x.cols, &o, (uint32_t)n->id[i]);
        } else {
            drop_sparse(d, n, &o);
        }
    }
    if (n->x.v)
        gemm_nn(n->out.v, d ? d->x.v : n->x.v, plan_w(p, n->d.w), n->rows, n->d.cols, n->x.cols, 0);
    else
        spmm(n->out.v, d ? &d->s : &n->s, plan_w(p, n->d.w), n->d.cols, 0);
}

static void backward(plan *p, node *n)
{
    dropped *d = n->state;
    real beta = plan_beta_param(p, n->d.w);
    size_t at = p->m->params[n->d.w].at;
    const adam_now *update = n->x.v ? NULL : plan_update(p, n->d.w);
    if (n->x.v)
        gemm_tn(plan_g(p, n->d.w), d ? d->x.v : n->x.v, n->grad.v, n->x.cols, n->d.cols, n->rows, beta);
    else if (update)
        spmm_adam(p->net->w + at, p->net->g + at, p->net->mean + at, p->net->var + at, d ? &d->st : &n->st, n->grad.v, n->d.cols, update);
    else
        spmm(plan_g(p, n->d.w), d ? &d->st : &n->st, n->grad.v, n->d.cols, beta);
}

static const op_kind kind = {.name = "features", .same = 1, .product = 1, .prepare = prepare, .forward = forward, .backward = backward};

int op_features(model *m, int hops, int cols, double bound, double drop)
{
    int w = model_param(m, m->features, cols, bound, m->group);
    return model_op(m, (op){&kind, {-1, -1}, w, -1, .cols = cols, .hops = hops, .p = drop});
}
