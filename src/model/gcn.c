/* GCN (Kipf & Welling 2017):  h = drop(relu(A h W + b)), repeated;  z = A h;  logits = z W + b = A (h W) + b.
 *
 * Weights and biases start in U(-1/sqrt(out), 1/sqrt(out)), as the authors' code does. Dense features are propagated
 * once beforehand, (A X) W; with sparse ones A (X W) is cheaper, as A X has several times the entries of X. */
#include "backbone.h"
#include <math.h>

static int encode(model *m, const spec *s)
{
    double bound = 1 / sqrt(s->hidden);
    int h = op_features(m, m->dense_features ? 1 : 0, s->hidden, bound);
    if (!m->dense_features)
        h = op_propagate(m, h, ADJ_GCN);
    h = op_activate(m, h, bound, RELU, s->dropout);
    for (int layer = 2; layer < s->layers; layer++)
        h = op_activate(m, op_propagate(m, op_linear(m, h, s->hidden, bound), ADJ_GCN), bound, RELU, s->dropout);
    return op_propagate(m, h, ADJ_GCN);
}

static int head(model *m, int z, int out)
{
    double bound = 1 / sqrt(out);
    return op_activate(m, op_linear(m, z, out, bound), bound, LINEAR, 0);
}

const backbone backbone_gcn = {"gcn", "graph convolutional network", encode, head};
