#include "gcn2.h"
#include "../../base/hash.h"
#include "../../net/ops.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

/* --- the last op: hands its input to the caller, and takes the gradient from it --- */

typedef struct tap {
    int *row; /* of each target, its row in the input */
    mat out, grad;
} tap;

static void tap_bind(workspace *ws, op_state *n)
{
    tap *t = n->state = NEW(ws->a, tap, 1);
    const op_state *h = workspace_in(ws, n, 0);
    t->row = NEW(ws->a, int, (size_t)ws->b->ntarget);
    for (int i = 0; i < ws->b->ntarget; i++)
        t->row[i] = workspace_row(h, ws->b->target[i]);
    t->out = mat_new(ws->a, ws->b->ntarget, h->d.cols);
    t->grad = ws->training ? mat_new(ws->a, ws->b->ntarget, h->d.cols) : (mat){0};
}

static void tap_forward(workspace *ws, op_state *n)
{
    tap *t = n->state;
    const mat h = workspace_in(ws, n, 0)->out;
    for (int i = 0; i < t->out.rows; i++)
        memcpy(mat_row(t->out, i), mat_row(h, t->row[i]), (size_t)h.cols * sizeof(real));
}

static void tap_backward(workspace *ws, op_state *n)
{
    tap *t = n->state;
    op_state *h = workspace_in(ws, n, 0);
    workspace_scatter(h, t->row, 1, t->grad.v, t->grad.cols, t->grad.rows, t->grad.cols);
}

static const op_kind tap_kind = {.name = "tap", .bind = tap_bind, .forward = tap_forward, .backward = tap_backward};

/* --- the network --- */

static double bound(const gcn2_shape *s, int in, int out) { return s->glorot ? sqrt(6.0 / (in + out)) : 1 / sqrt(out); }

gcn2 *gcn2_new(arena *a, const node_data *data, const gcn2_shape *s, uint64_t seed, int run)
{
    gcn2 *g = NEW(a, gcn2, 1);
    model *m = NEW(a, model, 1);
    double bias = s->bias ? 0 : -1;
    *m = (model){.features = s->features, .classes = s->out};
    int h = op_propagate(m, op_features(m, 0, s->hidden, bound(s, s->features, s->hidden), s->in_dropout), ADJ_GCN);
    h = op_activate(m, h, bias, RELU, s->dropout);
    h = op_propagate(m, op_linear(m, h, s->out, bound(s, s->hidden, s->out)), ADJ_GCN);
    if (s->bias)
        h = op_activate(m, h, 0, LINEAR, 0);
    model_op(m, (op){&tap_kind, {h, -1}, -1, -1, .cols = 0});
    *g = (gcn2){.a = a, .data = data, .m = m, .net = net_new(a, m), .seed = seed, .run = run};
    net_init(&g->net, seed, run);
    return g;
}

int *gcn2_all(arena *a, int n)
{
    int *all = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    return all;
}

gcn2_view gcn2_view_new(gcn2 *g, const int *rows, int n, int training)
{
    batch *b = NEW(g->a, batch, 1);
    *b = rows ? batch_full(g->data, rows, n, NULL, 0)
              : batch_full(g->data, gcn2_all(g->a, g->data->nodes), g->data->nodes, NULL, 0);
    gcn2_view v = {workspace_new(g->a, program_compile(g->a, g->m, training, POLICY_ALL), &g->net, NULL), g, {0}, {0}};
    workspace_bind(v.ws, b);
    v.ws->r = rng_make(g->seed, (uint64_t)g->run, RNG_DROPOUT);
    const tap *t = v.ws->ops[g->m->nops - 1].state;
    v.out = t->out, v.grad = t->grad;
    return v;
}

void gcn2_forward(gcn2_view *v, long step) { workspace_forward(v->ws, (uint32_t)step); }

void gcn2_learn(gcn2_view *v, const adam_now *now)
{
    v->ws->adam = now; /* updates where gradients are made, as workspace_learn does */
    workspace_backward(v->ws);
    v->ws->adam = NULL;
    workspace_update(v->ws, now);
}

size_t gcn2_bytes(const gcn2 *g) { return g->m->size * sizeof(real); }
void gcn2_save(real *to, const gcn2 *g) { memcpy(to, g->net.w, gcn2_bytes(g)); }
void gcn2_load(gcn2 *g, const real *from) { memcpy(g->net.w, from, gcn2_bytes(g)); }
uint64_t gcn2_hash(uint64_t h, const gcn2 *g) { return hash_bytes(h, g->net.w, gcn2_bytes(g)); }

double gcn2_cross_entropy(gcn2_view *v, mat target, const int *rows)
{
    int c = v->out.cols, n = v->out.rows;
    double sum = 0;
    softmax(v->grad.v, v->out.v, n, c, 1);
    for (int i = 0; i < n; i++) {
        real *p = mat_row(v->grad, i);
        const real *t = mat_row(target, rows ? rows[i] : i);
        for (int k = 0; k < c; k++) {
            if (t[k] != 0)
                sum -= (double)t[k] * portable_log((double)p[k] + 1e-30);
            p[k] = (p[k] - t[k]) / (real)n;
        }
    }
    return sum / n;
}
