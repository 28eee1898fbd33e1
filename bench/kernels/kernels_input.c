/* The graphs of bench_kernels: data sets as in training, the large ones also in the node order of their files, and a
 * large synthetic one. */
#include "../../src/base/err.h"
#include "../../src/base/memory.h"
#include "../../src/data/split.h"
#include "../../src/train/method/resolve.h"
#include "../../src/data/order.h"
#include "kernels.h"
#include "synthetic.h"
#include <stdlib.h>

enum { LARGE = 100000, LARGE_NODES = 2400000 };
#define LARGE_EDGES INT64_C(62000000)

/* The rows of the training nodes over the columns that they read: the last propagation of a training epoch. */
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
    const dataset *d = problem_dataset(p);
    const spec s = spec_default();
    const cell c = resolve_cell(&s, NULL, "-");
    const node_data data = problem_data(p, &c);
    arena a = {0};
    input *in = NEW(&a, input, 1);
    *in = (input){.a = a,
                  .p = p,
                  .name = d->name,
                  .nodes = d->nodes,
                  .features = d->features,
                  .classes = d->classes,
                  .clusters = d->nodes < LARGE ? 5 : 50,
                  .xs = data.xs[0] ? *data.xs[0] : (csr){0},
                  .xd = data.xd[0] ? *data.xd[0] : (mat){0}};
    split part = split_draw(&in->a, d, problem_split_rule(p, s.split), 1, 0);
    in->train = part.idx[TRAIN], in->ntrain = part.n[TRAIN];
    matrices(in, &d->graph);
    if (in->xs.rows)
        in->xst = csr_transpose(&in->a, &in->xs), in->xs = csr_transpose(&in->a, &in->xst);
    return in;
}

input *input_open(const data_dirs *dirs, const char *name)
{
    spec s = spec_default();
    s.dataset = name;
    return input_new(problem_open(dirs, &s));
}

input *input_large(void)
{
    const int features = 100, classes = 47; /* of ogbn-products */
    double need = synthetic_bytes(LARGE_NODES, LARGE_EDGES, features) + 2 * (double)LARGE_EDGES * 24;
    if (need > memory_available())
        die("--large needs %.0f GiB of memory, %.0f available", need / (1 << 30), memory_available() / (1 << 30));
    return input_new(synthetic_open(LARGE_NODES, LARGE_EDGES, features, classes));
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

input *input_files(const input *in)
{
    arena a = {0}, tmp = {0};
    input *to = NEW(&a, input, 1);
    *to = *in;
    to->a = a, to->files = 1, to->xs = to->xst = (csr){0}, to->xd = (mat){0};
    int *name = order_inverse(&tmp, problem_dataset(in->p)->row, in->nodes);
    csr graph = order_graph(&tmp, &problem_dataset(in->p)->graph, name);
    to->train = NEW(&to->a, int, (size_t)in->ntrain);
    for (int i = 0; i < in->ntrain; i++)
        to->train[i] = name[in->train[i]];
    qsort(to->train, (size_t)in->ntrain, sizeof *to->train, ascending);
    matrices(to, &graph);
    arena_free(&tmp);
    return to;
}

void input_close(input *in)
{
    arena a = in->a; /* contains *in */
    if (!in->files)
        problem_close(in->p);
    arena_free(&a);
}
