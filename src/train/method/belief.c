#include "belief.h"
#include "../../base/err.h"
#include "../../kernel/exp.h"
#include "../../kernel/kernels.h"
#include "../../kernel/simd.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

enum { CLASSES = 512 };

belief_graph belief_graph_new(arena *a, const csr *graph, const int *nodes, int n)
{
    arena tmp = {0};
    int *at = NEW(&tmp, int, (size_t)graph->rows), kept = 0;
    for (int i = 0; i < n; i++)
        at[nodes[i]] = i + 1;
    for (int i = 0; i < n; i++)
        for (int64_t k = graph->ptr[nodes[i]]; k < graph->ptr[nodes[i] + 1]; k++)
            kept += at[graph->idx[k]] > 0;
    belief_graph b = {n, nodes, csr_new(a, n, n, kept, 0), NEW(a, int, (size_t)kept), NEW(a, int64_t, (size_t)kept)};
    int64_t w = 0, *next = NEW(&tmp, int64_t, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        next[i] = b.g.ptr[i] = w;
        for (int64_t k = graph->ptr[nodes[i]]; k < graph->ptr[nodes[i] + 1]; k++)
            if (at[graph->idx[k]])
                b.from[w] = i, b.g.idx[w++] = at[graph->idx[k]] - 1;
    }
    b.g.ptr[n] = w;
    for (int64_t k = 0; k < w;
         k++) /* the links into a node come in the order of their sources, which is that of its own row */
        b.back[k] = next[b.g.idx[k]]++;
    arena_free(&tmp);
    return b;
}

belief belief_new(arena *a, const belief_graph *b, int classes, double rho)
{
    size_t c = (size_t)classes, links = (size_t)csr_nnz(&b->g), n = (size_t)b->nodes;
    if (classes > CLASSES)
        die("belief propagation is for at most %d classes, not %d", CLASSES, classes);
    return (belief){b,
                    classes,
                    (real)rho,
                    NEW(a, real, n * c),
                    NEW(a, real, links * c * c),
                    NEW(a, real, links * c),
                    NEW(a, real, links * c),
                    NEW(a, real, n * c)};
}

/* in_s of all nodes, from the messages. */
static void incoming(belief *f)
{
    const csr *g = &f->b->g;
    int c = f->classes;
#pragma omp parallel for schedule(static) if ((size_t)csr_nnz(g) * (size_t)c > SERIAL_WORK)
    for (int s = 0; s < g->rows; s++) {
        real *in = f->in + (size_t)s * (size_t)c;
        memset(in, 0, (size_t)c * sizeof *in);
        for (int64_t k = g->ptr[s]; k < g->ptr[s + 1]; k++)
            for (int x = 0; x < c; x++)
                in[x] += f->message[(size_t)f->b->back[k] * (size_t)c + (size_t)x];
    }
}

/* a_s of link k = s -> t: what s says without t. */
INLINE void without(real *restrict a, const belief *f, int64_t k)
{
    size_t c = (size_t)f->classes, s = (size_t)f->b->from[k] * c, back = (size_t)f->b->back[k] * c;
    for (size_t x = 0; x < c; x++)
        a[x] = fused(f->rho, f->in[s + x], f->theta_s[s + x]) - f->message[back + x];
}

static real log_sum(const real *x, int c)
{
    real largest = x[0], sum = 0;
    for (int k = 1; k < c; k++)
        largest = x[k] > largest ? x[k] : largest;
    for (int k = 0; k < c; k++)
        sum += exp_negative(x[k] - largest);
    return largest + (real)portable_log((double)sum);
}

CLONES static void step_link(belief *f, int64_t k, int max)
{
    int c = f->classes;
    real a[CLASSES], largest[CLASSES], sum[CLASSES], *to = f->next + (size_t)k * (size_t)c;
    const real *theta = f->theta_st + (size_t)k * (size_t)c * (size_t)c;
    without(a, f, k);
    for (int z = 0; z < c; z++)
        largest[z] = a[0] + theta[z], sum[z] = 0;
    for (int x = 1; x < c; x++)
        for (int z = 0; z < c; z++) {
            real w = a[x] + theta[x * c + z];
            largest[z] = w > largest[z] ? w : largest[z];
        }
    for (int x = 0; x < c && !max; x++)
        for (int z = 0; z < c; z++)
            sum[z] += exp_negative(a[x] + theta[x * c + z] - largest[z]);
    for (int z = 0; z < c; z++)
        to[z] = max ? largest[z] : largest[z] + (real)portable_log((double)sum[z]);
    real all = log_sum(to, c);
    for (int z = 0; z < c; z++)
        to[z] -= all;
}

void belief_run(belief *f, int steps, int max)
{
    int64_t links = csr_nnz(&f->b->g);
    size_t size = (size_t)links * (size_t)f->classes;
    memset(f->message, 0, size * sizeof(real));
    for (int step = 0; step < steps; step++) {
        incoming(f);
#pragma omp parallel for schedule(static) if (size * (size_t)f->classes > SERIAL_WORK)
        for (int64_t k = 0; k < links; k++)
            step_link(f, k, max);
        real *last = f->message;
        f->message = f->next, f->next = last;
    }
    incoming(f);
}

void belief_nodes(real *q, const belief *f)
{
    size_t n = (size_t)f->b->nodes * (size_t)f->classes;
    for (size_t i = 0; i < n; i++)
        q[i] = f->theta_s[i] + f->rho * f->in[i];
    softmax(q, q, f->b->nodes, f->classes, 1);
}

void belief_link(real *q, const belief *f, int64_t k)
{
    int c = f->classes;
    real a[CLASSES], b[CLASSES];
    const real *theta = f->theta_st + (size_t)k * (size_t)c * (size_t)c;
    without(a, f, k);
    without(b, f, f->b->back[k]);
    for (int x = 0; x < c; x++)
        for (int z = 0; z < c; z++)
            q[x * c + z] = theta[x * c + z] + a[x] + b[z];
    softmax(q, q, 1, c * c, 1);
}
