/* APPNP (Gasteiger et al. 2019):  h = drop(relu(h W + b)), layers - 1 times, from drop(X);
 *   z_0 = h,  z_k = (1 - alpha) A z_{k-1} + alpha h,  k = 1 .. hops;   logits = z W + b.
 *
 * The authors propagate logits, z_0 = h W + b. Propagation and the last layer are both linear and commute (but for b,
 * which they propagate, too), so that propagating h gives every objective, CE and those with a head of their own, the
 * same embeddings z. Theirs: --hops 10 --alpha 0.1, dropout 0.5 on X as well. Weights and biases start in
 * U(-1/sqrt(in), 1/sqrt(in)). Backward: that of the ops. */
#include "../backbone.h"
#include <math.h>

static int encode(model *m, const spec *s, int own_head)
{
    (void)own_head;
    int h = -1;
    for (int layer = 1; layer < s->layers; layer++) {
        double bound = 1 / sqrt(h < 0 ? m->features : s->hidden);
        h = h < 0 ? op_features(m, 0, s->hidden, bound, s->in_dropout) : op_linear(m, h, s->hidden, bound);
        h = backbone_hidden(m, s, h, bound, RELU);
    }
    int z = h;
    for (int k = 0; k < s->hops; k++)
        z = op_propagate_onto(m, z, ADJ_GCN, 1 - s->alpha, h, s->alpha);
    return z;
}

static int head(model *m, const spec *s, int z, int out)
{
    (void)s;
    double bound = 1 / sqrt(m->ops[z].cols);
    return op_activate(m, op_linear(m, z, out, bound), bound, LINEAR, 0);
}

const backbone backbone_appnp = {.name = "appnp",
                                 .about = "perceptron, then personalised PageRank of its embeddings",
                                 .encode = encode,
                                 .head = head};
