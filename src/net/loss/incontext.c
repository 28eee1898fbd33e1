/* IC: in-context learning. The cluster's mean stands beside the node as a reference, but only the node's class is
 * predicted:
 *   logits = [z_i ; zbar_m] W + b,  cross-entropy with y_i. */
#include "loss.h"

static void build(model *m, const spec *s, const backbone *b)
{
    m->z = b->encode(m, s, 0);
    op_ce(m, loss_head(m, s, b, op_pair(m, m->z, PAIR_NODE_FIRST), m->classes), 0);
}

const objective objective_ic = {.name = "ic",
                                .about = "in-context: cluster mean beside the node, node class predicted",
                                .clusters = 1,
                                .build = build};
