#include "attention.h"
#include <math.h>
#include <string.h>

static double leaky(double u, double slope) { return u > 0 ? u : slope * u; }

/* 0, or the scale of what dropout keeps. */
static double kept(const attention *o, int id, int64_t number)
{
    if (o->drop.p <= 0)
        return 1;
    uint32_t u[4], below = (uint32_t)lrint((1 - o->drop.p) * 65536);
    rng_block(u, o->drop.r, (uint32_t)(number / 8), (uint32_t)id, o->drop.op, o->drop.step);
    return (u[number % 8 / 2] >> (number % 2 ? 16 : 0) & 0xffff) < below ? 65536.0 / below : 0;
}

static double dot(const real *x, const real *y, int f)
{
    double sum = 0;
    for (int q = 0; q < f; q++)
        sum += (double)x[q] * (double)y[q];
    return sum;
}

static int column_of(const attention_graph *g, int i)
{
    int j = 0;
    while (g->row[j] != i)
        j++;
    return j;
}

/* u and alpha of head b of row i, n entries. */
static void row_of(double *u, double *alpha, const attention_graph *g, int i, int b, const real *h, const real *a,
                   const attention *o)
{
    int f = o->f, d = o->heads * f;
    int64_t from = g->s.ptr[i], n = g->s.ptr[i + 1] - from;
    double top = -INFINITY, sum = 0, dst = dot(a + d + b * f, h + (size_t)column_of(g, i) * (size_t)d + b * f, f);
    for (int64_t k = 0; k < n; k++) {
        u[k] = dst + dot(a + b * f, h + (size_t)g->s.idx[from + k] * (size_t)d + b * f, f);
        top = fmax(top, leaky(u[k], o->slope));
    }
    for (int64_t k = 0; k < n; k++)
        sum += alpha[k] = exp(leaky(u[k], o->slope) - top);
    for (int64_t k = 0; k < n; k++)
        alpha[k] /= sum;
}

void attention_forward_ref(real *out, const attention_graph *g, const real *h, const real *a, const attention *o)
{
    arena tmp = {0};
    int f = o->f, d = o->heads * f, wide = o->mean ? f : d;
    double *u = NEW(&tmp, double, (size_t)g->s.cols), *alpha = NEW(&tmp, double, (size_t)g->s.cols),
           *sum = NEW(&tmp, double, (size_t)wide);
    for (int i = 0; i < g->s.rows; i++) {
        memset(sum, 0, (size_t)wide * sizeof *sum);
        for (int b = 0; b < o->heads; b++) {
            row_of(u, alpha, g, i, b, h, a, o);
            for (int64_t k = g->s.ptr[i]; k < g->s.ptr[i + 1]; k++) {
                int64_t at = k - g->s.ptr[i];
                double w = alpha[at] * kept(o, g->id[i], at * o->heads + b);
                for (int q = 0; q < f; q++)
                    sum[(o->mean ? 0 : b * f) + q] +=
                        w * (double)h[(size_t)g->s.idx[k] * (size_t)d + (size_t)(b * f + q)];
            }
        }
        for (int q = 0; q < wide; q++)
            out[(size_t)i * (size_t)wide + (size_t)q] = (real)(o->mean ? sum[q] / o->heads : sum[q]);
    }
    arena_free(&tmp);
}

void attention_backward_ref(real *dh, real *da, const attention_graph *g, const real *dout, const real *h,
                            const real *a, const attention *o)
{
    arena tmp = {0};
    int f = o->f, d = o->heads * f, wide = o->mean ? f : d;
    size_t n = (size_t)g->s.cols, all = n * (size_t)d;
    double *u = NEW(&tmp, double, n), *alpha = NEW(&tmp, double, n), *dw = NEW(&tmp, double, n),
           *sum = NEW(&tmp, double, all), *sum_a = NEW(&tmp, double, (size_t)d * 2);
    for (int i = 0; i < g->s.rows; i++)
        for (int b = 0; b < o->heads; b++) {
            const real *gi = dout + (size_t)i * (size_t)wide + (o->mean ? 0 : b * f);
            double weight = o->mean ? 1.0 / o->heads : 1, pull = 0;
            int64_t from = g->s.ptr[i], count = g->s.ptr[i + 1] - from;
            size_t self = (size_t)column_of(g, i) * (size_t)d + (size_t)(b * f);
            row_of(u, alpha, g, i, b, h, a, o);
            for (int64_t k = 0; k < count; k++) {
                size_t j = (size_t)g->s.idx[from + k] * (size_t)d + (size_t)(b * f);
                double keep = kept(o, g->id[i], k * o->heads + b);
                dw[k] = keep * weight * dot(gi, h + j, f);
                pull += alpha[k] * dw[k];
                for (int q = 0; q < f; q++)
                    sum[j + (size_t)q] += keep * alpha[k] * weight * (double)gi[q];
            }
            for (int64_t k = 0; k < count; k++) {
                size_t j = (size_t)g->s.idx[from + k] * (size_t)d + (size_t)(b * f);
                double du = alpha[k] * (dw[k] - pull) * (u[k] > 0 ? 1 : o->slope);
                for (int q = 0; q < f; q++) {
                    sum[j + (size_t)q] += du * (double)a[b * f + q],
                        sum[self + (size_t)q] += du * (double)a[d + b * f + q];
                    sum_a[b * f + q] += du * (double)h[j + (size_t)q],
                        sum_a[d + b * f + q] += du * (double)h[self + (size_t)q];
                }
            }
        }
    for (size_t q = 0; q < all; q++)
        dh[q] = (real)sum[q];
    for (int q = 0; q < 2 * d; q++)
        da[q] = (real)sum_a[q];
    arena_free(&tmp);
}
