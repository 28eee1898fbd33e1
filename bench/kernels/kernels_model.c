/* Ops of networks, each run as a program of two ops: a source of random embeddings, and the op itself.
 *
 *   joint      the head of JC with loss and all gradients, over the training rows: z (L x d) to c*c classes, twice
 *   norm       batch normalisation of all nodes, forward and backward
 *
 * Operations: joint 12 L d c^2 of products and 2 * 30 L c^2 for softmax and gradient; norm 20 an element. */
#include "../../src/net/loss/loss.h"
#include "../../src/net/ops.h"
#include "kernels.h"
#include <math.h>
#include <string.h>

static void nothing(workspace *ws, op_state *n) { (void)ws, (void)n; }

static const op_kind source_kind = {.name = "source", .forward = nothing, .backward = nothing};
static const op_kind sink_kind = {
    .name = "sink", .forward = nothing, .backward = nothing}; /* does not touch the gradient of its input */

/* The parameter is never read; an op with parameters gets a gradient buffer. */
static int source(model *m, const spec *s, int own_head)
{
    (void)own_head;
    return model_op(m, (op){&source_kind, {-1, -1}, model_param(m, 1, 1, 0, 0), -1, .cols = s->hidden});
}

static const backbone source_backbone = {.name = "source", .about = "random embeddings", .encode = source};

typedef struct small {
    model m;
    net net;
    node_data data;
    workspace *p;
} small;

static workspace *run_over(work *w, small *s, const int *rows, int n)
{
    batch *b = NEW(&w->a, batch, 1);
    *b = batch_full(&s->data, rows, n, rows, n);
    workspace *p = workspace_new(&w->a, program_compile(&w->a, &s->m, 1, POLICY_ALL), &s->net, NULL);
    workspace_bind(p, b);
    op_state *z = p->ops;
    memcpy(z->out.v, check_random(&w->a, (size_t)z->rows * (size_t)w->d, 1),
           (size_t)z->rows * (size_t)w->d * sizeof(real));
    return p;
}

static small *small_new(work *w)
{
    small *s = w->state = NEW(&w->a, small, 1);
    s->m = (model){.features = w->in->features, .classes = w->in->classes, .clusters = w->in->clusters};
    s->data = (node_data){.nodes = w->in->nodes, .y = dataset_labels(problem_dataset(w->in->p))};
    return s;
}

static void run(work *w)
{
    small *s = w->state;
    workspace_forward(s->p, 1);
    workspace_backward(s->p);
}

/* --- joint --- */

static int joint_setup(work *w)
{
    int cc = w->in->classes * w->in->classes, n = w->in->nodes;
    spec o = spec_default();
    small *s = small_new(w);
    o.hidden = w->d, o.clusters = w->in->clusters;
    objective_jc.build(&s->m, &o, &source_backbone);
    int *cluster = NEW(&w->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        cluster[i] = (int)((int64_t)i * o.clusters / n);
    s->data.cluster = cluster;
    s->net = net_new(&w->a, &s->m);
    net_init(&s->net, 1, 0);
    s->p = run_over(w, s, w->in->train, w->in->ntrain);
    w->out = s->net.g, w->rows = 1, w->width = (int)s->m.size;
    w->flops = (double)w->in->ntrain * cc * (12.0 * w->d + 60);
    w->bytes = sizeof(real) * (2.0 * w->in->ntrain * w->d + 4.0 * w->d * cc);
    return 1;
}

typedef struct sums {
    double *zbar, *ybar, *dzbar, *dz, *dw, *db;
} sums;

/* Means over the rows of each cluster (all rows, where it has none); x is rows x d, or the class of each row when x is
 * NULL. */
static void means(double *bar, const real *x, const int *y, const int *of, const int *count, int rows, int m, int d)
{
    for (int k = 0; k < m; k++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < d && (of[i] == k || !count[k]); j++)
                bar[k * d + j] +=
                    (x ? (double)x[(size_t)i * (size_t)d + (size_t)j] : y[i] == j) / (count[k] ? count[k] : rows);
}

/* One row in one order (u first, v second): its loss, and its terms of the gradients. */
static double pair_row(const double *u, const double *v, double *du, double *dv, double *dw, double *db, const real *w,
                       const real *b, const double *ybar, double *p, int y, int swapped, int d, int c, int rows)
{
    int cc = c * c;
    double top = -INFINITY, total = 0, sum = 0, loss = 0;
    for (int k = 0; k < cc; k++) {
        p[k] = (double)b[k];
        for (int j = 0; j < d; j++)
            p[k] += u[j] * (double)w[(size_t)j * (size_t)cc + (size_t)k] +
                    v[j] * (double)w[(size_t)(d + j) * (size_t)cc + (size_t)k];
        top = fmax(top, p[k]);
    }
    for (int k = 0; k < cc; k++)
        total += p[k] = exp(p[k] - top);
    for (int k = 0; k < cc; k++) {
        double t = (swapped ? k % c : k / c) == y ? ybar[swapped ? k / c : k % c] : 0;
        p[k] /= total;
        loss -= t * log(p[k] + 1e-8);
        sum += t * p[k] / (p[k] + 1e-8);
    }
    for (int k = 0; k < cc; k++) {
        double t = (swapped ? k % c : k / c) == y ? ybar[swapped ? k / c : k % c] : 0;
        double g = (p[k] * sum - t * p[k] / (p[k] + 1e-8)) / (2.0 * rows);
        db[k] += g;
        for (int j = 0; j < d; j++) {
            size_t one = (size_t)j * (size_t)cc + (size_t)k, two = (size_t)(d + j) * (size_t)cc + (size_t)k;
            dw[one] += u[j] * g, dw[two] += v[j] * g;
            du[j] += g * (double)w[one], dv[j] += g * (double)w[two];
        }
    }
    return loss;
}

static double compare(arena *a, const real *x, const double *ref, size_t n)
{
    real *r = NEW(a, real, n);
    for (size_t i = 0; i < n; i++)
        r[i] = (real)ref[i];
    return check_error(x, r, n);
}

static double joint_obvious(arena *a, const small *s, const workspace *p, int d, int c)
{
    int cc = c * c, m = s->m.clusters, rows = p->b->ntarget;
    const op_state *z = p->ops;
    const op *head = s->m.ops + 1;
    const real *w = s->net.w + s->m.params[head->w].at, *b = s->net.w + s->m.params[head->b].at;
    int *of = NEW(a, int, (size_t)rows), *y = NEW(a, int, (size_t)rows), *count = NEW(a, int, (size_t)m);
    size_t md = (size_t)m * (size_t)d, all = (size_t)rows * (size_t)d;
    sums t = {NEW(a, double, md),  NEW(a, double, (size_t)m *(size_t)c),       NEW(a, double, md),
              NEW(a, double, all), NEW(a, double, 2 * (size_t)d * (size_t)cc), NEW(a, double, (size_t)cc)};
    double loss = 0, *zi = NEW(a, double, (size_t)d), *prob = NEW(a, double, (size_t)cc);
    for (int i = 0; i < rows; i++)
        of[i] = s->data.cluster[p->b->target[i]], y[i] = s->data.y.one[p->b->target[i]], count[of[i]]++;
    means(t.zbar, z->out.v, NULL, of, count, rows, m, d);
    means(t.ybar, NULL, y, of, count, rows, m, c);
    for (int i = 0; i < rows; i++) {
        double *bar = t.zbar + (size_t)of[i] * (size_t)d, *dbar = t.dzbar + (size_t)of[i] * (size_t)d,
               *dz = t.dz + (size_t)i * (size_t)d;
        for (int j = 0; j < d; j++)
            zi[j] = (double)mat_row(z->out, i)[j];
        loss += pair_row(zi, bar, dz, dbar, t.dw, t.db, w, b, t.ybar + of[i] * c, prob, y[i], 0, d, c, rows);
        loss += pair_row(bar, zi, dbar, dz, t.dw, t.db, w, b, t.ybar + of[i] * c, prob, y[i], 1, d, c, rows);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < d; j++)
            t.dz[(size_t)i * (size_t)d + (size_t)j] += t.dzbar[(size_t)of[i] * (size_t)d + (size_t)j] / count[of[i]];
    double e = fabs(loss / (2.0 * rows) / p->loss - 1);
    e = fmax(e, compare(a, z->grad.v, t.dz, all));
    e = fmax(e, compare(a, s->net.g + s->m.params[head->w].at, t.dw, 2 * (size_t)d * (size_t)cc));
    return fmax(e, compare(a, s->net.g + s->m.params[head->b].at, t.db, (size_t)cc));
}

/* If there are many rows, a sample is checked: a workspace over these rows, with the same parameters. */
static double joint_error(work *w)
{
    small *s = w->state;
    int c = w->in->classes, n;
    int *rows = check_sample(&w->a, w->in->ntrain, (int)(1.5e7 / ((double)c * c * w->d)) + 2, &n);
    workspace *p = s->p;
    for (int i = 0; i < n; i++)
        rows[i] = w->in->train[rows[i]];
    if (n < w->in->ntrain) {
        p = run_over(w, s, rows, n);
        workspace_forward(p, 1);
        workspace_backward(p);
    }
    arena a = {0};
    double e = joint_obvious(&a, s, p, w->d, c);
    arena_free(&a);
    return e;
}

/* --- batch normalisation --- */

static int norm_setup(work *w)
{
    size_t n = (size_t)w->in->nodes * (size_t)w->d;
    spec o = spec_default();
    small *s = small_new(w);
    o.hidden = w->d;
    int norm = op_norm(&s->m, source(&s->m, &o, 0));
    model_op(&s->m, (op){&sink_kind, {norm, -1}, -1, -1, .cols = 0});
    s->net = net_new(&w->a, &s->m);
    net_init(&s->net, 1, 0);
    s->p = run_over(w, s, w->in->train, w->in->ntrain);
    workspace_forward(s->p, 0); /* allocates the gradients */
    memcpy(s->p->ops[1].grad.v, check_random(&w->a, n, 2), n * sizeof(real));
    w->out = s->p->ops[0].grad.v, w->rows = w->in->nodes, w->width = w->d;
    w->flops = 20.0 * (double)n;
    w->bytes =
        5.0 * sizeof(real) * (double)n; /* x in, y out; dy and x in, dx out: the statistics could be made along */
    return 1;
}

static double norm_error(work *w)
{
    small *s = w->state;
    int rows = w->in->nodes, count, *col = check_sample(&w->a, w->d, 8, &count);
    const real *x = s->p->ops[0].out.v, *dy = s->p->ops[1].grad.v, *y = s->p->ops[1].out.v;
    real *got = NEW(&w->a, real, 2 * (size_t)rows), *ref = NEW(&w->a, real, 2 * (size_t)rows);
    double e = 0;
    for (int k = 0; k < count; k++) { /* gamma 1, beta 0 */
        double mean = 0, var = 0, db = 0, dg = 0;
#define AT(x, i) (x)[(size_t)(i) * (size_t)w->d + (size_t)col[k]]
        for (int i = 0; i < rows; i++)
            mean += (double)AT(x, i) / rows;
        for (int i = 0; i < rows; i++)
            var += pow((double)AT(x, i) - mean, 2) / rows;
        double scale = 1 / sqrt(var + 1e-5);
        for (int i = 0; i < rows; i++)
            db += (double)AT(dy, i), dg += (double)AT(dy, i) * ((double)AT(x, i) - mean) * scale;
        for (int i = 0; i < rows; i++) {
            double xhat = ((double)AT(x, i) - mean) * scale;
            ref[i] = (real)xhat, got[i] = AT(y, i);
            ref[rows + i] = (real)(scale * ((double)AT(dy, i) - db / rows - xhat * dg / rows)),
                       got[rows + i] = AT(w->out, i);
        }
#undef AT
        e = fmax(e, fmax(check_error(got, ref, (size_t)rows), check_error(got + rows, ref + rows, (size_t)rows)));
    }
    return e;
}

const kernel kernels_model[] = {
    {"joint", "joint", ALL_WIDTHS, joint_setup, run, NULL, joint_error},
    {"norm", "norm", ALL_WIDTHS, norm_setup, run, NULL, norm_error},
    {0},
};
