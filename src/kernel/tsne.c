/* t-SNE:
 *
 *   p(j | i) = exp(-b_i |x_i - x_j|^2) / sum over j != i, b_i such that exp(entropy of the row) = perplexity
 *   p_ij = (p(j | i) + p(i | j)) / 2n
 *   t_ij = 1 / (1 + |y_i - y_j|^2),  Z = sum over i != j of t_ij,  q_ij = t_ij / Z
 *   KL = sum p_ij log(p_ij / q_ij),  dKL/dy_i = 4 sum_j (p_ij t_ij - t_ij^2 / Z) (y_i - y_j)
 *
 * minimised by gradient descent with momentum and gains of each coordinate; the first steps exaggerate p. Constants are
 * scikit-learn's defaults, learning rate n / 12 / 4 but at least 50 (Belkina et al. 2019).
 *
 * Attraction, repulsion and Z come out of one pass over the pairs, row by row. Each pair is computed twice, once for
 * either end, so that every row has one owner; once would mean to load and store four sums for the other end. Sums
 * within a row have LANES parts; sums over rows are doubles, in row order. */
#include "tsne.h"
#include "../base/err.h"
#include "../base/rng.h"
#include "distance.h"
#include "exp.h"
#include "simd.h"
#include "../base/portable.h"
#include <string.h>

#define LARGEST 20000  /* points: P takes 1.6 GB */
#define HALVINGS 64    /* of the interval that holds b_i */
#define TOLERANCE 1e-5 /* of the entropy */
#define NOTHING 1e-20  /* p below it are 0, so that no product is a denormal number */
#define EXAGGERATION 12
#define EXAGGERATED 250 /* steps, with less momentum */

/* --- neighbourhoods --- */

/* A fixed order of summation whatever the length of vectors. */
enum { LANES = 16 };

INLINE real add_lanes(real *x)
{
    for (int w = LANES / 2; w > 0; w /= 2)
        for (int q = 0; q < w; q++)
            x[q] += x[q + w];
    return x[0];
}

/* The sum over m distances of e = exp(-b d), and into `weighted` that of e d. */
CLONES static double row_sums(double *weighted, const real *restrict d, real b, int m)
{
    real sum[LANES] = {0}, by_d[LANES] = {0};
    int j = 0;
#define ADD(j, q)                          \
    do {                                   \
        real e = exp_negative(-b * d[j]);  \
        sum[q] += e;                       \
        by_d[q] = fused(e, d[j], by_d[q]); \
    } while (0)
    for (; j + LANES <= m; j += LANES)
#pragma omp simd
        for (int q = 0; q < LANES; q++)
            ADD(j + q, q);
    for (; j < m; j++)
        ADD(j, 0);
#undef ADD
    *weighted = (double)add_lanes(by_d);
    return (double)add_lanes(sum);
}

/* In place: exp(-b d). */
CLONES static void exp_row(real *d, real b, int m)
{
    for (int j = 0; j < m; j++)
        d[j] = exp_negative(-b * d[j]);
}

/* b with entropy log(sum) + b * weighted / sum = wanted. Where there is none (more equal neighbours than that) b ends
 * very large. */
static double bandwidth(const real *d, int m, double wanted)
{
    double b = 1, low = 0, high = INFINITY, weighted;
    for (int k = 0; k < HALVINGS; k++) {
        double sum = row_sums(&weighted, d, (real)b, m), excess = portable_log(sum) + b * weighted / sum - wanted;
        if (fabs(excess) < TOLERANCE)
            break;
        *(excess > 0 ? &low : &high) = b;
        b = isinf(high) ? 2 * b : (low + high) / 2;
    }
    return b;
}

/* In place: squared distances of i from the n points become p(j | i). */
static void neighbours_row(real *p, int i, int n, double perplexity)
{
    int m = n - 1;
    double least = INFINITY, mean = 0, sum, unused;
    memmove(p + i, p + i + 1, (size_t)(m - i) * sizeof *p); /* not itself */
    for (int j = 0; j < m; j++)
        least = fmin(least, (double)p[j]);
    for (int j = 0; j < m; j++)
        mean += ((double)p[j] - least) / m;
    for (int j = 0; j < m; j++) /* one factor for the row changes nothing; now b is near 1 whatever the unit of x */
        p[j] = mean > 0 ? (real)(((double)p[j] - least) / mean) : 0;
    real b = (real)bandwidth(p, m, portable_log(perplexity));
    sum = row_sums(&unused, p, b, m);
    exp_row(p, b, m);
    for (int j = 0; j < m; j++)
        p[j] = (real)((double)p[j] / sum);
    memmove(p + i + 1, p + i, (size_t)(m - i) * sizeof *p);
    p[i] = 0;
}

mat tsne_neighbours(arena *a, mat x, double perplexity)
{
    arena tmp = {0};
    int n = x.rows;
    mat points = distance_points(&tmp, x, "tsne"), p = mat_new(a, n, n);
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i++) {
        distance_row(mat_row(p, i), points, i);
        neighbours_row(mat_row(p, i), i, n, perplexity);
    }
    arena_free(&tmp);
    return p;
}

void tsne_symmetrise(mat p)
{
    double scale = 1 / (2.0 * p.rows);
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < p.rows; i++)
        for (int j = 0; j < i; j++) {
            double v = scale * ((double)mat_row(p, i)[j] + (double)mat_row(p, j)[i]);
            mat_row(p, i)[j] = mat_row(p, j)[i] = v < NOTHING ? 0 : (real)v;
        }
}

/* --- the picture --- */

/* Sums over j for one row: attraction p t (y_i - y_j), repulsion t^2 (y_i - y_j), and t. */
typedef struct forces {
    real ax, ay, rx, ry, t;
} forces;

CLONES static void row_forces(forces *f, const real *restrict p, const real *restrict x, const real *restrict y, int i,
                              int n)
{
    real ax[LANES] = {0}, ay[LANES] = {0}, rx[LANES] = {0}, ry[LANES] = {0}, all[LANES] = {0}, xi = x[i], yi = y[i];
    int j = 0;
#define ADD(j, q)                                                                                            \
    do {                                                                                                     \
        real dx = xi - x[j], dy = yi - y[j], t = 1 / fused(dy, dy, fused(dx, dx, (real)1)), pull = p[j] * t, \
             push = t * t;                                                                                   \
        ax[q] = fused(pull, dx, ax[q]), ay[q] = fused(pull, dy, ay[q]);                                      \
        rx[q] = fused(push, dx, rx[q]), ry[q] = fused(push, dy, ry[q]);                                      \
        all[q] += t;                                                                                         \
    } while (0)
    for (; j + LANES <= n; j += LANES)
#pragma omp simd
        for (int q = 0; q < LANES; q++)
            ADD(j + q, q);
    for (; j < n; j++)
        ADD(j, 0);
#undef ADD
    *f = (forces){add_lanes(ax), add_lanes(ay), add_lanes(rx), add_lanes(ry), add_lanes(all)};
}

/* f: of all rows. Returns Z. */
static double all_forces(forces *f, mat p, mat at)
{
    double z = 0;
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < p.rows; i++)
        row_forces(f + i, mat_row(p, i), mat_row(at, 0), mat_row(at, 1), i, p.rows);
    for (int i = 0; i < p.rows; i++)
        z += (double)f[i].t - 1; /* t_ii */
    return z;
}

void tsne_gradient(mat grad, mat p, mat at, double exaggeration)
{
    arena tmp = {0};
    forces *f = NEW(&tmp, forces, (size_t)p.rows);
    double z = all_forces(f, p, at);
    for (int i = 0; i < p.rows; i++) {
        mat_row(grad, 0)[i] = (real)(4 * (exaggeration * (double)f[i].ax - (double)f[i].rx / z));
        mat_row(grad, 1)[i] = (real)(4 * (exaggeration * (double)f[i].ay - (double)f[i].ry / z));
    }
    arena_free(&tmp);
}

double tsne_kl(mat p, mat at)
{
    arena tmp = {0};
    int n = p.rows;
    const real *x = mat_row(at, 0), *y = mat_row(at, 1);
    double *partial = NEW(&tmp, double, (size_t)n), *t = NEW(&tmp, double, (size_t)n),
           *mass = NEW(&tmp, double, (size_t)n);
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = (double)x[i] - (double)x[j], dy = (double)y[i] - (double)y[j], d = 1 + dx * dx + dy * dy;
            double v = (double)mat_row(p, i)[j];
            partial[i] += v > 0 ? v * portable_log(v * d) : 0;
            mass[i] += v;
            t[i] += i == j ? 0 : 1 / d;
        }
    double kl = 0, z = 0, total = 0;
    for (int i = 0; i < n; i++) {
        kl += partial[i];
        z += t[i];
        total += mass[i];
    }
    arena_free(&tmp);
    return kl + total * portable_log(z);
}

static void descend(mat at, mat p, int steps)
{
    arena tmp = {0};
    int n = p.rows;
    double rate = n / (4.0 * EXAGGERATION) > 50 ? n / (4.0 * EXAGGERATION) : 50;
    mat grad = mat_new(&tmp, 2, n), move = mat_new(&tmp, 2, n), gain = mat_new(&tmp, 2, n);
    for (int k = 0; k < 2 * n; k++)
        gain.v[k] = 1;
    for (int step = 0; step < steps; step++) {
        int early = step < EXAGGERATED;
        tsne_gradient(grad, p, at, early ? EXAGGERATION : 1);
        for (int k = 0; k < 2 * n; k++) {
            real g = grad.v[k], more = gain.v[k] + (real).2, less = gain.v[k] * (real).8;
            gain.v[k] = g * move.v[k] < 0 ? more : less > (real).01 ? less : (real).01;
            move.v[k] = (real)(early ? .5 : .8) * move.v[k] - (real)rate * gain.v[k] * g;
            at.v[k] += move.v[k];
        }
    }
    arena_free(&tmp);
}

tsne tsne_run(arena *a, mat x, double perplexity, int steps, uint64_t seed, int run)
{
    int n = x.rows;
    if (n < 4 || n > LARGEST)
        die("tsne: %d points; want 4 to %d", n, LARGEST);
    if (!(perplexity >= 1))
        die("tsne: perplexity %g; want 1 or more", perplexity);
    tsne out = {mat_new(a, n, 2), 0, perplexity < (n - 1) / 3.0 ? perplexity : (n - 1) / 3.0};
    arena tmp = {0};
    mat p = tsne_neighbours(&tmp, x, out.perplexity), at = mat_new(&tmp, 2, n);
    tsne_symmetrise(p);
    rng r = rng_make(seed, (uint64_t)run, RNG_TSNE);
    for (int k = 0; k < 2 * n; k++)
        at.v[k] = (real)(1e-4 * rng_normal(r, 0, (uint64_t)k));
    descend(at, p, steps);
    for (int i = 0; i < n; i++) {
        mat_row(out.at, i)[0] = mat_row(at, 0)[i];
        mat_row(out.at, i)[1] = mat_row(at, 1)[i];
    }
    out.kl = tsne_kl(p, at);
    arena_free(&tmp);
    return out;
}
