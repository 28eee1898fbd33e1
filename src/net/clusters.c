#include "clusters.h"
#include <string.h>

void clusters_need(workspace *ws, unsigned char *rows)
{
    for (int i = 0; i < ws->b->nmean; i++)
        rows[ws->b->mean[i]] = 1;
}

static void mean_labels(workspace *ws, clusters *c)
{
    int classes = ws->m->classes;
    const node_labels *y = &ws->b->data->y;
    real *all = NEW(ws->a, real, (size_t)classes);
    for (int i = 0; i < c->n; i++) {
        int node = batch_node(ws->b, ws->b->mean[i]);
        real *mine = mat_row(c->ybar, c->of[i]);
        for (int k = 0; y->many && k < classes; k++)
            mine[k] += y->many[(size_t)node * (size_t)classes + (size_t)k],
                all[k] += y->many[(size_t)node * (size_t)classes + (size_t)k];
        if (y->one && y->one[node] >= 0) /* < 0: predicting with the means of all nodes */
            mine[y->one[node]] += 1, all[y->one[node]] += 1;
    }
    for (int m = 0; m < c->ybar.rows; m++)
        for (int k = 0; k < classes; k++)
            mat_row(c->ybar, m)[k] = c->count[m] ? mat_row(c->ybar, m)[k] / (real)c->count[m] : all[k] / (real)c->n;
}

clusters clusters_new(workspace *ws, const op_state *z)
{
    int n = ws->b->nmean, m = ws->m->clusters, d = z->d.cols;
    clusters c = {.n = n,
                  .row = NEW(ws->a, int, (size_t)n),
                  .of = NEW(ws->a, int, (size_t)n),
                  .count = NEW(ws->a, int, (size_t)m)};
    for (int i = 0; i < n; i++) {
        c.row[i] = workspace_row(z, ws->b->mean[i]);
        c.of[i] = ws->b->cluster[ws->b->mean[i]];
        c.count[c.of[i]]++;
    }
    c.zbar = mat_new(ws->a, m, d);
    c.all = NEW(ws->a, real, (size_t)d);
    if (ws->training)
        c.dzbar = mat_new(ws->a, m, d);
    if (ws->training || ws->m->ops[ws->m->nops - 1].own_loss) {
        c.ybar = mat_new(ws->a, m, ws->m->classes);
        mean_labels(ws, &c);
    }
    return c;
}

void clusters_forward(clusters *c, const op_state *z)
{
    int d = c->zbar.cols;
    memset(c->zbar.v, 0, (size_t)c->zbar.rows * (size_t)d * sizeof(real));
    memset(c->all, 0, (size_t)d * sizeof(real));
    for (int i = 0; i < c->n; i++)
        add_row(mat_row(c->zbar, c->of[i]), 1, 1, mat_row(z->out, c->row[i]), (size_t)d);
    for (int m = 0; m < c->zbar.rows; m++)
        add_row(c->all, 1, 1, mat_row(c->zbar, m), (size_t)d);
    for (int m = 0; m < c->zbar.rows; m++)
        for (int k = 0; k < d; k++)
            mat_row(c->zbar, m)[k] = c->count[m] ? mat_row(c->zbar, m)[k] / (real)c->count[m] : c->all[k] / (real)c->n;
}

void clusters_backward(clusters *c, op_state *z)
{
    int d = c->zbar.cols;
    memset(c->all, 0, (size_t)d * sizeof(real));
    for (int m = 0; m < c->zbar.rows; m++)
        if (!c->count[m])
            add_row(c->all, 1, (real)1 / (real)c->n, mat_row(c->dzbar, m), (size_t)d);
    for (int i = 0; i < c->n; i++) {
        real *to = mat_row(z->grad, c->row[i]);
        add_row(to, 1, (real)1 / (real)c->count[c->of[i]], mat_row(c->dzbar, c->of[i]), (size_t)d);
        add_row(to, 1, 1, c->all, (size_t)d);
    }
}
