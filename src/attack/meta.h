/* meta: metattack (Zuegner & Guennemann 2019), one greedy flip after the other. */
#ifndef JCB_META_H
#define JCB_META_H

#include "inner.h"
#include "score.h"

typedef struct meta {
    const attack_target *t;
    feature_matrix x;
    edit e;
    inner w;
    score s;
    enum attack_init init;
    int approximate; /* A-Meta */
    double lambda; /* attack loss = lambda training loss + (1 - lambda) loss of the other nodes with predicted labels */
    rng r;
    int *train_of, *label;            /* label: the class, where a node trains, else the predicted one */
    int *row_label, *changed;         /* of the training nodes; scratch for their positions */
    real *xw, *yw, *z, *g, *ag, *aag; /* n x c: X W, A_hat X W, logits, dLoss/dlogits, A_hat of it, twice */
    real *ww, *xt, *a1, *a2, *gt;     /* d x c: W1 W2, X^T A_hat^2 g; d x h; h x c; d x L */
    real *m1, *v1, *m2, *v2;          /* A-Meta: Adam's moments of W1, W2 */
    double loss, accuracy;            /* of the last gradient */
} meta;

/* label: the class of every node in the attack loss (true or predicted). */
meta meta_new(arena *a, const attack_target *t, const feature_matrix *x, const attack_spec *s, int64_t budget,
              const int *label);

/* Scores of all pairs of the current graph, for the flip with this number. scratch holds what score_best reads: free it
 * afterwards. */
void meta_gradient(meta *m, arena *scratch, int64_t number);
void meta_flip(meta *m, flip f);

/* Predicted labels of a linear surrogate, true ones on training nodes. */
int *meta_labels(arena *a, const attack_target *t, const feature_matrix *x, uint64_t seed);

#endif
