/* score: the gradient of an attack's loss with respect to every link, and the flip that raises the loss most, without
 * an n x n array.
 *
 * With G = dLoss/dA_hat and S = G + G^T, flipping both directions of a link changes the loss by
 *   g_ij = r_i r_j S_ij - v_i - v_j,  r_i = (1 + degree)^-1/2,  v_i = r_i^3 / 2 sum of S_ik r_k over k in N(i) and i.
 * S is the sum of a part of low rank and one of training rows:
 *   S = left right + Side T + (Side T)^T
 * left = [R, A_hat R, A_hat X W, X W] (n x 4k), right = [A_hat X W, X W, R, A_hat R]^T, of all steps whose gradients
 * are summed; T = [Gt X^T; Gt X^T A_hat] (2L x n), Side = [A_hat's columns of training nodes, their identity] (n x 2L,
 * sparse). S is computed and scanned tile by tile: memory n (2L + 8k). */
#ifndef JCB_SCORE_H
#define JCB_SCORE_H

#include "../data/variant/edit.h"
#include "features.h"

enum { SCORE_ROWS = 192, SCORE_COLS = 240 }; /* of a tile; 240 is an odd number of cache lines */

typedef struct score {
    int nodes, part, rank, train; /* part: k; rank: 4k; train: L, 0 without training rows */
    real *left;                   /* n x rank */
    real *right;                  /* for each SCORE_COLS nodes: rank x SCORE_COLS (the last ones: what is left) */
    real *t;                      /* 2L x n */
    real *wide, *wider, *some;    /* buffers: n x 64 twice, d x 64 */
    real *r, *v;                  /* n */
    csr side;                     /* n x 2L */
} score;

score score_new(arena *a, int nodes, int dim, int rank, int train);
double score_memory(int nodes, int dim, int rank, int train);

/* The factors of one step, n x c each, as columns `at` .. `at + c` of the k. */
void score_factors(score *s, int at, int c, const real *r, const real *ar, const real *xw, const real *yw);

/* T from Gt^T (d x L). */
void score_training(score *s, const feature_matrix *x, const csr *ahat, const real *gt);

/* r, v and Side, which comes from the arena and must stay until the scores are read. train_of: index among the training
 * nodes, -1: none. */
void score_finish(score *s, arena *a, const csr *ahat, const int *train_of);

/* g of the pairs (row, col), row0 <= row < row0 + rows, col0 <= col < col0 + cols, packed. col0 is a multiple of
 * SCORE_COLS, cols <= SCORE_COLS. */
void score_tile(real *g, const score *s, int row0, int rows, int col0, int cols);

/* The pair with the largest g (1 - 2 linked) that may be flipped: no pair that was flipped before, no removal that
 * leaves a node without a link. Ties: the first, row by row. Returns 0 when there is none. */
int score_best(flip *best, double *value, const score *s, const edit *e);

#endif
