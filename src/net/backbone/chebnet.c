/* ChebNet (Defferrard et al. 2016):   h = drop(relu(sum_{k<K} T_k(L) h W_k + b)),  T_0 = I, T_1 = L, T_k = 2 L T_{k-1}
 * - T_{k-2}, L = -D^-1/2 A D^-1/2 (the Laplacian scaled with lambda_max = 2).
 *
 * With Y_k = h W_k the sum is taken by Clenshaw's recurrence, B_k = Y_k + 2 L B_{k+1} - B_{k+2}, sum = Y_0 + L B_1 -
 * B_2: K - 1 propagations at the width of the output, however wide the input. Glorot initialisation, zero bias. Dropout
 * on the features draws anew for each k. */
#include "../backbone.h"
#include <math.h>

/* in < 0: the features. */
static int layer(model *m, const spec *s, int in, int out)
{
    int width = in < 0 ? m->features : m->ops[in].cols, next = -1, after = -1;
    double bound = sqrt(6.0 / (width + out));
    int y[16];
    for (int k = 0; k < s->order; k++)
        y[k] = in < 0 ? op_features(m, 0, out, bound, s->in_dropout) : op_linear(m, op_rows(m, in), out, bound);
    for (int k = s->order - 1; k >= 0; k--) {
        int b = y[k];
        if (next >= 0)
            b = op_propagate_onto(m, next, ADJ_CHEB, k ? 2 : 1, b, 1);
        if (after >= 0)
            b = op_combine(m, b, after, 1, -1);
        after = next, next = b;
    }
    return next;
}

static int encode(model *m, const spec *s, int own_head)
{
    int h = -1, layers = own_head ? s->layers - 1 : s->layers;
    for (int k = 0; k < layers; k++)
        h = backbone_hidden(m, s, op_rows(m, layer(m, s, h, s->hidden)), 0, RELU);
    return h;
}

static int head(model *m, const spec *s, int z, int out)
{
    return op_activate(m, op_rows(m, layer(m, s, z, out)), 0, LINEAR, 0);
}

const backbone backbone_chebnet = {
    .name = "chebnet", .about = "Chebyshev polynomials of the Laplacian", .encode = encode, .head = head};
