/* node_set: a set of nodes, and the rank of each member in it. Words of 64 nodes, and a bit for each word that has
 * members: clearing and listing take time in proportion to the members (and 1 / 4096 of the nodes). */
#ifndef JCB_NODE_SET_H
#define JCB_NODE_SET_H

#include "../base/arena.h"
#include <stdint.h>

typedef struct node_word {
    uint64_t bit; /* of its 64 nodes */
    int before;   /* members in earlier words; by node_set_list */
} node_word;

typedef struct node_set {
    node_word *word;
    uint64_t *used; /* words that have members */
    size_t nused;   /* length of `used` */
    int members;
} node_set;

static inline node_set node_set_new(arena *a, int nodes)
{
    size_t words = ((size_t)nodes + 63) / 64, nused = (words + 63) / 64;
    return (node_set){NEW(a, node_word, words), NEW(a, uint64_t, nused), nused, 0};
}

static inline void node_set_add(node_set *s, int i)
{
    node_word *w = &s->word[i >> 6];
    uint64_t bit = (uint64_t)1 << (i & 63);
    s->members += !(w->bit & bit);
    w->bit |= bit;
    s->used[i >> 12] |= (uint64_t)1 << (i >> 6 & 63);
}

static inline int node_set_has(const node_set *s, int i) { return (int)(s->word[i >> 6].bit >> (i & 63) & 1); }

/* Of a member, among the members in ascending order; after node_set_list. */
static inline int node_set_rank(const node_set *s, int i)
{
    const node_word *w = &s->word[i >> 6];
    return w->before + __builtin_popcountll(w->bit & (((uint64_t)1 << (i & 63)) - 1));
}

static inline void node_set_clear(node_set *s)
{
    for (size_t u = 0; u < s->nused; u++) {
        for (uint64_t left = s->used[u]; left; left &= left - 1)
            s->word[64 * u + (size_t)__builtin_ctzll(left)].bit = 0;
        s->used[u] = 0;
    }
    s->members = 0;
}

/* The members, ascending: s->members of them. Ranks are those of now. */
static inline int *node_set_list(arena *a, node_set *s)
{
    int *list = NEW_RAW(a, int, (size_t)s->members), at = 0;
    for (size_t u = 0; u < s->nused; u++)
        for (uint64_t left = s->used[u]; left; left &= left - 1) {
            size_t w = 64 * u + (size_t)__builtin_ctzll(left);
            s->word[w].before = at;
            for (uint64_t bits = s->word[w].bit; bits; bits &= bits - 1)
                list[at++] = (int)(64 * w) + __builtin_ctzll(bits);
        }
    return list;
}

#endif
