/* order: METIS clusters one after another, in the order of METIS, which gives clusters that lie together similar
 * numbers; breadth first within a cluster.
 *
 * Measured on ogbn-arxiv, one thread, d = 64 and 256: the product is 1.6 and 1.9 times as fast as in the order of the
 * files. Clusters of 256 and 512 nodes without an order inside, of 2048 with one, and recursive bisection are within 5
 * % of that; 1024 cost METIS less time. Cuthill-McKee of the whole graph, without clusters, reaches 1.4. */
#include "order.h"
#include "../base/hash.h"
#include "partition.h"
#include "split.h"
#include <string.h>

enum { CLUSTER = 1024 };
#define LINKS_MAX                                                                                                   \
    INT64_C(40000000) /* entries: METIS takes 1.4 s for the 2.3 million of ogbn-arxiv, but 52 s for 20 million of a \
                         random graph */

/* All nodes, each search through one cluster before the next one: the nodes of a cluster stand in breadth-first order,
 * between others. */
static int *breadth_first(arena *a, const csr *g, const int *cluster)
{
    int n = g->rows, *queue = NEW(a, int, (size_t)n), end = 0, at = 0;
    unsigned char *seen = NEW(a, unsigned char, (size_t)n);
    for (int s = 0; s < n; s++) {
        if (!seen[s])
            seen[s] = 1, queue[end++] = s;
        for (; at < end; at++)
            for (int64_t k = g->ptr[queue[at]]; k < g->ptr[queue[at] + 1]; k++) {
                int j = g->idx[k];
                if (!seen[j] && cluster[j] == cluster[queue[at]])
                    seen[j] = 1, queue[end++] = j;
            }
    }
    return queue;
}

int *order_nodes(arena *a, const char *cache, const csr *g, uint64_t data_hash)
{
    if (csr_nnz(g) > LINKS_MAX)
        return NULL;
    arena tmp = {0};
    int n = g->rows, count = n / CLUSTER + 1;
    partition_input in = {.graph = g, .data_hash = data_hash};
    const partition_rule rule = {.text = "metis32", .kind = PARTITION_METIS32};
    partition p = partition_get(&tmp, cache, rule, count, &in);
    int *to = NEW(a, int, (size_t)n), *start = NEW(&tmp, int, (size_t)count + 1), *queue = breadth_first(&tmp, g, p.of);
    for (int i = 0; i < n; i++)
        start[p.of[i] + 1]++;
    for (int c = 0; c < count; c++)
        start[c + 1] += start[c];
    for (int k = 0; k < n; k++)
        to[queue[k]] = start[p.of[queue[k]]]++;
    arena_free(&tmp);
    return to;
}

int *order_inverse(arena *a, const int *to, int n)
{
    int *from = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        from[to[i]] = i;
    return from;
}

/* Row by row of the new matrix, each node enters its number into the rows of its neighbours: columns ascend by
 * themselves. */
csr order_graph(arena *a, const csr *g, const int *to)
{
    arena tmp = {0};
    int n = g->rows, *from = order_inverse(&tmp, to, n);
    int64_t *end = NEW(&tmp, int64_t, (size_t)n);
    csr s = csr_new(a, n, n, csr_nnz(g), 0);
    for (int i = 0; i < n; i++) {
        end[i] = s.ptr[i];
        s.ptr[i + 1] = s.ptr[i] + g->ptr[from[i] + 1] - g->ptr[from[i]];
    }
    for (int i = 0; i < n; i++)
        for (int64_t k = g->ptr[from[i]]; k < g->ptr[from[i] + 1]; k++)
            s.idx[end[to[g->idx[k]]]++] = i;
    arena_free(&tmp);
    return s;
}

/* ---- a whole data set ---- */

static void reorder_splits(arena *a, dataset *d, const int *row)
{
    arena tmp = {0};
    unsigned char *part = NEW(&tmp, unsigned char, (size_t)d->nodes);
    split *moved = NEW(a, split, (size_t)d->nsplits);
    for (int s = 0; s < d->nsplits; s++) {
        memset(part, PARTS, (size_t)d->nodes);
        for (int p = 0; p < PARTS; p++)
            for (int k = 0; k < d->splits[s].n[p]; k++)
                part[row[d->splits[s].idx[p][k]]] = (unsigned char)p;
        moved[s] = split_of_parts(a, part, d->nodes);
    }
    d->splits = moved;
    arena_free(&tmp);
}

void dataset_reorder(arena *a, dataset *d, const char *cache, int least)
{
    int n = d->nodes;
    int *row = d->y && n >= least ? order_nodes(a, cache, &d->graph, d->hash) : NULL;
    if (!row)
        return;
    arena tmp = {0};
    int *from = order_inverse(&tmp, row, n), *y = NEW(a, int, (size_t)n);
    d->graph = order_graph(a, &d->graph, row);
    if (d->xs.rows)
        d->xs = csr_restrict(a, &d->xs, from, n, NULL, 0);
    if (d->xd.rows) {
        mat x = mat_new(a, n, d->features);
        for (int i = 0; i < n; i++)
            memcpy(mat_row(x, i), mat_row(d->xd, from[i]), (size_t)d->features * sizeof(real));
        d->xd = x;
    }
    for (int i = 0; i < n; i++)
        y[i] = d->y[from[i]];
    d->y = y;
    reorder_splits(a, d, row);
    d->row = row;
    d->hash = hash_bytes(d->hash, row, (size_t)n * sizeof *row); /* rounding, dropout and clusters depend on it */
    arena_free(&tmp);
}
