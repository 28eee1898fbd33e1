/* X (n x m, sparse) ~ W H with W (n x k) and H (k x m) not negative, by cyclic coordinate descent on |X - W H|^2 / 2,
 * as scikit-learn's solver 'cd' does it. H is stored transposed, so that both factors are updated alike:
 *
 *   start   H, then W, both row by row: sqrt(mean(X) / k) |z|, z normal, from numpy's RandomState(0)
 *   round   update(W; X, H^T), then update(H^T; X^T, W)
 *   update(W; X, H^T):  P = H H^T (k x k), Q = X H^T (n x k); in every row of W, for t = 0, ..., k-1 in this order:
 *           g = sum_r P_tr W_r - Q_t,   W_t <- max(W_t - g / P_tt, 0) unless P_tt = 0
 *
 * The violation of a round is the sum of |g|, or of |min(g, 0)| where W_t = 0: the distance from the optimality
 * conditions.
 *
 * Rows are independent. LANES of them are updated at a time, transposed, so that vectors hold one component of several
 * rows. TILE consecutive components share one pass over all other components, which are constant while these are
 * updated in order. Rows are cut into blocks by their number alone. Each block computes its share of W^T W and of the
 * violation, and the shares are added in the order of the blocks: the same bits at any thread count. */
#include "nmf.h"
#include "../base/mt19937.h"
#include "../kernel/simd.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { LANES = 12, TILE = 4 }; /* TILE x LANES sums: 12 of the 16 registers of AVX2 */
enum { WIDE = 8, DEEP = 96 };  /* W^T W: tiles of TILE x WIDE sums over DEEP packed rows at a time */
enum { BLOCKS = 64 };          /* of a factor, at most */
enum { AHEAD = 4 };            /* entries of X between a prefetch and its use */
#define TOLERANCE 1e-4

/* W or H^T. Matrices have ld columns: the k components, then zeros up to a multiple of WIDE, which remain zero. So do
 * the rows of w that fill the last block. */
typedef struct factor {
    const csr *x;         /* rows x (rows of the other factor) */
    double *w;            /* (blocks * tall) x ld */
    double *p;            /* P = W^T W in panels of TILE columns: P_rt at p[(t / TILE * ld + r) * TILE + t % TILE] */
    double *inv;          /* 1 / P_tt, 0 where P_tt = 0 */
    int ld, tall, blocks; /* tall: rows of a block, a multiple of LANES */
} factor;

typedef struct scratch {
    double *share;     /* blocks x ld x ld: W^T W of each block, the tiles on and right of the diagonal */
    double *violation; /* of each block */
    double *thread;    /* `each` doubles for each thread */
    size_t each;
} scratch;

/* to (cols x rows) = the transpose of from (rows x cols), both multiples of TILE */
INLINE void transpose(double *restrict to, const double *restrict from, int rows, int cols)
{
    for (int j = 0; j < cols; j += TILE)
        for (int i = 0; i < rows; i += TILE)
            for (int r = 0; r < TILE; r++)
                for (int s = 0; s < TILE; s++)
                    to[(j + r) * rows + i + s] = from[(i + s) * cols + j + r];
}

/* q (LANES x ld) = rows i .. i+LANES-1 of X times the other factor; 0 beyond the last row */
INLINE void times(double *restrict q, const csr *x, const factor *other, int i)
{
    int ld = other->ld;
    const double *restrict h = other->w;
    int64_t last = csr_nnz(x) - 1;
    memset(q, 0, (size_t)LANES * (size_t)ld * sizeof *q);
    for (int end = x->rows - i < LANES ? x->rows : i + LANES; i < end; i++, q += ld)
        for (int64_t e = x->ptr[i]; e < x->ptr[i + 1]; e++) {
            double value = (double)csr_value(x, e);
            const double *restrict from = h + (size_t)x->idx[e] * (size_t)ld;
            const double *next = h + (size_t)x->idx[e + AHEAD < last ? e + AHEAD : last] * (size_t)ld;
            for (int t = 0; t < ld; t += WIDE) {
                __builtin_prefetch(next + t);
#pragma omp simd
                for (int s = t; s < t + WIDE; s++)
                    q[s] = fused(value, from[s], q[s]);
            }
        }
}

/* The sums of TILE components += P_rt w_r, r = from .. to-1 */
INLINE void add_products(double sum[TILE][LANES], const double *restrict p, const double *restrict w, int from, int to)
{
    for (int r = from; r < to; r++)
        for (int t = 0; t < TILE; t++)
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                sum[t][l] = fused(p[r * TILE + t], w[r * LANES + l], sum[t][l]);
}

/* Updates all components of LANES rows: w and q are ld x LANES. Adds the violation to `missed`, lane by lane. */
INLINE void descend(double *restrict w, double *restrict missed, const double *restrict q, const factor *other)
{
    for (int t = 0; t < other->ld; t += TILE) {
        const double *p = other->p + (size_t)t * (size_t)other->ld;
        double sum[TILE][LANES];
        for (int s = 0; s < TILE; s++)
            for (int l = 0; l < LANES; l++)
                sum[s][l] = -q[(t + s) * LANES + l];
        add_products(sum, p, w, 0, t);
        add_products(sum, p, w, t + TILE, other->ld);
        for (int s = 0; s < TILE; s++)
#pragma omp simd
            for (int l = 0; l < LANES; l++) {
                double g = sum[s][l], old = w[(t + s) * LANES + l];
                for (int r = 0; r < TILE; r++)
                    g = fused(p[(t + r) * TILE + s], w[(t + r) * LANES + l], g);
                double moved = fused(-g, other->inv[t + s], old);
                w[(t + s) * LANES + l] = moved > 0 ? moved : 0;
                missed[l] += old == 0 && g > 0 ? 0 : fabs(g);
            }
    }
}

/* out (ld x ld), the tiles on and right of the diagonal, += a^T a for `rows` rows of a */
INLINE void add_gram(double *restrict out, double *restrict panel, const double *restrict a, int rows, int ld)
{
    for (int s = 0; s < ld; s += WIDE)
        for (int i = 0; i < rows; i++)
            memcpy(panel + s * DEEP + i * WIDE, a + i * ld + s, WIDE * sizeof *a);
    for (int t = 0; t < ld; t += TILE)
        for (int s = t / WIDE * WIDE; s < ld; s += WIDE) {
            const double *left = panel + t / WIDE * WIDE * DEEP + t % WIDE, *right = panel + s * DEEP;
            double sum[TILE][WIDE] = {{0}};
            for (int i = 0; i < rows; i++)
                for (int r = 0; r < TILE; r++)
#pragma omp simd
                    for (int v = 0; v < WIDE; v++)
                        sum[r][v] = fused(left[i * WIDE + r], right[i * WIDE + v], sum[r][v]);
            for (int r = 0; r < TILE; r++)
                for (int v = 0; v < WIDE; v++)
                    out[(t + r) * ld + s + v] += sum[r][v];
        }
}

/* Updates the rows of one block (other = NULL: leaves them as they are), then its share of W^T W. Returns its
 * violation. */
CLONES static double update_block(double *restrict share, double *restrict work, const factor *f, const factor *other,
                                  int block)
{
    int ld = f->ld, from = block * f->tall, to = from + f->tall;
    double *q = work, *qt = q + LANES * ld, *wt = qt + LANES * ld, *panel = wt + LANES * ld;
    double missed[LANES] = {0}, violation = 0;
    for (int i = from; other && i < to; i += LANES) {
        double *w = f->w + (size_t)i * (size_t)ld;
        times(q, f->x, other, i);
        transpose(qt, q, LANES, ld);
        transpose(wt, w, LANES, ld);
        descend(wt, missed, qt, other);
        transpose(w, wt, ld, LANES);
    }
    memset(share, 0, (size_t)ld * (size_t)ld * sizeof *share);
    for (int i = from; i < to; i += DEEP)
        add_gram(share, panel, f->w + (size_t)i * (size_t)ld, to - i < DEEP ? to - i : DEEP, ld);
    for (int l = 0; l < LANES; l++)
        violation += missed[l];
    return violation;
}

/* P and 1 / P_tt from the shares, which are overwritten. */
static void add_shares(factor *f, double *share)
{
    size_t ld = (size_t)f->ld;
#pragma omp parallel for schedule(static)
    for (size_t t = 0; t < ld; t++) {
        double *restrict sum = share + t * ld;
        for (int b = 1; b < f->blocks; b++) {
            const double *restrict next = sum + (size_t)b * ld * ld;
            for (size_t s = t; s < ld; s++)
                sum[s] += next[s];
        }
        for (size_t s = t; s < ld; s++)
            f->p[(s / TILE * ld + t) * TILE + s % TILE] = f->p[(t / TILE * ld + s) * TILE + t % TILE] = sum[s];
        f->inv[t] = sum[t] != 0 ? 1 / sum[t] : 0;
    }
}

/* Updates f with the other factor as it is (NULL: leaves f as it is), then P of f. Returns the violation. */
static double update(factor *f, const factor *other, const scratch *s)
{
    double violation = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (int b = 0; b < f->blocks; b++) {
        double *share = s->share + (size_t)b * (size_t)f->ld * (size_t)f->ld;
        double *work = s->thread + s->each * (size_t)omp_get_thread_num();
        s->violation[b] = update_block(share, work, f, other, b);
    }
    for (int b = 0; b < f->blocks; b++)
        violation += s->violation[b];
    add_shares(f, s->share);
    return violation;
}

static factor factor_new(arena *a, const csr *x, int k)
{
    factor f = {.x = x, .ld = (k + WIDE - 1) / WIDE * WIDE};
    size_t ld = (size_t)f.ld;
    f.tall = ((x->rows + BLOCKS - 1) / BLOCKS + LANES - 1) / LANES * LANES;
    f.blocks = (x->rows + f.tall - 1) / f.tall;
    f.w = NEW_2D(a, double, f.blocks *f.tall, ld);
    f.p = NEW_2D(a, double, ld, ld);
    f.inv = NEW(a, double, ld);
    return f;
}

static void start(factor *w, factor *h, int k)
{
    double sum = 0;
    for (int64_t e = 0; e < csr_nnz(w->x); e++)
        sum += (double)csr_value(w->x, e);
    double scale = sqrt(sum / ((double)w->x->rows * w->x->cols) / k);
    mt19937 r;
    mt19937_seed(&r, 0);
    for (int t = 0; t < k; t++)
        for (int j = 0; j < h->x->rows; j++)
            h->w[(size_t)j * (size_t)h->ld + (size_t)t] = fabs(scale * mt19937_normal(&r));
    for (int i = 0; i < w->x->rows; i++)
        for (int t = 0; t < k; t++)
            w->w[(size_t)i * (size_t)w->ld + (size_t)t] = fabs(scale * mt19937_normal(&r));
}

static void copy_out(double *to, const factor *f, int k)
{
    for (int i = 0; i < f->x->rows; i++)
        memcpy(to + (size_t)i * (size_t)k, f->w + (size_t)i * (size_t)f->ld, (size_t)k * sizeof *to);
}

int nmf_factorise(double *w, double *ht, const csr *x, int k, int rounds)
{
    arena tmp = {0};
    csr xt = csr_transpose(&tmp, x);
    factor fw = factor_new(&tmp, x, k), fh = factor_new(&tmp, &xt, k);
    size_t ld = (size_t)fw.ld;
    scratch s = {.each = (3 * LANES + DEEP) * ld};
    s.share = NEW_2D(&tmp, double, BLOCKS *ld, ld);
    s.violation = NEW(&tmp, double, BLOCKS);
    s.thread = NEW_2D(&tmp, double, s.each, omp_get_max_threads());
    start(&fw, &fh, k);
    update(&fh, NULL, &s);
    double first = 0, violation = 1;
    int n = 0;
    for (; n < rounds && violation > TOLERANCE * first; n++) {
        violation = update(&fw, &fh, &s);
        violation += update(&fh, &fw, &s);
        first = n ? first : violation;
    }
    copy_out(w, &fw, k);
    copy_out(ht, &fh, k);
    arena_free(&tmp);
    return n;
}

/* Mean and population sd in float32, summed row by row, as numpy reduces a float32 matrix over its rows. The published
 * columns carry the rounding of such sums: with sums in double the result differs from the published values by up to
 * 3.6e-4, with these by up to 2.1e-5. */
static void standardise(mat x)
{
    arena tmp = {0};
    size_t k = (size_t)x.cols;
    float *mean = NEW(&tmp, float, k), *sd = NEW(&tmp, float, k), n = (float)x.rows;
    for (int i = 0; i < x.rows; i++)
        for (size_t t = 0; t < k; t++)
            mean[t] += (float)mat_row(x, i)[t];
    for (size_t t = 0; t < k; t++)
        mean[t] /= n;
    for (int i = 0; i < x.rows; i++)
        for (size_t t = 0; t < k; t++) {
            float d = (float)mat_row(x, i)[t] - mean[t];
            sd[t] += d * d;
        }
    for (size_t t = 0; t < k; t++)
        sd[t] = sqrtf(sd[t] / n);
    for (int i = 0; i < x.rows; i++)
        for (size_t t = 0; t < k; t++) {
            real *v = &mat_row(x, i)[t];
            *v = sd[t] > 0 ? (real)(((float)*v - mean[t]) / sd[t]) : 0;
        }
    arena_free(&tmp);
}

mat nmf_features(arena *a, const csr *x, int k)
{
    arena tmp = {0};
    size_t all = (size_t)x->rows * (size_t)k;
    double *w = NEW(&tmp, double, all), *ht = NEW_2D(&tmp, double, x->cols, k);
    nmf_factorise(w, ht, x, k, NMF_ROUNDS);
    mat out = mat_new(a, x->rows, k);
    for (size_t i = 0; i < all; i++)
        out.v[i] = (real)(float)w[i];
    arena_free(&tmp);
    standardise(out);
    return out;
}
