/* leak: see leak.h. Every node gets an id of its set of neighbours, and an id of (this set, its label), from one hash
 * table each, in expected time O(nodes + edges). Equal hashes are verified by comparing sets and labels. Each split
 * then marks the ids of its training nodes and looks up those of its test nodes. */
#include "leak.h"
#include "../base/hash.h"
#include <string.h>

typedef struct ids {
    const dataset *d;
    const int *set; /* of each node, -1: no neighbours; NULL while the sets themselves are numbered */
} ids;

static uint64_t hash_of(const ids *k, int i)
{
    const dataset *d = k->d;
    const int64_t *p = d->graph.ptr + i;
    if (!k->set)
        return hash_bytes(HASH_INIT, d->graph.idx + p[0], (size_t)(p[1] - p[0]) * sizeof(int));
    uint64_t h = hash_u64(HASH_INIT, (uint64_t)k->set[i]);
    size_t c = (size_t)d->classes;
    return d->y ? hash_u64(h, (uint64_t)d->y[i]) : hash_bytes(h, d->ym + (size_t)i * c, c);
}

static int equal(const ids *k, int i, int j)
{
    const dataset *d = k->d;
    const int64_t *p = d->graph.ptr + i, *q = d->graph.ptr + j;
    if (!k->set)
        return p[1] - p[0] == q[1] - q[0] &&
               !memcmp(d->graph.idx + p[0], d->graph.idx + q[0], (size_t)(p[1] - p[0]) * sizeof(int));
    size_t c = (size_t)d->classes;
    return k->set[i] == k->set[j] &&
           (d->y ? d->y[i] == d->y[j] : !memcmp(d->ym + (size_t)i * c, d->ym + (size_t)j * c, c));
}

/* id[i]: the first node that equals node i; -1 for nodes without neighbours. */
static int *number(arena *tmp, const ids *k)
{
    const dataset *d = k->d;
    size_t slots = 2, at;
    while (slots < 2 * (size_t)d->nodes)
        slots *= 2;
    int *id = NEW(tmp, int, (size_t)d->nodes), *slot = NEW(tmp, int, slots); /* slot: node + 1, 0: free */
    uint64_t *hash = NEW(tmp, uint64_t, (size_t)d->nodes);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < d->nodes; i++)
        hash[i] = hash_of(k, i);
    for (int i = 0; i < d->nodes; i++) {
        id[i] = -1;
        if (d->graph.ptr[i] == d->graph.ptr[i + 1])
            continue;
        for (at = hash[i] & (slots - 1); slot[at]; at = (at + 1) & (slots - 1))
            if (hash[slot[at] - 1] == hash[i] && equal(k, slot[at] - 1, i))
                break;
        if (!slot[at])
            slot[at] = i + 1;
        id[i] = slot[at] - 1;
    }
    return id;
}

leak leak_count(const dataset *d)
{
    arena tmp = {0};
    leak n = {0};
    ids sets = {d, NULL};
    int *set = number(&tmp, &sets);
    ids labelled = {d, set};
    int *label = number(&tmp, &labelled);
    int *has_set = NEW(&tmp, int, (size_t)d->nodes), *has_label = NEW(&tmp, int, (size_t)d->nodes); /* 1 + the split */
    for (int s = 0; s < d->nsplits; s++) {
        const split *q = &d->splits[s];
        for (int k = 0; k < q->n[TRAIN]; k++) {
            int i = q->idx[TRAIN][k];
            if (set[i] >= 0)
                has_set[set[i]] = has_label[label[i]] = s + 1;
        }
        n.test += q->n[TEST];
        for (int k = 0; k < q->n[TEST]; k++) {
            int i = q->idx[TEST][k];
            if (set[i] >= 0 && has_set[set[i]] == s + 1) {
                n.duplicated++;
                n.same_label += has_label[label[i]] == s + 1;
            }
        }
    }
    arena_free(&tmp);
    return n;
}
