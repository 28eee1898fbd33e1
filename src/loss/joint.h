/* joint: what the two forms of the joint-cluster objective share. */
#ifndef JCB_JOINT_H
#define JCB_JOINT_H

#include "loss.h"

/* One row: p = softmax of the cc = c c joint logits becomes the gradient  scale (p sum(u) - u),  u = t p / (p + eps),  eps = 1e-8. Entry l of the target
 * t, which is ybar[l], stands at p[first + l step]. Returns -t . log(p + eps). */
double joint_row(real *p, const real *ybar, int c, int cc, int first, int step, real scale);

/* -sum over l of ybar[l] log(p[y c + l] + eps); 0 without a class (y < 0). */
double joint_nll(const real *p, const real *ybar, int y, int c);

/* The marginal over the cluster's class. */
void joint_marginal(real *prob, const real *p, int c);

/* For backbones whose head reads the graph: pairs of all nodes, the head on each order with the same weights, summed means. */
void joint_pairs(model *m, const spec *s, const backbone *b);

#endif
