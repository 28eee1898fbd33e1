/* joint: shared by the two forms of the joint-cluster objective, joint.c and joint_pairs.c. */
#ifndef JCB_JOINT_H
#define JCB_JOINT_H

#include "loss.h"

/* The joint classes of a node and its cluster: groups of side x side. One label a node: one group of c x c classes.
 * Multi-label: for each of the c labels a group of 2 x 2, whether the node has it x whether the cluster has it.
 * Factorised (factorised.c): two groups of c, the factors of the joint. */
typedef struct joint_shape {
    enum joint_form { JOINT_FULL, JOINT_MULTI, JOINT_FACTORS } form;
    int groups, side, width, size; /* width: of a group, side^2 or, of factors, side; size = groups width */
} joint_shape;
joint_shape joint_shape_of(const model *m, const op *o); /* o: the objective's op, of which `factorised` is read */

/* The softmax of each group of each row, of x / tau. */
void joint_softmax(real *x, int rows, const joint_shape *s, double tau);

/* Row i of the targets: p, the probabilities of all groups, becomes the gradient; order 0: node first, 1: cluster
 * first. Returns its loss, the sum over groups. product: as in joint_row, of one label a node. */
double joint_target(real *p, const joint_shape *s, const node_labels *y, int i, const real *ybar, int order, real scale,
                    double *product);

/* One group: p = softmax of the cc = c c joint logits becomes the gradient  scale (p sum(u) - u),  u = t p / (p + eps),
 * eps = 1e-8. Entry l of the target t, which is ybar[l], stands at p[first + l step]. Returns -t . log(p + eps); or,
 * with product, 0, and product[l] is multiplied by p + eps: joint_logs takes the logarithms of up to 32 such factors at
 * a time. */
double joint_row(real *p, const real *ybar, int c, int cc, int first, int step, real scale, double *product);
double joint_logs(double *product, const real *ybar, int c); /* -ybar . log(product); product becomes 1 */

/* -sum over l of ybar[l] log(p[y c + l] + eps), for the factors -log(p[y] + eps) - sum over l of ybar[l] log(p[c + l] +
 * eps); 0 without a class (y < 0). */
double joint_nll(const real *p, const joint_shape *s, const real *ybar, int y);

/* The marginal over the cluster's class; multi-label: of each label, that the node has it. */
void joint_marginal(real *prob, const real *p, const joint_shape *s);

/* Whether the epoch is chosen by the joint loss on validation nodes (select=objective). Dies on multi-label data. */
int joint_own_loss(const model *m, const spec *s);

/* Encoder, head and last op of the joint objectives; factorised: 2c outputs instead of c*c. */
void joint_build(model *m, const spec *s, const backbone *b, int factorised);

/* The same for backbones whose head reads the graph: pairs of all nodes, the head on each order with the same weights,
 * summed means. */
void joint_pairs(model *m, const spec *s, const backbone *b, int factorised);

/* factorised.c: p, the two factors of a row, becomes the gradient, as in joint_target; and the loss by itself. */
double factors_target(real *p, int c, int y, const real *ybar, int order, real scale);

#endif
