/* partition_toy: planted graphs and point sets for the tests of partitions. */
#ifndef JCB_PARTITION_TOY_H
#define JCB_PARTITION_TOY_H

#include "../../src/base/rng.h"
#include "../../src/data/partition.h"
#include <string.h>

/* `blocks` blocks of equal size: links with probability p inside one, q between two. */
static inline csr planted(arena *a, int n, int blocks, double p, double q, int loops)
{
    arena tmp = {0};
    rng r = rng_make(11, 0, RNG_TWIN);
    int *u = NEW(&tmp, int, (size_t)(n * n)), *v = NEW(&tmp, int, (size_t)(n * n)), m = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double chance = i == j ? loops : i * blocks / n == j * blocks / n ? p : q;
            if (rng_uniform(r, (uint64_t)i, (uint64_t)j) < chance)
                u[m] = i, v[m++] = j;
        }
    csr g = csr_from_pairs(a, n, n, u, v, m, 1, 1);
    arena_free(&tmp);
    return g;
}

static inline int same(const partition *p, const partition *q)
{
    return p->nodes == q->nodes && p->clusters == q->clusters && p->hash == q->hash &&
           memcmp(p->of, q->of, (size_t)p->nodes * sizeof *p->of) == 0;
}

/* The number of nodes of the largest cluster minus those of the smallest; *least: those of the smallest. */
static inline int imbalance(int *least, const partition *p)
{
    int size[128] = {0}, max = 0;
    for (int i = 0; i < p->nodes; i++)
        size[p->of[i]]++;
    *least = p->nodes;
    for (int m = 0; m < p->clusters; m++) {
        *least = size[m] < *least ? size[m] : *least;
        max = size[m] > max ? size[m] : max;
    }
    return max - *least;
}

static inline mat points(arena *a, int n, int d, uint64_t seed, double zeros)
{
    mat x = mat_new(a, n, d);
    rng r = rng_make(seed, 0, RNG_TWIN);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            if (rng_uniform(r, 1, (uint64_t)(i * d + j)) >= zeros)
                mat_row(x, i)[j] = (real)(rng_normal(r, 2, (uint64_t)(i * d + j)) + 2 * (i % 3 == j % 3));
    return x;
}

#endif
