#include "program.h"
#include "../base/err.h"
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

void model_print(const model *m)
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

static int same_op(const op *a, const op *b)
{
    return a->kind == b->kind && a->in[0] == b->in[0] && a->in[1] == b->in[1] && a->w == b->w && a->b == b->b &&
           a->cols == b->cols && a->hops == b->hops && a->adj == b->adj && a->shape == b->shape &&
           a->heads == b->heads && a->p == b->p && a->tau == b->tau && a->own_loss == b->own_loss &&
           a->factorised == b->factorised && a->x == b->x && a->y == b->y;
}

static int same_param(const param *a, const param *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->base == b->base && a->bound == b->bound &&
           a->group == b->group;
}

int model_equal(const model *a, const model *b)
{
    int same = a->nops == b->nops && a->nparams == b->nparams && a->z == b->z && a->multi == b->multi &&
               a->classes == b->classes && a->first == b->first;
    for (int k = 0; same && k < a->nops; k++)
        same = same_op(a->ops + k, b->ops + k);
    for (int k = 0; same && k < a->nparams; k++)
        same = same_param(a->params + k, b->params + k);
    return same;
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

/* --- compiling --- */

static void find_owners(program *p)
{
    for (int k = 0; k < p->m->nops; k++) {
        const op *o = p->m->ops + k;
        p->ops[k] = (program_op){.owner = o->kind->in_place ? p->ops[o->in[0]].owner : k, .last = k, .fused = -1};
        for (int q = 0; q < MAX_IN; q++)
            if (o->in[q] >= 0)
                p->ops[p->ops[o->in[q]].owner].last = k;
    }
}

/* The objective may write gradients while others still read values: what it reads is kept. */
static void find_kept(program *p)
{
    for (int k = 0; k < p->m->nops; k++) {
        const op *o = p->m->ops + k;
        p->ops[p->ops[k].owner].kept |= o->kind->reads_output_back || p->ops[p->ops[k].owner].last == p->m->nops - 1;
        for (int q = 0; q < MAX_IN; q++)
            if (o->in[q] >= 0 && o->kind->reads_input_back)
                p->ops[p->ops[o->in[q]].owner].kept = 1;
    }
}

static void find_gradients(program *p)
{
    for (int k = 0; k < p->m->nops; k++) {
        const op *o = p->m->ops + k;
        int learns = o->w >= 0 || o->b >= 0;
        for (int q = 0; q < MAX_IN; q++)
            learns |= o->in[q] >= 0 && p->ops[o->in[q]].learns;
        if (learns && o->cols)
            p->ops[k].learns = p->ops[p->ops[k].owner].learns = 1; /* a bias makes its input's buffer learn too */
    }
}

static void fuse_activations(program *p)
{
    for (int k = 0; k < p->m->nops; k++) {
        const op *o = p->m->ops + k;
        enum fuses fuses = o->kind->in_place ? p->m->ops[o->in[0]].kind->fuses : FUSES_NOT;
        if (o->shape != ELU && (fuses == FUSES_SHAPE || (fuses == FUSES_DROPOUT && o->b < 0)))
            p->ops[o->in[0]].fused = k;
    }
}

/* A bias alone, read by one op, which can sum its gradient. */
static void fuse_bias_gradients(program *p)
{
    for (int k = 0; k < p->m->nops; k++) {
        int in = p->m->ops[k].in[0], readers = 0;
        if (in < 0 || !p->m->ops[k].kind->sums_bias_below)
            continue;
        const op *o = p->m->ops + in;
        for (int r = in + 1; r < p->m->nops; r++)
            readers += (p->m->ops[r].in[0] == in) + (p->m->ops[r].in[1] == in);
        if (readers == 1 && o->kind->in_place && o->shape == LINEAR && o->p == 0 && o->b >= 0 && p->sole[o->b])
            p->ops[k].bias_below = p->ops[in].bias_summed = 1;
    }
}

static void count_hops(program *p)
{
    for (int k = p->m->nops - 1; k >= 0; k--) {
        const op *o = p->m->ops + k;
        int below = p->ops[k].hop + o->kind->reads_graph;
        p->hops = below > p->hops ? below : p->hops;
        for (int q = 0; q < MAX_IN; q++) {
            int at = q ? p->ops[k].hop : below; /* the second input of a propagation is read row by row */
            if (o->in[q] >= 0 && p->ops[o->in[q]].hop < at)
                p->ops[o->in[q]].hop = at;
        }
    }
}

program *program_compile(arena *a, const model *m, int training, enum policy policy)
{
    program *p = NEW(a, program, 1);
    *p = (program){.m = m,
                   .training = training,
                   .policy = policy,
                   .ops = NEW(a, program_op, (size_t)m->nops),
                   .sole = NEW(a, unsigned char, (size_t)m->nparams + 1)};
    int *users = NEW(a, int, (size_t)m->nparams + 1); /* of parameter k at k + 1; of none at 0 */
    find_owners(p);
    if (training) {
        find_kept(p);
        find_gradients(p);
    }
    if (policy & FUSE_ACTIVATION)
        fuse_activations(p);
    count_hops(p);
    for (int k = 0; k < m->nops; k++)
        for (int w = 0; w < 2; w++)
            users[(w ? m->ops[k].b : m->ops[k].w) + 1]++;
    for (int k = 0; k < m->nparams; k++)
        p->sole[k] = users[k + 1] == 1;
    if (training && policy & FUSE_BACKWARD)
        fuse_bias_gradients(p);
    return p;
}
