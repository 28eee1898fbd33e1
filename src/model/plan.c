#include "plan.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "share.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int model_param(model *m, int rows, int cols, double bound, int group)
{
    if (m->again)
        return m->again++ - 1;
    if (m->nparams == MAX_PARAMS)
        die("the network has more than %d parameters", MAX_PARAMS);
    m->params[m->nparams] = (param){rows, cols, 0, bound, group, m->size};
    m->size += ((size_t)rows * (size_t)cols + 15) & ~(size_t)15; /* every parameter starts on a cache line */
    return m->nparams++;
}

int model_constant(model *m, int cols, double value, int group)
{
    int k = model_param(m, 1, cols, 0, group);
    m->params[k].base = value;
    return k;
}

int model_op(model *m, op o)
{
    if (m->nops == MAX_OPS)
        die("the network has more than %d ops", MAX_OPS);
    m->ops[m->nops] = o;
    return m->nops++;
}

net net_new(arena *a, const model *m)
{
    return (net){m, NEW(a, real, m->size), NEW(a, real, m->size), NEW(a, real, m->size), NEW(a, real, m->size)};
}

void net_init(net *n, uint64_t seed, int run)
{
    rng r = rng_make(seed, (uint64_t)run, RNG_INIT);
    memset(n->mean, 0, n->m->size * sizeof *n->mean);
    memset(n->var, 0, n->m->size * sizeof *n->var);
    for (int k = 0; k < n->m->nparams; k++) {
        const param *p = n->m->params + k;
        size_t size = (size_t)p->rows * (size_t)p->cols;
        for (size_t i = 0; i < size; i++)
            n->w[p->at + i] = (real)(p->base + (2 * rng_uniform(r, (uint64_t)k, i) - 1) * p->bound);
    }
}

/* The rows that each op must produce, from the last op down. */
static void receptive_field(plan *p, arena *tmp)
{
    int n = p->m->nops, nodes = p->data->nodes;
    unsigned char **rows = NEW(tmp, unsigned char *, (size_t)n);
    for (int k = 0; k < n; k++)
        rows[k] = NEW(tmp, unsigned char, (size_t)nodes);
    for (int i = 0; i < p->task.ntarget; i++)
        rows[n - 1][p->task.target[i]] = 1;
    for (int k = n - 1; k >= 0; k--) {
        node *v = p->nodes + k;
        if ((v->d.kind->whole && p->task.training) || (p->task.full && k < n - 1))
            memset(rows[k], 1, (size_t)nodes);
        if (p->task.with)
            share_rows(p->task.with, k, rows[k]);
        v->rows = 0;
        for (int i = 0; i < nodes; i++)
            v->rows += rows[k][i];
        v->id = NEW(p->a, int, (size_t)v->rows);
        for (int i = 0, w = 0; i < nodes; i++)
            if (rows[k][i])
                v->id[w++] = i;
        if (v->d.kind->need) {
            v->d.kind->need(p, v, (unsigned char *const *)rows);
            continue;
        }
        for (int q = 0; q < MAX_IN; q++)
            if (v->d.in[q] >= 0)
                for (int i = 0; i < v->rows; i++)
                    rows[v->d.in[q]][v->id[i]] = 1;
    }
}

/* --- buffers: each lives from its first writer to its last reader, then serves again --- */

typedef struct pool {
    arena *a;
    mat *free, *made; /* blocks that are not in use; all that were allocated */
    int n, nmade;
} pool;

/* For a plan of n ops, with room for the blocks of another one. */
static pool *pool_new(arena *a, int n)
{
    pool *q = NEW(a, pool, 1);
    *q = (pool){.a = a, .free = NEW(a, mat, 3 * (size_t)n), .made = NEW(a, mat, 2 * (size_t)n)};
    return q;
}

static real *pool_take(pool *q, int rows, int cols)
{
    size_t need = (size_t)rows * (size_t)cols;
    int best = -1;
    for (int i = 0; i < q->n; i++) {
        size_t have = (size_t)q->free[i].rows * (size_t)q->free[i].cols;
        if (have >= need && (best < 0 || have < (size_t)q->free[best].rows * (size_t)q->free[best].cols))
            best = i;
    }
    if (best < 0)
        return (q->made[q->nmade++] = mat_new(q->a, rows, cols)).v;
    real *v = q->free[best].v;
    q->free[best] = q->free[--q->n];
    return v;
}

static void pool_give(pool *q, mat block)
{
    q->free[q->n++] = block;
}

/* The op whose buffer op k uses. */
static int owner(const plan *p, int k)
{
    while (p->m->ops[k].kind->in_place)
        k = p->m->ops[k].in[0];
    return k;
}

/* Of each op that owns a buffer, the last op that reads it. */
static void last_readers(const plan *p, int *last)
{
    for (int k = 0; k < p->m->nops; k++) {
        last[k] = k;
        for (int q = 0; q < MAX_IN; q++)
            if (p->m->ops[k].in[q] >= 0)
                last[owner(p, p->m->ops[k].in[q])] = k;
    }
}

/* Whether a training plan takes rows from the buffer of op k. */
static int is_taken(const plan *p, int k)
{
    for (int i = k; p->task.with && i < p->m->nops; i++)
        if (p->task.with->nodes[i].share >= SHARE_COPY && owner(p, i) == k)
            return 1;
    return 0;
}

/* Whether the backward pass reads the buffer of op k, or the objective, which may write gradients while others read. */
static int is_read_back(const plan *p, int k, const int *last)
{
    if (!p->task.training)
        return 0;
    int found = last[k] == p->m->nops - 1;
    for (int i = k; i < p->m->nops && !found; i++) {
        const op *o = p->m->ops + i;
        found |= o->kind->own_back && owner(p, i) == k;
        for (int q = 0; q < MAX_IN; q++)
            found |= o->kind->in_back && o->in[q] >= 0 && owner(p, o->in[q]) == k;
    }
    return found;
}

/* Outputs: free after their last reader, but for what is read later. */
static void allocate_outputs(plan *p, pool *q, const int *last)
{
    for (int k = 0; k < p->m->nops; k++) {
        node *v = p->nodes + k;
        v->out = (mat){v->rows, v->d.cols, NULL};
        if (v->d.kind->in_place)
            v->out = p->nodes[v->d.in[0]].out;
        else if (v->d.cols)
            v->out.v = pool_take(q, v->rows, v->d.cols);
        for (int i = 0; i < k; i++)
            if (last[i] == k && owner(p, i) == i && p->nodes[i].out.v && !is_taken(p, i) && !is_read_back(p, i, last))
                pool_give(q, p->nodes[i].out);
    }
}

/* Gradients, in the order of the backward pass: an op's readers write it, its own backward is the last to read it. */
static void allocate_gradients(plan *p)
{
    pool *q = p->pool;
    p->ready = 1;
    for (int k = p->m->nops - 1; k >= 0; k--) {
        node *v = p->nodes + k;
        for (int i = 0; i < MAX_IN; i++) {
            if (v->d.in[i] < 0)
                continue;
            node *h = p->nodes + owner(p, v->d.in[i]);
            if (h->grad.rows && !h->grad.v)
                h->grad.v = pool_take(q, h->grad.rows, h->grad.cols);
            p->nodes[v->d.in[i]].grad = h->grad;
        }
        if (owner(p, k) == k && v->grad.v)
            pool_give(q, v->grad);
    }
}

/* A training plan has taken what it takes from a prediction before it writes the first gradient: gradients live in the buffers of the prediction. */
static void borrow(plan *train, const plan *predict)
{
    for (int k = 0; k < predict->pool->nmade; k++)
        pool_give(train->pool, predict->pool->made[k]);
    allocate_gradients(train);
}

static void allocate(plan *p)
{
    int n = p->m->nops;
    arena tmp = {0};
    int *last = NEW(&tmp, int, (size_t)n);
    p->pool = pool_new(p->a, n);
    for (int k = 0; k < n; k++) {
        node *v = p->nodes + k;
        if (v->d.kind->in_place || v->d.kind->follows) {
            v->rows = p->nodes[v->d.in[0]].rows;
            v->id = p->nodes[v->d.in[0]].id;
        }
        int learns = v->d.w >= 0 || v->d.b >= 0;
        for (int i = 0; i < MAX_IN; i++)
            if (v->d.in[i] >= 0)
                learns |= p->nodes[v->d.in[i]].grad.rows;
        if (p->task.training && learns && v->d.cols) {
            v->grad = (mat){v->rows, v->d.cols, NULL};
            p->nodes[owner(p, k)].grad = v->grad; /* a bias makes its input's buffer learn too */
        }
    }
    last_readers(p, last);
    allocate_outputs(p, p->pool, last);
    for (int k = 0; k < n; k++)
        if (p->nodes[k].d.kind->prepare)
            p->nodes[k].d.kind->prepare(p, p->nodes + k);
    arena_free(&tmp);
}

plan *plan_new(arena *a, const model *m, net *n, const plan_data *data, const task *t)
{
    arena tmp = {0};
    plan *p = NEW(a, plan, 1);
    *p = (plan){.a = a, .m = m, .net = n, .data = data, .task = *t};
    p->nodes = NEW(a, node, (size_t)m->nops);
    p->param_filled = NEW(a, unsigned char, (size_t)m->nparams + 1);
    p->updated = NEW(a, unsigned char, (size_t)m->nparams + 1);
    for (int k = 0; k < m->nops; k++)
        p->nodes[k].d = m->ops[k];
    p->prob = mat_new(a, t->ntarget, m->classes);
    if (t->with)
        share_mark(t->with);
    receptive_field(p, &tmp);
    arena_free(&tmp);
    allocate(p);
    if (t->with) {
        share_link(t->with, p);
        borrow(t->with, p);
    }
    return p;
}

static void spent(const plan *p, node *n, int pass, double *start)
{
    if (p->timed) {
        double now = clock_now();
        n->spent[pass] += now - *start;
        *start = now;
    }
}

void plan_forward(plan *p, uint32_t epoch)
{
    if (p->task.training && !p->ready)
        allocate_gradients(p);
    p->epoch = epoch;
    double start = p->timed ? clock_now() : 0;
    for (node *n = p->nodes; n < p->nodes + p->m->nops; n++) {
        if (n->share == SHARE_NO)
            n->d.kind->forward(p, n);
        else if (n->share != SHARE_SKIP)
            share_take(p, n);
        spent(p, n, 0, &start);
    }
}

void plan_backward(plan *p)
{
    for (int k = 0; k < p->m->nops; k++)
        p->nodes[k].filled = 0;
    memset(p->param_filled, 0, (size_t)p->m->nparams);
    memset(p->updated, 0, (size_t)p->m->nparams);
    double start = p->timed ? clock_now() : 0;
    for (int k = p->m->nops - 1; k >= 0; k--) {
        p->nodes[k].d.kind->backward(p, p->nodes + k);
        spent(p, p->nodes + k, 1, &start);
    }
}

real plan_beta(int *filled)
{
    return (*filled)++ ? 1 : 0;
}

real plan_beta_param(plan *p, int w)
{
    return p->param_filled[w]++ ? 1 : 0;
}

const adam_now *plan_update(plan *p, int w)
{
    int users = 0;
    for (int k = 0; k < p->m->nops; k++)
        users += p->m->ops[k].w == w;
    if (!p->adam || users > 1)
        return NULL;
    p->updated[w] = 1;
    return p->adam + p->m->params[w].group;
}

dropout plan_dropout(const plan *p, const node *n)
{
    return (dropout){p->r, p->epoch, (uint32_t)(n - p->nodes), p->task.training ? n->d.p : 0};
}

int plan_row(const node *n, int id)
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

int *plan_map(plan *p, const node *n, const node *h)
{
    int *map = NEW(p->a, int, (size_t)n->rows);
    for (int i = 0; i < n->rows; i++)
        map[i] = plan_row(h, n->id[i]);
    return map;
}

void plan_scatter(node *h, const int *map, real f, const real *from, int ld, int rows, int d)
{
    real beta = plan_beta(&h->filled);
    if (beta == 0 && (rows < h->rows || d < h->d.cols)) {
        memset(h->grad.v, 0, (size_t)h->rows * (size_t)h->d.cols * sizeof(real));
        beta = 1;
    }
    add_rows(h->grad.v, map, beta, f, from, (size_t)ld, rows, d);
}

void plan_print(const model *m)
{
    for (int k = 0; k < m->nops; k++) {
        const op *o = m->ops + k;
        printf("%2d %-12s", k, o->kind->name);
        if (o->in[0] >= 0)
            printf(" of %d", o->in[0]);
        if (o->w >= 0)
            printf("  W %d x %d", m->params[o->w].rows, m->params[o->w].cols);
        if (o->b >= 0)
            printf("  b %d", m->params[o->b].cols);
        if (o->shape)
            printf("  %s", o->shape == RELU ? "relu" : "elu");
        if (o->p > 0)
            printf("  dropout %g", o->p);
        printf("  -> %d\n", o->cols);
    }
}
