/* GraphSAGE (Hamilton et al. 2017), mean aggregator:   h = drop(relu(mean(h_j, j in N(i) and i) W_l + h_i W_r + b)).
 *
 * CE puts a layer of the same kind, without the ReLU, on top of the first; the cluster objectives put their linear head
 * on a second hidden layer. With mean_self=0 the mean is over the neighbours alone. All start in U(-1/sqrt(in),
 * 1/sqrt(in)). */
#include "../backbone.h"
#include <math.h>

/* in < 0: the features. */
static int layer(model *m, const spec *s, int in, int out)
{
    enum adjacency mean = s->mean_self ? ADJ_MEAN : ADJ_OTHERS;
    double bound = 1 / sqrt(in < 0 ? m->features : m->ops[in].cols);
    if (in < 0 && m->first == AGGREGATE_FIRST)
        in = op_inputs(m, 0);
    if (in < 0) {
        int l = op_features(m, 0, out, bound, 0), r = op_features(m, 0, out, bound, 0);
        return op_propagate_onto(m, l, mean, 1, r, 1);
    }
    int l = op_linear(m, op_propagate(m, in, mean), out, bound), r = op_linear(m, op_rows(m, in), out, bound);
    return op_combine(m, l, r, 1, 1);
}

static int encode(model *m, const spec *s, int own_head)
{
    int h = -1, layers = own_head ? s->layers - 1 : s->layers;
    for (int k = 0; k < layers; k++) {
        double bound = 1 / sqrt(h < 0 ? m->features : s->hidden);
        h = backbone_hidden(m, s, layer(m, s, h, s->hidden), bound, RELU);
    }
    return h;
}

static int head(model *m, const spec *s, int z, int out)
{
    return op_activate(m, layer(m, s, z, out), 1 / sqrt(m->ops[z].cols), LINEAR, 0);
}

const backbone backbone_sage = {
    .name = "sage", .about = "GraphSAGE with mean aggregation", .encode = encode, .head = head};
