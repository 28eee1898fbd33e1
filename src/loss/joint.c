/* JC: joint-cluster cross-entropy (the paper's objective).
 *
 * Node i of cluster m is classified together with its cluster over c x c joint classes:
 *   a = [z_i ; zbar_m] W + b,  target T[k][l] = [k = y_i] ybar_m[l];     o = [zbar_m ; z_i] W + b,  target T^T
 *   loss = -(1/2L) sum_i  T . log(softmax(a / tau) + eps) + T^T . log(softmax(o / tau) + eps),   eps = 1e-8
 *   prediction: softmax(a), summed over the cluster's class l.
 * zbar_m and ybar_m are means over the rows task.mean of the cluster (the training rows while training; training and validation rows, their
 * embeddings only, when predicting). A cluster without such a row takes the mean over all of them.
 *
 * With W = [W1; W2] the products split, a = z W1 + (zbar W2) + b and o = z W2 + (zbar W1) + b, and the cluster halves are M
 * rows. Backward, with A = dL/da, O = dL/do and their sums over the nodes of a cluster, SA and SO (M rows):
 *   dW1 = z^T A + zbar^T SO    dW2 = z^T O + zbar^T SA    db = sum of A and O
 *   dz_i = A_i W1^T + O_i W2^T + dzbar_m / L_m,    dzbar = SA W2^T + SO W1^T
 * For p = softmax(a / tau) and u = T p / (p + eps):  A = (p sum(u) - u) / (2 L tau).
 *
 * Rows pass in tiles, so that the c*c logits of all rows never exist at once; the tiles are dealt to a fixed number of groups, each with
 * its own sums, added up in order: the bits do not depend on the number of threads. */
#include "../graph/blas.h"
#include "loss.h"
#include <math.h>
#include <string.h>

enum { TILE = 128, GROUPS = 16 };
#define EPS 1e-8

typedef struct group {
    real *z, *dz;   /* TILE x d */
    real *a, *o;    /* TILE x cc: logits, then probabilities, then gradients */
    real *dw;       /* 2d x cc */
    real *sa, *so;  /* M x cc */
    double loss;
} group;

typedef struct joint {
    int d, cc, groups, tiles;
    int *row, *cluster, *y;      /* of each target: row of z, cluster, class */
    int *mean_row, *mean_cluster;
    int *count;                  /* mean rows of each cluster */
    real *ybar;                  /* M x c */
    real *zbar, *dzbar;          /* M x d */
    real *q1, *q2;               /* zbar W1 and zbar W2, M x cc */
    group *g;
} joint;

static void need(plan *p, node *n, unsigned char *const *rows)
{
    unsigned char *z = rows[n->d.in[0]];
    for (int i = 0; i < p->task.ntarget; i++)
        z[p->task.target[i]] = 1;
    for (int i = 0; i < p->task.nmean; i++)
        z[p->task.mean[i]] = 1;
}

static void prepare_labels(plan *p, joint *j)
{
    int c = p->m->classes, clusters = p->m->clusters;
    real *all = NEW(p->a, real, (size_t)c);
    for (int i = 0; i < p->task.nmean; i++) {
        int y = p->data->y[p->task.mean[i]];
        if (y >= 0) {
            j->ybar[j->mean_cluster[i] * c + y] += 1;
            all[y] += 1;
        }
    }
    for (int m = 0; m < clusters; m++)
        for (int k = 0; k < c; k++)
            j->ybar[m * c + k] = j->count[m] ? j->ybar[m * c + k] / (real)j->count[m] : all[k] / (real)p->task.nmean;
}

static void prepare(plan *p, node *n)
{
    node *z = plan_in(p, n, 0);
    joint *j = n->state = NEW(p->a, joint, 1);
    int c = p->m->classes, clusters = p->m->clusters, nt = p->task.ntarget;
    *j = (joint){.d = z->d.cols, .cc = c * c, .tiles = (nt + TILE - 1) / TILE};
    j->groups = j->tiles < GROUPS ? j->tiles : GROUPS;
    size_t d = (size_t)j->d, cc = (size_t)j->cc, m = (size_t)clusters;
    j->row = NEW(p->a, int, (size_t)nt), j->cluster = NEW(p->a, int, (size_t)nt), j->y = NEW(p->a, int, (size_t)nt);
    for (int i = 0; i < nt; i++) {
        int id = p->task.target[i];
        j->row[i] = plan_row(z, id), j->cluster[i] = p->data->cluster[id], j->y[i] = p->data->y[id];
    }
    j->mean_row = NEW(p->a, int, (size_t)p->task.nmean), j->mean_cluster = NEW(p->a, int, (size_t)p->task.nmean);
    j->count = NEW(p->a, int, m);
    for (int i = 0; i < p->task.nmean; i++) {
        j->mean_row[i] = plan_row(z, p->task.mean[i]), j->mean_cluster[i] = p->data->cluster[p->task.mean[i]];
        j->count[j->mean_cluster[i]]++;
    }
    j->ybar = NEW(p->a, real, m * (size_t)c);
    if (p->task.training)
        prepare_labels(p, j);
    j->zbar = NEW(p->a, real, m * d), j->dzbar = NEW(p->a, real, m * d);
    j->q1 = NEW(p->a, real, m * cc), j->q2 = NEW(p->a, real, m * cc);
    j->g = NEW(p->a, group, (size_t)j->groups);
    for (group *g = j->g; g < j->g + j->groups; g++) {
        g->z = NEW(p->a, real, TILE * d), g->a = NEW(p->a, real, TILE * cc);
        if (!p->task.training)
            continue;
        g->dz = NEW(p->a, real, TILE * d), g->o = NEW(p->a, real, TILE * cc);
        g->dw = NEW(p->a, real, 2 * d * cc), g->sa = NEW(p->a, real, m * cc), g->so = NEW(p->a, real, m * cc);
    }
}

/* zbar: the mean embedding of each cluster; of all mean rows for a cluster without one. */
static void cluster_means(const plan *p, const joint *j, const node *z)
{
    int d = j->d, clusters = p->m->clusters, empty = 0;
    memset(j->zbar, 0, (size_t)clusters * (size_t)d * sizeof *j->zbar);
    for (int i = 0; i < p->task.nmean; i++) {
        real *sum = j->zbar + (size_t)j->mean_cluster[i] * (size_t)d;
        const real *row = mat_row(z->out, j->mean_row[i]);
        for (int k = 0; k < d; k++)
            sum[k] += row[k];
    }
    for (int m = 0; m < clusters; m++)
        empty += !j->count[m];
    real *all = j->dzbar; /* scratch here */
    if (empty) {
        memset(all, 0, (size_t)d * sizeof *all);
        for (int m = 0; m < clusters; m++)
            for (int k = 0; k < d; k++)
                all[k] += j->zbar[(size_t)m * (size_t)d + (size_t)k];
    }
    for (int m = 0; m < clusters; m++) {
        real *mean = j->zbar + (size_t)m * (size_t)d, by = (real)(j->count[m] ? j->count[m] : p->task.nmean);
        for (int k = 0; k < d; k++)
            mean[k] = (j->count[m] ? mean[k] : all[k]) / by;
    }
}

/* logits (rows x cc) = z w + q[cluster] + b */
static void logits(real *out, const real *z, const real *w, const real *q, const real *b, const int *cluster, int rows, const joint *j)
{
    gemm_nn(out, z, w, rows, j->cc, j->d, 0);
    for (int i = 0; i < rows; i++) {
        real *row = out + (size_t)i * (size_t)j->cc;
        const real *shift = q + (size_t)cluster[i] * (size_t)j->cc;
        for (int k = 0; k < j->cc; k++)
            row[k] += shift[k] + b[k];
    }
}

/* One row: p = softmax of the logits becomes the gradient scale * (p sum(u) - u); entry l of the target stands at p[first + l step].
 * Returns -target . log(p + eps). */
static double row_gradient(real *p, const real *ybar, int c, int cc, int first, int step, real scale)
{
    double loss = 0, sum = 0;
    for (int l = 0; l < c; l++) {
        double q = (double)p[first + l * step], t = (double)ybar[l];
        if (t > 0) {
            loss -= t * log(q + EPS);
            sum += t * (q / (q + EPS));
        }
    }
    for (int l = 0; l < c && sum > 0; l++) {
        double q = (double)p[first + l * step], t = (double)ybar[l];
        p[first + l * step] -= (real)(t * (q / (q + EPS)) / sum);
    }
    real by = (real)sum * scale;
    for (int k = 0; k < cc; k++)
        p[k] *= by;
    return loss;
}

static void train_tile(plan *p, const node *n, joint *j, group *g, int first, int rows)
{
    node *z = plan_in(p, (node *)n, 0);
    int c = p->m->classes, cc = j->cc, d = j->d, nt = p->task.ntarget;
    const real *w1 = plan_w(p, n->d.w), *w2 = w1 + (size_t)d * (size_t)cc, *b = plan_w(p, n->d.b);
    real *dw2 = g->dw + (size_t)d * (size_t)cc, scale = (real)(1 / (2.0 * nt * n->d.tau));
    const int *cluster = j->cluster + first;
    for (int i = 0; i < rows; i++)
        memcpy(g->z + (size_t)i * (size_t)d, mat_row(z->out, j->row[first + i]), (size_t)d * sizeof(real));
    logits(g->a, g->z, w1, j->q2, b, cluster, rows, j);
    logits(g->o, g->z, w2, j->q1, b, cluster, rows, j);
    softmax(g->a, g->a, rows, cc, (real)(1 / n->d.tau));
    softmax(g->o, g->o, rows, cc, (real)(1 / n->d.tau));
    for (int i = 0; i < rows; i++) {
        size_t at = (size_t)i * (size_t)cc, m = (size_t)cluster[i];
        const real *ybar = j->ybar + m * (size_t)c;
        int y = j->y[first + i];
        g->loss += row_gradient(g->a + at, ybar, c, cc, y * c, 1, scale);
        g->loss += row_gradient(g->o + at, ybar, c, cc, y, c, scale);
        for (int k = 0; k < cc; k++) {
            g->sa[m * (size_t)cc + (size_t)k] += g->a[at + (size_t)k];
            g->so[m * (size_t)cc + (size_t)k] += g->o[at + (size_t)k];
        }
    }
    gemm_tn(g->dw, g->z, g->a, d, cc, rows, 1);
    gemm_tn(dw2, g->z, g->o, d, cc, rows, 1);
    gemm_nt(g->dz, g->a, w1, rows, d, cc, 0);
    gemm_nt(g->dz, g->o, w2, rows, d, cc, 1);
    for (int i = 0; i < rows; i++)
        memcpy(mat_row(z->grad, j->row[first + i]), g->dz + (size_t)i * (size_t)d, (size_t)d * sizeof(real));
}

static void predict_tile(plan *p, const node *n, joint *j, group *g, int first, int rows)
{
    node *z = plan_in(p, (node *)n, 0);
    int c = p->m->classes, cc = j->cc, d = j->d;
    for (int i = 0; i < rows; i++)
        memcpy(g->z + (size_t)i * (size_t)d, mat_row(z->out, j->row[first + i]), (size_t)d * sizeof(real));
    logits(g->a, g->z, plan_w(p, n->d.w), j->q2, plan_w(p, n->d.b), j->cluster + first, rows, j);
    softmax(g->a, g->a, rows, cc, 1);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < c; k++) {
            const real *from = g->a + (size_t)i * (size_t)cc + (size_t)k * (size_t)c;
            real sum = 0;
            for (int l = 0; l < c; l++)
                sum += from[l];
            mat_row(p->prob, first + i)[k] = sum;
        }
}

static void run_group(plan *p, const node *n, joint *j, int k)
{
    group *g = j->g + k;
    int from = (int)((int64_t)j->tiles * k / j->groups), to = (int)((int64_t)j->tiles * (k + 1) / j->groups);
    size_t cc = (size_t)j->cc, m = (size_t)p->m->clusters;
    if (p->task.training) {
        g->loss = 0;
        memset(g->dw, 0, 2 * (size_t)j->d * cc * sizeof(real));
        memset(g->sa, 0, m * cc * sizeof(real));
        memset(g->so, 0, m * cc * sizeof(real));
    }
    for (int t = from; t < to; t++) {
        int first = t * TILE, rows = p->task.ntarget - first < TILE ? p->task.ntarget - first : TILE;
        (p->task.training ? train_tile : predict_tile)(p, n, j, g, first, rows);
    }
}

static void add_up(real *sum, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += x[i];
}

/* The groups' sums, in order, and the cluster halves of the gradient. */
static void collect(plan *p, const node *n, joint *j)
{
    node *z = plan_in(p, (node *)n, 0);
    int d = j->d, cc = j->cc, clusters = p->m->clusters;
    size_t half = (size_t)d * (size_t)cc, all = (size_t)clusters * (size_t)cc;
    real *w1 = plan_w(p, n->d.w), *w2 = w1 + half, *dw = plan_g(p, n->d.w), *db = plan_g(p, n->d.b);
    group *g = j->g;
    for (int k = 1; k < j->groups; k++) {
        add_up(g->dw, j->g[k].dw, 2 * half);
        add_up(g->sa, j->g[k].sa, all);
        add_up(g->so, j->g[k].so, all);
        g->loss += j->g[k].loss;
    }
    p->loss = g->loss / (2.0 * p->task.ntarget);
    memcpy(dw, g->dw, 2 * half * sizeof(real));
    gemm_tn(dw, j->zbar, g->so, d, cc, clusters, 1);
    gemm_tn(dw + half, j->zbar, g->sa, d, cc, clusters, 1);
    gemm_nt(j->dzbar, g->sa, w2, clusters, d, cc, 0);
    gemm_nt(j->dzbar, g->so, w1, clusters, d, cc, 1);
    add_up(g->so, g->sa, all);
    column_sum(db, g->so, clusters, cc);
    for (int i = 0; i < p->task.nmean; i++) { /* a training node's own cluster is never empty */
        real by = (real)1 / (real)j->count[j->mean_cluster[i]];
        real *to = mat_row(z->grad, j->mean_row[i]);
        const real *from = j->dzbar + (size_t)j->mean_cluster[i] * (size_t)d;
        for (int k = 0; k < d; k++)
            to[k] += by * from[k];
    }
}

static void forward(plan *p, node *n)
{
    joint *j = n->state;
    const real *w1 = plan_w(p, n->d.w), *w2 = w1 + (size_t)j->d * (size_t)j->cc;
    cluster_means(p, j, plan_in(p, n, 0));
    gemm_nn(j->q1, j->zbar, w1, p->m->clusters, j->cc, j->d, 0);
    gemm_nn(j->q2, j->zbar, w2, p->m->clusters, j->cc, j->d, 0);
#pragma omp parallel for schedule(dynamic) if ((double)p->task.ntarget * j->d * j->cc > 1e6)
    for (int k = 0; k < j->groups; k++)
        run_group(p, n, j, k);
    if (p->task.training)
        collect(p, n, j);
    else
        p->loss = loss_nll(p->prob, j->y);
}

/* The gradients were made along with the loss, in the same pass over the tiles. */
static void backward(plan *p, node *n)
{
    plan_in(p, n, 0)->filled = 1;
    plan_beta_param(p, n->d.w);
    plan_beta_param(p, n->d.b);
}

static const op_kind kind = {.name = "joint", .need = need, .prepare = prepare, .forward = forward, .backward = backward};

static void build(model *m, const spec *s, const backbone *b)
{
    int z = b->encode(m, s), d = m->ops[z].cols, cc = m->classes * m->classes;
    double bound = 1 / sqrt(2.0 * d);
    int w = model_param(m, 2 * d, cc, bound, 0), bias = model_param(m, 1, cc, bound, 0);
    model_op(m, (op){&kind, {z, -1}, w, bias, .tau = s->tau});
}

const objective objective_jc = {"jc", "joint-cluster cross-entropy over c x c classes", 1, build};
