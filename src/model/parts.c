#include "parts.h"
#include "../base/err.h"
#include "../base/ranks.h"
#include "../graph/blas.h"
#include "ops.h"
#include <string.h>

enum { PIECES = 4, TILE = 12 /* rows of a piece: a multiple, as gemm.c computes as many at a time */ };

#define ROW 64.0

/* --- parts --- */

/* Parts of equal work: a row costs its links and, in products, about as much as 64 of them. */
int *parts_cut(arena *a, const csr *g, int many)
{
    int units = (g->rows + PART_UNIT - 1) / PART_UNIT;
    if (many == 1)
        return NULL;
    if (units < many)
        die("%d nodes are too few for %d ranks: each has %d or more", g->rows, many, PART_UNIT);
    int *cut = NEW(a, int, (size_t)many + 1);
    double all = ROW * g->rows + (double)csr_nnz(g);
    for (int r = 1, u = 0; r < many; r++) {
        do
            u++;
        while (u < units - (many - r) && ROW * u * PART_UNIT + (double)g->ptr[u * PART_UNIT] < all * r / many);
        cut[r] = u * PART_UNIT;
    }
    cut[many] = g->rows;
    return cut;
}

/* The first of n ascending numbers that is not below x. */
static int lower(const int *v, int n, int x)
{
    int lo = 0;
    for (int hi = n; lo < hi;) {
        int mid = lo + (hi - lo) / 2;
        if (v[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int *parts_of_list(workspace *ws, const int *node, int n)
{
    int many = parts_last(ws) + 1, *start = NEW(ws->a, int, (size_t)many + 1);
    for (int r = 1; r < many; r++)
        start[r] = lower(node, n, ws->b->cut[r]);
    start[many] = n;
    return start;
}

static void check(const workspace *ws, const op *o)
{
    if (!o->kind->parts)
        die("op '%s' of this network cannot be computed by several ranks: start it without mpirun", o->kind->name);
    if (o->w >= 0 && !ws->p->sole[o->w])
        die("layers that share weights cannot be computed by several ranks: start it without mpirun");
    int sparse = op_reads_features(o) && ws->b->data->xs[o->hops];
    if (o->w >= 0 && o->kind->product && !sparse && gemm_is_large(ws->m->params[o->w].rows, ws->m->params[o->w].cols))
        die("weights of 2^18 elements or more cannot be computed by several ranks, as their products are the BLAS's: "
            "use a smaller 'hidden'");
}

void parts_rows(workspace *ws)
{
    const int *cut = ws->b->cut;
    ws->exchange_size = 0;
    if (!cut)
        return;
    for (op_state *v = ws->ops; v < ws->ops + ws->m->nops; v++) {
        check(ws, &v->d);
        int from = lower(v->id, v->rows, cut[ranks_me()]), to = lower(v->id, v->rows, cut[ranks_me() + 1]);
        v->id += from, v->node += from, v->rows = to - from;
        v->tail = v->grad_tail = 1; /* no buffer is empty */
        if (ws->feeds)              /* training may read the buffer in its place (share.h) */
            v->tail = ws->feeds->ops[v - ws->ops].tail;
    }
    for (op_state *v = ws->ops; v < ws->ops + ws->m->nops; v++)
        if (v->d.kind->halo)
            v->d.kind->halo(ws, v);
    ws->exchange = NEW_RAW(ws->a, real, ws->exchange_size + 1);
}

/* --- halos --- */

static int owner(const int *cut, int id)
{
    int r = 0;
    while (id >= cut[r + 1])
        r++;
    return r;
}

halo *halo_new(workspace *ws, const op_state *v, halo_reads *reads, const void *arg)
{
    const int *cut = ws->b->cut, me = ranks_me(), many = ranks_count(), nodes = ws->b->nodes;
    arena tmp = {0};
    unsigned char *marked = NEW(&tmp, unsigned char, (size_t)nodes);
    halo *h = NEW(ws->a, halo, 1);
    *h = (halo){.nin = NEW(ws->a, int, (size_t)many), .nout = NEW(ws->a, int, (size_t)many), .out = &ws->exchange};
    int *give = NEW(&tmp, int, (size_t)many *(size_t)v->rows + 1);
    for (int r = 0; r < many; r++) {
        memset(marked, 0, (size_t)nodes);
        reads(arg, r, marked);
        for (int i = cut[me]; i < cut[me + 1] && r != me; i++)
            if (marked[i])
                give[h->ngive++] = workspace_row(v, i), h->nout[r]++;
        if (r != me)
            continue;
        memset(marked + cut[me], 0, (size_t)(cut[me + 1] - cut[me]));
        for (int i = 0; i < nodes; i++)
            h->rows += marked[i];
        h->id = NEW(ws->a, int, (size_t)h->rows + 1);
        for (int i = 0, w = 0; i < nodes; i++)
            if (marked[i])
                h->id[w++] = i, h->nin[owner(cut, i)]++;
    }
    h->give = NEW(ws->a, int, (size_t)h->ngive + 1);
    memcpy(h->give, give, (size_t)h->ngive * sizeof *give);
    size_t size = (size_t)h->ngive * (size_t)v->d.cols;
    ws->exchange_size = size > ws->exchange_size ? size : ws->exchange_size;
    arena_free(&tmp);
    return h;
}

void halo_fetch(const halo *h, real *x, int rows, int d)
{
#pragma omp parallel for schedule(static) if ((size_t)h->ngive * (size_t)d > SERIAL_WORK)
    for (int i = 0; i < h->ngive; i++)
        memcpy(*h->out + (size_t)i * (size_t)d, x + (size_t)h->give[i] * (size_t)d, (size_t)d * sizeof(real));
    ranks_exchange(*h->out, h->nout, x + (size_t)rows * (size_t)d, h->nin, (size_t)d * sizeof(real));
}

void halo_return(const halo *h, real *x, int rows, int d)
{
    ranks_exchange(x + (size_t)rows * (size_t)d, h->nin, *h->out, h->nout, (size_t)d * sizeof(real));
    for (int i = 0; i < h->ngive; i++)
        memcpy(x + (size_t)h->give[i] * (size_t)d, *h->out + (size_t)i * (size_t)d, (size_t)d * sizeof(real));
}

int halo_row(const halo *h, const op_state *v, int id)
{
    int at = lower(h->id, h->rows, id);
    return at < h->rows && h->id[at] == id ? v->rows + at : workspace_row(v, id);
}

/* --- sums --- */

int parts_me(const workspace *ws) { return ws->b->cut ? ranks_me() : 0; }
int parts_last(const workspace *ws) { return ws->b->cut ? ranks_count() - 1 : 0; }

void parts_before(const workspace *ws, void *sum, size_t bytes)
{
    if (parts_me(ws) > 0)
        ranks_receive(ranks_me() - 1, sum, bytes);
}

void parts_after(const workspace *ws, void *sum, size_t bytes, int result)
{
    if (parts_me(ws) < parts_last(ws))
        ranks_send(ranks_me() + 1, sum, bytes);
    if (result)
        parts_share(ws, sum, bytes);
}

void parts_share(const workspace *ws, void *p, size_t bytes)
{
    if (!ws->b->cut)
        return;
    ranks_flush(); /* p may be on its way to the next rank */
    ranks_share(ranks_count() - 1, p, bytes);
}

void parts_gather(const workspace *ws, void *all, const int *start, size_t unit)
{
    if (ws->b->cut)
        ranks_gather(all, start, unit);
}

void parts_product(const workspace *ws, real *g, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (!ws->b->cut) {
        gemm_tn(g, a, b, m, n, k, beta); /* large weights, too */
        return;
    }
    int step = ((m + PIECES - 1) / PIECES + TILE - 1) / TILE * TILE;
    for (int from = 0; from < m; from += step) {
        int to = m - from < step ? m : from + step;
        real *piece = g + (size_t)from * (size_t)n;
        size_t bytes = (size_t)(to - from) * (size_t)n * sizeof(real);
        parts_before(ws, piece, bytes);
        gemm_tn_rows(g, a, b, m, n, k, parts_me(ws) ? 1 : beta, from, to);
        parts_after(ws, piece, bytes, 0);
    }
}

void parts_sparse_product(const workspace *ws, real *g, const csr *at, const real *b, int n, real beta)
{
    size_t bytes = (size_t)at->rows * (size_t)n * sizeof(real);
    parts_before(ws, g, bytes);
    spmm(g, at, b, n, parts_me(ws) ? 1 : beta);
    parts_after(ws, g, bytes, 0);
}

void parts_column_sum(const workspace *ws, real *sum, const real *x, int rows, int d, real beta)
{
    if (!ws->b->cut) {
        column_sum(sum, x, rows, d, beta);
        return;
    }
    arena tmp = {0};
    double *total = NEW(&tmp, double, (size_t)d);
    parts_before(ws, total, (size_t)d * sizeof *total);
    column_add(total, x, rows, d);
    parts_after(ws, total, (size_t)d * sizeof *total, 0);
    ranks_flush();
    for (int k = 0; k < d; k++)
        sum[k] = (real)total[k];
    arena_free(&tmp);
}

void parts_gradients(workspace *ws) { parts_share(ws, ws->net->g, ws->m->size * sizeof(real)); }
