#include "blind.h"
#include "../data/split.h"
#include "smooth.h"
#include <string.h>

/* Several labels a node: those outside training and validation have none. */
static unsigned char *known_sets(arena *a, const dataset *d, const split *part)
{
    size_t c = (size_t)d->classes;
    unsigned char *known = NEW(a, unsigned char, (size_t)d->nodes *c);
    for (int p = TRAIN; p <= VAL; p++)
        for (int k = 0; k < part->n[p]; k++) {
            size_t at = (size_t)part->idx[p][k] * c;
            memcpy(known + at, d->ym + at, c);
        }
    return known;
}

problem *blind_problem(arena *a, const problem *p, split_rule rule, uint64_t seed, int run)
{
    const dataset *all = problem_dataset(p);
    dataset *d = NEW(a, dataset, 1);
    split *s = NEW(a, split, 1);
    *s = split_draw(a, all, problem_split_rule(p, rule), seed, run);
    s->n[TEST] = 0;
    s->idx[TEST] = NULL;
    *d = *all;
    if (all->ym)
        d->ym = known_sets(a, all, s);
    else
        d->y = smooth_known(a, all->y, d->nodes, s);
    d->nsplits = 1;
    d->splits = s;
    return problem_view(a, p, d);
}
