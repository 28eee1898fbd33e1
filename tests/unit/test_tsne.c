/* t-SNE and silhouette: the parts against their formulas, then properties of the result. */
#include "../../src/base/err.h"
#include "../../src/base/rng.h"
#include "../../src/kernel/silhouette.h"
#include "../../src/kernel/tsne.h"
#include "test.h"
#include <omp.h>

/* n points of `blobs` gaussians of radius 1, `apart` from each other; their blob goes to y, unless NULL. */
static mat gaussians(arena *a, int *y, int n, int d, int blobs, double apart)
{
    mat x = mat_new(a, n, d);
    rng r = rng_make(5, 0, RNG_TUNE);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < d; k++)
            mat_row(x, i)[k] = (real)(rng_normal(r, (uint64_t)i, (uint64_t)k) + (k == i % blobs) * apart);
        if (y)
            y[i] = i % blobs;
    }
    return x;
}

static double entropy(const real *p, int n)
{
    double h = 0;
    for (int j = 0; j < n; j++)
        h -= p[j] > 0 ? (double)p[j] * log((double)p[j]) : 0;
    return h;
}

/* Rows of the wanted perplexity, whatever the unit of the points; the nearest neighbour is the likeliest; then
 * symmetry. */
static void test_neighbours(void)
{
    static const double unit[] = {1, 1e-9, 1e9};
    for (int u = 0; u < 3; u++) {
        arena a = {0};
        int n = 301;
        mat x = gaussians(&a, NULL, n, 7, 3, 5);
        for (int k = 0; k < n * 7; k++)
            x.v[k] *= (real)unit[u];
        mat p = tsne_neighbours(&a, x, 30);
        double total = 0, worst = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0, best = INFINITY;
            int nearest = -1, likeliest = 0;
            for (int j = 0; j < n; j++) {
                double d = 0;
                for (int k = 0; k < 7; k++)
                    d += pow((double)mat_row(x, i)[k] - (double)mat_row(x, j)[k], 2);
                if (j != i && d < best)
                    best = d, nearest = j;
                sum += (double)mat_row(p, i)[j];
                likeliest = mat_row(p, i)[j] > mat_row(p, i)[likeliest] ? j : likeliest;
            }
            CHECK_NEAR(sum, 1, 1e-5);
            CHECK_NEAR(exp(entropy(mat_row(p, i), n)), 30, 2e-3);
            CHECK(nearest == likeliest && mat_row(p, i)[i] == 0, "row %d: nearest %d, likeliest %d", i, nearest,
                  likeliest);
        }
        real before = mat_row(p, 3)[8] + mat_row(p, 8)[3];
        tsne_symmetrise(p);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                total += (double)mat_row(p, i)[j];
                worst = fmax(worst, fabs((double)mat_row(p, i)[j] - (double)mat_row(p, j)[i]));
            }
        CHECK_NEAR(total, 1, 1e-5);
        CHECK(worst == 0, "not symmetric: %g", worst);
        CHECK_NEAR((double)mat_row(p, 3)[8], (double)before / (2 * n), 1e-9);
        arena_free(&a);
    }
}

/* KL straight from its formula, in double. at: x_0, y_0, x_1, y_1, ... */
static double kl_ref(mat p, const double *at)
{
    int n = p.rows;
    double z = 0, kl = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double q = 1 / (1 + pow(at[2 * i] - at[2 * j], 2) + pow(at[2 * i + 1] - at[2 * j + 1], 2)),
                       v = (double)mat_row(p, i)[j];
                if (i == j)
                    continue;
                if (pass == 0)
                    z += q;
                else if (v > 0)
                    kl += v * log(v / (q / z));
            }
    return kl;
}

static void test_gradient(void)
{
    arena a = {0};
    enum { N = 37 }; /* no multiple of a vector */
    mat p = tsne_neighbours(&a, gaussians(&a, NULL, N, 5, 2, 3), 8), at = mat_new(&a, 2, N), g = mat_new(&a, 2, N),
        early = mat_new(&a, 2, N);
    double xy[2 * N], largest = 0, h = 1e-5;
    rng r = rng_make(6, 0, RNG_TUNE);
    tsne_symmetrise(p);
    for (int k = 0; k < 2 * N; k++) {
        at.v[k] = (real)(2 * rng_normal(r, 0, (uint64_t)k));
        xy[k % N * 2 + k / N] = (double)at.v[k];
    }
    CHECK_NEAR(tsne_kl(p, at), kl_ref(p, xy), 1e-6);
    tsne_gradient(g, p, at, 1);
    tsne_gradient(early, p, at, 3);
    for (int k = 0; k < 2 * N; k++)
        largest = fmax(largest, fabs((double)g.v[k]));
    for (int k = 0; k < 2 * N; k++) {
        double *v = &xy[k % N * 2 + k / N], old = *v, up, pull = 0;
        *v = old + h;
        up = kl_ref(p, xy);
        *v = old - h;
        CHECK_NEAR((double)g.v[k], (up - kl_ref(p, xy)) / (2 * h), 1e-4 * largest);
        *v = old;
        for (int j = 0; j < N; j++) {
            double dx = (double)at.v[k % N] - (double)at.v[j], dy = (double)at.v[N + k % N] - (double)at.v[N + j];
            pull += 4 * (double)mat_row(p, k % N)[j] * (k < N ? dx : dy) / (1 + dx * dx + dy * dy);
        }
        CHECK_NEAR((double)early.v[k] - (double)g.v[k], 2 * pull, 1e-4 * largest); /* exaggeration: attraction only */
    }
    arena_free(&a);
}

/* The share of points whose nearest neighbour is of their class. */
static double purity(mat at, const int *y)
{
    int same = 0;
    for (int i = 0; i < at.rows; i++) {
        double best = INFINITY;
        int nearest = 0;
        for (int j = 0; j < at.rows; j++) {
            double dx = (double)mat_row(at, i)[0] - (double)mat_row(at, j)[0],
                   dy = (double)mat_row(at, i)[1] - (double)mat_row(at, j)[1];
            if (j != i && dx * dx + dy * dy < best)
                best = dx * dx + dy * dy, nearest = j;
        }
        same += y[i] == y[nearest];
    }
    return (double)same / at.rows;
}

static void test_blobs(void)
{
    arena a = {0};
    int n = 331, *y = NEW(&a, int, (size_t)n);
    mat x = gaussians(&a, y, n, 10, 3, 20);
    tsne s = tsne_run(&a, x, 30, 500, 1, 0), start = tsne_run(&a, x, 30, 0, 1, 0), other = tsne_run(&a, x, 30, 0, 1, 1);
    CHECK(purity(s.at, y) == 1, "purity %g", purity(s.at, y));
    CHECK(silhouette(NULL, x, y, 3) > .7 && silhouette(NULL, s.at, y, 3) > .7, "%g", silhouette(NULL, s.at, y, 3));
    CHECK(s.kl > 0 && s.kl < start.kl / 3, "KL %g, of the start %g", s.kl, start.kl);
    CHECK(memcmp(start.at.v, other.at.v, (size_t)n * 2 * sizeof(real)), "run 1 starts where run 0 does");
    arena_free(&a);
}

/* More rows than one piece of work for each of eight threads, and steps with and without exaggeration. */
static void test_threads(void)
{
    static const int teams[] = {1, 2, 3, 8};
    arena a = {0};
    int n = 203, *y = NEW(&a, int, (size_t)n);
    mat x = gaussians(&a, y, n, 10, 3, 3);
    tsne first = {0};
    double by[3], first_by[3];
    for (int k = 0; k < 4; k++) {
        omp_set_num_threads(teams[k]);
        tsne s = tsne_run(&a, x, 30, 260, 1, 0);
        silhouette(by, s.at, y, 3);
        if (!k)
            first = s, memcpy(first_by, by, sizeof by);
        CHECK(!memcmp(s.at.v, first.at.v, (size_t)n * 2 * sizeof(real)) && s.kl == first.kl,
              "%d threads give different bits", teams[k]);
        CHECK(!memcmp(by, first_by, sizeof by), "silhouette: %d threads give different bits", teams[k]);
    }
    omp_set_num_threads(1);
    arena_free(&a);
}

static int all_finite(mat m)
{
    for (int k = 0; k < m.rows * m.cols; k++)
        if (!isfinite(m.v[k]))
            return 0;
    return 1;
}

static arena refused; /* of runs that die */
static void run_it(void *x) { tsne_run(&refused, *(mat *)x, 30, 10, 1, 0); }

static void measure_it(void *x)
{
    static const int y[100];
    silhouette(NULL, *(mat *)x, y, 1);
}

/* Equal points, more of them than the perplexity; very few points; what cannot be drawn. */
static void test_degenerate(void)
{
    arena a = {0};
    mat same = mat_new(&a, 50, 3), two = mat_new(&a, 120, 3);
    int y[120];
    for (int i = 0; i < 120; i++)
        mat_row(two, i)[1] = (real)(y[i] = i % 2);
    tsne s = tsne_run(&a, same, 30, 300, 1, 0);
    CHECK(all_finite(s.at) && isfinite(s.kl) && fabs(s.perplexity - 49 / 3.0) < 1e-12, "perplexity %g, KL %g",
          s.perplexity, s.kl);
    s = tsne_run(&a, two, 30, 500, 1, 0);
    CHECK(all_finite(s.at) && s.perplexity == 30 && purity(s.at, y) == 1, "two heaps: purity %g", purity(s.at, y));
    for (int n = 4; n < 12; n++) {
        mat x = gaussians(&a, NULL, n, 2, 1, 0);
        s = tsne_run(&a, x, 30, 300, 1, 0);
        CHECK(all_finite(s.at) && isfinite(s.kl) && s.perplexity <= (n - 1) / 3.0, "%d points", n);
    }
    mat few = {3, 3, two.v}, large = {20001, 0, two.v};
    const char *error = err_try(run_it, &few);
    CHECK(error && !strcmp(error, "tsne: 3 points; want 4 to 20000"), "%s", error ? error : "no error");
    error = err_try(run_it, &large);
    CHECK(error && strstr(error, "20001 points"), "%s", error ? error : "no error");
    mat_row(same, 7)[2] = NAN;
    error = err_try(run_it, &same);
    CHECK(error && strstr(error, "tsne: coordinate 2 of point 7 is"), "%s", error ? error : "no error");
    mat_row(same, 7)[2] = INFINITY;
    error = err_try(measure_it, &same);
    CHECK(error && strstr(error, "silhouette: coordinate 2 of point 7 is inf"), "%s", error ? error : "no error");
    arena_free(&refused);
    arena_free(&a);
}

/* On a line: class 0 at 0, 1, class 1 at 4, 6, class 2 at 9 alone, class 3 empty; a point of no class, which nobody
 * sees. */
static void test_silhouette(void)
{
    real at[] = {0, 1, 4, 6, 9, 2.5}, heap[] = {1, 1, 1, 1};
    int y[] = {0, 0, 1, 1, 2, -1}, one[] = {0, 0, 0, 0}, two[] = {0, 0, 1, 1};
    double by[4], s[] = {1 - 1 / 5., 1 - 1 / 4., 1 - 2 / 3.5, 1 - 2 / 3., 0};
    CHECK_NEAR(silhouette(by, (mat){6, 1, at}, y, 4), (s[0] + s[1] + s[2] + s[3] + s[4]) / 5, 1e-12);
    CHECK_NEAR(by[0], (s[0] + s[1]) / 2, 1e-12);
    CHECK_NEAR(by[1], (s[2] + s[3]) / 2, 1e-12);
    CHECK(by[2] == 0 && isnan(by[3]), "alone %g, empty %g", by[2], by[3]);
    int mixed[] = {0, 1, 0,
                   1, 2, -1}; /* a_0 = 4, b_0 = min(3.5, 9); a_1 = 5, b_1 = 2; a_2 = 4, b_2 = 2.5; a_3 = 5, b_3 = 3 */
    CHECK_NEAR(silhouette(by, (mat){6, 1, at}, mixed, 3), (-.125 - .6 - .375 - .4) / 5, 1e-12);
    CHECK_NEAR(by[0], (-.125 - .375) / 2, 1e-12);
    CHECK(silhouette(NULL, (mat){4, 1, at}, one, 1) == 0, "one class only");
    CHECK(silhouette(NULL, (mat){4, 1, heap}, two, 2) == 0, "all points equal");
    CHECK(isnan(silhouette(by, (mat){0, 1, at}, y, 1)) && isnan(by[0]), "no points");
}

TEST_MAIN(test_tsne)
{
    omp_set_num_threads(1); /* tiny steps: a team waits more than it works where others use the cores */
    test_neighbours();
    test_gradient();
    test_blobs();
    test_threads();
    test_degenerate();
    test_silhouette();
    return test_end();
}
