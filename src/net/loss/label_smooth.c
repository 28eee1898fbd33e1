/* Label smoothing (Szegedy et al. 2016):  t_i = (1 - e) onehot(y_i) + e / c,  the softer distribution is uniform. */
#include "soft.h"

static void uniform(mat q, workspace *ws, const op_state *n, const targets *t)
{
    (void)ws, (void)n, (void)t;
    for (int i = 0; i < q.rows; i++)
        for (int k = 0; k < q.cols; k++)
            mat_row(q, i)[k] = (real)(1.0 / q.cols);
}

static void bind(workspace *ws, op_state *n) { soft_bind(ws, n, uniform); }

static const op_kind kind = {.name = "smooth", .bind = bind, .forward = soft_forward, .backward = soft_backward};

static void build(model *m, const spec *s, const backbone *b) { soft_build(m, s, b, &kind); }

const objective objective_smooth = {
    .name = "smooth", .about = "cross-entropy, labels smoothed: (1 - eps) y + eps / c", .build = build};
