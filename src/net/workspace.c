#include "workspace.h"
#include "../base/clock.h"
#include "buffers.h"
#include "share.h"
#include <string.h>

/* The ids of the marked nodes. */
static void take_rows(workspace *ws, op_state *v, const unsigned char *marked)
{
    const batch *b = ws->b;
    v->rows = 0;
    for (int i = 0; i < b->nodes; i++)
        v->rows += marked[i];
    v->id = NEW_RAW(ws->a, int, (size_t)v->rows);
    for (int i = 0, w = 0; i < b->nodes; i++)
        if (marked[i])
            v->id[w++] = i;
}

/* The rows that each op must compute, from the last op down; all: all nodes of the batch where that is possible. */
static void find_rows(workspace *ws, arena *tmp, int all)
{
    const batch *b = ws->b;
    int n = ws->m->nops;
    unsigned char **rows = NEW(tmp, unsigned char *, (size_t)n);
    for (int k = 0; k < n; k++)
        rows[k] = NEW(tmp, unsigned char, (size_t)b->nodes);
    for (int i = 0; i < b->ntarget; i++)
        rows[n - 1][b->target[i]] = 1;
    for (int k = n - 1; k >= 0; k--) {
        op_state *v = ws->ops + k;
        int whole = (v->d.kind->all_rows_in_training && ws->training) || (all && k < n - 1);
        if ((whole && b->same_nodes) || v->d.kind->borrows_output)
            memset(rows[k], 1, (size_t)b->nodes);
        if (ws->feeds)
            share_rows(ws->feeds, k, rows[k]);
        take_rows(ws, v, rows[k]);
        if (v->d.kind->need) {
            v->d.kind->need(ws, v, (unsigned char *const *)rows);
            continue;
        }
        for (int q = 0; q < MAX_IN; q++)
            if (v->d.in[q] >= 0)
                for (int i = 0; i < v->rows; i++)
                    rows[v->d.in[q]][v->id[i]] = 1;
    }
}

/* Ops that compute all rows of their input; then, of each row, its node in the graph. */
static void name_rows(workspace *ws)
{
    for (int k = 0; k < ws->m->nops; k++) {
        op_state *v = ws->ops + k, *h = ws->ops + (v->d.in[0] < 0 ? 0 : v->d.in[0]);
        if (v->d.kind->in_place || v->d.kind->inherits_rows) {
            v->rows = h->rows, v->id = h->id, v->node = h->node;
            continue;
        }
        v->node = v->id;
        if (!ws->b->id)
            continue;
        int *node = NEW_RAW(ws->a, int, (size_t)v->rows);
        for (int i = 0; i < v->rows; i++)
            node[i] = ws->b->id[v->id[i]];
        v->node = node;
    }
}

/* Without RECEPTIVE_FIELD ops learn which rows they would compute with it: sums over blocks of rows have the same
 * blocks. */
static void assign_rows(workspace *ws)
{
    arena tmp = {0};
    int all = !(ws->p->policy & RECEPTIVE_FIELD);
    if (all && ws->training) {
        find_rows(ws, &tmp, 0);
        name_rows(ws);
        for (op_state *v = ws->ops; v < ws->ops + ws->m->nops; v++)
            v->field = v->rows, v->field_id = v->id;
    }
    find_rows(ws, &tmp, all);
    name_rows(ws);
    arena_free(&tmp);
}

workspace *workspace_new(arena *a, const program *p, net *n, workspace *feeds)
{
    const model *m = p->m;
    workspace *ws = NEW(a, workspace, 1);
    *ws = (workspace){.a = a, .p = p, .m = m, .net = n, .training = p->training, .feeds = feeds};
    ws->ops = NEW(a, op_state, (size_t)m->nops);
    ws->param_filled = NEW(a, unsigned char, (size_t)m->nparams + 1);
    ws->updated = NEW(a, unsigned char, (size_t)m->nparams + 1);
    ws->start = arena_now(a);
    return ws;
}

/* Ops without rows and buffers. What a profile has counted stays. */
static void clear(workspace *ws, const batch *b)
{
    for (int k = 0; k < ws->m->nops; k++) {
        op_state *v = ws->ops + k;
        const program_op *o = ws->p->ops + k;
        *v = (op_state){
            .d = ws->m->ops[k], .hop = o->hop < b->hops ? o->hop : b->hops - 1, .spent = {v->spent[0], v->spent[1]}};
        if (o->fused >= 0)
            v->fused = ws->ops + o->fused;
    }
}

void workspace_bind(workspace *ws, const batch *b)
{
    if (ws->bound++)
        arena_reset(ws->a, ws->start);
    ws->b = b;
    ws->ready = 0;
    clear(ws, b);
    ws->prob = mat_new(ws->a, b->ntarget, ws->m->classes);
    if (ws->feeds)
        share_mark(ws->feeds);
    assign_rows(ws);
    buffers_outputs(ws);
    for (int k = 0; k < ws->m->nops; k++)
        if (ws->ops[k].d.kind->bind)
            ws->ops[k].d.kind->bind(ws, ws->ops + k);
    if (ws->feeds) {
        share_link(ws->feeds, ws);
        buffers_lend(ws->feeds, ws);
    }
}

static void spent(const workspace *ws, op_state *n, int pass, double *start)
{
    if (ws->timed) {
        double now = clock_now();
        n->spent[pass] += now - *start;
        *start = now;
    }
}

void workspace_forward(workspace *ws, uint32_t step)
{
    if (ws->training && !ws->ready)
        buffers_gradients(ws);
    ws->step = step;
    double start = ws->timed ? clock_now() : 0;
    for (op_state *n = ws->ops; n < ws->ops + ws->m->nops; n++) {
        if (n->share == SHARE_NO)
            n->d.kind->forward(ws, n);
        else if (n->share == SHARE_COPY || n->share == SHARE_DROP)
            share_take(ws, n);
        spent(ws, n, 0, &start);
    }
}

void workspace_backward(workspace *ws)
{
    for (int k = 0; k < ws->m->nops; k++)
        ws->ops[k].filled = 0;
    memset(ws->param_filled, 0, (size_t)ws->m->nparams);
    memset(ws->updated, 0, (size_t)ws->m->nparams);
    double start = ws->timed ? clock_now() : 0;
    for (int k = ws->m->nops - 1; k >= 0; k--) {
        ws->ops[k].d.kind->backward(ws, ws->ops + k);
        spent(ws, ws->ops + k, 1, &start);
    }
}

/* Neighbours of one decay group in one go; but for running statistics and what was updated along with the gradients. */
void workspace_update(workspace *ws, const adam_now *now)
{
    const model *m = ws->m;
    net *n = ws->net;
    for (int k = 0, from; k < m->nparams;) {
        for (from = k; k < m->nparams && m->params[k].group == m->params[from].group && !ws->updated[k];)
            k++;
        size_t at = m->params[from].at, end = k < m->nparams ? m->params[k].at : m->size;
        if (m->params[from].group != STATE)
            adam_step(n->w + at, n->g + at, n->mean + at, n->var + at, end - at, now + m->params[from].group);
        while (k < m->nparams && ws->updated[k])
            k++;
    }
}

void workspace_learn(workspace *ws, uint32_t step, const adam_now *now)
{
    workspace_forward(ws, step);
    ws->adam = ws->p->policy & FUSE_UPDATE ? now : NULL;
    workspace_backward(ws);
    ws->adam = NULL;
    workspace_update(ws, now);
}

real workspace_beta(int *filled)
{
    real beta = *filled ? 1 : 0;
    *filled = 1;
    return beta;
}

real workspace_beta_param(workspace *ws, int w)
{
    real beta = ws->param_filled[w] ? 1 : 0;
    ws->param_filled[w] = 1;
    return beta;
}

const adam_now *workspace_step(workspace *ws, int w)
{
    if (!ws->adam || !ws->p->sole[w])
        return NULL;
    ws->updated[w] = 1;
    return ws->adam + ws->m->params[w].group;
}

epilogue workspace_epilogue(const workspace *ws, const op_state *n)
{
    return (epilogue){.bias = n->fused && n->fused->d.b >= 0 ? workspace_w(ws, n->fused->d.b) : NULL,
                      .shape = n->fused ? n->fused->d.shape : LINEAR};
}

int workspace_fuses_back(const workspace *ws, const op_state *n)
{
    return n->fused && ws->p->policy & FUSE_BACKWARD && n->d.kind->fuses == FUSES_DROPOUT && n->fused->d.shape == RELU;
}

dropout workspace_dropout(const workspace *ws, const op_state *n)
{
    return (dropout){ws->r, ws->step, (uint32_t)(n - ws->ops), ws->training ? n->d.p : 0};
}

int workspace_row(const op_state *n, int id)
{
    int lo = 0, hi = n->rows;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (n->id[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n->rows && n->id[lo] == id ? lo : -1;
}

int *workspace_map(workspace *ws, const op_state *n, const op_state *h)
{
    int *map = NEW_RAW(ws->a, int, (size_t)n->rows);
    for (int i = 0; i < n->rows; i++)
        map[i] = workspace_row(h, n->id[i]);
    return map;
}

void workspace_scatter(op_state *h, const int *map, real f, const real *from, int ld, int rows, int d)
{
    real beta = workspace_beta(&h->filled);
    if (beta == 0 && (rows < h->rows || d < h->d.cols)) {
        memset(h->grad.v, 0, (size_t)h->rows * (size_t)h->d.cols * sizeof(real));
        beta = 1;
    }
    add_rows(h->grad.v, map, beta, f, from, (size_t)ld, rows, d);
}
