/* Kernels against plain reference versions, at awkward sizes, and the same bits at 1, 2, 3 and 8 threads. */
#include "../../src/base/hash.h"
#include "../../src/kernel/blas.h"
#include "../../src/kernel/gemm.h"
#include "../../src/kernel/ref.h"
#include "../../src/kernel/simd.h"
#include "test.h"
#include <omp.h>

static arena a;

static real *noise(size_t n, uint64_t stream)
{
    real *x = NEW(&a, real, n);
    rng r = rng_make(7, 0, RNG_INIT);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(2 * rng_uniform(r, stream, i) - 1);
    return x;
}

static real *copy(const real *x, size_t n)
{
    real *y = NEW(&a, real, n);
    memcpy(y, x, n * sizeof *y);
    return y;
}

static double worst(const real *x, const real *y, size_t n)
{
    double w = 0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs((double)x[i] - (double)y[i]) / (1 + fabs((double)y[i]));
        w = d > w || d != d ? d : w;
    }
    return w;
}

static csr random_csr(int rows, int cols, int per_row, int values)
{
    int64_t m = (int64_t)rows * per_row;
    int *u = NEW(&a, int, (size_t)m + 1), *v = NEW(&a, int, (size_t)m + 1);
    rng r = rng_make(3, 0, RNG_SPLIT);
    for (int64_t k = 0; k < m; k++) {
        u[k] = (int)rng_below(r, 1, (uint64_t)k, (uint64_t)rows);
        v[k] = (int)rng_below(r, 2, (uint64_t)k, (uint64_t)cols);
    }
    csr s = csr_from_pairs(&a, rows, cols, u, v, m, 0, 1);
    if (values)
        s.val = noise((size_t)csr_nnz(&s), 5);
    return s;
}

static void test_spmm(void)
{
    static const int d[] = {1, 3, 7, 8, 15, 16, 32, 33, 64, 77, 128, 200};
    for (size_t k = 0; k < sizeof d / sizeof *d; k++)
        for (int values = 0; values < 2; values++) {
            csr s = random_csr(1500, 170, 9, values);
            size_t n = (size_t)s.rows * (size_t)d[k];
            real *x = noise((size_t)s.cols * (size_t)d[k], 1), *y = noise(n, 2), *z = copy(y, n);
            real beta = (real)(values ? 0 : 0.5);
            spmm(y, &s, x, d[k], beta);
            spmm_ref(z, &s, x, d[k], beta);
            CHECK(worst(y, z, n) < 2e-6, "spmm d = %d: %g", d[k], worst(y, z, n));
            csr t = csr_transpose(&a, &s),
                u = csr_transpose(&a, &t); /* the same matrix, now with an order for its rows */
            real *w = noise(n, 2);
            spmm(w, &u, x, d[k], beta);
            CHECK(!s.order && u.order && !memcmp(w, y, n * sizeof *w),
                  "spmm d = %d: rows in another order, different bits", d[k]);
        }
}

/* Sparse times sparse has the bits of sparse times dense, and no zeros. */
static void test_spgemm(void)
{
    static const struct {
        int rows, inner, cols, each, each_x;
    } shape[] = {
        {700, 170, 64, 9, 5}, {300, 300, 1433, 4, 18}, {50, 40, 7, 3, 1}, {1, 1, 1, 1, 1}, {90, 2000, 33, 200, 3}};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
        for (int values = 0; values < 4; values++) {
            csr s = random_csr(shape[k].rows, shape[k].inner, shape[k].each, values & 1),
                x = random_csr(shape[k].inner, shape[k].cols, shape[k].each_x, values & 2);
            size_t n = (size_t)s.rows * (size_t)x.cols, bad = 0, have = 0;
            real *dense = NEW(&a, real, (size_t)x.rows * (size_t)x.cols), *y = NEW(&a, real, n), *z = NEW(&a, real, n);
            for (int i = 0; i < x.rows; i++)
                for (int64_t l = x.ptr[i]; l < x.ptr[i + 1]; l++)
                    dense[(size_t)i * (size_t)x.cols + (size_t)x.idx[l]] = csr_value(&x, l);
            spmm(y, &s, dense, x.cols, 0);
            csr p = csr_multiply(&a, &s, &x);
            for (int i = 0; i < p.rows; i++)
                for (int64_t l = p.ptr[i]; l < p.ptr[i + 1]; l++) {
                    z[(size_t)i * (size_t)p.cols + (size_t)p.idx[l]] = p.val[l];
                    bad += p.val[l] == 0 || (l > p.ptr[i] && p.idx[l] <= p.idx[l - 1]);
                }
            for (size_t i = 0; i < n; i++)
                have += y[i] != 0, bad += y[i] != z[i];
            CHECK(!bad && have == (size_t)csr_nnz(&p),
                  "sparse times sparse, shape %zu: %zu of %zu elements have different bits", k, bad, n);
        }
}

/* A product with fused bias and ReLU, or with a fused update, has the bits of the separate steps. */
static void test_endings(void)
{
    static const struct {
        int rows, cols, each, d;
    } shape[] = {{700, 170, 9, 7},  {700, 170, 9, 8},  {700, 170, 9, 16},  {203, 900, 520, 16}, {700, 170, 9, 32},
                 {700, 170, 9, 33}, {700, 170, 9, 64}, {700, 170, 9, 130}, {30, 20000, 700, 64}};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        int d = shape[k].d;
        csr r = random_csr(shape[k].rows, shape[k].cols, shape[k].each, 1), t = csr_transpose(&a, &r),
            s = csr_transpose(&a, &t);
        size_t n = (size_t)s.rows * (size_t)d;
        real *x = noise((size_t)s.cols * (size_t)d, 1), *b = noise((size_t)d, 2), *base = noise(n, 3),
             *y = NEW(&a, real, n), *z = copy(base, n);
        int *map = NEW(&a, int, (size_t)s.rows);
        for (int i = 0; i < s.rows; i++)
            map[i] = i;
        spmm_with(y, &s, 1, x, d, &(epilogue){.base = base, .map = map, .beta = (real)0.5, .bias = b, .shape = RELU});
        spmm(z, &s, x, d, (real)0.5);
        activate(z, b, s.rows, d, RELU, &(dropout){.p = 0}, NULL);
        CHECK(!memcmp(y, z, n * sizeof *y), "bias and ReLU along with spmm d = %d: different bits", d);
        real *w = noise(n, 4), *m = noise(n, 5), *v = NEW(&a, real, n), *w2 = copy(w, n), *m2 = copy(m, n),
             *v2 = copy(v, n), *w3 = copy(w, n), *m3 = copy(m, n), *v3 = copy(v, n);
        adam o = {0.01, 0.9, 0.999, 1e-8};
        adam_now now = adam_at(&o, 5e-4, 3);
        spmm_adam(w, NEW(&a, real, n), m, v, &s, x, d, &now);
        spmm(z, &s, x, d, 0);
        adam_step(w2, z, m2, v2, n, &now);
        adam_ref(w3, z, m3, v3, n, &o, 5e-4, 3);
        CHECK(!memcmp(w, w2, n * sizeof *w) && !memcmp(m, m2, n * sizeof *m) && !memcmp(v, v2, n * sizeof *v),
              "Adam along with spmm d = %d: different bits", d);
        CHECK(worst(w, w3, n) < 1e-4 && worst(v, v3, n) < 1e-5, "Adam along with spmm d = %d: %g", d, worst(w, w3, n));
    }
}

/* Column bands, prefetching and non-temporal stores: the bits of narrow operands, 16 columns at a time, and of small
 * results. */
static void test_spmm_far(void)
{
    static const struct {
        int rows, cols, each, d;
    } shape[] = {{30, 20000, 700, 64},
                 {700, 9000, 200, 128},
                 {140000, 3000, 3, 64},
                 {70000, 3000, 4, 128},
                 {9000, 9000, 5, 256}};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
        for (int threads = 1; threads <= 3; threads++) {
            int bad = 0, d = shape[k].d;
            csr s = random_csr(shape[k].rows, shape[k].cols, shape[k].each, 1);
            size_t n = (size_t)s.rows * (size_t)d, in = (size_t)s.cols;
            real *x = noise(in * (size_t)d, 1), *y = noise(n, 2), *z = NEW(&a, real, n), *part = NEW(&a, real, in * 16),
                 *out = NEW(&a, real, n / (size_t)d * 16);
            omp_set_num_threads(threads);
            spmm(y, &s, x, d, 0);
            spmm(z, &s, x, d, 1); /* onto itself, zeros */
            bad += memcmp(y, z, n * sizeof *y) != 0;
            for (int j = 0; j < d; j += 16) {
                for (size_t i = 0; i < in; i++)
                    memcpy(part + i * 16, x + i * (size_t)d + j, 16 * sizeof *x);
                spmm(out, &s, part, 16, 0);
                for (int i = 0; i < s.rows; i++)
                    bad += memcmp(out + (size_t)i * 16, y + (size_t)i * (size_t)d + j, 16 * sizeof *y) != 0;
            }
            CHECK(!bad, "spmm of %d rows, %d columns, d = %d, %d threads: %d rows have different bits", s.rows, s.cols,
                  d, threads, bad);
        }
    omp_set_num_threads(2);
}

static void test_restrict(void)
{
    csr s = random_csr(50, 40, 6, 1), t = csr_transpose(&a, &s), u = csr_transpose(&a, &t);
    CHECK(!memcmp(s.ptr, u.ptr, 51 * sizeof *s.ptr) && !memcmp(s.val, u.val, (size_t)csr_nnz(&s) * sizeof *s.val),
          "transpose twice");
    int rows[] = {3, 4, 17, 49}, cols[40], n = 0;
    for (int j = 0; j < 40; j++) {
        int used = 0;
        for (int r = 0; r < 4; r++)
            for (int64_t k = s.ptr[rows[r]]; k < s.ptr[rows[r] + 1]; k++)
                used |= s.idx[k] == j;
        if (used)
            cols[n++] = j;
    }
    csr cut = csr_restrict(&a, &s, rows, 4, cols, n);
    for (int r = 0; r < 4; r++)
        for (int64_t k = cut.ptr[r], q = s.ptr[rows[r]]; k < cut.ptr[r + 1]; k++, q++)
            CHECK(cols[cut.idx[k]] == s.idx[q] && cut.val[k] == s.val[q], "row %d", r);
}

static void test_normalised(void)
{
    int u[] = {0, 1, 1, 3, 3, 2}, v[] = {1, 0, 2, 3, 0, 1}; /* repeats, both directions, a loop; node 4 alone */
    csr g = csr_from_pairs(&a, 5, 5, u, v, 6, 1, 0);
    CHECK(csr_nnz(&g) == 6, "%lld entries", (long long)csr_nnz(&g));
    csr s = csr_adjacency(&a, &g, ADJ_GCN);
    CHECK(csr_nnz(&s) == 11 && s.idx[10] == 4 && s.val[10] == 1, "a node without edges keeps its loop");
    CHECK_NEAR((double)s.val[0], 1.0 / 3, 1e-7); /* degrees with loop: 3 3 2 2 1 */
    CHECK_NEAR((double)s.val[1], 1.0 / 3, 1e-7);
    CHECK_NEAR((double)s.val[2], 1 / sqrt(6), 1e-7);
    csr t = csr_transpose(&a, &s);
    CHECK(!memcmp(t.val, s.val, 11 * sizeof *s.val), "symmetric to the bit");
    csr mean = csr_adjacency(&a, &g, ADJ_MEAN), cheb = csr_adjacency(&a, &g, ADJ_CHEB);
    CHECK_NEAR((double)mean.val[2], 1.0 / 3, 1e-7);
    CHECK(mean.val[10] == 1 && csr_nnz(&cheb) == 6, "%lld entries", (long long)csr_nnz(&cheb));
    CHECK_NEAR((double)cheb.val[0], -0.5, 1e-7); /* degrees 2 2 1 1 0 */
    CHECK_NEAR((double)cheb.val[1], -1 / sqrt(2), 1e-7);
}

static void test_gemm(void)
{
    static const int size[][3] = {{1, 1, 1},      {7, 5, 3},      {140, 7, 64}, {300, 49, 64},  {500, 40, 270},
                                  {600, 130, 33}, {97, 257, 300}, {5, 16, 700}, {64, 600, 513}, {9000, 40, 130}};
    const int sizes = sizeof size / sizeof *size;
    for (int i = 0; i < sizes + 96; i++) { /* after them, every number of rows that tiles may leave over */
        int m = i < sizes ? size[i][0] : 1 + (i - sizes) % 24,
            n = i < sizes ? size[i][1] : (int[]){16, 17, 40, 50}[(i - sizes) / 24], k = i < sizes ? size[i][2] : 19;
        size_t mn = (size_t)m * (size_t)n;
        double bound = 1e-6 + k * 0x1p-24; /* of the rounding of k products summed in any order */
        real *x = noise((size_t)m * (size_t)k, 1), *y = noise((size_t)k * (size_t)n, 2), *c = noise(mn, 3),
             *r = copy(c, mn);
        gemm_nn(c, x, y, m, n, k, 1), gemm_ref(r, x, y, m, n, k, 0, 0, 1);
        CHECK(worst(c, r, mn) < bound, "nn %d %d %d: %g", m, n, k, worst(c, r, mn));
        gemm_nt(c, x, y, m, n, k, 0), gemm_ref(r, x, y, m, n, k, 0, 1, 0);
        CHECK(worst(c, r, mn) < bound, "nt %d %d %d: %g", m, n, k, worst(c, r, mn));
        gemm_tn(c, x, y, m, n, k, 1), gemm_ref(r, x, y, m, n, k, 1, 0, 1);
        CHECK(worst(c, r, mn) < bound, "tn %d %d %d: %g", m, n, k, worst(c, r, mn));
        memcpy(r, c, mn * sizeof *c); /* the BLAS, with which speed is compared */
        blas_nn(c, x, y, m, n, k, 1), gemm_nn(r, x, y, m, n, k, 1);
        CHECK(worst(c, r, mn) < 2 * bound, "blas nn %d %d %d: %g", m, n, k, worst(c, r, mn));
    }
}

/* Small weights: any subset of rows has the bits of the whole product, and rows of zeros may be left out of a^T b. */
static void test_gemm_rows(void)
{
    enum { M = 401, N = 50, K = 130, STEP = 3, PART = (M + STEP - 1) / STEP };
    real *x = noise(M * K, 1), *y = noise(K * N, 2), *g = noise(M * N, 3), *all = NEW(&a, real, M * N),
         *part = NEW(&a, real, PART * N);
    real *xp = NEW(&a, real, PART * K), *gp = NEW(&a, real, PART * N), *wall = noise(K * N, 4),
         *wpart = copy(wall, K * N);
    int bad = 0;
    for (int i = 0; i < M; i++) {
        if (i % STEP)
            memset(g + i * N, 0, N * sizeof *g);
        else
            memcpy(xp + i / STEP * K, x + i * K, K * sizeof *x), memcpy(gp + i / STEP * N, g + i * N, N * sizeof *g);
    }
    gemm_nn(all, x, y, M, N, K, 0), gemm_nn(part, xp, y, PART, N, K, 0);
    for (int i = 0; i < PART; i++)
        bad += memcmp(part + i * N, all + i * STEP * N, N * sizeof *all) != 0;
    CHECK(!bad, "%d rows of nn differ", bad);
    gemm_tn(wall, x, g, K, N, M, 1), gemm_tn(wpart, xp, gp, K, N, PART, 1);
    CHECK(!memcmp(wall, wpart, K * N * sizeof *wall), "tn without rows of zeros");
}

/* Fused bias and ReLU have the bits of the separate steps, with our products and with those of the BLAS. */
static void test_gemm_act(void)
{
    static const int size[][3] = {{3, 5, 7}, {900, 40, 33}, {900, 513, 512}};
    for (int i = 0; i < 3; i++) {
        int m = size[i][0], n = size[i][1], k = size[i][2];
        size_t mn = (size_t)m * (size_t)n;
        real *x = noise((size_t)m * (size_t)k, 1), *y = noise((size_t)k * (size_t)n, 2), *b = noise((size_t)n, 3),
             *c = noise(mn, 4), *r = noise(mn, 5);
        for (int bias = 0; bias < 2; bias++)
            for (enum shape f = LINEAR; f <= RELU; f++) {
                gemm_nn_act(c, x, y, m, n, k, bias ? b : NULL, f);
                gemm_nn(r, x, y, m, n, k, 0);
                activate(r, bias ? b : NULL, m, n, f, &(dropout){.p = 0}, NULL);
                CHECK(!memcmp(c, r, mn * sizeof *c), "%d %d %d with bias %d, shape %d: different bits", m, n, k, bias,
                      (int)f);
            }
    }
}

/* Entry j of a sparse row is dropped as column j of a dense one. */
static void test_dropout_entries(void)
{
    enum { ROWS = 90, COLS = 300 };
    csr s = random_csr(ROWS, COLS, 21, 1);
    dropout drop = {rng_make(1, 2, RNG_DROPOUT), 17, 3, 0.6};
    real *out = NEW(&a, real, (size_t)csr_nnz(&s)), row[COLS];
    int id[ROWS], bad = 0, zero = 0;
    for (int i = 0; i < ROWS; i++)
        id[i] = 7 * i + 2;
    dropout_entries(out, &s, id, &drop);
    for (int i = 0; i < ROWS; i++) {
        int n = (int)(s.ptr[i + 1] - s.ptr[i]);
        memcpy(row, s.val + s.ptr[i], (size_t)n * sizeof *row);
        activate_ref(row, NULL, 1, n, LINEAR, &drop, id + i);
        bad += memcmp(row, out + s.ptr[i], (size_t)n * sizeof *row) != 0;
    }
    for (int64_t k = 0; k < csr_nnz(&s); k++)
        zero += out[k] == 0;
    CHECK(!bad && zero > 0.5 * (double)csr_nnz(&s) && zero < 0.7 * (double)csr_nnz(&s),
          "%d rows differ, %d of %lld dropped", bad, zero, (long long)csr_nnz(&s));
}

static void test_rows(void)
{
    static const int d[] = {1, 5, 16, 49, 64, 100, 1600};
    for (size_t k = 0; k < sizeof d / sizeof *d; k++) {
        int rows = 37;
        size_t n = (size_t)rows * (size_t)d[k];
        int id[37];
        for (int i = 0; i < rows; i++)
            id[i] = 1000 * i + 3;
        real *x = noise(n, 1), *y = copy(x, n), *b = noise((size_t)d[k], 2), *g = noise(n, 3),
             *sum = noise((size_t)d[k], 4), *want = copy(sum, (size_t)d[k]);
        for (int f = LINEAR; f <= ELU; f++)
            for (int p = 0; p < 2; p++) {
                dropout drop = {rng_make(1, 2, RNG_DROPOUT), 17, 3, p ? 0.6 : 0};
                activate(x, b, rows, d[k], (enum shape)f, &drop, id);
                activate_ref(y, b, rows, d[k], (enum shape)f, &drop, id);
                CHECK(f == ELU ? worst(x, y, n) < 1e-6 : !memcmp(x, y, n * sizeof *x),
                      "activate d %d shape %d p %g: %g", d[k], f, drop.p, worst(x, y, n));
                memcpy(y, x, n * sizeof *x);
            }
        dropout off = {.p = 0};
        activate(x, NULL, rows, d[k], RELU, &off, id);
        activate_back(g, sum, 0, x, rows, d[k], RELU, &off, id);
        column_sum_ref(want, g, rows, d[k]);
        CHECK(worst(sum, want, (size_t)d[k]) < 1e-6, "bias gradient d %d", d[k]);
        for (size_t i = 0; i < n; i++)
            CHECK(x[i] > 0 || g[i] == 0, "a gradient passes ReLU's flat side");
        real *p = noise(n, 5), *q = copy(p, n), *e = noise(n, 6);
        for (size_t i = 0; i < n; i++)
            e[i] *= 40;
        softmax(p, e, rows, d[k], (real)1.7);
        softmax_ref(q, e, rows, d[k], (real)1.7);
        CHECK(worst(p, q, n) < 1e-6, "softmax d %d: %g", d[k], worst(p, q, n));
    }
}

static void test_dropout_rate(void)
{
    static const double p[] = {0.1, 0.5, 0.6};
    for (int k = 0; k < 3; k++) {
        enum { ROWS = 500, D = 200 };
        real *x = NEW(&a, real, ROWS * D);
        for (int i = 0; i < ROWS * D; i++)
            x[i] = 1;
        dropout drop = {rng_make(1, 0, RNG_DROPOUT), 1, 1, p[k]};
        activate(x, NULL, ROWS, D, LINEAR, &drop, NULL);
        double sum = 0, kept = 0;
        for (int i = 0; i < ROWS * D; i++)
            sum += (double)x[i], kept += x[i] != 0;
        CHECK_NEAR(kept / (ROWS * D), 1 - p[k], 0.005);
        CHECK_NEAR(sum / (ROWS * D), 1, 0.02);
    }
}

static void test_adam(void)
{
    size_t n = 1003;
    real *w = noise(n, 1), *m = noise(n, 2), *v = noise(n, 3), *g = noise(n, 4);
    for (size_t i = 0; i < n; i++)
        v[i] = v[i] * v[i];
    real *w2 = copy(w, n), *m2 = copy(m, n), *v2 = copy(v, n);
    adam o = {0.01, 0.9, 0.999, 1e-8};
    for (long t = 1; t < 20; t++) {
        adam_now now = adam_at(&o, 5e-4, t);
        adam_step(w, g, m, v, n, &now);
        adam_ref(w2, g, m2, v2, n, &o, 5e-4, t);
    }
    CHECK(worst(w, w2, n) < 1e-5, "adam: %g", worst(w, w2, n));
}

/* A hash over every kernel at sizes large enough to be split over threads. */
static uint64_t everything(void)
{
    int n = 4000, d = 130;
    size_t all = (size_t)n * (size_t)d;
    csr s = random_csr(n, n, 12, 1);
    real *x = noise(all, 1), *y = NEW(&a, real, all), *b = noise((size_t)d, 2),
         *c = NEW(&a, real, (size_t)d * (size_t)d);
    uint64_t h = HASH_INIT;
    csr t = csr_transpose(&a, &s), u = csr_transpose(&a, &t);
    spmm(y, &u, x, 32, 0); /* near and narrow: rows of equal length together */
    h = hash_bytes(h, y, (size_t)n * 32 * sizeof *y);
    spmm_with(y, &u, 1, x, 64, &(epilogue){.bias = b, .shape = RELU});
    h = hash_bytes(h, y, (size_t)n * 64 * sizeof *y);
    spmm(y, &s, x, 128, 0);
    h = hash_bytes(h, y, (size_t)n * 128 * sizeof *y);
    spmm(y, &s, x, d, 0);
    dropout drop = {rng_make(1, 0, RNG_DROPOUT), 5, 2, 0.5};
    activate(y, b, n, d, RELU, &drop, NULL);
    h = hash_bytes(h, y, all * sizeof *y);
    gemm_tn(c, x, y, d, d, n, 0);
    h = hash_bytes(h, c, (size_t)d * (size_t)d * sizeof *c);
    gemm_nn(y, x, c, n, d, d, 0);
    h = hash_bytes(h, y, all * sizeof *y);
    gemm_nt(y, x, c, n, d, d, 1);
    activate_back(x, b, 0, y, n, d, RELU, &drop, NULL);
    softmax(y, y, n, d, 1);
    h = hash_bytes(hash_bytes(h, y, all * sizeof *y), b, (size_t)d * sizeof *b);
    adam o = {0.01, 0.9, 0.999, 1e-8};
    real *m = NEW(&a, real, all), *v = NEW(&a, real, all);
    adam_now now = adam_at(&o, 5e-4, 1);
    adam_step(x, y, m, v, all, &now);
    spmm_adam(x, NEW(&a, real, all), m, v, &u, y, 64, &now);
    return hash_bytes(h, x, all * sizeof *x);
}

TEST_MAIN(test_kernels)
{
    blas_init();
    uint64_t first = 0;
    static const int threads[] = {1, 2, 3, 8};
    for (simd_short = 0; simd_short < 2;
         simd_short++) { /* loops for longer vectors, where there are some, then the others: not a bit differs */
        omp_set_num_threads(2);
        test_spmm();
        test_spgemm();
        test_endings();
        test_spmm_far();
        test_gemm();
        test_gemm_rows();
        test_gemm_act();
        test_dropout_entries();
        test_rows();
        test_dropout_rate();
        for (int k = 0; k < 4; k++) {
            omp_set_num_threads(threads[k]);
            uint64_t h = everything();
            first = first ? first : h;
            CHECK(h == first, "%d threads, %s vectors: different bits", threads[k], simd_short ? "short" : "long");
        }
    }
    test_restrict();
    test_normalised();
    test_adam();
    arena_free(&a);
    return test_end();
}
