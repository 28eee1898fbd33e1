/* belief: messages along the links of a pairwise model over c classes, all directed links at once, in the log domain.
 *
 *   w_st(x, z) = theta_st(x, z) + theta_s(x) + rho in_s(x) - m_ts(x),   in_s = sum over the links u -> s of m_us
 *   m_st(z) <- log_softmax over z of reduce over x of w_st(x, z)
 *              reduce: max (max-product) or log sum exp (sum-product)
 *   q_s  = softmax(theta_s + rho in_s)
 *   q_st = softmax over (x, z) of theta_st(x, z) + a_s(x) + a_t(z),   a_s = theta_s + rho in_s - m_ts
 *
 * Messages start at 0. rho = 1: belief propagation, exact on trees (after as many steps as the tree is long) when
 * theta_st(x, z) = theta_ts(z, x); rho < 1: its tree-reweighted form, of the potentials rho theta_st. A step costs
 * O(links c^2). Each message has one owner: the same bits at any number of threads. */
#ifndef JCB_BELIEF_H
#define JCB_BELIEF_H

#include "../../kernel/csr.h"

/* The links among some nodes of a graph: node i of it is `node[i]`, link k goes from `from[k]` to g.idx[k], `back[k]`
 * is the one in the other direction. */
typedef struct belief_graph {
    int nodes;
    const int *node;
    csr g;
    int *from;
    int64_t *back;
} belief_graph;

/* graph: symmetric, without loops. nodes: ascending. */
belief_graph belief_graph_new(arena *a, const csr *graph, const int *nodes, int n);

typedef struct belief {
    const belief_graph *b;
    int classes;
    real rho;
    real *theta_s, *theta_st; /* for the caller to fill: nodes x c, links x c c */
    real *message, *next, *in;
} belief;

belief belief_new(arena *a, const belief_graph *b, int classes, double rho);
void belief_run(belief *f, int steps, int max);        /* from messages of 0; max: 1: max-product, 0: sum-product */
void belief_nodes(real *q, const belief *f);           /* nodes x c */
void belief_link(real *q, const belief *f, int64_t k); /* c x c, of one link */

#endif
