#include "ref.h"
#include <math.h>

void spmm_ref(real *y, const csr *s, const real *x, int d, real beta)
{
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j < d; j++) {
            double sum = beta != 0 ? (double)beta * (double)y[(size_t)i * (size_t)d + (size_t)j] : 0;
            for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++)
                sum += (double)csr_value(s, k) * (double)x[(size_t)s->idx[k] * (size_t)d + (size_t)j];
            y[(size_t)i * (size_t)d + (size_t)j] = (real)sum;
        }
}

void gemm_ref(real *c, const real *a, const real *b, int m, int n, int k, int ta, int tb, real beta)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = beta != 0 ? (double)beta * (double)c[(size_t)i * (size_t)n + (size_t)j] : 0;
            for (int q = 0; q < k; q++) {
                size_t ia = ta ? (size_t)q * (size_t)m + (size_t)i : (size_t)i * (size_t)k + (size_t)q;
                size_t ib = tb ? (size_t)j * (size_t)k + (size_t)q : (size_t)q * (size_t)n + (size_t)j;
                sum += (double)a[ia] * (double)b[ib];
            }
            c[(size_t)i * (size_t)n + (size_t)j] = (real)sum;
        }
}

void activate_ref(real *h, const real *b, int rows, int d, enum shape f, const dropout *drop, const int *id)
{
    uint32_t below = (uint32_t)lrint((1 - drop->p) * 65536);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < d; j++) {
            real *x = h + (size_t)i * (size_t)d + (size_t)j;
            uint32_t u[4];
            rng_block(u, drop->r, (uint32_t)j / 8, (uint32_t)(id ? id[i] : i), drop->op, drop->step);
            uint32_t number = u[j % 8 / 2] >> (j % 2 ? 16 : 0) & 0xffff;
            *x += b ? b[j] : 0;
            if (f != LINEAR && *x < 0)
                *x = f == RELU ? 0 : (real)expm1((double)*x);
            if (drop->p > 0)
                *x = number < below ? *x * (real)(65536.0 / below) : 0;
        }
}

void column_sum_ref(real *sum, const real *x, int rows, int d)
{
    for (int j = 0; j < d; j++) {
        double s = 0;
        for (int i = 0; i < rows; i++)
            s += (double)x[(size_t)i * (size_t)d + (size_t)j];
        sum[j] = (real)s;
    }
}

void softmax_ref(real *p, const real *x, int rows, int c, real scale)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0, top = (double)x[(size_t)i * (size_t)c];
        for (int j = 0; j < c; j++)
            top = fmax(top, (double)x[(size_t)i * (size_t)c + (size_t)j]);
        for (int j = 0; j < c; j++)
            sum += exp(((double)x[(size_t)i * (size_t)c + (size_t)j] - top) * (double)scale);
        for (int j = 0; j < c; j++)
            p[(size_t)i * (size_t)c + (size_t)j] =
                (real)(exp(((double)x[(size_t)i * (size_t)c + (size_t)j] - top) * (double)scale) / sum);
    }
}

void adam_ref(real *w, const real *g, real *m, real *v, size_t n, const adam *o, double decay, long t)
{
    for (size_t i = 0; i < n; i++) {
        double d = (double)g[i] + decay * (double)w[i];
        double a = o->beta1 * (double)m[i] + (1 - o->beta1) * d, b = o->beta2 * (double)v[i] + (1 - o->beta2) * d * d;
        double a_hat = a / (1 - pow(o->beta1, (double)t)), b_hat = b / (1 - pow(o->beta2, (double)t));
        m[i] = (real)a, v[i] = (real)b;
        w[i] = (real)((double)w[i] - o->lr * a_hat / (sqrt(b_hat) + o->eps));
    }
}
