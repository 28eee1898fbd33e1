/* relaxed: the loss of a trained GCN as a function of the weights of links, and its gradient with respect to candidate
 * pairs.
 *
 * Loss: the mean over the test nodes of tanh(largest logit of another class - logit of the class). A candidate with
 * value p has the weight w = 1 - p where it is a link, else p; A_hat_ij = r_i r_j w_ij, r_i = (1 + sum_j w_ij)^-1/2.
 * Memory in proportion to links and candidates. */
#ifndef JCB_RELAXED_H
#define JCB_RELAXED_H

#include "block.h"
#include "surrogate.h"

/* A_hat of a weighted graph. */
typedef struct weighted {
    csr ahat;
    real *w, *r; /* weight of each entry; r_i */
} weighted;

/* The graph with the candidates' weights; candidates with p = 0 change nothing and need no memory. b may be NULL. */
weighted weighted_new(arena *a, const csr *graph, const block *b);

typedef struct relaxed {
    const attack_target *t;
    surrogate m;
    surrogate_run run;
    real *g, *pg, *q, *v; /* dLoss/dlogits, A_hat of it: n x c; gradient before the ReLU: n x h; n */
    real *rows;           /* for each node [g, q] and [H W2, X W1], each padded to `half` */
    int half;
    double loss, accuracy; /* of the test nodes */
} relaxed;

/* Trains the GCN (ReLU, decay 5e-4) on the target's graph. */
relaxed relaxed_new(arena *a, const attack_target *t, const feature_matrix *x, uint64_t seed);
double relaxed_memory(const attack_target *t);

void relaxed_loss(relaxed *s, const csr *ahat);

/* grad[k] = dLoss/dp of candidate k, after relaxed_loss. graph: says which candidates are links. */
void relaxed_gradient(real *grad, relaxed *s, const weighted *a, const csr *graph, const block *b);

#endif
