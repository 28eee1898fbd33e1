#include "blind.h"
#include "../data/split.h"
#include "smooth.h"
#include <string.h>

problem *blind_problem(arena *a, const problem *p, const char *split_rule, uint64_t seed, int run)
{
    problem *b = NEW(a, problem, 1);
    dataset *d = NEW(a, dataset, 1);
    split *s = NEW(a, split, 1);
    *s = split_draw(a, p->d, problem_split_rule(p, split_rule), seed, run);
    s->n[TEST] = 0;
    s->idx[TEST] = NULL;
    *d = *p->d;
    d->y = smooth_known(a, p->d->y, d->nodes, s);
    d->nsplits = 1;
    d->splits = s;
    *b = *p;
    b->a = (arena){0}; /* p's memory is p's */
    b->d = d;
    b->split_rule = "public";
    return b;
}
