/* Batch normalisation over all nodes of the graph.
 *
 *   training   mu, v = mean and variance of each column;  xhat = (x - mu) / sqrt(v + eps);  y = gamma xhat + beta
 *              running <- 0.9 running + 0.1 (mu, v n / (n - 1))
 *   otherwise  the same with the running statistics
 *   backward   dbeta = sum dy;  dgamma = sum dy xhat;  dx = gamma / sqrt(v + eps) (dy - dbeta / n - xhat dgamma / n)
 *
 * gamma is parameter w, beta is b; the running mean and variance are the two after them, not trained. Sums go over blocks of rows, in order. */
#include "../graph/simd.h"
#include "ops.h"
#include <math.h>

#define EPS 1e-5
#define MOMENTUM 0.1
enum { BLOCK = 1024, WIDE = 32 };

typedef struct norm {
    real *mean, *scale; /* of the last training pass: mu, 1 / sqrt(v + eps) */
    int *map;           /* of each row, its row in the input, which has more when others read it too; NULL: the same (always when training) */
} norm;

static void bind(workspace *ws, op_state *n)
{
    norm *s = n->state = NEW(ws->a, norm, 1);
    if (n->rows < workspace_in(ws, n, 0)->rows)
        s->map = workspace_map(ws, n, workspace_in(ws, n, 0));
    s->mean = NEW(ws->a, real, (size_t)n->d.cols), s->scale = NEW(ws->a, real, (size_t)n->d.cols);
}

/* Sums over rows of f and f * g', g' = (g - mean) * scale, in columns [j, j + w). */
CLONES static void sums(double *one, double *two, const real *f, const real *g, const real *mean, const real *scale, int rows, int d, int w)
{
    for (int k = 0; k < w; k++)
        one[k] = two[k] = 0;
    for (int i = 0; i < rows; i += BLOCK) {
        real a[WIDE] = {0}, b[WIDE] = {0};
        int last = i + BLOCK < rows ? i + BLOCK : rows;
        for (int r = i; r < last; r++)
            for (int k = 0; k < w; k++) {
                size_t at = (size_t)r * (size_t)d + (size_t)k;
                a[k] += f[at];
                b[k] += f[at] * (g[at] - mean[k]) * scale[k];
            }
        for (int k = 0; k < w; k++)
            one[k] += (double)a[k], two[k] += (double)b[k];
    }
}

static void statistics(workspace *ws, op_state *n, const real *x)
{
    norm *s = n->state;
    int d = n->d.cols, rows = n->rows;
    real *running = workspace_w(ws, n->d.b + 1), *spread = workspace_w(ws, n->d.b + 2);
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > 200000)
    for (int j = 0; j < d; j += WIDE) {
        int w = d - j < WIDE ? d - j : WIDE;
        double one[WIDE], two[WIDE];
        real none[WIDE] = {0}, unit[WIDE];
        for (int k = 0; k < w; k++)
            unit[k] = 1;
        sums(one, two, x + j, x + j, none, unit, rows, d, w);
        for (int k = 0; k < w; k++)
            none[k] = (real)(one[k] / rows);
        double zero[WIDE], var[WIDE];
        sums(zero, var, x + j, x + j, none, unit, rows, d, w); /* sum of x (x - mu) */
        for (int k = 0; k < w; k++) {
            double v = (var[k] - (double)none[k] * (zero[k] - rows * (double)none[k])) / rows;
            v = v > 0 ? v : 0;
            s->mean[j + k] = none[k];
            s->scale[j + k] = (real)(1 / sqrt(v + EPS));
            running[j + k] = (real)((1 - MOMENTUM) * (double)running[j + k] + MOMENTUM * one[k] / rows);
            spread[j + k] = (real)((1 - MOMENTUM) * (double)spread[j + k] + MOMENTUM * v * rows / (rows > 1 ? rows - 1 : 1));
        }
    }
}

CLONES static void norm_row(real *restrict y, const real *restrict x, const norm *s, const real *restrict gamma, const real *restrict beta, int d, int relu)
{
    for (int k = 0; k < d; k++) {
        real v = gamma[k] * ((x[k] - s->mean[k]) * s->scale[k]) + beta[k];
        y[k] = relu && !(v > 0) ? 0 : v;
    }
}

static void forward(workspace *ws, op_state *n)
{
    norm *s = n->state;
    int d = n->d.cols;
    const real *x = workspace_in(ws, n, 0)->out.v, *gamma = workspace_w(ws, n->d.w), *beta = workspace_w(ws, n->d.b);
    if (ws->training) {
        statistics(ws, n, x);
    } else {
        for (int k = 0; k < d; k++) {
            s->mean[k] = workspace_w(ws, n->d.b + 1)[k];
            s->scale[k] = (real)(1 / sqrt((double)workspace_w(ws, n->d.b + 2)[k] + EPS));
        }
    }
    dropout drop = n->fused ? workspace_dropout(ws, n->fused) : (dropout){.p = 0};
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)d > 200000)
    for (int i = 0; i < n->rows; i++) {
        real *y = mat_row(n->out, i);
        norm_row(y, x + (size_t)(s->map ? s->map[i] : i) * (size_t)d, s, gamma, beta, d, n->fused && n->fused->d.shape == RELU);
        dropout_row(y, y, d, &drop, (uint32_t)n->node[i]);
    }
}

/* dx (+)= gamma scale (dy - a - xhat b), a = dbeta / n, b = dgamma / n. */
CLONES static void norm_back_row(real *restrict dx, const real *restrict dy, const real *restrict x, const norm *s, const real *restrict gamma,
                                 const real *restrict dbeta, const real *restrict dgamma, real over_n, int d, int add)
{
    for (int k = 0; k < d; k++) {
        real xhat = (x[k] - s->mean[k]) * s->scale[k];
        real now = gamma[k] * s->scale[k] * (dy[k] - dbeta[k] * over_n - xhat * dgamma[k] * over_n);
        dx[k] = add ? dx[k] + now : now;
    }
}

static void backward(workspace *ws, op_state *n)
{
    norm *s = n->state;
    op_state *h = workspace_in(ws, n, 0);
    int d = n->d.cols, rows = n->rows;
    const real *x = h->out.v, *dy = n->grad.v, *gamma = workspace_w(ws, n->d.w);
    real *dgamma = workspace_g(ws, n->d.w), *dbeta = workspace_g(ws, n->d.b);
    workspace_beta_param(ws, n->d.w), workspace_beta_param(ws, n->d.b);
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > 200000)
    for (int j = 0; j < d; j += WIDE) {
        int w = d - j < WIDE ? d - j : WIDE;
        double one[WIDE], two[WIDE];
        sums(one, two, dy + j, x + j, s->mean + j, s->scale + j, rows, d, w);
        for (int k = 0; k < w; k++)
            dbeta[j + k] = (real)one[k], dgamma[j + k] = (real)two[k];
    }
    if (!h->grad.v)
        return;
    real beta = workspace_beta(&h->filled);
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > 200000)
    for (int i = 0; i < rows; i++)
        norm_back_row(mat_row(h->grad, i), dy + (size_t)i * (size_t)d, x + (size_t)i * (size_t)d, s, gamma, dbeta, dgamma, (real)1 / (real)rows, d, beta != 0);
}

static const op_kind kind = {.name = "norm", .all_rows_in_training = 1, .reads_input_back = 1, .fuses = FUSES_DROPOUT, .bind = bind, .forward = forward, .backward = backward};

int op_norm(model *m, int in)
{
    int d = m->ops[in].cols, w = model_constant(m, d, 1, m->group), b = model_constant(m, d, 0, m->group);
    model_constant(m, d, 0, STATE), model_constant(m, d, 1, STATE);
    return model_op(m, (op){&kind, {in, -1}, w, b, .cols = d});
}
