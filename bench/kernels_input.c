/* The graphs of bench_kernels: data sets as experiments see them, the same with their nodes in another order, and a large synthetic one. */
#include "../src/base/err.h"
#include "../src/data/split.h"
#include "kernels.h"
#include "measure.h"
#include "synthetic.h"
#include <stdlib.h>
#include <string.h>

enum { LARGE = 100000, LARGE_NODES = 2400000 };
#define LARGE_EDGES INT64_C(62000000)

/* The rows of the training nodes over the columns that they read: what the last propagation of a training epoch computes. */
static void cut_training_rows(input *in)
{
    arena tmp = {0};
    unsigned char *read = NEW(&tmp, unsigned char, (size_t)in->nodes);
    int *cols = NEW(&tmp, int, (size_t)in->nodes), n = 0;
    for (int r = 0; r < in->ntrain; r++)
        for (int64_t k = in->adj.ptr[in->train[r]]; k < in->adj.ptr[in->train[r] + 1]; k++)
            read[in->adj.idx[k]] = 1;
    for (int i = 0; i < in->nodes; i++)
        if (read[i])
            cols[n++] = i;
    in->cut = csr_restrict(&in->a, &in->adj, in->train, in->ntrain, cols, n);
    in->cut_t = csr_transpose(&in->a, &in->cut);
    arena_free(&tmp);
}

static void matrices(input *in, const csr *graph)
{
    arena tmp = {0};
    csr mean = csr_adjacency(&tmp, graph, ADJ_MEAN);
    in->mean_t = csr_transpose(&in->a, &mean);
    arena_free(&tmp);
    in->adj = csr_adjacency(&in->a, graph, ADJ_GCN);
    cut_training_rows(in);
}

static input *input_new(problem *p)
{
    const dataset *d = p->d;
    arena a = {0};
    input *in = NEW(&a, input, 1);
    *in = (input){.a = a, .p = p, .name = d->name, .order = "given", .nodes = d->nodes, .features = d->features, .classes = d->classes,
                  .clusters = d->nodes < LARGE ? 5 : 50, .xs = p->xs[0], .xd = p->xd[0]};
    split part = split_draw(&in->a, d, p->split_rule, 1, 0);
    in->train = part.idx[TRAIN], in->ntrain = part.n[TRAIN];
    matrices(in, &d->graph);
    if (in->xs.rows)
        in->xst = csr_transpose(&in->a, &in->xs), in->xs = csr_transpose(&in->a, &in->xst);
    return in;
}

input *input_open(const data_dirs *dirs, const char *name)
{
    return input_new(problem_open(dirs, name));
}

input *input_large(void)
{
    const int features = 100, classes = 47; /* of ogbn-products */
    double need = synthetic_bytes(LARGE_NODES, LARGE_EDGES, features) + 2 * (double)LARGE_EDGES * 24;
    if (need > measure_memory())
        die("--large needs %.0f GiB, %.0f are free", need / (1 << 30), measure_memory() / (1 << 30));
    return input_new(synthetic_open(LARGE_NODES, LARGE_EDGES, features, classes));
}

static int by_place(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Nodes of a cluster become neighbours in memory. */
input *input_reorder(const data_dirs *dirs, const input *in)
{
    arena a = {0}, tmp = {0};
    input *to = NEW(&a, input, 1);
    *to = *in;
    to->a = a, to->order = "metis", to->xs = to->xst = (csr){0}, to->xd = (mat){0};
    const csr *g = &in->p->d->graph;
    int n = in->nodes, many = n / 512 + 1, w = 0;
    int64_t links = 0;
    partition_input from = {.graph = g, .data_hash = in->p->d->hash};
    partition q = partition_get(&tmp, dirs->cache, "metis", many, &from);
    int *place = NEW(&tmp, int, (size_t)n), *start = NEW(&tmp, int, (size_t)many + 1);
    for (int i = 0; i < n; i++)
        start[q.of[i]]++;
    for (int c = 0; c < many; c++) {
        int size = start[c];
        start[c] = w, w += size;
    }
    for (int i = 0; i < n; i++)
        place[i] = start[q.of[i]]++;
    int *u = NEW(&tmp, int, (size_t)csr_nnz(g)), *v = NEW(&tmp, int, (size_t)csr_nnz(g));
    for (int i = 0; i < n; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            u[links] = place[i], v[links++] = place[g->idx[k]];
    csr moved = csr_from_pairs(&tmp, n, n, u, v, links, 0, 0);
    to->train = NEW(&to->a, int, (size_t)in->ntrain);
    for (int i = 0; i < in->ntrain; i++)
        to->train[i] = place[in->train[i]];
    qsort(to->train, (size_t)in->ntrain, sizeof *to->train, by_place);
    matrices(to, &moved);
    arena_free(&tmp);
    return to;
}

void input_close(input *in)
{
    arena a = in->a; /* in itself lives in it */
    if (!strcmp(in->order, "given"))
        problem_close(in->p);
    arena_free(&a);
}
