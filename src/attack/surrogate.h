/* surrogate: a GCN of two layers, Z = A_hat drop(f(A_hat X W1 + b1)) W2 + b2, f the identity or ReLU, that an attack
 * trains for itself. */
#ifndef JCB_SURROGATE_H
#define JCB_SURROGATE_H

#include "features.h"

enum { SURROGATE_HIDDEN = 16 };

typedef struct surrogate {
    int relu;
    int hidden, classes;
    real *w1, *b1, *w2, *b2;
} surrogate;

/* 200 steps of Adam (rate .01, decay times the parameter added to its gradient), dropout .5, cross-entropy on the
 * training nodes. */
surrogate surrogate_train(arena *a, const attack_target *t, const feature_matrix *x, int relu, double decay,
                          uint64_t seed);

/* Intermediate values of an evaluation; nodes x hidden or nodes x classes. */
typedef struct surrogate_run {
    real *xw; /* X W1 */
    real *h;  /* f(A_hat X W1 + b1) */
    real *hw; /* H W2 */
    real *z;  /* logits */
} surrogate_run;

surrogate_run surrogate_run_new(arena *a, const surrogate *m, int nodes);

/* Computes xw, which does not depend on the graph. */
void surrogate_features(surrogate_run *r, const surrogate *m, const feature_matrix *x);
void surrogate_forward(surrogate_run *r, const surrogate *m, const csr *ahat);

/* The class with the largest logit of each node. */
void surrogate_classes(int *predicted, const real *z, int nodes, int classes);

/* Accuracy on the labelled nodes outside the training set; NaN when there are none. */
double surrogate_accuracy(const real *z, const attack_target *t, const int *train_of);

/* Index of each node among the training nodes, -1 for other nodes. */
int *surrogate_train_index(arena *a, const attack_target *t);

#endif
