/* CRF-GCN (Gao, Pei, Huang, KDD 2019):  b = relu(A drop(h) W);  h = CRF(b), two iterations (op_crf.c); repeated;  z = A
 * drop(h);  logits = z W.
 *
 * No biases. Weights start in U(-sqrt(6/(in+out)), sqrt(6/(in+out))), alpha = beta = 1, sigma = e. The first weight
 * decays with wd, all else with wd2. */
#include "../backbone.h"
#include <math.h>

enum { ITERATIONS = 2 };

static int encode(model *m, const spec *s, int own_head)
{
    int h = -1;
    (void)own_head;
    for (int layer = 1; layer < s->layers; layer++) {
        double bound = sqrt(6.0 / ((h < 0 ? m->features : s->hidden) + s->hidden));
        h = h < 0 ? op_features(m, 0, s->hidden, bound, s->in_dropout) : op_linear(m, h, s->hidden, bound);
        h = op_propagate(m, h, ADJ_GCN);
        h = op_activate(m, s->norm_batch ? op_norm(m, h) : h, -1, RELU, 0);
        m->group = 1;
        h = op_activate(m, op_crf(m, h, ITERATIONS), -1, LINEAR, s->dropout);
    }
    return op_propagate(m, h, ADJ_GCN);
}

static int head(model *m, const spec *s, int z, int out)
{
    (void)s;
    return op_linear(m, z, out, sqrt(6.0 / (m->ops[z].cols + out)));
}

const backbone backbone_crf_gcn = {.name = "crf-gcn", .about = "GCN with a CRF layer", .encode = encode, .head = head};
