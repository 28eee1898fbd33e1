#include "buffers.h"

typedef struct buffer_pool {
    arena *a;
    mat *free, *made; /* blocks that are not in use; all that were allocated */
    int n, nmade;
} buffer_pool;

/* For a program of n ops, with space for the blocks of another one. */
static buffer_pool *pool_new(arena *a, int n)
{
    buffer_pool *q = NEW(a, buffer_pool, 1);
    *q = (buffer_pool){.a = a, .free = NEW(a, mat, 3 * (size_t)n), .made = NEW(a, mat, 2 * (size_t)n)};
    return q;
}

static real *pool_take(buffer_pool *q, int rows, int cols)
{
    size_t need = (size_t)rows * (size_t)cols;
    int best = -1;
    for (int i = 0; i < q->n; i++) {
        size_t have = (size_t)q->free[i].rows * (size_t)q->free[i].cols;
        if (have >= need && (best < 0 || have < (size_t)q->free[best].rows * (size_t)q->free[best].cols))
            best = i;
    }
    if (best < 0)
        return (q->made[q->nmade++] = mat_raw(q->a, rows, cols)).v;
    real *v = q->free[best].v;
    q->free[best] = q->free[--q->n];
    return v;
}

static void pool_give(const workspace *ws, mat block)
{
    if (ws->p->policy & RECYCLE)
        ws->pool->free[ws->pool->n++] = block;
}

/* Whether a training workspace takes rows from the buffer of op k. */
static int is_taken(const workspace *ws, int k)
{
    for (int i = k; ws->feeds && i < ws->m->nops; i++)
        if (ws->feeds->ops[i].share >= SHARE_COPY && ws->p->ops[i].owner == k)
            return 1;
    return 0;
}

void buffers_outputs(workspace *ws)
{
    const program_op *o = ws->p->ops;
    ws->pool = pool_new(ws->a, ws->m->nops);
    for (int k = 0; k < ws->m->nops; k++) {
        op_state *v = ws->ops + k;
        if (o[k].learns)
            v->grad = (mat){v->rows, v->d.cols, NULL};
        v->out = (mat){v->rows, v->d.cols, NULL};
        if (v->d.kind->in_place)
            v->out = ws->ops[v->d.in[0]].out;
        else if (v->d.cols && !v->d.kind->borrows_output)
            v->out.v = pool_take(ws->pool, v->rows, v->d.cols);
        for (int i = 0; i < k; i++)
            if (o[i].last == k && o[i].owner == i && ws->ops[i].out.v && !is_taken(ws, i) && !o[i].kept)
                pool_give(ws, ws->ops[i].out);
    }
}

/* In the order of the backward pass: an op's readers write its gradient, its own backward is the last to read it. */
void buffers_gradients(workspace *ws)
{
    const program_op *o = ws->p->ops;
    ws->ready = 1;
    for (int k = ws->m->nops - 1; k >= 0; k--) {
        op_state *v = ws->ops + k;
        for (int i = 0; i < MAX_IN; i++) {
            if (v->d.in[i] < 0)
                continue;
            op_state *h = ws->ops + o[v->d.in[i]].owner;
            if (h->grad.cols && !h->grad.v)
                h->grad.v = pool_take(ws->pool, h->grad.rows, h->grad.cols);
            ws->ops[v->d.in[i]].grad = h->grad;
        }
        if (o[k].owner == k && v->grad.v)
            pool_give(ws, v->grad);
    }
}

void buffers_lend(workspace *train, const workspace *predict)
{
    for (int k = 0; k < predict->pool->nmade; k++) {
        mat block = predict->pool->made[k];
        for (const op_state *v = train->ops; v < train->ops + train->m->nops; v++)
            if (v->share == SHARE_ALIAS && v->out.v == block.v) /* values that the backward pass reads */
                block = v->spare;
        pool_give(train, block);
    }
    buffers_gradients(train);
}
