/* k-means clusters on small point sets: against a plain reference version, the optimum, and hostile input. */
#include "partition_toy.h"
#include "test.h"
#include <omp.h>

static double square_distance(const real *x, const double *c, int d)
{
    double sum = 0;
    for (int j = 0; j < d; j++)
        sum += (x[j] - c[j]) * (x[j] - c[j]);
    return sum;
}

static double inertia(const mat *x, const int *of, int k)
{
    double total = 0;
    for (int m = 0; m < k; m++) {
        double c[64] = {0}, size = 0;
        for (int i = 0; i < x->rows; size += of[i++] == m)
            for (int j = 0; j < x->cols && of[i] == m; j++)
                c[j] += mat_row(*x, i)[j];
        for (int j = 0; j < x->cols; j++)
            c[j] /= size;
        for (int i = 0; i < x->rows; i++)
            total += of[i] == m ? square_distance(mat_row(*x, i), c, x->cols) : 0;
    }
    return total;
}

static double nearest(const mat *x, int i, double c[][64], int k)
{
    double least = INFINITY;
    for (int m = 0; m < k; m++)
        least = fmin(least, square_distance(mat_row(*x, i), c[m], x->cols));
    return least;
}

static double spread(const mat *x, double c[][64], int k)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++)
        sum += nearest(x, i, c, k);
    return sum;
}

/* Plain reference version of one restart; no cluster may run empty. Returns the inertia. */
static double kmeans_ref(int *of, const mat *x, int k, rng r)
{
    int n = x->rows, d = x->cols, moved = 1, tries = 2 + (int)log(k);
    double c[16][64];
    for (int m = 0; m < k; m++) {
        double total = m ? spread(x, c, m) : 0, least = INFINITY, kept[64];
        for (int t = 0; t < (m ? tries : 1); t++) {
            double u = rng_uniform(r, 1, (uint64_t)(m * tries + t)), sum = 0;
            int at = (int)(u * n);
            for (int i = 0; i < n && m && sum <= u * total; sum += nearest(x, i++, c, m))
                at = nearest(x, i, c, m) > 0 ? i : at;
            for (int j = 0; j < d; j++)
                c[m][j] = mat_row(*x, at)[j];
            if (spread(x, c, m + 1) < least)
                least = spread(x, c, m + 1), memcpy(kept, c[m], sizeof kept);
        }
        memcpy(c[m], kept, sizeof kept);
    }
    memset(of, -1, (size_t)n * sizeof *of);
    for (int step = 0; step < 300 && moved; step++) {
        moved = 0;
        for (int i = 0; i < n; i++) {
            int best = 0;
            while (square_distance(mat_row(*x, i), c[best], d) > nearest(x, i, c, k))
                best++;
            moved += of[i] != best;
            of[i] = best;
        }
        for (int m = 0; m < k; m++)
            for (int j = 0; j < d; j++) {
                double sum = 0;
                int size = 0;
                for (int i = 0; i < n; i++) {
                    sum += of[i] == m ? mat_row(*x, i)[j] : 0;
                    size += of[i] == m;
                }
                c[m][j] = sum / size;
            }
    }
    return inertia(x, of, k);
}

static csr sparse(arena *a, const mat *x)
{
    csr s = csr_new(a, x->rows, x->cols, (int64_t)x->rows * x->cols, 1);
    int64_t q = 0;
    for (int i = 0; i < x->rows; i++) {
        for (int j = 0; j < x->cols; j++)
            if (mat_row(*x, i)[j] != 0)
                s.idx[q] = j, s.val[q++] = mat_row(*x, i)[j];
        s.ptr[i + 1] = q;
    }
    return s;
}

static void test_kmeans_ref(arena *a)
{
    for (int t = 0; t < 10; t++) {
        int n = 60 + 40 * t, d = 2 + 3 * t, k = 1 + t, of[512], best[512];
        mat x = points(a, n, d, (uint64_t)t, 0.3);
        csr xs = sparse(a, &x);
        double least = INFINITY;
        for (int r = 0; r < 4; r++) {
            double e = kmeans_ref(of, &x, k, rng_make(5, (uint64_t)r, RNG_PARTITION));
            if (e < least * (1 - 1e-9))
                least = e, memcpy(best, of, sizeof of);
        }
        for (int threads = 1; threads <= 5; threads += 2) {
            omp_set_num_threads(threads);
            partition p = partition_kmeans(a, NULL, &x, k, 4, 5), q = partition_kmeans(a, &xs, NULL, k, 4, 5);
            CHECK(same(&p, &q), "sparse and dense differ, %d threads, case %d", threads, t);
            CHECK(memcmp(p.of, best, (size_t)n * sizeof(int)) == 0, "%d threads, case %d: not the twin's", threads, t);
        }
    }
}

/* Enough restarts find the best of all partitions of a dozen points. */
static void test_kmeans_optimum(arena *a)
{
    for (int t = 0; t < 5; t++) {
        mat x = points(a, 11, 2, 100 + (uint64_t)t, 0);
        double best = INFINITY;
        for (int code = 1; code < 1 << 10; code++) { /* both sides non-empty */
            int of[11] = {0};
            for (int i = 0; i < 10; i++)
                of[i + 1] = code >> i & 1;
            best = fmin(best, inertia(&x, of, 2));
        }
        partition p = partition_kmeans(a, NULL, &x, 2, 50, 3);
        CHECK_NEAR(inertia(&x, p.of, 2), best, 1e-9 * best);
    }
}

static void test_kmeans_hostile(arena *a)
{
    mat x = mat_new(a, 90, 3); /* three distinct points, and as many clusters as anyone may ask for */
    for (int i = 0; i < 90; i++)
        mat_row(x, i)[i % 3] = (real)0.1;
    for (int k = 1, least; k <= 90; k += k < 8 ? 1 : 41) {
        partition p = partition_kmeans(a, NULL, &x, k, 3, 1);
        imbalance(&least, &p);
        CHECK(least > 0, "one of %d clusters is empty", k);
        for (int i = 3; i < 90 && k == 3; i++)
            CHECK(p.of[i] == p.of[i - 3], "equal points apart");
    }
    mat zero = mat_new(a, 4, 2), thin = mat_new(a, 3, 0);
    CHECK(partition_kmeans(a, NULL, &zero, 4, 1, 1).clusters == 4, "zeros");
    CHECK(partition_kmeans(a, NULL, &thin, 2, 0, 1).clusters == 2, "no columns, no restarts");
    csr ones = planted(a, 50, 2, 0.5, 0, 0); /* a matrix without values */
    partition p = partition_kmeans(a, &ones, NULL, 2, 5, 1);
    for (int i = 0; i < 50; i++)
        CHECK(p.of[i] == p.of[i / 25 * 25], "node %d", i);
}

TEST_MAIN(test_kmeans)
{
    arena a = {0};
    test_kmeans_ref(&a);
    test_kmeans_optimum(&a);
    test_kmeans_hostile(&a);
    arena_free(&a);
    return test_end();
}
