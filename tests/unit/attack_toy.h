/* attack_toy: shared by the tests of attacks: a toy graph as a target, and checks that every list of flips must pass.
 */
#ifndef JCB_ATTACK_TOY_H
#define JCB_ATTACK_TOY_H

#include "../../src/data/variant/attack.h"
#include "../../src/data/split.h"
#include "test.h"
#include "toy.h"

static arena a;
struct kept { /* the problems of the targets, which point into them */
    problem *p;
    struct kept *next;
};
static struct kept *targets;

__attribute__((unused)) static void forget(void)
{
    for (; targets; targets = targets->next)
        problem_close(targets->p);
    arena_free(&a);
}

/* A toy graph with its split as a target; node n - 1 has no link. */
__attribute__((unused)) static attack_target target(int nodes, int features, int classes, int dense)
{
    problem *p = toy(nodes, features, classes, dense);
    dataset *d = NEW(&a, dataset, 1);
    struct kept *first = NEW(&a, struct kept, 1);
    *first = (struct kept){p, targets};
    targets = first;
    *d = *p->d;
    int *u = NEW(&a, int, (size_t)csr_nnz(&d->graph)), *v = NEW(&a, int, (size_t)csr_nnz(&d->graph)), m = 0;
    for (int i = 0; i < nodes; i++)
        for (int64_t k = d->graph.ptr[i]; k < d->graph.ptr[i + 1]; k++)
            if (i < d->graph.idx[k] && d->graph.idx[k] != nodes - 1)
                u[m] = i, v[m++] = d->graph.idx[k];
    d->graph = csr_from_pairs(&a, nodes, nodes, u, v, m, 1, 0);
    split *s = NEW(&a, split, 1);
    *s = split_draw(&a, d, split_rule_read("per-class:4:2"), 1, 0);
    return attack_target_of(&a, d, s, 0);
}

__attribute__((unused)) static attack_spec spec_of(const char *method, double rate, enum attack_init init)
{
    return (attack_spec){.method = attack_find(method), .rate = rate, .seed = 5, .init = init};
}

__attribute__((unused)) static flip *run(int64_t *n, const attack_target *t, const attack_spec *s, const flip *known,
                                         int64_t nknown)
{
    attack_watch w = {.known = known, .nknown = nknown};
    return attack_run(&a, n, t, s, &w);
}

__attribute__((unused)) static int same(const flip *x, const flip *y, int64_t n)
{
    return !memcmp(x, y, (size_t)n * sizeof *x);
}

/* Distinct pairs u < v, at most the budget. */
__attribute__((unused)) static void check_list(const attack_target *t, const attack_spec *s, const flip *f, int64_t n)
{
    unsigned char *seen = NEW(&a, unsigned char, (size_t)t->nodes *(size_t)t->nodes);
    int64_t budget = attack_budget(t, s), bad = 0;
    for (int64_t k = 0; k < n; k++)
        bad += f[k].u < 0 || f[k].u >= f[k].v || f[k].v >= t->nodes ||
               seen[(size_t)f[k].u * (size_t)t->nodes + (size_t)f[k].v]++;
    CHECK(!bad && n > 0 && n <= budget, "%s: %d bad pairs, %d of %d", s->method->name, (int)bad, (int)n, (int)budget);
    CHECK(n == budget || !strcmp(s->method->name, "prbcd"), "%s: %d of %d flips", s->method->name, (int)n, (int)budget);
}

#endif
