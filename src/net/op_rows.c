/* Ops that put rows together. An input may have more rows than the output asks for: maps say which.
 *
 *   rows     Y_i = H_i                       dH_i += dY_i
 *   combine  Y_i = x F_i + y H_i             dF_i += x dY_i,  dH_i += y dY_i
 *   pair     Y_i = [Z_i ; zbar_m(i)], or [zbar_m(i) ; Z_i], or zbar_m(i) alone
 *            zbar_m: mean of Z over the rows batch.mean of cluster m, or over all of batch.mean where m has none
 *            dZ_i += its half of dY_i;  dZ_j += (1 / L_m) sum over i in m of the other half, j in m
 *            shifted: zbar_m + u_m, u a parameter (clusters x d) that starts at 0
 *            du_m = sum over i in m of the other half */
#include "clusters.h"
#include "ops.h"
#include <string.h>

/* --- combine, and rows as the combination of one --- */

static void combine_bind(workspace *ws, op_state *n)
{
    int **map = n->state = NEW(ws->a, int *, MAX_IN);
    for (int q = 0; q < MAX_IN && n->d.in[q] >= 0; q++)
        map[q] = workspace_map(ws, n, workspace_in(ws, n, q));
}

static void combine_forward(workspace *ws, op_state *n)
{
    int *const *map = n->state, d = n->d.cols;
    const mat f = workspace_in(ws, n, 0)->out, h = n->d.in[1] < 0 ? f : workspace_in(ws, n, 1)->out;
    real x = (real)n->d.x, y = (real)n->d.y;
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)d > SERIAL_WORK)
    for (int i = 0; i < n->rows; i++) {
        real *to = mat_row(n->out, i);
        const real *one = mat_row(f, map[0][i]);
        if (n->d.in[1] < 0) {
            memcpy(to, one, (size_t)d * sizeof(real));
            continue;
        }
        const real *two = mat_row(h, map[1][i]);
        for (int k = 0; k < d; k++)
            to[k] = x * one[k] + y * two[k];
    }
}

static void combine_backward(workspace *ws, op_state *n)
{
    int *const *map = n->state;
    for (int q = 0; q < MAX_IN && n->d.in[q] >= 0; q++) {
        op_state *h = workspace_in(ws, n, q);
        if (h->grad.v)
            workspace_scatter(h, map[q], (real)(q ? n->d.y : n->d.x), n->grad.v, n->d.cols, n->rows, n->d.cols);
    }
}

static const op_kind combine_kind = {.name = "combine",
                                     .equal_in_eval = 1,
                                     .bind = combine_bind,
                                     .forward = combine_forward,
                                     .backward = combine_backward};

int op_combine(model *m, int f, int h, double x, double y)
{
    return model_op(m, (op){&combine_kind, {f, h}, -1, -1, .cols = m->ops[f].cols, .x = x, .y = y});
}

int op_rows(model *m, int h) { return op_combine(m, h, -1, 1, 0); }

/* --- pair --- */

typedef struct pair {
    int *map, *cluster;
    clusters c;
} pair;

static void pair_need(workspace *ws, op_state *n, unsigned char *const *rows)
{
    for (int i = 0; i < n->rows; i++)
        rows[n->d.in[0]][n->id[i]] = 1;
    clusters_need(ws, rows[n->d.in[0]]);
}

static void pair_bind(workspace *ws, op_state *n)
{
    pair *q = n->state = NEW(ws->a, pair, 1);
    q->map = workspace_map(ws, n, workspace_in(ws, n, 0));
    q->cluster = NEW(ws->a, int, (size_t)n->rows);
    for (int i = 0; i < n->rows; i++)
        q->cluster[i] = ws->b->cluster[n->id[i]];
    q->c = clusters_new(ws, workspace_in(ws, n, 0));
}

/* Where the node's and the cluster's halves stand in a row of the output; -1: not there. */
static int node_at(const op_state *n, int d)
{
    return n->d.heads == PAIR_NODE_FIRST ? 0 : n->d.heads == PAIR_CLUSTER_FIRST ? d : -1;
}

static int cluster_at(const op_state *n, int d) { return n->d.heads == PAIR_NODE_FIRST ? d : 0; }

static void pair_forward(workspace *ws, op_state *n)
{
    pair *q = n->state;
    op_state *z = workspace_in(ws, n, 0);
    int d = z->d.cols, one = node_at(n, d), two = cluster_at(n, d);
    clusters_forward(&q->c, z);
    if (n->d.w >= 0)
        add_row(q->c.zbar.v, 1, 1, workspace_w(ws, n->d.w), (size_t)q->c.zbar.rows * (size_t)d);
    for (int i = 0; i < n->rows; i++) {
        real *to = mat_row(n->out, i);
        if (one >= 0)
            memcpy(to + one, mat_row(z->out, q->map[i]), (size_t)d * sizeof(real));
        memcpy(to + two, mat_row(q->c.zbar, q->cluster[i]), (size_t)d * sizeof(real));
    }
}

static void pair_backward(workspace *ws, op_state *n)
{
    pair *q = n->state;
    op_state *z = workspace_in(ws, n, 0);
    int d = z->d.cols, one = node_at(n, d), two = cluster_at(n, d);
    if (!z->grad.v)
        return;
    workspace_scatter(z, q->map, 1, n->grad.v + (one < 0 ? 0 : one), n->d.cols, one < 0 ? 0 : n->rows, d);
    memset(q->c.dzbar.v, 0, (size_t)q->c.dzbar.rows * (size_t)d * sizeof(real));
    for (int i = 0; i < n->rows; i++) {
        real *to = mat_row(q->c.dzbar, q->cluster[i]);
        for (int k = 0; k < d; k++)
            to[k] += mat_row(n->grad, i)[two + k];
    }
    if (n->d.w >= 0)
        add_row(workspace_g(ws, n->d.w), workspace_beta_param(ws, n->d.w), 1, q->c.dzbar.v,
                (size_t)q->c.dzbar.rows * (size_t)d);
    clusters_backward(&q->c, z);
}

static const op_kind pair_kind = {
    .name = "pair", .need = pair_need, .bind = pair_bind, .forward = pair_forward, .backward = pair_backward};

int op_pair(model *m, int z, enum pairing how)
{
    int d = m->ops[z].cols;
    return model_op(m, (op){&pair_kind, {z, -1}, -1, -1, .cols = how == PAIR_CLUSTER ? d : 2 * d, .heads = how});
}

int op_pair_shifted(model *m, int z, enum pairing how)
{
    int k = op_pair(m, z, how);
    m->ops[k].w = model_param(m, m->clusters, m->ops[z].cols, 0, m->group);
    return k;
}
