#include "spn.h"
#include "../../kernel/gemm.h"
#include "../../base/portable.h"
#include <math.h>
#include <string.h>

#define PART 0.1
enum { CLASSES = 512 };

spn_head spn_head_new(arena *a, int classes, uint64_t seed, int run)
{
    int cc = classes * classes;
    size_t size = (size_t)(2 * SPN_WIDTH + 1) * (size_t)cc;
    spn_head h = {cc, size, NEW(a, real, size), NEW(a, real, size), NEW(a, real, size), NEW(a, real, size)};
    rng r = rng_make(seed, (uint64_t)run, RNG_INIT);
    double bound = 1 / sqrt(2 * SPN_WIDTH);
    for (size_t i = 0; i < size; i++)
        h.w[i] = (real)((2 * rng_uniform(r, 1, i) - 1) * bound);
    return h;
}

spn_parts spn_parts_new(arena *a, int n, int cc)
{
    return (spn_parts){mat_new(a, n, cc), mat_new(a, n, cc), mat_new(a, n, cc), mat_new(a, n, cc)};
}

void spn_head_forward(spn_parts *t, const spn_head *h, mat x)
{
    size_t half = (size_t)SPN_WIDTH * (size_t)h->cc;
    gemm_nn(t->p.v, x.v, h->w, x.rows, h->cc, SPN_WIDTH, 0);
    gemm_nn(t->r.v, x.v, h->w + half, x.rows, h->cc, SPN_WIDTH, 0);
    for (int i = 0; i < x.rows; i++)
        add_row(mat_row(t->p, i), 1, 1, h->w + 2 * half, (size_t)h->cc);
}

void spn_head_backward(mat dx, spn_head *h, const spn_parts *t, mat x)
{
    size_t half = (size_t)SPN_WIDTH * (size_t)h->cc;
    gemm_tn(h->g, x.v, t->dp.v, SPN_WIDTH, h->cc, x.rows, 0);
    gemm_tn(h->g + half, x.v, t->dr.v, SPN_WIDTH, h->cc, x.rows, 0);
    column_sum(h->g + 2 * half, t->dp.v, x.rows, h->cc, 0);
    gemm_nt(dx.v, t->dp.v, h->w, x.rows, SPN_WIDTH, h->cc, 0);
    gemm_nt(dx.v, t->dr.v, h->w + half, x.rows, SPN_WIDTH, h->cc, 1);
}

void spn_logits(real *out, const spn_parts *t, const belief_graph *b, int64_t k)
{
    const real *p = mat_row(t->p, b->from[k]), *r = mat_row(t->r, b->g.idx[k]);
    for (int i = 0; i < t->p.cols; i++)
        out[i] = p[i] + r[i];
}

/* Row and column sums of tau. */
static void sums(double *row, double *col, const real *tau, int c)
{
    memset(row, 0, (size_t)c * sizeof *row), memset(col, 0, (size_t)c * sizeof *col);
    for (int x = 0; x < c; x++)
        for (int z = 0; z < c; z++)
            row[x] += (double)tau[x * c + z], col[z] += (double)tau[x * c + z];
}

void spn_potential(real *theta, int c, real gamma)
{
    double row[CLASSES], col[CLASSES];
    softmax(theta, theta, 1, c * c, gamma);
    sums(row, col, theta, c);
    for (int x = 0; x < c; x++)
        row[x] = portable_log(row[x] + 1e-30), col[x] = portable_log(col[x] + 1e-30);
    for (int x = 0; x < c; x++)
        for (int z = 0; z < c; z++)
            theta[x * c + z] = (real)(portable_log((double)theta[x * c + z] + 1e-30) - PART * (row[x] + col[z]));
}

/* With V = d - 0.1 tau (row sum of d / row sum of tau + the same of columns), which sums to 0 as d does, dL/dlogits =
 * gamma V. */
void spn_potential_back(real *d, const real *logits, int c, real gamma)
{
    double row[CLASSES], col[CLASSES], drow[CLASSES], dcol[CLASSES];
    real tau[c * c];
    softmax(tau, logits, 1, c * c, gamma);
    sums(row, col, tau, c);
    sums(drow, dcol, d, c);
    for (int x = 0; x < c; x++)
        for (int z = 0; z < c; z++)
            d[x * c + z] =
                gamma * (real)((double)d[x * c + z] - PART * (double)tau[x * c + z] *
                                                          (drow[x] / (row[x] + 1e-30) + dcol[z] / (col[z] + 1e-30)));
}
