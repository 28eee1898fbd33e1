/* Smoothing towards the cluster:  t_i = (1 - e) onehot(y_i) + e ybar_m,  ybar_m the mean label of the training rows of
 * the cluster of node i (clusters.h). It gives cross-entropy what JC knows of the cluster's labels, without its
 * embedding and without the joint head. */
#include "../clusters.h"
#include "soft.h"
#include <string.h>

static void mean_label(mat q, workspace *ws, const op_state *n, const targets *t)
{
    clusters c = clusters_new(ws, workspace_in(ws, n, 0));
    for (int i = 0; i < q.rows; i++)
        memcpy(mat_row(q, i), mat_row(c.ybar, t->cluster[i]), (size_t)q.cols * sizeof(real));
}

static void bind(workspace *ws, op_state *n) { soft_bind(ws, n, mean_label); }

static const op_kind kind = {.name = "csmooth", .bind = bind, .forward = soft_forward, .backward = soft_backward};

static void build(model *m, const spec *s, const backbone *b) { soft_build(m, s, b, &kind); }

const objective objective_csmooth = {.name = "csmooth",
                                     .about = "cross-entropy, labels smoothed towards the cluster's mean label",
                                     .clusters = 1,
                                     .build = build};
