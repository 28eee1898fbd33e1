/* test_nmf: numpy's random numbers, the factorisation against its equations in plain loops, and the rebuilt features of
 * Facebook against published values when JCB_RAW names a directory that has both. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/hash.h"
#include "../../src/base/mt19937.h"
#include "../../src/base/rng.h"
#include "../../src/base/tsv.h"
#include "../../src/data/dataset.h"
#include "../../src/data/nmf.h"
#include "test.h"
#include <omp.h>

/* ---- MT19937 ---- */

static void test_random(void)
{
    /* numpy.random.RandomState(0).random_sample and .randn */
    static const double uniform[] = {0.5488135039273248, 0.7151893663724195, 0.6027633760716439};
    static const double normal[] = {1.764052345967664, 0.4001572083672233, 0.9787379841057392, 2.240893199201458,
                                    1.867557990149967};
    mt19937 r;
    mt19937_seed(&r, 5489); /* the C++ standard: the 10000th number of std::mt19937 */
    for (int i = 1; i < 10000; i++)
        mt19937_u32(&r);
    CHECK(mt19937_u32(&r) == 4123659995u, "number 10000");
    mt19937_seed(&r, 0);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(mt19937_uniform(&r), uniform[i], 1e-16);
    mt19937_seed(&r, 0);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(mt19937_normal(&r), normal[i], 1e-14);
}

/* ---- the factorisation ---- */

/* One pass of coordinate descent over W (n x k) with H^T (m x k) fixed; X (n x m) dense. Returns the violation. */
static double update_ref(double *w, const double *x, const double *ht, int n, int m, int k, int transposed)
{
    double violation = 0;
    for (int i = 0; i < n; i++)
        for (int t = 0; t < k; t++) {
            double g = 0, p = 0;
            for (int j = 0; j < m; j++) {
                double fit = 0;
                for (int r = 0; r < k; r++)
                    fit += w[i * k + r] * ht[j * k + r];
                g += (fit - (transposed ? x[j * n + i] : x[i * m + j])) * ht[j * k + t];
                p += ht[j * k + t] * ht[j * k + t];
            }
            violation += w[i * k + t] == 0 ? fabs(fmin(g, 0)) : fabs(g);
            if (p != 0)
                w[i * k + t] = fmax(w[i * k + t] - g / p, 0);
        }
    return violation;
}

static int nmf_ref(double *w, double *ht, const double *x, int n, int m, int k, int rounds)
{
    mt19937 r;
    double mean = 0, first = 0;
    for (int i = 0; i < n * m; i++)
        mean += x[i] / (n * m);
    mt19937_seed(&r, 0);
    for (int t = 0; t < k; t++)
        for (int j = 0; j < m; j++)
            ht[j * k + t] = sqrt(mean / k) * fabs(mt19937_normal(&r));
    for (int i = 0; i < n * k; i++)
        w[i] = sqrt(mean / k) * fabs(mt19937_normal(&r));
    for (int n_round = 1; n_round <= rounds; n_round++) {
        double violation = update_ref(w, x, ht, n, m, k, 0) + update_ref(ht, x, w, m, n, k, 1);
        if (n_round == 1)
            first = violation;
        if (first == 0 || violation / first <= 1e-4)
            return n_round;
    }
    return rounds;
}

/* kind 0: ones, as csr without values; 1: values, with an empty row and an empty column; 2: rank 1; 3: zeros */
static csr random_matrix(arena *a, double *x, int rows, int cols, int kind)
{
    rng r = rng_make(5, 0, RNG_STATS);
    csr m = csr_new(a, rows, cols, (int64_t)rows * cols, kind != 0);
    int64_t n = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            double u = rng_uniform(r, 0, (uint64_t)(i * cols + j));
            double some = u < 0.2 && i != 3 && j != 1 ? 16 * u : 0, product = (1 + i % 3) * (1 + j % 5);
            double v = kind == 0 ? u < 0.2 : kind == 1 ? some : kind == 2 ? product : 0;
            x[i * cols + j] = (double)(real)v;
            if (v != 0) {
                m.idx[n] = j;
                if (m.val)
                    m.val[n] = (real)v;
                n++;
            }
        }
        m.ptr[i + 1] = n;
    }
    return m;
}

static double largest_difference(const double *x, const double *y, int n)
{
    double d = 0;
    for (int i = 0; i < n; i++)
        d = fmax(d, isfinite(x[i]) && x[i] >= 0 ? fabs(x[i] - y[i]) : INFINITY);
    return d;
}

static void test_factorise(void)
{
    static const struct {
        int rows, cols, k, kind, rounds;
    } size[] = {{100, 37, 5, 0, 1}, {100, 37, 5, 0, 20}, {37, 100, 13, 1, 20}, {12, 12, 8, 1, 7},
                {13, 11, 1, 0, 9},  {1, 1, 3, 2, 5},     {1, 40, 2, 1, 4},     {40, 1, 2, 0, 4},
                {9, 7, 24, 1, 2},   {30, 20, 2, 2, 200}, {20, 30, 4, 3, 200},  {801, 5, 3, 0, 3}};
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
        arena a = {0};
        int n = size[s].rows, m = size[s].cols, k = size[s].k;
        size_t nk = (size_t)(n * k), mk = (size_t)(m * k);
        double *x = NEW(&a, double, (size_t)(n * m)), *w = NEW(&a, double, nk), *ht = NEW(&a, double, mk);
        double *w_ref = NEW(&a, double, nk), *ht_ref = NEW(&a, double, mk);
        csr c = random_matrix(&a, x, n, m, size[s].kind);
        int rounds = nmf_factorise(w, ht, &c, k, size[s].rounds);
        int rounds_ref = nmf_ref(w_ref, ht_ref, x, n, m, k, size[s].rounds);
        double dw = largest_difference(w, w_ref, n * k), dh = largest_difference(ht, ht_ref, m * k);
        CHECK(rounds == rounds_ref && (size[s].kind < 2 || rounds < 200), "case %zu: %d rounds, not %d", s, rounds,
              rounds_ref);
        CHECK(dw < 1e-9 && dh < 1e-9, "case %zu: W is off by %g, H by %g", s, dw, dh);
        arena_free(&a);
    }
}

static void test_threads(void)
{
    arena a = {0};
    enum { N = 900, M = 300, K = 20 };
    double *x = NEW(&a, double, N *M), *w = NEW(&a, double, N *K), *ht = NEW(&a, double, M *K);
    csr c = random_matrix(&a, x, N, M, 1);
    uint64_t first = 0;
    int before = omp_get_max_threads();
    for (int t = 1; t <= 5; t++) {
        omp_set_num_threads(t);
        nmf_factorise(w, ht, &c, K, 12);
        uint64_t h = hash_bytes(hash_bytes(HASH_INIT, w, N * K * sizeof *w), ht, M * K * sizeof *ht);
        first = t == 1 ? h : first;
        CHECK(h == first, "%d threads", t);
    }
    omp_set_num_threads(before);
    arena_free(&a);
}

static void test_features(void)
{
    arena a = {0};
    enum { N = 200, M = 50, K = 6 };
    double *x = NEW(&a, double, N *M), *w = NEW(&a, double, N *K), *ht = NEW(&a, double, M *K), worst = 0;
    csr c = random_matrix(&a, x, N, M, 0), zeros = random_matrix(&a, x, N, M, 3);
    mat f = nmf_features(&a, &c, K);
    nmf_factorise(w, ht, &c, K, NMF_ROUNDS);
    for (int t = 0; t < K; t++) {
        double mean = 0, square = 0;
        for (int i = 0; i < N; i++)
            mean += w[i * K + t] / N;
        for (int i = 0; i < N; i++)
            square += (w[i * K + t] - mean) * (w[i * K + t] - mean) / N;
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs((w[i * K + t] - mean) / sqrt(square) - (double)mat_row(f, i)[t]));
    }
    CHECK(f.rows == N && f.cols == K && worst < 1e-5, "standardised columns are off by %g", worst);
    f = nmf_features(&a, &zeros, K);
    for (int i = 0; i < N * K; i++)
        CHECK(f.v[i] == 0, "a column of zeros: %g", (double)f.v[i]);
    arena_free(&a);
}

/* ---- Facebook ---- */

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void test_published(const char *raw)
{
    arena a = {0};
    const char *words = arena_printf(&a, "%s/musae/musae_facebook", raw), *missing = NULL;
    const char *values = arena_printf(&a, "%s/facebook-published/values.tsv", raw);
    if (!file_exists(values))
        missing = "facebook-published/values.tsv";
    if (!file_exists(arena_printf(&a, "%s_features.json", words)))
        missing = "musae/musae_facebook_features.json";
    if (missing) {
        printf("published features of Facebook: skipped, no %s below %s (data/fetch.sh facebook)\n", missing, raw);
        arena_free(&a);
        return;
    }
    draft f = {0};
    load_run(load_musae, &a, &f, words, "facebook");
    mat x = nmf_features(&a, &f.d.xs, 128);
    tsv t = tsv_read(&a, values);
    double *d = NEW(&a, double, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++) {
        int node = (int)tsv_number(&t, i, "node"), column = (int)tsv_number(&t, i, "column");
        d[i] = fabs((double)mat_row(x, node)[column] - tsv_number(&t, i, "value"));
        CHECK(d[i] <= 2.2e-5, "node %d, column %d: off by %g", node, column,
              d[i]); /* what origin.c and dataset.c say */
    }
    qsort(d, (size_t)t.rows, sizeof *d, by_size);
    CHECK(t.rows == 104, "%d published values", t.rows);
    printf("%d published values of Facebook: largest deviation %.2g, median %.2g\n", t.rows, d[t.rows - 1],
           d[t.rows / 2]);
    arena_free(&a);
}

TEST_MAIN(test_nmf)
{
    const char *raw = getenv("JCB_RAW");
    err_program = "test_nmf";
    test_random();
    test_factorise();
    test_threads();
    test_features();
    test_published(raw && *raw ? raw : "data/raw");
    return test_end();
}
