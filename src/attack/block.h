/* block: candidate pairs of PR-BCD and GR-BCD with their relaxed flips p in [0, 1]. */
#ifndef JCB_BLOCK_H
#define JCB_BLOCK_H

#include "../base/rng.h"
#include "../data/variant/attack.h"

/* The pairs of n nodes are numbered row by row: (0,1), (0,2), ..., (1,2), ... */
typedef struct block {
    int nodes;
    int64_t all, capacity, n; /* number of pairs; largest and current number of candidates */
    int64_t *index;           /* ascending, distinct */
    real *p;                  /* 0: not flipped, 1: flipped */
    int64_t *spare, *sort;
    real *spare_p;
} block;

/* A block of at most `capacity` candidates; all pairs where there are no more. */
block block_new(arena *a, int nodes, int64_t capacity);
double block_memory(int nodes, int64_t capacity);

flip block_pair(int nodes, int64_t index);
int64_t block_index(int nodes, int u, int v); /* u < v */

void block_draw(block *b, rng r, uint64_t stream); /* new candidates, all with p = 0 */

void block_fill(block *b, rng r, uint64_t stream); /* draws new candidates, with p = 0, up to `capacity` */

/* Drops the candidates with p = 0, but at least half of all, smallest p first, and draws new ones. */
void block_redraw(block *b, rng r, uint64_t stream);

/* Positions of the `count` largest of n values, in descending order; ties go to the lower position, minus infinity is
 * excluded. Returns how many. tmp: scratch. */
int64_t block_largest(int64_t *at, arena *tmp, const real *value, int64_t n, int64_t count);

/* p <- clamp(p - mu, 0, 1) with the least mu >= 0 for which the sum is at most `max`. */
void block_project(real *p, int64_t n, double max);

#endif
