/* What runs by several ranks rest on (model/parts.h): sums over rows that are continued part by part, and products with
 * rows of others behind the own ones, have the bits of the whole; where parts are cut. ranks.sh runs the ranks. */
#include "../src/base/err.h"
#include "../src/base/ranks.h"
#include "../src/graph/blas.h"
#include "../src/model/parts.h"
#include "test.h"

enum { ROWS = 997, M = 130, N = 50, PARTS = 4 };
static const int cut[PARTS + 1] = {0, 1, 400, 400, ROWS}; /* a part of one row, and one without any */
static arena a;

static real *noise(size_t n, uint64_t stream)
{
    real *x = NEW(&a, real, n + 1);
    rng r = rng_make(7, 0, RNG_INIT);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(2 * rng_uniform(r, stream, i) - 1);
    return x;
}

static csr random_csr(int rows, int cols, int per_row)
{
    int64_t m = (int64_t)rows * per_row;
    int *u = NEW(&a, int, (size_t)m), *v = NEW(&a, int, (size_t)m);
    rng r = rng_make(3, 0, RNG_SPLIT);
    for (int64_t k = 0; k < m; k++)
        u[k] = (int)rng_below(r, 1, (uint64_t)k, (uint64_t)rows),
        v[k] = (int)rng_below(r, 2, (uint64_t)k, (uint64_t)cols);
    csr s = csr_from_pairs(&a, rows, cols, u, v, m, 0, 1);
    s.val = noise((size_t)csr_nnz(&s), 5);
    return s;
}

static int *range(int from, int to)
{
    int *v = NEW(&a, int, (size_t)(to - from) + 1);
    for (int i = from; i < to; i++)
        v[i - from] = i;
    return v;
}

static void test_products(void)
{
    real *x = noise(ROWS * M, 1), *y = noise(ROWS * N, 2), *all = noise(M * N, 3), *part = noise(M * N, 4);
    gemm_tn(all, x, y, M, N, ROWS, 0);
    for (int p = 0; p < PARTS; p++)
        for (int from = 0; from < M; from += 36)
            gemm_tn_rows(part, x + cut[p] * M, y + cut[p] * N, M, N, cut[p + 1] - cut[p], p > 0, from,
                         from + 36 < M ? from + 36 : M);
    CHECK(!memcmp(all, part, M * N * sizeof *all), "dense product, continued");
    csr s = random_csr(M, ROWS, 40);
    spmm(all, &s, y, N, 0);
    for (int p = 0; p < PARTS; p++) {
        csr t = csr_restrict(&a, &s, range(0, M), M, range(cut[p], cut[p + 1]), cut[p + 1] - cut[p]);
        CHECK(p != 2 || csr_nnz(&t) == 0, "a part without columns has %lld entries", (long long)csr_nnz(&t));
        spmm(part, &t, y + cut[p] * N, N, p > 0);
    }
    CHECK(!memcmp(all, part, M * N * sizeof *all), "sparse product, continued");
}

static void test_columns(void)
{
    real *x = noise(ROWS * M, 1), *all = noise(M, 2);
    double *total = NEW(&a, double, M);
    int bad = 0;
    column_sum(all, x, ROWS, M, 0);
    for (int p = 0; p < PARTS; p++)
        column_add(total, x + cut[p] * M, cut[p + 1] - cut[p], M);
    for (int k = 0; k < M; k++)
        bad += all[k] != (real)total[k];
    CHECK(!bad, "%d of %d column sums differ", bad, M);
}

/* The rows of a part, with columns in another order: own ones first. */
static void test_halo_order(void)
{
    csr s = random_csr(ROWS, ROWS, 12);
    int lo = 300, hi = 700, *own = range(lo, hi), *list = NEW(&a, int, ROWS), n = 0;
    for (int i = lo; i < hi; i++)
        list[n++] = i;
    for (int i = 0; i < ROWS; i++)
        if (i < lo || i >= hi)
            list[n++] = i;
    csr t = csr_restrict(&a, &s, own, hi - lo, list, n);
    real *x = noise(ROWS * N, 1), *moved = noise(ROWS * N, 2), *all = noise(ROWS * N, 3), *part = noise(ROWS * N, 4);
    for (int i = 0; i < n; i++)
        memcpy(moved + i * N, x + list[i] * N, N * sizeof *x);
    spmm(all, &s, x, N, 0), spmm(part, &t, moved, N, 0);
    CHECK(!memcmp(all + lo * N, part, (size_t)(hi - lo) * N * sizeof *x), "rows of a part");
}

static void cut_too_often(void *g) { parts_cut(&a, g, 4); }

static void test_cut(void)
{
    csr g = random_csr(20 * PART_UNIT + 5, 20 * PART_UNIT + 5, 3);
    CHECK(!parts_cut(&a, &g, 1), "one rank has no cut");
    for (int many = 2; many <= 21; many++) {
        int *c = parts_cut(&a, &g, many), bad = c[0] != 0 || c[many] != g.rows;
        for (int r = 0; r < many; r++)
            bad += c[r] % PART_UNIT != 0 || c[r + 1] <= c[r] || c[r + 1] - c[r] > g.rows / many + 2 * PART_UNIT;
        CHECK(!bad, "%d parts", many);
    }
    csr small = random_csr(3 * PART_UNIT, 3 * PART_UNIT, 2);
    const char *why = err_try(cut_too_often, &small);
    CHECK(why && strstr(why, "too few for 4 ranks"), "%s", why ? why : "4 parts of 3 units");
}

int main(void)
{
    blas_init();
    int me = 7;
    CHECK(ranks_start(&me) == 1 && me == 0 && ranks_count() == 1 && ranks_me() == 0, "without mpirun");
    test_products();
    test_columns();
    test_halo_order();
    test_cut();
    arena_free(&a);
    return test_end();
}
