/* GCN (Kipf & Welling 2017):  h = drop(relu(A h W + b)), repeated;  z = A h;  logits = z W + b = A (h W) + b.
 *
 * Weights and biases start in U(-1/sqrt(out), 1/sqrt(out)), as the authors' code does; with init=glorot or batch
 * normalisation weights in U(-sqrt(6/(in+out)), sqrt(6/(in+out))), biases at 0, which deep networks want. The first
 * product is (A X) W with A X computed once beforehand, or A (X W), whichever is less work. */
#include "../backbone.h"
#include <math.h>
#include <string.h>

static int glorot(const spec *s) { return s->norm_batch || s->init == INIT_GLOROT; }

static int block(model *m, const spec *s, int h)
{
    int width = h < 0 ? m->features : s->hidden;
    double bound = glorot(s) ? sqrt(6.0 / (width + s->hidden)) : 1 / sqrt(s->hidden), bias = glorot(s) ? 0 : bound;
    if (h < 0 && m->first == AGGREGATE_FIRST)
        return backbone_hidden(m, s, op_linear(m, op_propagate(m, op_inputs(m, 0), ADJ_GCN), s->hidden, bound), bias,
                               RELU);
    if (h < 0)
        h = op_features(m, m->first == PRECOMPUTED, s->hidden, bound, 0);
    else
        h = op_linear(m, h, s->hidden, bound);
    if (m->nops > 1 || m->first != PRECOMPUTED)
        h = op_propagate(m, h, ADJ_GCN);
    return backbone_hidden(m, s, h, bias, RELU);
}

static int encode(model *m, const spec *s, int own_head)
{
    int h = -1;
    for (int layer = 1; layer < s->layers; layer++)
        h = block(m, s, h);
    return s->norm_batch && !own_head ? block(m, s, h) : op_propagate(m, h, ADJ_GCN);
}

static int head(model *m, const spec *s, int z, int out)
{
    double bound = glorot(s) ? sqrt(6.0 / (m->ops[z].cols + out)) : 1 / sqrt(out);
    return op_activate(m, op_linear(m, z, out, bound), glorot(s) ? 0 : bound, LINEAR, 0);
}

const backbone backbone_gcn = {.name = "gcn", .about = "graph convolutional network", .encode = encode, .head = head};
