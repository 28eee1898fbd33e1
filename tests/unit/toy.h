/* toy: a small random problem, with or without dense features, for tests that train. */
#ifndef JCB_TOY_H
#define JCB_TOY_H

#include "../../src/train/problem_fields.h"

/* For loops over backbones b and objectives o: the first four objectives are tested with every network, the others,
 * which use the same ops, with every fourth network in turn. */
static inline int meets(int b, int o) { return o < 4 || (b + o) % 4 == 0; }

/* nodes in `classes` classes; the graph joins mostly equal ones; every node has a few words of its class. */
static problem *toy(int nodes, int features, int classes, int dense)
{
    arena a = {0};
    dataset *d = NEW(&a, dataset, 1);
    *d = (dataset){
        .name = "toy", .nodes = nodes, .features = features, .classes = classes, .origin_note = "", .hash = 42};
    d->y = NEW(&a, int, (size_t)nodes);
    rng r = rng_make(11, 0, RNG_TWIN);
    int m = 3 * nodes, *u = NEW(&a, int, (size_t)m), *v = NEW(&a, int, (size_t)m);
    for (int i = 0; i < nodes; i++)
        d->y[i] = i % classes;
    for (int k = 0; k < m; k++) {
        u[k] = (int)rng_below(r, 1, (uint64_t)k, (uint64_t)nodes);
        int w = (int)rng_below(r, 2, (uint64_t)k, (uint64_t)nodes);
        v[k] = rng_uniform(r, 3, (uint64_t)k) < 0.7 ? (w / classes * classes + d->y[u[k]]) % nodes : w;
    }
    d->graph = csr_from_pairs(&a, nodes, nodes, u, v, m, 1, 0);
    if (dense) {
        d->xd = mat_new(&a, nodes, features);
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < features; j++)
                mat_row(d->xd, i)[j] = (real)(rng_normal(r, 4 + (uint64_t)i, (uint64_t)j) + (j % classes == d->y[i]));
    } else {
        enum { WORDS = 5 };
        int *row = NEW(&a, int, (size_t)nodes *WORDS), *word = NEW(&a, int, (size_t)nodes *WORDS);
        for (int k = 0; k < nodes * WORDS; k++) {
            row[k] = k / WORDS;
            word[k] = (int)rng_below(r, 5, (uint64_t)k, (uint64_t)features);
            if (rng_uniform(r, 6, (uint64_t)k) < 0.5)
                word[k] = (word[k] / classes * classes + d->y[row[k]]) % features;
        }
        d->xs = csr_from_pairs(&a, nodes, features, row, word, nodes * WORDS, 0, 1);
        d->xs.val = NEW(&a, real, (size_t)csr_nnz(&d->xs));
        for (int64_t k = 0; k < csr_nnz(&d->xs); k++)
            d->xs.val[k] = (real)0.2;
    }
    return problem_new(a, d, split_rule_read("per-class:4:4"));
}

/* The same with several labels a node: its class, and each other one with probability 1/4; some nodes have none. */
static inline problem *toy_multi(int nodes, int features, int classes, int dense)
{
    problem *p = toy(nodes, features, classes, dense);
    dataset *d = (dataset *)p->d;
    rng r = rng_make(12, 0, RNG_TWIN);
    d->ym = NEW(&p->a, unsigned char, (size_t)nodes *(size_t)classes);
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < classes && i % 11; k++)
            d->ym[i * classes + k] = d->y[i] == k || rng_uniform(r, (uint64_t)i, (uint64_t)k) < 0.25;
    d->y = NULL;
    p->split_rule = split_rule_read("fraction:0.2:0.2");
    return p;
}

#endif
