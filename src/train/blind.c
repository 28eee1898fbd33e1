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

problem *blind_problem(arena *a, const problem *p, const char *split_rule, uint64_t seed, int run)
{
    problem *b = NEW(a, problem, 1);
    dataset *d = NEW(a, dataset, 1);
    split *s = NEW(a, split, 1);
    *s = split_draw(a, p->d, problem_split_rule(p, split_rule), seed, run);
    s->n[TEST] = 0;
    s->idx[TEST] = NULL;
    *d = *p->d;
    if (p->d->ym)
        d->ym = known_sets(a, p->d, s);
    else
        d->y = smooth_known(a, p->d->y, d->nodes, s);
    d->nsplits = 1;
    d->splits = s;
    *b = *p;
    b->a = (arena){0}; /* p's memory is p's */
    b->d = d;
    b->split_rule = "public";
    return b;
}
