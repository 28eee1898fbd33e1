/* inner: metattack's inner training of a linear GCN Z = A_hat^2 X W1 W2, and the gradient of a loss of the trained
 * weights with respect to the training rows.
 *
 * Training sees the graph through Bt alone, the L training rows of A_hat^2 X (L x d): T steps of v <- mu v + g, W <- W
 * - eta v on the mean cross-entropy of softmax(Bt W1 W2). All arrays belong to `inner`; the caller fills bt. Sizes: L
 * rows, d features, h hidden, c classes, T steps. */
#ifndef JCB_INNER_H
#define JCB_INNER_H

#include "../base/rng.h"
#include "../kernel/mat.h"

enum { INNER_HIDDEN = 16, INNER_STEPS = 100 };

/* How gradients with respect to W1 are represented. PRIMAL: directly, d x h. DUAL: as Bt^T C with C of L x h, so that
 * Bt enters through the Gram matrix K = Bt Bt^T only; cheaper where L < d. */
enum inner_form { INNER_PRIMAL, INNER_DUAL };

typedef struct inner {
    enum inner_form form;
    int rows, features, hidden, classes, steps, slots, dim; /* slots: steps that are kept; dim: L (dual) or d */
    const int *label;                                       /* class of each training row */
    real *bt;                                               /* L x d */
    real *phi, *phit;                                       /* K or Bt, L x dim; Bt^T (primal), d x L */
    real *w1, *w2;                                          /* the start: d x h, h x c */
    real *end1, *end2;                                      /* the end */
    real *n0, *m0;                                          /* dual: Bt W1 at the start, Bt times the first adjoint */
    real *n, *p, *w2s;                                      /* of each step: Bt W1, L x h; softmax, L x c; W2, h x c */
    real *now, *next, *velocity; /* W1, or its C, dim x h, and its velocity (primal: adjoint of W1) */
    real *velocity2, *s2, *a2;   /* h x c */
    real *u, *m, *e;             /* L x h */
    real *r, *q;                 /* L x c */
    real *g1, *g2, *sum;         /* gradients; sum: h x c of each block of rows */
    real *left, *right;          /* L x 2hT: [R W2^T, E]; dim x 2hT: [s1, W1] */
    real *p1, *p2, *ht;          /* dual: L x h twice; K's part of Gt^T, L x L */
} inner;

/* slots: T >= 2 to go back afterwards (inner_back), 1 to go forward only, then T = INNER_STEPS. */
inner inner_new(arena *a, int rows, int features, int classes, const int *label, enum inner_form form, int slots);
double inner_memory(int rows, int features, int classes, enum inner_form form, int slots); /* bytes */

void inner_changed(inner *w, const int *row, int n); /* these rows of bt have new values */

/* Start weights from a stream: uniform in +-1/sqrt(columns), or Xavier's +-sqrt(6 / (rows + columns)). */
void inner_start(inner *w, rng r, uint64_t stream, int xavier);

/* Gradients g1 (primal) and g2 of the training loss at the current W1 and the given W2; p and n of the step are kept in
 * the slot, u is overwritten. */
void inner_gradient(inner *w, int slot, const real *w2);

void inner_train(inner *w); /* end1, end2 */

/* gt (d x L) = transpose of dLoss/dBt through the whole training, for a loss with the gradients a1 (d x h) and a2 (h x
 * c) with respect to end1, end2. After inner_train. */
void inner_back(real *gt, inner *w, const real *a1, const real *a2);

#endif
