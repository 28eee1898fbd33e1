/* BCE: cross-entropy of multi-label nodes, every label by itself. The objective `ce` of multi-label data.
 *
 *   p = 1 / (1 + exp(-x))
 *   loss = -(1 / (B c)) sum_i sum_k y_ik log p_ik + (1 - y_ik) log(1 - p_ik)
 *        =  (1 / (B c)) sum_i sum_k max(x, 0) - x y + log(1 + exp(-|x|))
 *   d loss / d x = (p - y) / (B c),   x (B x c): the logits of the targets */
#include "loss.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows whose losses are added up together */

typedef struct bce {
    targets t;
    double *partial; /* sums of blocks of rows */
} bce;

static void bind(workspace *ws, op_state *n)
{
    bce *s = n->state = NEW(ws->a, bce, 1);
    s->t = loss_targets(ws, n);
    s->partial = NEW(ws->a, double, (size_t)ws->b->ntarget / BLOCK + 1);
}

static double block_loss(workspace *ws, const op_state *logits, const targets *t, int first, int last)
{
    double sum = 0;
    int c = ws->prob.cols;
    for (int i = first; i < last; i++) {
        const real *x = mat_row(logits->out, t->row[0][i]);
        const unsigned char *y = t->y.many + (size_t)i * (size_t)c;
        for (int k = 0; k < c; k++) {
            double v = (double)x[k], e = portable_exp(-fabs(v));
            sum += (v > 0 ? v : 0) - (y[k] ? v : 0) + portable_log1p(e);
            mat_row(ws->prob, i)[k] = (real)(v > 0 ? 1 / (1 + e) : e / (1 + e));
        }
    }
    return sum;
}

static void forward(workspace *ws, op_state *n)
{
    bce *s = n->state;
    const op_state *logits = workspace_in(ws, n, 0);
    int rows = ws->b->ntarget, blocks = (rows + BLOCK - 1) / BLOCK;
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)ws->prob.cols > 20000)
    for (int k = 0; k < blocks; k++)
        s->partial[k] = block_loss(ws, logits, &s->t, k * BLOCK, k * BLOCK + BLOCK < rows ? k * BLOCK + BLOCK : rows);
    ws->loss = 0;
    for (int k = 0; k < blocks; k++)
        ws->loss += s->partial[k];
    ws->loss /= (double)rows * ws->prob.cols;
}

static void backward(workspace *ws, op_state *n)
{
    bce *s = n->state;
    op_state *logits = workspace_in(ws, n, 0);
    mat g = logits->grad;
    int rows = ws->b->ntarget, c = ws->prob.cols;
    real scale = (real)(1 / ((double)rows * c));
    logits->filled = 1;
    if (rows < g.rows)
        memset(g.v, 0, (size_t)g.rows * (size_t)g.cols * sizeof(real));
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)c > SERIAL_WORK)
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < c; k++)
            mat_row(g, s->t.row[0][i])[k] =
                scale * (mat_row(ws->prob, i)[k] - (real)s->t.y.many[(size_t)i * (size_t)c + (size_t)k]);
}

static const op_kind kind = {.name = "bce", .bind = bind, .forward = forward, .backward = backward};

int op_bce(model *m, int logits) { return model_op(m, (op){&kind, {logits, -1}, -1, -1, .cols = 0}); }
