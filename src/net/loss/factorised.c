/* JCF: the joint-cluster objective with 2c outputs instead of c*c (which the paper names as future work).
 *
 * The joint logits of JC are restricted to sums a[k][l] = u[k] + v[l] of a node factor u and a cluster factor v:
 *   [u ; v] = [z_i ; zbar_m] W + b,   W 2d x 2c,      and in the other order   [v' ; u'] = [zbar_m ; z_i] W + b
 * The softmax over the c x c joint classes is then the product P[k][l] = p[k] q[l], p = softmax(u / tau) and
 * q = softmax(v / tau), and the joint target T[k][l] = [k = y_i] ybar_m[l], itself a product, splits the cross-entropy,
 * with p' and q' the softmax of u' / tau and v' / tau:
 *   loss = -(1/2L) sum_i  log(p[y_i] + eps) + ybar_m . log(q + eps) + ybar_m . log(q' + eps) + log(p'[y_i] + eps)
 * So the first c outputs classify whatever stands first, the other c whatever stands second: node and cluster, then
 * cluster and node. The marginal over the cluster's class is p itself. Prediction: softmax(u).
 *
 * Gradient of a factor with probabilities p and target t, w = t p / (p + eps):  (p sum(w) - w) / (2 L tau), joint_row
 * on c classes. Everything below the logits is that of JC: joint.c, or joint_pairs.c for heads that read the graph,
 * where the means are summed, not averaged.
 *
 * Cost: O(L d c) for logits and gradients instead of O(L d c^2), O(d c) weights instead of O(d c^2). JC can gain by the
 * c x c form only where node and cluster class depend on each other given their embeddings. */
#include "joint.h"

double factors_target(real *p, int c, int y, const real *ybar, int order, real scale)
{
    const real one = 1;
    real *node = order ? p + c : p, *cluster = order ? p : p + c;
    return joint_row(node, &one, 1, c, y, 1, scale, NULL) + joint_row(cluster, ybar, c, c, 0, 1, scale, NULL);
}

static void build(model *m, const spec *s, const backbone *b) { joint_build(m, s, b, 1); }

const objective objective_jcf = {.name = "jcf",
                                 .about = "joint-cluster cross-entropy, factorised: 2c outputs",
                                 .clusters = 1,
                                 .head = HEAD_FACTORS,
                                 .build = build};
