/* JC: joint-cluster cross-entropy (the paper's objective).
 *
 * Node i of cluster m is classified together with its cluster over c x c joint classes:
 *   a = [z_i ; zbar_m] W + b,  target T[k][l] = [k = y_i] ybar_m[l];     o = [zbar_m ; z_i] W + b,  target T^T
 *   loss = -(1/2L) sum_i  T . log(softmax(a / tau) + eps) + T^T . log(softmax(o / tau) + eps),   eps = 1e-8
 *   prediction: softmax(a), summed over the cluster's class l; softmax(a / tau) where workspace.at_tau asks for it
 *   its loss: -mean log of the predicted probability of y_i, or, with select=objective, -mean T . log(softmax(a) + eps)
 *     with ybar over training and validation rows
 * Multi-label: for every label such a problem of 2 x 2 classes on the same z (output 4 k + 2 a + b of label k), and the
 * mean is over labels too; ybar_m is the share of the nodes of m that have the label. zbar_m and ybar_m are means over
 * the rows batch.mean of the cluster (the training rows while training; training and validation rows, their embeddings
 * only, when predicting). A cluster without such a row takes the mean over all of them.
 *
 * With W = [W1; W2] the products split, a = z W1 + (zbar W2) + b and o = z W2 + (zbar W1) + b, and the cluster halves
 * are M rows. Backward, with A = dL/da, O = dL/do and their sums over the nodes of a cluster, SA and SO (M rows):
 *   dW1 = z^T A + zbar^T SO    dW2 = z^T O + zbar^T SA    db = sum of A and O
 *   dz_i = A_i W1^T + O_i W2^T + dzbar_m / L_m,    dzbar = SA W2^T + SO W1^T
 * For p = softmax(a / tau) and u = T p / (p + eps):  A = (p sum(u) - u) / (2 L tau).
 *
 * Rows pass in tiles, so that the c*c logits of all rows never exist at once; the tiles are assigned to a fixed number
 * of groups, each with its own sums, added up in order: the bits do not depend on the number of threads. */
#include "../../kernel/gemm.h"
#include "../clusters.h"
#include "joint.h"
#include <math.h>
#include <string.h>

enum { GROUPS = 16, LOGS = 16 }; /* rows of a cluster whose logarithms are taken together */

typedef struct group {
    real *z, *dz;    /* tile x d */
    real *a, *o;     /* tile x cc: logits, then probabilities, then gradients */
    real *dw;        /* 2d x cc */
    real *sa, *so;   /* M x cc */
    double *product; /* M x c, of one label a node: of the target's probabilities, see joint_row */
    int *pending;    /* M: rows in it */
} group;

typedef struct joint {
    joint_shape shape;
    double over;                    /* losses that the mean is taken of: targets, times labels of multi-label data */
    int d, cc, groups, tiles, tile; /* rows of a tile: more where the logits are few */
    targets t;
    clusters c;
    real *q1, *q2; /* zbar W1 + b and zbar W2 + b, M x cc */
    group *g;      /* the groups; the first one collects the sums of all */
    double loss[GROUPS];
} joint;

static void need(workspace *ws, op_state *n, unsigned char *const *rows)
{
    unsigned char *z = rows[n->d.in[0]];
    for (int i = 0; i < ws->b->ntarget; i++)
        z[ws->b->target[i]] = 1;
    clusters_need(ws, z);
}

static joint layout(workspace *ws, const op_state *n)
{
    int nt = ws->b->ntarget;
    joint j = {.shape = joint_shape_of(ws->m, &n->d), .d = workspace_in(ws, n, 0)->d.cols};
    j.cc = j.shape.size, j.tile = j.cc <= 128 ? 512 : 128;
    j.over = (double)nt * (ws->m->multi ? j.shape.groups : 1);
    j.tiles = (nt + j.tile - 1) / j.tile;
    j.groups = j.tiles < GROUPS ? j.tiles : GROUPS;
    return j;
}

/* The first tile of group k. */
static int tile_of(const joint *j, int k) { return (int)((int64_t)j->tiles * k / j->groups); }

static void bind(workspace *ws, op_state *n)
{
    joint *j = n->state = NEW(ws->a, joint, 1);
    *j = layout(ws, n);
    int nt = ws->b->ntarget;
    size_t d = (size_t)j->d, cc = (size_t)j->cc, m = (size_t)ws->m->clusters,
           tile = (size_t)(nt < j->tile ? nt : j->tile);
    j->t = loss_targets(ws, n);
    j->c = clusters_new(ws, workspace_in(ws, n, 0));
    j->q1 = NEW(ws->a, real, m * cc), j->q2 = NEW(ws->a, real, m * cc);
    j->g = NEW(ws->a, group, (size_t)j->groups);
    for (group *g = j->g; g < j->g + j->groups; g++) {
        g->z = NEW(ws->a, real, tile * d), g->a = NEW(ws->a, real, tile * cc);
        if (!ws->training)
            continue;
        g->dz = NEW(ws->a, real, tile * d), g->o = NEW(ws->a, real, tile * cc);
        if (j->shape.form == JOINT_FULL) {
            g->product = NEW(ws->a, double, m *(size_t)j->shape.side), g->pending = NEW(ws->a, int, m);
            for (size_t k = 0; k < m * (size_t)j->shape.side; k++)
                g->product[k] = 1;
        }
        g->dw = NEW(ws->a, real, 2 * d * cc), g->sa = NEW(ws->a, real, m * cc), g->so = NEW(ws->a, real, m * cc);
    }
}

/* logits (rows x cc) = q[cluster] + z w */
static void logits(real *out, const real *z, const real *w, const real *q, const int *cluster, int rows, const joint *j)
{
    size_t cc = (size_t)j->cc;
    for (int i = 0; i < rows; i++)
        memcpy(out + (size_t)i * cc, q + (size_t)cluster[i] * cc, cc * sizeof(real));
    gemm_nn(out, z, w, rows, j->cc, j->d, 1);
}

/* Adds the logarithms of a cluster's rows, when there are `rows` of them or more. */
static double take_logs(group *g, const joint *j, int cluster, int rows)
{
    if (!g->product || g->pending[cluster] < rows)
        return 0;
    g->pending[cluster] = 0;
    return joint_logs(g->product + (size_t)cluster * (size_t)j->shape.side, mat_row(j->c.ybar, cluster), j->shape.side);
}

static void train_tile(workspace *ws, const op_state *n, joint *j, int k, int first, int rows)
{
    op_state *z = workspace_in(ws, (op_state *)n, 0);
    group *g = j->g + k;
    double *loss = j->loss + k;
    int cc = j->cc, d = j->d;
    const real *w1 = workspace_w(ws, n->d.w), *w2 = w1 + (size_t)d * (size_t)cc;
    real *dw2 = g->dw + (size_t)d * (size_t)cc, scale = (real)(1 / (2.0 * j->over * n->d.tau));
    const int *cluster = j->t.cluster + first;
    for (int i = 0; i < rows; i++)
        memcpy(g->z + (size_t)i * (size_t)d, mat_row(z->out, j->t.row[0][first + i]), (size_t)d * sizeof(real));
    logits(g->a, g->z, w1, j->q2, cluster, rows, j);
    logits(g->o, g->z, w2, j->q1, cluster, rows, j);
    joint_softmax(g->a, rows, &j->shape, n->d.tau);
    joint_softmax(g->o, rows, &j->shape, n->d.tau);
    for (int i = 0; i < rows; i++) {
        size_t at = (size_t)i * (size_t)cc, m = (size_t)cluster[i];
        const real *ybar = mat_row(j->c.ybar, cluster[i]);
        double *product = g->product ? g->product + m * (size_t)j->shape.side : NULL;
        *loss += joint_target(g->a + at, &j->shape, &j->t.y, first + i, ybar, 0, scale, product);
        *loss += joint_target(g->o + at, &j->shape, &j->t.y, first + i, ybar, 1, scale, product);
        if (product)
            g->pending[m]++;
        *loss += take_logs(g, j, cluster[i], LOGS);
        add_row(g->sa + m * (size_t)cc, 1, 1, g->a + at, (size_t)cc);
        add_row(g->so + m * (size_t)cc, 1, 1, g->o + at, (size_t)cc);
    }
    for (int i = 0; i < rows; i++)
        *loss += take_logs(g, j, cluster[i], 1);
    gemm_tn(g->dw, g->z, g->a, d, cc, rows, 1);
    gemm_tn(dw2, g->z, g->o, d, cc, rows, 1);
    gemm_nt(g->dz, g->a, w1, rows, d, cc, 0);
    gemm_nt(g->dz, g->o, w2, rows, d, cc, 1);
    for (int i = 0; i < rows; i++)
        memcpy(mat_row(z->grad, j->t.row[0][first + i]), g->dz + (size_t)i * (size_t)d, (size_t)d * sizeof(real));
}

static void predict_tile(workspace *ws, const op_state *n, joint *j, int k, int first, int rows)
{
    op_state *z = workspace_in(ws, (op_state *)n, 0);
    group *g = j->g + k;
    double *loss = j->loss + k;
    int cc = j->cc, d = j->d;
    for (int i = 0; i < rows; i++)
        memcpy(g->z + (size_t)i * (size_t)d, mat_row(z->out, j->t.row[0][first + i]), (size_t)d * sizeof(real));
    logits(g->a, g->z, workspace_w(ws, n->d.w), j->q2, j->t.cluster + first, rows, j);
    joint_softmax(g->a, rows, &j->shape, ws->at_tau ? n->d.tau : 1);
    for (int i = 0; i < rows; i++) {
        const real *q = g->a + (size_t)i * (size_t)cc;
        joint_marginal(mat_row(ws->prob, first + i), q, &j->shape);
        if (n->d.own_loss)
            *loss += joint_nll(q, &j->shape, mat_row(j->c.ybar, j->t.cluster[first + i]), j->t.y.one[first + i]);
    }
}

static void run_group(workspace *ws, const op_state *n, joint *j, int k)
{
    group *g = j->g + k;
    size_t cc = (size_t)j->cc, m = (size_t)ws->m->clusters;
    j->loss[k] = 0;
    if (ws->training) {
        memset(g->dw, 0, 2 * (size_t)j->d * cc * sizeof(real));
        memset(g->sa, 0, m * cc * sizeof(real));
        memset(g->so, 0, m * cc * sizeof(real));
    }
    for (int t = tile_of(j, k); t < tile_of(j, k + 1); t++) {
        int first = t * j->tile, rows = ws->b->ntarget - first < j->tile ? ws->b->ntarget - first : j->tile;
        (ws->training ? train_tile : predict_tile)(ws, n, j, k, first, rows);
    }
}

/* The sums of all groups, in order, in the first one. */
static const group *add_groups(const workspace *ws, joint *j)
{
    size_t dw = 2 * (size_t)j->d * (size_t)j->cc, half = (size_t)ws->m->clusters * (size_t)j->cc;
    for (int k = 1; k < j->groups; k++) {
        add_row(j->g->dw, 1, 1, j->g[k].dw, dw);
        add_row(j->g->sa, 1, 1, j->g[k].sa, half);
        add_row(j->g->so, 1, 1, j->g[k].so, half);
    }
    return j->g;
}

/* The cluster halves of the gradient. */
static void collect(workspace *ws, const op_state *n, joint *j)
{
    int d = j->d, cc = j->cc, m = ws->m->clusters;
    size_t half = (size_t)d * (size_t)cc;
    real *w1 = workspace_w(ws, n->d.w), *w2 = w1 + half, *dw = workspace_g(ws, n->d.w), *db = workspace_g(ws, n->d.b);
    const group *g = add_groups(ws, j);
    memcpy(dw, g->dw, 2 * half * sizeof(real));
    gemm_tn(dw, j->c.zbar.v, g->so, d, cc, m, 1);
    gemm_tn(dw + half, j->c.zbar.v, g->sa, d, cc, m, 1);
    gemm_nt(j->c.dzbar.v, g->sa, w2, m, d, cc, 0);
    gemm_nt(j->c.dzbar.v, g->so, w1, m, d, cc, 1);
    add_row(g->so, 1, 1, g->sa, (size_t)m * (size_t)cc);
    column_sum(db, g->so, m, cc, 0);
    clusters_backward(&j->c, workspace_in(ws, n, 0));
}

static double sum_losses(const joint *j)
{
    double sum = 0;
    for (int k = 0; k < j->groups; k++)
        sum += j->loss[k];
    return sum;
}

/* Over rows with a label, of which joint_nll is 0 for the others. */
static double mean_loss(const joint *j, int rows)
{
    int known = 0;
    for (int i = 0; i < rows; i++)
        known += j->t.y.one[i] >= 0;
    return known ? sum_losses(j) / known : 0;
}

/* The cluster halves of the logits. */
static void cluster_logits(workspace *ws, const op_state *n, joint *j)
{
    const real *w1 = workspace_w(ws, n->d.w), *w2 = w1 + (size_t)j->d * (size_t)j->cc;
    for (int m = 0; m < ws->m->clusters; m++) {
        memcpy(j->q1 + (size_t)m * (size_t)j->cc, workspace_w(ws, n->d.b), (size_t)j->cc * sizeof(real));
        memcpy(j->q2 + (size_t)m * (size_t)j->cc, workspace_w(ws, n->d.b), (size_t)j->cc * sizeof(real));
    }
    gemm_nn(j->q1, j->c.zbar.v, w1, ws->m->clusters, j->cc, j->d, 1);
    gemm_nn(j->q2, j->c.zbar.v, w2, ws->m->clusters, j->cc, j->d, 1);
}

static void forward(workspace *ws, op_state *n)
{
    joint *j = n->state;
    op_state *z = workspace_in(ws, n, 0);
    clusters_forward(&j->c, z);
    cluster_logits(ws, n, j);
    if (ws->training && z->rows > ws->b->ntarget) /* rows that only others read */
        memset(z->grad.v, 0, (size_t)z->rows * (size_t)j->d * sizeof(real));
#pragma omp parallel for schedule(dynamic) if ((double)ws->b->ntarget * j->d * j->cc > 1e6)
    for (int k = 0; k < j->groups; k++)
        run_group(ws, n, j, k);
    if (!ws->training) {
        ws->loss = n->d.own_loss ? mean_loss(j, ws->b->ntarget) : loss_of(ws->prob, &j->t.y);
        return;
    }
    ws->loss = sum_losses(j) / (2.0 * j->over);
    collect(ws, n, j);
}

/* The gradients were made along with the loss, in the same pass over the tiles. */
static void backward(workspace *ws, op_state *n)
{
    workspace_in(ws, n, 0)->filled = 1;
    workspace_beta_param(ws, n->d.w);
    workspace_beta_param(ws, n->d.b);
}

static const op_kind kind = {.name = "joint", .need = need, .bind = bind, .forward = forward, .backward = backward};

void joint_build(model *m, const spec *s, const backbone *b, int factorised)
{
    if (b->graph_head) {
        joint_pairs(m, s, b, factorised);
        return;
    }
    op last = {.kind = &kind, .tau = s->tau, .own_loss = joint_own_loss(m, s), .factorised = factorised};
    int z = m->z = b->encode(m, s, 0), d = m->ops[z].cols, cc = joint_shape_of(m, &last).size;
    double bound = 1 / sqrt(2.0 * d);
    last.in[0] = z, last.in[1] = -1;
    last.w = model_param(m, 2 * d, cc, bound, m->group), last.b = model_param(m, 1, cc, bound, m->group);
    model_op(m, last);
}

static void build(model *m, const spec *s, const backbone *b) { joint_build(m, s, b, 0); }

const objective objective_jc = {.name = "jc",
                                .about = "joint-cluster cross-entropy over c x c classes",
                                .multi = 1,
                                .clusters = 1,
                                .head = HEAD_PAIRS,
                                .build = build};
