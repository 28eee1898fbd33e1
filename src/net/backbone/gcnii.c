/* GCNII (Chen et al. 2020):   h_0 = relu(drop(X) W_in + b_in);
 *   h_l = relu(((1 - alpha) A drop(h_{l-1}) + alpha h_0) ((1 - beta_l) I + beta_l W_l)),  l = 1 .. layers,
 *   beta_l = ln(lambda / l + 1);   z = drop(h_layers).
 *
 * With batch normalisation (the ogbn-arxiv network): h_l = relu(norm(...)) + h_{l-1}, a residual that no dropout
 * touches. The authors' network there has a second weight in each layer, on h_0; this one has not.
 *
 * The inner weights decay with wd, the first and last layer with wd2. W_l starts in U(-1/sqrt(hidden), ...), the dense
 * layers in U(-1/sqrt(in), ...). */
#include "../backbone.h"
#include "../../base/portable.h"
#include <math.h>

static int encode(model *m, const spec *s, int own_head)
{
    (void)own_head;
    double bound = 1 / sqrt(m->features), inner = 1 / sqrt(s->hidden);
    m->group = 1;
    int first = op_activate(m, op_features(m, 0, s->hidden, bound, s->in_dropout), bound, RELU, 0);
    m->group = 0;
    int last = first, h = op_activate(m, op_rows(m, first), -1, LINEAR, s->dropout);
    for (int l = 1; l <= s->layers; l++) {
        double beta = portable_log(s->lambda / l + 1);
        int mixed = op_propagate_onto(m, h, ADJ_GCN, 1 - s->alpha, first, s->alpha);
        int moved = op_identity(m, mixed, inner, 1 - beta, beta);
        if (!s->norm_batch) {
            h = op_activate(m, moved, -1, RELU, s->dropout);
            continue;
        }
        last = op_combine(m, op_activate(m, op_norm(m, moved), -1, RELU, 0), last, 1, 1);
        h = op_activate(m, op_rows(m, last), -1, LINEAR, s->dropout);
    }
    m->group = 1;
    return h;
}

static int head(model *m, const spec *s, int z, int out)
{
    (void)s;
    double bound = 1 / sqrt(m->ops[z].cols);
    return op_activate(m, op_linear(m, z, out, bound), bound, LINEAR, 0);
}

const backbone backbone_gcnii = {.name = "gcnii",
                                 .about = "deep GCN with initial residual and identity mapping",
                                 .encode = encode,
                                 .head = head,
                                 .own_ends = 1};
