/* block: candidate pairs of PR-BCD and GR-BCD, and how much of each is flipped. */
#ifndef JCB_BLOCK_H
#define JCB_BLOCK_H

#include "../base/rng.h"
#include "attack.h"

/* The pairs of n nodes are numbered row by row: (0,1), (0,2), ..., (1,2), ... */
typedef struct block {
    int nodes;
    int64_t all, room, n; /* pairs that there are; candidates at most and now */
    int64_t *index;       /* ascending, distinct */
    real *p;              /* 0: the pair is as in the graph, 1: flipped */
    int64_t *spare, *sort;
    real *spare_p;
} block;

/* all pairs where there are no more than `room` */
block block_new(arena *a, int nodes, int64_t room);
double block_memory(int nodes, int64_t room);

flip block_pair(int nodes, int64_t index);
int64_t block_index(int nodes, int u, int v); /* u < v */

void block_draw(block *b, rng r, uint64_t stream); /* new candidates, all with p = 0 */

void block_fill(block *b, rng r, uint64_t stream); /* draws the candidates that are missing, with p = 0 */

/* Drops those with p = 0, at least half, the least first, and draws new ones. */
void block_redraw(block *b, rng r, uint64_t stream);

/* Positions of the `most` largest of n values, largest first, of equal ones the first; minus infinity does not count.
 * Returns how many. The arena is for work. */
int64_t block_largest(int64_t *at, arena *tmp, const real *value, int64_t n, int64_t most);

/* p <- clamp(p - mu, 0, 1) with the least mu >= 0 for which the sum is at most `most`. */
void block_project(real *p, int64_t n, double most);

#endif
