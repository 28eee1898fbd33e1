/* svd: subspace iteration (Halko, Martinsson, Tropp 2011) on the column side, where V is features x p, p = k + 64:
 *
 *   V <- orth(gaussian);  STEPS times: V <- orth(X' (X V))
 *   Y = X V,  G = Y'Y = W diag(s^2) W'  (cyclic Jacobi);  U S = Y W,  V <- V W
 *
 * orth is Cholesky QR done twice: G = V'V = R'R, V <- V R^-1; a column that depends on earlier ones becomes zero. The
 * sign of a column is fixed so that the entry of V with the largest magnitude is positive. Everything is double; rows
 * have one owner and sums over rows go by blocks of fixed size in a fixed order. */
#include "svd.h"
#include "../base/rng.h"
#include <math.h>
#include <string.h>

#define EXTRA 64
#define STEPS 8
#define BLOCK 256 /* rows in one partial sum */
#define SWEEPS 30

typedef struct dmat {
    int rows, cols;
    double *v;
} dmat;

static dmat dmat_new(arena *a, int rows, int cols)
{
    return (dmat){rows, cols, NEW(a, double, (size_t)rows *(size_t)cols)};
}

static double *row(dmat m, int i) { return m.v + (size_t)i * (size_t)m.cols; }

/* y = x v */
static void multiply(dmat y, const csr *x, dmat v)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < x->rows; i++) {
        double *restrict out = row(y, i);
        memset(out, 0, (size_t)y.cols * sizeof *out);
        for (int64_t k = x->ptr[i]; k < x->ptr[i + 1]; k++) {
            const double *restrict in = row(v, x->idx[k]);
            double w = csr_value(x, k);
#pragma omp simd
            for (int j = 0; j < y.cols; j++)
                out[j] += w * in[j];
        }
    }
}

/* g = y'y, by blocks of rows whose sums are added in order. */
static void gram(dmat g, dmat y)
{
    arena tmp = {0};
    int p = y.cols, blocks = (y.rows + BLOCK - 1) / BLOCK, team = 16;
    double *part = NEW(&tmp, double, (size_t)team *(size_t)p *(size_t)p);
    memset(g.v, 0, (size_t)p * (size_t)p * sizeof *g.v);
    for (int first = 0; first < blocks; first += team) {
        int now = blocks - first < team ? blocks - first : team;
#pragma omp parallel for schedule(dynamic, 1)
        for (int b = 0; b < now; b++) {
            double *sum = part + (size_t)b * (size_t)p * (size_t)p;
            memset(sum, 0, (size_t)p * (size_t)p * sizeof *sum);
            int from = (first + b) * BLOCK, to = from + BLOCK < y.rows ? from + BLOCK : y.rows;
            for (int i = from; i < to; i++) {
                const double *restrict r = row(y, i);
                for (int j = 0; j < p; j++) {
                    double *restrict s = sum + (size_t)j * (size_t)p;
#pragma omp simd
                    for (int l = j; l < p; l++)
                        s[l] += r[j] * r[l];
                }
            }
        }
#pragma omp parallel for schedule(static)
        for (int j = 0; j < p; j++)
            for (int b = 0; b < now; b++)
                for (int l = j; l < p; l++)
                    row(g, j)[l] += part[((size_t)b * (size_t)p + (size_t)j) * (size_t)p + (size_t)l];
    }
    for (int j = 0; j < p; j++)
        for (int l = 0; l < j; l++)
            row(g, j)[l] = row(g, l)[j];
    arena_free(&tmp);
}

/* The upper triangle of g becomes R with R'R = g; a dependent column gets a zero row. */
static void cholesky(dmat g)
{
    int p = g.cols;
    for (int j = 0; j < p; j++) {
        double *restrict rj = row(g, j), whole = rj[j];
        for (int k = 0; k < j; k++) {
            const double *restrict rk = row(g, k);
            for (int l = j; l < p; l++)
                rj[l] -= rk[j] * rk[l];
        }
        double scale = rj[j] > 1e-13 * whole && whole > 0 ? 1 / sqrt(rj[j]) : 0;
        for (int l = j; l < p; l++)
            rj[l] *= scale;
    }
}

static void orthonormalise(dmat v, dmat g)
{
    for (int pass = 0; pass < 2; pass++) {
        gram(g, v);
        cholesky(g);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < v.rows; i++) {
            double *restrict x = row(v, i);
            for (int k = 0; k < v.cols; k++) { /* x <- x R^-1 */
                const double *restrict r = row(g, k);
                x[k] = r[k] > 0 ? x[k] / r[k] : 0;
#pragma omp simd
                for (int l = k + 1; l < v.cols; l++)
                    x[l] -= x[k] * r[l];
            }
        }
    }
}

/* Rotates columns (and rows) p, q of the symmetric g so that g(p, q) = 0, and the rows p, q of w along. */
static void rotate(dmat g, dmat w, int p, int q)
{
    double *gp = row(g, p), *gq = row(g, q), *wp = row(w, p), *wq = row(w, q);
    double theta = (gq[q] - gp[p]) / (2 * gp[q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < g.cols; k++) {
        double x = gp[k], y = gq[k];
        gp[k] = c * x - s * y;
        gq[k] = s * x + c * y;
        x = wp[k], y = wq[k];
        wp[k] = c * x - s * y;
        wq[k] = s * x + c * y;
    }
    for (int k = 0; k < g.rows; k++) {
        double x = row(g, k)[p], y = row(g, k)[q];
        row(g, k)[p] = c * x - s * y;
        row(g, k)[q] = s * x + c * y;
    }
}

/* g = W' diag W with the eigenvalues left on g's diagonal and the eigenvectors in the rows of w. */
static void jacobi(dmat g, dmat w)
{
    int p = g.cols;
    double trace = 0;
    for (int j = 0; j < p; j++) {
        trace += row(g, j)[j];
        memset(row(w, j), 0, (size_t)p * sizeof *w.v);
        row(w, j)[j] = 1;
    }
    for (int sweep = 0, busy = 1; busy && sweep < SWEEPS; sweep++) {
        busy = 0;
        for (int j = 0; j < p; j++)
            for (int l = j + 1; l < p; l++)
                if (fabs(row(g, j)[l]) > 1e-15 * trace) {
                    rotate(g, w, j, l);
                    busy = 1;
                }
    }
}

/* order[0..k): the columns by falling eigenvalue, ties by number. */
static void pick_largest(int *order, int k, dmat g)
{
    int p = g.cols;
    for (int m = 0; m < k; m++) {
        int best = -1;
        for (int j = 0; j < p; j++) {
            int used = 0;
            for (int l = 0; l < m; l++)
                used |= order[l] == j;
            if (!used && (best < 0 || row(g, j)[j] > row(g, best)[best]))
                best = j;
        }
        order[m] = best;
    }
}

/* Flips the eigenvector e if that makes the largest entry of V e positive. */
static void fix_sign(double *e, dmat v)
{
    double largest = 0;
    for (int i = 0; i < v.rows; i++) {
        double x = 0;
        for (int j = 0; j < v.cols; j++)
            x += row(v, i)[j] * e[j];
        if (fabs(x) > fabs(largest) * (1 + 1e-6)) /* near ties: the first one, whatever the rounding */
            largest = x;
    }
    if (largest < 0)
        for (int j = 0; j < v.cols; j++)
            e[j] = -e[j];
}

mat svd_reduce(arena *a, const csr *x, int k, double *sigma)
{
    arena tmp = {0};
    int small = x->rows < x->cols ? x->rows : x->cols;
    int rank = k < small ? k : small, p = rank + EXTRA < small ? rank + EXTRA : small;
    csr xt = csr_transpose(&tmp, x);
    dmat v = dmat_new(&tmp, x->cols, p), y = dmat_new(&tmp, x->rows, p);
    dmat g = dmat_new(&tmp, p, p), w = dmat_new(&tmp, p, p);
    rng r = rng_make(0, 0, RNG_SVD);
    for (int i = 0; i < v.rows; i++)
        for (int j = 0; j < p; j++)
            row(v, i)[j] = rng_normal(r, (uint64_t)i, (uint64_t)j);
    orthonormalise(v, g);
    for (int step = 0; step < STEPS; step++) {
        multiply(y, x, v);
        multiply(v, &xt, y);
        orthonormalise(v, g);
    }
    multiply(y, x, v);
    gram(g, y);
    jacobi(g, w);
    int *order = NEW(&tmp, int, (size_t)rank + 1);
    pick_largest(order, rank, g);
    for (int m = 0; m < k && sigma; m++)
        sigma[m] = m < rank && row(g, order[m])[order[m]] > 0 ? sqrt(row(g, order[m])[order[m]]) : 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (int m = 0; m < rank; m++)
        fix_sign(row(w, order[m]), v);
    mat out = mat_new(a, x->rows, k);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < x->rows; i++)
        for (int m = 0; m < rank; m++) {
            const double *e = row(w, order[m]);
            double s = 0;
            for (int j = 0; j < p; j++)
                s += row(y, i)[j] * e[j];
            mat_row(out, i)[m] = (real)s;
        }
    arena_free(&tmp);
    return out;
}
