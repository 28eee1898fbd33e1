/* spn: the parts of the structured proxy network (spn.c): the head that gives each directed link its c x c logits, and
 * what its stages share. */
#ifndef JCB_SPN_H
#define JCB_SPN_H

#include "belief.h"
#include "gcn2.h"

/* logits_st = [h_s ; h_t] W + b = P_s + R_t,  P = h W1 + b, R = h W2;  h: nodes x SPN_WIDTH. Parameters W1, W2, b in
 * one block. */
enum { SPN_WIDTH = 64 };

typedef struct spn_head {
    int cc; /* c c */
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
void spn_head_backward(mat dx, spn_head *h, const spn_parts *t, mat x);           /* fills h->g and dx from dp and dr */
void spn_logits(real *out, const spn_parts *t, const belief_graph *b, int64_t k); /* of link k */

/* theta = log tau - 0.1 (log row sums + log column sums of tau), tau = softmax(gamma logits): c x c, in place of the
 * logits. */
void spn_potential(real *theta, int c, real gamma);

/* In place: d holds dL/dtheta (its entries sum to 0) and becomes dL/dlogits. */
void spn_potential_back(real *d, const real *logits, int c, real gamma);

/* --- the stages --- */

#define RHO 0.5 /* of belief propagation */

typedef struct spn {
    arena *a;
    const problem *p;
    const spec *s;
    split part;
    int c, soft, *y_val;
    gcn2 *node, *link;
    spn_head head;
    belief_graph all; /* every link */
    belief infer;     /* over it */
    gcn2_view node_all, link_all;
    spn_parts parts_all;
    mat prob, val; /* of all nodes, of validation nodes */
    real gamma;
    int links; /* 1: the links have learned something */
    outcome *o;
} spn;

/* dp and dr of the parts from the gradients d of the links' logits; each row sums its own links in order. */
void spn_gather(spn_parts *t, const belief_graph *b, const real *d);
/* A step of the link network and the head, from dp and dr. */
void spn_learn_links(spn *g, gcn2_view *v, spn_parts *t, const adam_now *now);
void spn_log_rows(real *to, mat logits);                        /* log softmax */
void spn_potentials(belief *f, const spn_parts *t, real gamma); /* theta_st of all links */
void spn_forward(spn *g);           /* theta_s and the parts of all nodes, from the networks as they are */
void spn_infer(spn *g, real gamma); /* prob, after spn_forward */
double spn_accuracy(spn *g);        /* of prob, on validation nodes */
void spn_refine(spn *g, double top);

#endif
