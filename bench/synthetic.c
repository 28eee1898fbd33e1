#include "synthetic.h"
#include "../src/data/twin.h"

problem *synthetic_open(int nodes, int64_t edges, int features, int classes)
{
    arena a = {0}, tmp = {0};
    problem *p = NEW(&a, problem, 1);
    *p = (problem){.a = a, .dirs.cache = "", .split_rule = "fraction:0.5:0.25"};
    catalog_entry e = {.name = arena_printf(&p->a, "synthetic-%d-%lld", nodes, (long long)edges), .format = "", .norm = "none", .nodes = nodes,
                       .edges = edges, .features = features, .classes = classes, .homophily = 0.8, .skew = 1};
    draft f;
    twin_make(&p->a, &tmp, &f, &e);
    dataset_finish(&p->a, &f, e.name);
    arena_free(&tmp);
    dataset *d = NEW(&p->a, dataset, 1);
    *d = f.d;
    p->d = d;
    p->xd[0] = d->xd;
    return p;
}

/* Pairs, two orders of the entries, the graph and GCN's matrix; and the features. */
double synthetic_bytes(int nodes, int64_t edges, int features)
{
    return (double)edges * (8 + 3 * 8 + 16) + (double)nodes * (4.0 * features + 100);
}
