#include "synthetic.h"
#include "../../src/base/rng.h"
#include "../../src/data/twin.h"

/* Moves the second node of a share of the links into the block of the first. dataset_finish drops duplicates and loops
 * that result, a few percent. */
static void move_into_blocks(draft *f, double local)
{
    rng r = rng_make(1, 0, RNG_TWIN);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < f->nedges; k++)
        if (rng_uniform(r, 101, (uint64_t)k) < local) {
            int first = f->eu[k] / SYNTHETIC_NEAR * SYNTHETIC_NEAR,
                n = f->d.nodes - first < SYNTHETIC_NEAR ? f->d.nodes - first : SYNTHETIC_NEAR;
            f->ev[k] = first + (int)rng_below(r, 102, (uint64_t)k, (uint64_t)n);
        }
}

problem *synthetic_local(int nodes, int64_t edges, int features, int classes, double local)
{
    arena a = {0}, tmp = {0};
    catalog_entry e = {.name = arena_printf(&a, "synthetic-%d-%lld", nodes, (long long)edges),
                       .format = "",
                       .norm = "none",
                       .nodes = nodes,
                       .edges = edges,
                       .features = features,
                       .classes = classes,
                       .homophily = 0.8,
                       .skew = 1};
    draft f;
    twin_make(&a, &tmp, &f, &e);
    if (local > 0)
        move_into_blocks(&f, local);
    dataset_finish(&a, &f, e.name);
    arena_free(&tmp);
    dataset *d = NEW(&a, dataset, 1);
    *d = f.d;
    return problem_new(a, d, split_rule_read("fraction:0.5:0.25"));
}

problem *synthetic_open(int nodes, int64_t edges, int features, int classes)
{
    return synthetic_local(nodes, edges, features, classes, 0);
}

/* Edge list, two sorted copies of the entries, the graph and GCN's matrix; and the features. */
double synthetic_bytes(int nodes, int64_t edges, int features)
{
    return (double)edges * (8 + 3 * 8 + 16) + (double)nodes * (4.0 * features + 100);
}
