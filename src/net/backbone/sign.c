/* SIGN (Frasca et al. 2020):   h_k = drop(relu(S^k X W_k + b_k)), k = 0 .. hops;   z = drop(relu([h_0 ; h_1 ; ...] V +
 * c)),   S = D^-1/2 A D^-1/2 without loops.
 *
 * S^k X is computed once; training then reads no graph, and batches are rows. The concatenation is not made: [h_0 ; h_1
 * ; ...] V = sum_k h_k V_k. All weights and biases start in U(-1/sqrt(in), 1/sqrt(in)). Batch normalisation, where it
 * is asked for, stands before each ReLU. */
#include "../backbone.h"
#include <math.h>

static int encode(model *m, const spec *s, int own_head)
{
    (void)own_head;
    double first = 1 / sqrt(m->features), second = 1 / sqrt((s->hops + 1.0) * s->hidden);
    int sum = -1;
    for (int k = 0; k <= s->hops; k++) {
        int h = backbone_hidden(m, s, op_features(m, k ? FEATURES_SYM + k - 1 : 0, s->hidden, first, 0), first, RELU);
        int term = op_linear(m, h, s->hidden, second);
        sum = sum < 0 ? term : op_combine(m, sum, term, 1, 1);
    }
    return backbone_hidden(m, s, sum, second, RELU);
}

static int head(model *m, const spec *s, int z, int out)
{
    (void)s;
    double bound = 1 / sqrt(m->ops[z].cols);
    return op_activate(m, op_linear(m, z, out, bound), bound, LINEAR, 0);
}

const backbone backbone_sign = {.name = "sign",
                                .about = "perceptron on features after 0, 1, 2, ... propagations",
                                .encode = encode,
                                .head = head,
                                .max_hops = 3};
