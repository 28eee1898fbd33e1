/* MLP:  h = drop(relu(h W + b)), repeated, on the features;  z = h;  logits = z W + b.
 * With one layer everything is linear: logits = x W + b, and where an objective has a head of its own z = x W + b,
 * `hidden` wide. SGC (Wu et al. 2019): the same network on features propagated K times, A^K X (the authors' release
 * trains this MLP, not a linear map, for both objectives). Weights and biases start in U(-1/sqrt(in), 1/sqrt(in)). */
#include "../backbone.h"
#include <math.h>

static int encode(model *m, const spec *s, int hops, int own_head)
{
    int h = -1;
    if (s->layers == 1) {
        int width = own_head ? m->classes : s->hidden;
        return op_activate(m, op_features(m, hops, width, 1 / sqrt(m->features), 0), 1 / sqrt(m->features), LINEAR, 0);
    }
    for (int layer = 1; layer < s->layers; layer++) {
        double bound = 1 / sqrt(h < 0 ? m->features : s->hidden);
        h = h < 0 ? op_features(m, hops, s->hidden, bound, 0) : op_linear(m, h, s->hidden, bound);
        h = backbone_hidden(m, s, h, bound, RELU);
    }
    return h;
}

static int encode_mlp(model *m, const spec *s, int own_head) { return encode(m, s, 0, own_head); }

static int encode_sgc(model *m, const spec *s, int own_head) { return encode(m, s, s->hops, own_head); }

static int head(model *m, const spec *s, int z, int out)
{
    if (s->layers == 1)
        return z;
    double bound = 1 / sqrt(m->ops[z].cols);
    return op_activate(m, op_linear(m, z, out, bound), bound, LINEAR, 0);
}

const backbone backbone_mlp = {
    .name = "mlp", .about = "multi-layer perceptron, no graph", .encode = encode_mlp, .head = head, .one_layer = 1};
const backbone backbone_sgc = {.name = "sgc",
                               .about = "perceptron on propagated features",
                               .encode = encode_sgc,
                               .head = head,
                               .one_layer = 1,
                               .max_hops = 3};
