/* Random attacks, from counter-based random numbers.
 *
 * random: ordered pairs of distinct nodes, uniform; links and pairs drawn before are rejected.
 * dice:   each flip removes, with probability 1/2, one of the links within a class, uniformly, or adds a uniform pair
 *         of nodes of different classes. Removals that leave a node without a link are rejected; after TRIES rejections
 *         the other kind is tried. Uses the classes of all labelled nodes, test nodes included. */
#include "../../base/err.h"
#include "../../base/rng.h"
#include "edit.h"
#include <math.h>
#include <stdint.h>

enum { TRIES = 10000 }; /* dice: rejected draws of one kind before the other is tried */

/* Pairs u n + v in an open hash table; 0 is no pair. */
typedef struct pair_set {
    int64_t *slot;
    uint64_t mask;
} pair_set;

static pair_set set_new(arena *a, int64_t pairs)
{
    uint64_t size = 64;
    while (size < 2 * (uint64_t)pairs)
        size *= 2;
    return (pair_set){NEW(a, int64_t, size), size - 1};
}

/* Adds a pair; returns whether it was new. */
static int set_add(pair_set *s, int64_t key)
{
    uint64_t at = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> 20 & s->mask;
    while (s->slot[at] && s->slot[at] != key)
        at = (at + 1) & s->mask;
    if (s->slot[at])
        return 0;
    s->slot[at] = key;
    return 1;
}

typedef struct draw {
    attack_job *j;
    pair_set drawn;
    rng r;
    uint64_t count; /* pairs drawn */
} draw;

static draw draw_new(attack_job *j)
{
    return (draw){j, set_new(&j->a, j->budget), rng_make(j->s->seed, ATTACK_PAIRS, RNG_ATTACK), 0};
}

/* Draws a pair; returns whether it is acceptable: distinct nodes, not linked, not drawn before, and, with `between`, of
 * different classes. */
static int next_pair(draw *d, int *u, int *v, int between)
{
    const attack_target *t = d->j->t;
    uint64_t n = (uint64_t)t->nodes, k = d->count++;
    int x = (int)rng_below(d->r, 0, k, n), y = (int)rng_below(d->r, 1, k, n);
    if (x == y || (between && (t->y[x] < 0 || t->y[y] < 0 || t->y[x] == t->y[y])))
        return 0;
    *u = x < y ? x : y, *v = x < y ? y : x;
    return !edit_linked(&t->graph, *u, *v) && set_add(&d->drawn, (int64_t)*u * t->nodes + *v);
}

int64_t draw_random_most(const attack_target *t)
{
    return (int64_t)t->nodes * (t->nodes - 1) / 2 - csr_nnz(&t->graph) / 2;
}

void draw_random(attack_job *j)
{
    draw d = draw_new(j);
    int u, v;
    while (j->n < j->budget)
        if (next_pair(&d, &u, &v, 0)) {
            attack_found(j, u, v);
            attack_stepped(j, j->n, j->budget, NAN, NAN);
        }
}

/* Lists the links within a class, u < v, if list is not NULL; returns their number. */
static int64_t within(flip *list, const attack_target *t)
{
    int64_t n = 0;
    for (int u = 0; u < t->nodes; u++)
        for (int64_t k = t->graph.ptr[u]; k < t->graph.ptr[u + 1]; k++) {
            int v = t->graph.idx[k];
            if (u < v && t->y[u] >= 0 && t->y[u] == t->y[v]) {
                if (list)
                    list[n] = (flip){u, v};
                n++;
            }
        }
    return n;
}

int64_t draw_dice_most(const attack_target *t)
{
    arena tmp = {0};
    int64_t *size = NEW(&tmp, int64_t, (size_t)t->classes), labelled = 0, same = 0, linked = 0;
    for (int i = 0; i < t->nodes; i++)
        if (t->y[i] >= 0)
            size[t->y[i]]++, labelled++;
    for (int c = 0; c < t->classes; c++)
        same += size[c] * (size[c] - 1) / 2;
    for (int u = 0; u < t->nodes; u++)
        for (int64_t k = t->graph.ptr[u]; k < t->graph.ptr[u + 1]; k++) {
            int v = t->graph.idx[k];
            linked += u < v && t->y[u] >= 0 && t->y[v] >= 0 && t->y[u] != t->y[v];
        }
    arena_free(&tmp);
    return within(NULL, t) + labelled * (labelled - 1) / 2 - same - linked;
}

typedef struct removal {
    flip *list;
    int64_t n;
    int *degree;
    uint64_t count;
} removal;

static int remove_one(removal *q, draw *d)
{
    for (int i = 0; i < TRIES && q->n; i++) {
        int64_t k = (int64_t)rng_below(d->r, 2, q->count++, (uint64_t)q->n);
        flip f = q->list[k];
        if (q->degree[f.u] < 2 || q->degree[f.v] < 2)
            continue;
        q->degree[f.u]--, q->degree[f.v]--;
        q->list[k] = q->list[--q->n];
        attack_found(d->j, f.u, f.v);
        return 1;
    }
    return 0;
}

static int add_one(removal *q, draw *d)
{
    int u, v;
    for (int i = 0; i < TRIES; i++)
        if (next_pair(d, &u, &v, 1)) {
            q->degree[u]++, q->degree[v]++;
            attack_found(d->j, u, v);
            return 1;
        }
    return 0;
}

void draw_dice(attack_job *j)
{
    const attack_target *t = j->t;
    draw d = draw_new(j);
    rng coin = rng_make(j->s->seed, ATTACK_COIN, RNG_ATTACK);
    removal q = {.list = NEW(&j->a, flip, (size_t)(csr_nnz(&t->graph) / 2)),
                 .degree = NEW(&j->a, int, (size_t)t->nodes)};
    q.n = within(q.list, t);
    for (int i = 0; i < t->nodes; i++)
        q.degree[i] = (int)(t->graph.ptr[i + 1] - t->graph.ptr[i]);
    while (j->n < j->budget) {
        int heads = rng_uniform(coin, 0, (uint64_t)j->n) < 0.5;
        if (!(heads ? remove_one(&q, &d) || add_one(&q, &d) : add_one(&q, &d) || remove_one(&q, &d)))
            die("after %lld flips dice finds no link within a class to remove and none between classes to add; lower "
                "the rate",
                (long long)j->n);
        attack_stepped(j, j->n, j->budget, NAN, NAN);
    }
}
