/* One mean-field iteration of a CRF layer (Gao, Pei, Huang 2019) on B (nodes x d), from H:
 *
 *   Y_i = [beta B_i + alpha (sum_j S_ij H_j + H_i)] / D_i,  D_i = beta + alpha (s_i + 1),  s_i = sum_j S_ij
 *   S_ij = A_ij exp(u_ij),  u_ij = cos(B_i, B_j) / (4 sigma^2),  u_ii = 0;  a row of zeros has cosine 0 with all others
 *
 * alpha = e^p, beta = e^q, sigma = e^r; p, q, r are parameters w, w + 1, w + 2. With G = dL/dY, e_ij = G_i . H_j, t_i =
 * sum_j S_ij e_ij + G_i . H_i and y_i = G_i . Y_i = (beta G_i . B_i + alpha t_i) / D_i:
 *
 *   dH_j = sum_i (alpha / D_i) S_ij G_i + (alpha / D_j) G_j        dp = alpha sum_i (t_i - (s_i + 1) y_i) / D_i
 *   dB_i = (beta / D_i) G_i, and through the cosines:              dq = beta sum_i (G_i . B_i - y_i) / D_i
 *   du_ij = (alpha / D_i) S_ij (e_ij - y_i), i != j                dr = -2 sum_ij du_ij u_ij
 *   dB_i += sum_j v_ij (B_j / (|B_i| |B_j|) - cos_ij B_i / |B_i|^2), the same for B_j;  v = du / (4 sigma^2)
 *
 * A is cut to the rows of Y x the rows of the inputs. Sums over i go over the entries of a column in the order of the
 * rows; sums over all rows in their order. */
#include "../kernel/simd.h"
#include "ops.h"
#include "../base/portable.h"
#include <math.h>
#include <string.h>

enum { LANES = 8 };

/* The entries of each column: at[ptr[j]] .. at[ptr[j + 1] - 1], by rows. */
typedef struct columns {
    int64_t *ptr, *at;
} columns;

typedef struct crf {
    csr h, b; /* A, columns by row of H and by row of B: the same entries */
    columns in_h, in_b;
    int *row, *of_h, *of_b; /* of each entry, its row of Y; of each row of Y, its row in H and in B */
    real *inverse;          /* of each row of B: 1 / |B_i|, 0 where that is 0 */
    real *s, *cosine;       /* of each entry */
    real *divisor;          /* of each row of Y: D_i */
    real *pull, *turn;      /* of each entry: (alpha / D_i) S_ij, and v_ij */
    double *partial;        /* of each row of Y: its parts of dp, dq, dr */
} crf;

/* A fixed order of summation whatever the length of vectors. */
INLINE real dot(const real *restrict x, const real *restrict y, int d)
{
    real sum[LANES] = {0}, rest = 0;
    int k = 0;
    for (; k + LANES <= d; k += LANES)
#pragma omp simd
        for (int l = 0; l < LANES; l++)
            sum[l] = fused(x[k + l], y[k + l], sum[l]);
    for (int four = d - k < 4 ? k : k + 4; k < four; k++)
        rest += x[k] * y[k];
    for (; k < d; k++)
        rest = fused(x[k], y[k], rest);
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) + rest;
}

INLINE void axpy(real *restrict y, real f, const real *restrict x, int d)
{
    for (int k = 0; k < d; k++)
        y[k] = fused(f, x[k], y[k]);
}

static op_state *potential(workspace *ws, const op_state *n) /* B */
{
    return workspace_in(ws, n, n->d.in[1] < 0 ? 0 : 1);
}

static void crf_need(workspace *ws, op_state *n, unsigned char *const *rows)
{
    const csr *adj = workspace_adj(ws, n);
    for (int q = 0; q < MAX_IN && n->d.in[q] >= 0; q++)
        for (int i = 0; i < n->rows; i++) {
            rows[n->d.in[q]][n->id[i]] = 1;
            for (int64_t k = adj->ptr[n->id[i]]; k < adj->ptr[n->id[i] + 1]; k++)
                rows[n->d.in[q]][adj->idx[k]] = 1;
        }
}

static columns columns_of(arena *a, const csr *m)
{
    columns c = {NEW(a, int64_t, (size_t)m->cols + 2), NEW(a, int64_t, (size_t)csr_nnz(m))};
    for (int64_t k = 0; k < csr_nnz(m); k++)
        c.ptr[m->idx[k] + 2]++;
    for (int j = 0; j < m->cols; j++)
        c.ptr[j + 2] += c.ptr[j + 1];
    for (int64_t k = 0; k < csr_nnz(m); k++)
        c.at[c.ptr[m->idx[k] + 1]++] = k;
    return c;
}

static void crf_bind(workspace *ws, op_state *n)
{
    crf *q = n->state = NEW(ws->a, crf, 1);
    const op_state *h = workspace_in(ws, n, 0), *b = potential(ws, n);
    const csr *adj = workspace_adj(ws, n);
    q->h = csr_restrict(ws->a, adj, n->id, n->rows, h->id, h->rows);
    q->b = b == h ? q->h : csr_restrict(ws->a, adj, n->id, n->rows, b->id, b->rows);
    q->of_h = workspace_map(ws, n, h);
    q->of_b = b == h ? q->of_h : workspace_map(ws, n, b);
    size_t links = (size_t)csr_nnz(&q->h), rows = (size_t)n->rows;
    q->inverse = NEW(ws->a, real, (size_t)b->rows);
    q->s = NEW(ws->a, real, links), q->cosine = NEW(ws->a, real, links), q->divisor = NEW(ws->a, real, rows);
    if (!ws->training)
        return;
    q->in_h = columns_of(ws->a, &q->h);
    q->in_b = b == h ? q->in_h : columns_of(ws->a, &q->b);
    q->row = NEW(ws->a, int, links);
    for (int i = 0; i < n->rows; i++)
        for (int64_t k = q->h.ptr[i]; k < q->h.ptr[i + 1]; k++)
            q->row[k] = i;
    q->pull = NEW(ws->a, real, links), q->turn = NEW(ws->a, real, links), q->partial = NEW(ws->a, double, 3 * rows);
}

/* --- forward --- */

/* Row i: its entries of S and cosine, D_i, Y_i. */
CLONES static void forward_row(crf *q, real *restrict y, mat h, mat b, int i, real alpha, real beta, real factor)
{
    int d = b.cols, self = q->of_b[i];
    const real *bi = mat_row(b, self), *hi = mat_row(h, q->of_h[i]);
    real sum = 0;
    for (int k = 0; k < d; k++)
        y[k] = hi[k];
    for (int64_t k = q->b.ptr[i]; k < q->b.ptr[i + 1]; k++) {
        int j = q->b.idx[k];
        q->cosine[k] = j == self ? 0 : dot(bi, mat_row(b, j), d) * q->inverse[self] * q->inverse[j];
        q->s[k] = csr_value(&q->b, k) * (j == self ? 1 : (real)portable_exp((double)(factor * q->cosine[k])));
        sum += q->s[k];
        axpy(y, q->s[k], mat_row(h, q->h.idx[k]), d);
    }
    q->divisor[i] = beta + alpha * (sum + 1);
    for (int k = 0; k < d; k++)
        y[k] = fused(beta, bi[k], alpha * y[k]) / q->divisor[i];
}

CLONES static void norm_row(real *inverse, const real *b, int d)
{
    real square = dot(b, b, d);
    *inverse = square > 0 ? 1 / (real)sqrt((double)square) : 0;
}

static void strengths(real *alpha, real *beta, real *factor, const workspace *ws, const op_state *n)
{
    double sigma = portable_exp((double)*workspace_w(ws, n->d.w + 2));
    *alpha = (real)portable_exp((double)*workspace_w(ws, n->d.w));
    *beta = (real)portable_exp((double)*workspace_w(ws, n->d.w + 1));
    *factor = (real)(1 / (4 * sigma * sigma));
}

static void crf_forward(workspace *ws, op_state *n)
{
    crf *q = n->state;
    const mat h = workspace_in(ws, n, 0)->out, b = potential(ws, n)->out;
    real alpha, beta, factor;
    strengths(&alpha, &beta, &factor, ws, n);
#pragma omp parallel for schedule(static) if ((size_t)b.rows * (size_t)b.cols > SERIAL_WORK)
    for (int i = 0; i < b.rows; i++)
        norm_row(q->inverse + i, mat_row(b, i), b.cols);
#pragma omp parallel for schedule(static) if ((size_t)csr_nnz(&q->b) * (size_t)b.cols > SERIAL_WORK)
    for (int i = 0; i < n->rows; i++)
        forward_row(q, mat_row(n->out, i), h, b, i, alpha, beta, factor);
}

/* --- backward --- */

/* Row i: what its entries mean for H and the cosines, and its parts of the parameters' gradients. */
CLONES static void backward_row(crf *q, const real *g, mat h, mat b, int i, real alpha, real beta, real factor)
{
    int d = b.cols, self = q->of_b[i];
    real over = alpha / q->divisor[i], gb = dot(g, mat_row(b, self), d), t = dot(g, mat_row(h, q->of_h[i]), d), sum = 0;
    double turn = 0;
    for (int64_t k = q->b.ptr[i]; k < q->b.ptr[i + 1]; k++) {
        q->turn[k] = dot(g, mat_row(h, q->h.idx[k]), d);
        t = fused(q->s[k], q->turn[k], t), sum += q->s[k];
        q->pull[k] = over * q->s[k];
    }
    real y = fused(alpha, t, beta * gb) / q->divisor[i];
    for (int64_t k = q->b.ptr[i]; k < q->b.ptr[i + 1]; k++) {
        q->turn[k] = q->b.idx[k] == self ? 0 : q->pull[k] * (q->turn[k] - y) * factor;
        turn += (double)(q->turn[k] * q->cosine[k]);
    }
    double *partial = q->partial + 3 * (size_t)i;
    partial[0] = (double)(over * (t - (sum + 1) * y));
    partial[1] = (double)(beta / q->divisor[i] * (gb - y));
    partial[2] = -2 * turn;
}

/* Row j of H's gradient. */
CLONES static void gather_h(const crf *q, real *restrict to, mat g, int j)
{
    for (int64_t e = q->in_h.ptr[j]; e < q->in_h.ptr[j + 1]; e++)
        axpy(to, q->pull[q->in_h.at[e]], mat_row(g, q->row[q->in_h.at[e]]), g.cols);
}

/* What a cosine of rows x and y means for x, of norm 1 / inverse. */
INLINE void turn_row(real *restrict to, real turn, real cosine, const real *x, real inverse, const real *y, real other,
                     int d)
{
    axpy(to, turn * inverse * other, y, d);
    axpy(to, -turn * cosine * inverse * inverse, x, d);
}

/* Row j of B's gradient, through the cosines with the rows that read it. */
CLONES static void gather_b(const crf *q, real *restrict to, mat b, int j)
{
    for (int64_t e = q->in_b.ptr[j]; e < q->in_b.ptr[j + 1]; e++) {
        int64_t k = q->in_b.at[e];
        int i = q->of_b[q->row[k]];
        if (i != j)
            turn_row(to, q->turn[k], q->cosine[k], mat_row(b, j), q->inverse[j], mat_row(b, i), q->inverse[i], b.cols);
    }
}

/* Row i of Y in B's gradient: itself, and the cosines with the rows that it reads. */
CLONES static void own_b(const crf *q, real *restrict to, const real *g, mat b, int i, real beta)
{
    int self = q->of_b[i];
    axpy(to, beta / q->divisor[i], g, b.cols);
    for (int64_t k = q->b.ptr[i]; k < q->b.ptr[i + 1]; k++)
        if (q->b.idx[k] != self)
            turn_row(to, q->turn[k], q->cosine[k], mat_row(b, self), q->inverse[self], mat_row(b, q->b.idx[k]),
                     q->inverse[q->b.idx[k]], b.cols);
}

static void clear_first(op_state *h)
{
    if (workspace_beta(&h->filled) == 0)
        memset(h->grad.v, 0, (size_t)h->grad.rows * (size_t)h->grad.cols * sizeof(real));
}

static void crf_backward(workspace *ws, op_state *n)
{
    crf *q = n->state;
    op_state *h = workspace_in(ws, n, 0), *b = potential(ws, n);
    mat g = n->grad;
    real alpha, beta, factor;
    strengths(&alpha, &beta, &factor, ws, n);
    int large = (size_t)csr_nnz(&q->b) * (size_t)g.cols > SERIAL_WORK;
#pragma omp parallel for schedule(static) if (large)
    for (int i = 0; i < n->rows; i++)
        backward_row(q, mat_row(g, i), h->out, b->out, i, alpha, beta, factor);
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (size_t i = 0; i < (size_t)n->rows; i++)
            sum += q->partial[3 * i + (size_t)k];
        real *to = workspace_g(ws, n->d.w + k), before = workspace_beta_param(ws, n->d.w + k) == 0 ? 0 : *to;
        *to = before + (real)sum;
    }
    if (!h->grad.v || !b->grad.v)
        return;
    clear_first(h);
    clear_first(b);
#pragma omp parallel for schedule(static) if (large)
    for (int i = 0; i < n->rows; i++)
        for (int k = 0; k < g.cols; k++)
            mat_row(h->grad, q->of_h[i])[k] += alpha / q->divisor[i] * mat_row(g, i)[k];
#pragma omp parallel for schedule(static) if (large)
    for (int j = 0; j < h->rows; j++)
        gather_h(q, mat_row(h->grad, j), g, j);
#pragma omp parallel for schedule(static) if (large)
    for (int i = 0; i < n->rows; i++)
        own_b(q, mat_row(b->grad, q->of_b[i]), mat_row(g, i), b->out, i, beta);
#pragma omp parallel for schedule(static) if (large)
    for (int j = 0; j < b->rows; j++)
        gather_b(q, mat_row(b->grad, j), b->out, j);
}

static const op_kind crf_kind = {.name = "crf",
                                 .reads_graph = 1,
                                 .reads_input_back = 1,
                                 .need = crf_need,
                                 .bind = crf_bind,
                                 .forward = crf_forward,
                                 .backward = crf_backward};

int op_crf(model *m, int b, int iterations)
{
    int d = m->ops[b].cols, w = model_constant(m, 1, 0, m->group), h = b;
    model_constant(m, 1, 0, m->group);
    model_constant(m, 1, 1, m->group);
    for (int k = 0; k < iterations; k++)
        h = model_op(m, (op){&crf_kind, {h, k ? b : -1}, w, -1, .cols = d, .adj = ADJ_GCN});
    return h;
}
