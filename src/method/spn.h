/* spn: the parts of the structured proxy network (spn.c): the head that gives each directed link its c x c logits. */
#ifndef JCB_SPN_H
#define JCB_SPN_H

#include "belief.h"
#include "gcn2.h"

/* logits_st = [h_s ; h_t] W + b = P_s + R_t,  P = h W1 + b, R = h W2;  h: nodes x SPN_WIDTH. Parameters W1, W2, b in one block. */
enum { SPN_WIDTH = 64 };

typedef struct spn_head {
    int cc;    /* c c */
    size_t size;
    real *w, *g, *mean, *var;
} spn_head;

spn_head spn_head_new(arena *a, int classes, uint64_t seed, int run);

/* P and R of some nodes, and their gradients. */
typedef struct spn_parts {
    mat p, r, dp, dr;
} spn_parts;

spn_parts spn_parts_new(arena *a, int nodes, int cc);
void spn_head_forward(spn_parts *t, const spn_head *h, mat x);
void spn_head_backward(mat dx, spn_head *h, const spn_parts *t, mat x); /* fills h->g and dx from dp and dr */
void spn_logits(real *out, const spn_parts *t, const belief_graph *b, int64_t k); /* of link k */

/* theta = log tau - 0.1 (log row sums + log column sums of tau), tau = softmax(gamma logits): c x c, in place of the logits. */
void spn_potential(real *theta, int c, real gamma);

/* d = what dL/dtheta, in d (rows sum to whatever, all of it to 0), means for the logits. theta: the potential. */
void spn_potential_back(real *d, const real *logits, int c, real gamma);

#endif
