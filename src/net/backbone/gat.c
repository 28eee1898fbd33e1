/* GAT (Velickovic et al. 2018):   h = elu(attention(drop(x) W) + b), heads side by side;  z = drop(h);  output layer:
 * attention(z W) + b, heads averaged.
 *
 * The head reads the graph: the cluster objectives pair every node with its cluster and run the output layer on the
 * pairs. Glorot, zero bias. */
#include "../backbone.h"
#include "../../base/err.h"
#include <limits.h>
#include <math.h>

enum { SLOPE = 5 }; /* LeakyReLU slope 1/5 */

static double glorot(int in, int out) { return sqrt(6.0 / (in + out)); }

static int encode(model *m, const spec *s, int own_head)
{
    (void)own_head;
    int width = s->heads * s->hidden;
    int h = op_features(m, 0, width, glorot(m->features, width), s->in_dropout);
    h = op_attention(m, h, s->heads, 1, 1.0 / SLOPE, s->att_dropout);
    h = backbone_hidden(m, s, h, 0, ELU);
    for (int layer = 2; layer < s->layers; layer++) {
        h = op_attention(m, op_linear(m, h, width, glorot(width, width)), s->heads, 1, 1.0 / SLOPE, s->att_dropout);
        h = backbone_hidden(m, s, h, 0, ELU);
    }
    return h;
}

static int head(model *m, const spec *s, int z, int out)
{
    if (out > INT_MAX / s->out_heads)
        die("gat: %d output heads of %d columns each are too many columns", s->out_heads, out);
    int width = s->out_heads * out;
    int h = op_linear(m, z, width, glorot(m->ops[z].cols, width));
    return op_activate(m, op_attention(m, h, s->out_heads, s->out_heads == 1, 1.0 / SLOPE, s->att_dropout2), 0, LINEAR,
                       0);
}

const backbone backbone_gat = {
    .name = "gat", .about = "graph attention network", .encode = encode, .head = head, .graph_head = 1, .by_heads = 1};
