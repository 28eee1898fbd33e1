/* reorder: renumbers the nodes of a data set, see dataset_reorder() in dataset.h. */
#include "../base/hash.h"
#include "order.h"
#include "split.h"
#include <string.h>

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
