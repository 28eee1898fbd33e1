/* attention: multi-head graph attention (Velickovic et al. 2018).
 *
 * Row i reads the columns j in N(i), itself among them. H is cols x (heads f), head h of a row is its h-th piece of f;
 * a is 2 x (heads f):
 *
 *   src_jh = a1_h . H_jh     dst_ih = a2_h . H_ih     u_ijh = src_jh + dst_ih
 *   alpha_ijh = softmax over j of LeakyReLU(u_ijh)    w_ijh = drop(alpha_ijh)
 *   each_ih = sum_j w_ijh H_jh                        out_i = each_i, or the mean of its heads
 *
 * Backward, from g_ih = dL/d each_ih (a piece of dL/d out_i, or dL/d out_i / heads), with kept_ijh = 0 or the scale of
 * dropout:
 *
 *   pull_ih = g_ih . each_ih                          (= sum_j w_ijh g_ih . H_jh: no second pass over the row)
 *   du_ijh  = alpha_ijh (kept_ijh g_ih . H_jh - pull_ih) LeakyReLU'(u_ijh)
 *   dsrc_jh = sum_i du_ijh     ddst_ih = sum_j du_ijh
 *   dH_jh   = sum_i w_ijh g_ih + dsrc_jh a1_h + ddst_jh a2_h
 *   da1_h   = sum_j dsrc_jh H_jh     da2_h = sum_i ddst_ih H_ih
 *
 * Stored per entry (i, j) and head: alpha, with the sign bit set where dropout removes it; backward overwrites it with
 * du. Every row and every column is computed by one thread, sums in the order of the entries: bitwise independent of
 * thread count and of the other rows. */
#ifndef JCB_ATTENTION_H
#define JCB_ATTENTION_H

#include "kernels.h"

enum { ATTENTION_HEADS = 64 }; /* at most */

typedef struct attention {
    int heads, f;
    int mean;     /* of the heads: out is rows x f. Otherwise rows x (heads f) */
    double slope; /* of LeakyReLU below zero, 0 to 1 */
    dropout drop; /* number e = (position of j in row i) * heads + h of the row: counter (step, op, id of row i, e) */
} attention;

typedef struct attention_graph {
    csr s, t;      /* pattern (values ignored), and its transpose for backward */
    int *from;     /* entry k of t is entry from[k] of s */
    int *row;      /* the row of each column's node, -1: none */
    const int *id; /* node of each row */
    int *block;    /* da is summed over blocks of columns, block[b] to block[b + 1] - 1 */
    int blocks;
} attention_graph;

/* Saved by forward for backward. */
typedef struct attention_state {
    real *alpha;   /* entries x heads; backward: du */
    real *src;     /* cols x heads; backward: dsrc */
    real *dst;     /* rows x 2 heads: dst and pull */
    real *each;    /* rows x (heads f); NULL when not needed */
    real *partial; /* partial sums of da */
} attention_state;

/* row_id, col_id: nodes of the rows and columns of s, ascending. */
attention_graph attention_graph_new(arena *a, const csr *s, const int *row_id, const int *col_id, int training);

/* For training on more columns than are needed, where the gradient of all but n of them is zero: the bits of da are
 * those that these columns alone would give. col_id: as above; some: the nodes of the n columns, ascending. */
void attention_graph_blocks(attention_graph *g, const int *col_id, const int *some, int n);
attention_state attention_state_new(arena *a, const attention_graph *g, const attention *o, int training);

void attention_forward(real *out, attention_state *st, const attention_graph *g, const real *h, const real *a,
                       const attention *o);

/* Once after each forward. dh = ... + beta_h dh and da = ... + beta_a da; dh NULL: not wanted. */
void attention_backward(real *dh, real *da, attention_state *st, const attention_graph *g, const real *dout,
                        const real *h, const real *a, const attention *o, real beta_h, real beta_a);

/* Plain reference versions in double. Backward overwrites (beta 0). */
void attention_forward_ref(real *out, const attention_graph *g, const real *h, const real *a, const attention *o);
void attention_backward_ref(real *dh, real *da, const attention_graph *g, const real *dout, const real *h,
                            const real *a, const attention *o);

#endif
