/* Batch normalisation over all nodes of the graph.
 *
 *   training   mu, v = mean and variance of each column;  xhat = (x - mu) / sqrt(v + eps);  y = gamma xhat + beta
 *              running <- 0.9 running + 0.1 (mu, v n / (n - 1))
 *   otherwise  the same with the running statistics
 *   backward   dbeta = sum dy;  dgamma = sum dy xhat;  dx = gamma / sqrt(v + eps) (dy - dbeta / n - xhat dgamma / n)
 *
 * gamma is parameter w, beta is b; the running mean and variance are the two after them, not trained.
 *
 * Sums over rows: those of each block of BLOCK rows in `real`, in the order of the rows, then over the blocks in
 * double, in their order. The backward pass is two passes over memory: one takes the gradient back through the ReLU
 * above (program_op.fused) and sums it up, one makes dx and sums it for the bias below (program_op.bias_below). */
#include "../kernel/simd.h"
#include "ops.h"
#include <math.h>
#include <string.h>

#define EPS 1e-5
#define MOMENTUM 0.1
enum { BLOCK = 1024, PIECE = 128 /* rows that are still in the cache when their columns are summed */ };

typedef struct norm {
    real *mean, *scale; /* of the last training pass: mu, 1 / sqrt(v + eps) */
    real *unit;         /* ones */
    real *partial;      /* sums of each block: 2 d numbers */
    double *sum;        /* those over all blocks; column sums for the bias below */
    int *map; /* of each row, its row in the input, which has more when others read it too; NULL: the same (always when
                 training) */
} norm;

static int blocks_of(int rows) { return (rows + BLOCK - 1) / BLOCK; }

static void bind(workspace *ws, op_state *n)
{
    norm *s = n->state = NEW(ws->a, norm, 1);
    size_t d = (size_t)n->d.cols;
    if (n->rows < workspace_in(ws, n, 0)->rows)
        s->map = workspace_map(ws, n, workspace_in(ws, n, 0));
    s->mean = NEW(ws->a, real, d), s->scale = NEW(ws->a, real, d);
    if (!ws->training)
        return;
    s->unit = NEW(ws->a, real, d), s->sum = NEW(ws->a, double, 2 * d),
    s->partial = NEW(ws->a, real, 2 * d * (size_t)blocks_of(n->rows));
    for (size_t k = 0; k < d; k++)
        s->unit[k] = 1;
}

CLONES static void add_plain(real *restrict one, const real *restrict f, int d)
{
    for (int k = 0; k < d; k++)
        one[k] += f[k];
}

/* one += f, two += f g', g' = (g - mean) scale; one NULL: two alone */
CLONES static void add_scaled(real *restrict one, real *restrict two, const real *f, const real *g,
                              const real *restrict mean, const real *restrict scale, int d)
{
    for (int k = 0; k < d && one; k++)
        one[k] += f[k];
    for (int k = 0; k < d; k++)
        two[k] = fused(f[k] * (g[k] - mean[k]), scale[k], two[k]);
}

/* sum[from .. to) over the blocks. */
static void add_blocks(norm *s, int rows, int d, int from, int to)
{
    memset(s->sum + from, 0, (size_t)(to - from) * sizeof *s->sum);
    for (int k = from; k < to; k++)
        for (int b = 0; b < blocks_of(rows); b++)
            s->sum[k] += (double)s->partial[(size_t)b * 2 * (size_t)d + (size_t)k];
}

static void moments(norm *s, const real *x, int rows, int d, int second)
{
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > SERIAL_WORK)
    for (int b = 0; b < blocks_of(rows); b++) {
        real *one = s->partial + (size_t)b * 2 * (size_t)d, *two = one + d;
        memset(second ? two : one, 0, (size_t)d * sizeof(real));
        for (int r = b * BLOCK; r < rows && r < (b + 1) * BLOCK; r++) {
            const real *row = x + (size_t)r * (size_t)d;
            if (second)
                add_scaled(NULL, two, row, row, s->mean, s->unit, d); /* x (x - mu) */
            else
                add_plain(one, row, d);
        }
    }
    add_blocks(s, rows, d, second ? d : 0, second ? 2 * d : d);
}

static void statistics(workspace *ws, op_state *n, const real *x)
{
    norm *s = n->state;
    int d = n->d.cols, rows = n->rows;
    real *running = workspace_w(ws, n->d.b + 1), *spread = workspace_w(ws, n->d.b + 2);
    moments(s, x, rows, d, 0);
    for (int k = 0; k < d; k++)
        s->mean[k] = (real)(s->sum[k] / rows);
    moments(s, x, rows, d, 1);
    for (int k = 0; k < d; k++) {
        double one = s->sum[k], mean = (double)s->mean[k], v = (s->sum[d + k] - mean * (one - rows * mean)) / rows;
        v = v > 0 ? v : 0;
        s->scale[k] = (real)(1 / sqrt(v + EPS));
        running[k] = (real)((1 - MOMENTUM) * (double)running[k] + MOMENTUM * one / rows);
        spread[k] = (real)((1 - MOMENTUM) * (double)spread[k] + MOMENTUM * v * rows / (rows > 1 ? rows - 1 : 1));
    }
}

CLONES static void norm_row(real *restrict y, const real *restrict x, const norm *s, const real *restrict gamma,
                            const real *restrict beta, int d, int relu)
{
    for (int k = 0; k < d; k++) {
        real v = fused(gamma[k], (x[k] - s->mean[k]) * s->scale[k], beta[k]);
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
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)d > SERIAL_WORK)
    for (int i = 0; i < n->rows; i++) {
        real *y = mat_row(n->out, i);
        norm_row(y, x + (size_t)(s->map ? s->map[i] : i) * (size_t)d, s, gamma, beta, d,
                 n->fused && n->fused->d.shape == RELU);
        dropout_row(y, y, d, &drop, (uint32_t)n->node[i]);
    }
}

/* dx (+)= gamma scale (dy - a - xhat b), a = dbeta / n, b = dgamma / n. */
CLONES static void norm_back_row(real *restrict dx, const real *restrict dy, const real *restrict x, const norm *s,
                                 const real *restrict gamma, const real *restrict dbeta, const real *restrict dgamma,
                                 real over_n, int d, int add)
{
    for (int k = 0; k < d; k++) {
        real xhat = (x[k] - s->mean[k]) * s->scale[k];
        real by = gamma[k] * s->scale[k];
        real rest = fused(-(xhat * dgamma[k]), over_n, fused(-dbeta[k], over_n, dy[k]));
        dx[k] = add ? fused(by, rest, dx[k]) : by * rest;
    }
}

/* The sums of dy and dy xhat; before that, dy is what goes into the ReLU above. */
static void sum_gradients(workspace *ws, op_state *n, const real *x)
{
    norm *s = n->state;
    int d = n->d.cols, rows = n->rows;
    int relu = workspace_fuses_back(ws, n);
    dropout drop = relu ? workspace_dropout(ws, n->fused) : (dropout){.p = 0};
    real scale = dropout_scale(&drop);
#pragma omp parallel for schedule(static) if ((size_t)rows * (size_t)d > SERIAL_WORK)
    for (int b = 0; b < blocks_of(rows); b++) {
        real *one = s->partial + (size_t)b * 2 * (size_t)d;
        memset(one, 0, 2 * (size_t)d * sizeof(real));
        for (int r = b * BLOCK; r < rows && r < (b + 1) * BLOCK; r++) {
            real *dy = mat_row(n->grad, r);
            if (relu)
                activate_back_row(dy, mat_row(n->out, r), d, RELU, scale);
            add_scaled(one, one + d, dy, x + (size_t)r * (size_t)d, s->mean, s->scale, d);
        }
    }
    add_blocks(s, rows, d, 0, 2 * d);
}

CLONES static void add_double(double *restrict sum, const real *restrict x, int d)
{
    for (int k = 0; k < d; k++)
        sum[k] += (double)x[k];
}

static void backward(workspace *ws, op_state *n)
{
    norm *s = n->state;
    op_state *h = workspace_in(ws, n, 0);
    int d = n->d.cols, rows = n->rows;
    const real *x = h->out.v, *dy = n->grad.v, *gamma = workspace_w(ws, n->d.w);
    real *dgamma = workspace_g(ws, n->d.w), *dbeta = workspace_g(ws, n->d.b);
    workspace_beta_param(ws, n->d.w), workspace_beta_param(ws, n->d.b);
    sum_gradients(ws, n, x);
    for (int k = 0; k < d; k++)
        dbeta[k] = (real)s->sum[k], dgamma[k] = (real)s->sum[d + k];
    if (!h->grad.v)
        return;
    int add = workspace_beta(&h->filled) != 0, below = ws->p->ops[n - ws->ops].bias_below;
    memset(s->sum, 0, (size_t)d * sizeof *s->sum);
#pragma omp parallel for ordered schedule(static, 1) if ((size_t)rows * (size_t)d > SERIAL_WORK)
    for (int first = 0; first < rows; first += PIECE) {
        int last = first + PIECE < rows ? first + PIECE : rows;
        for (int i = first; i < last; i++)
            norm_back_row(mat_row(h->grad, i), dy + (size_t)i * (size_t)d, x + (size_t)i * (size_t)d, s, gamma, dbeta,
                          dgamma, (real)1 / (real)rows, d, add);
#pragma omp ordered
        for (int i = first; i < last && below; i++) /* one chain a column, as column_sum has it */
            add_double(s->sum, mat_row(h->grad, i), d);
    }
    for (int k = 0; k < d && below; k++)
        workspace_g(ws, h->d.b)[k] = (real)s->sum[k];
}

static const op_kind kind = {.name = "norm",
                             .all_rows_in_training = 1,
                             .reads_input_back = 1,
                             .fuses = FUSES_DROPOUT,
                             .sums_bias_below = 1,
                             .bind = bind,
                             .forward = forward,
                             .backward = backward};

int op_norm(model *m, int in)
{
    int d = m->ops[in].cols, w = model_constant(m, d, 1, m->group), b = model_constant(m, d, 0, m->group);
    model_constant(m, d, 0, STATE), model_constant(m, d, 1, STATE);
    return model_op(m, (op){&kind, {in, -1}, w, b, .cols = d});
}
