/* METIS, k-means and random clusters, on planted graphs and small point sets. */
#include "../src/base/err.h"
#include "../src/base/file.h"
#include "../src/base/rng.h"
#include "../src/graph/partition.h"
#include "test.h"
#include <metis.h>
#include <omp.h>
#include <unistd.h>

static char dir[4096]; /* scratch, removed at the end */

/* `blocks` blocks of equal size: links with probability p inside one, q between two. */
static csr planted(arena *a, int n, int blocks, double p, double q, int loops)
{
    arena tmp = {0};
    rng r = rng_make(11, 0, RNG_TWIN);
    int *u = NEW(&tmp, int, (size_t)(n * n)), *v = NEW(&tmp, int, (size_t)(n * n)), m = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double chance = i == j ? loops : i * blocks / n == j * blocks / n ? p : q;
            if (rng_uniform(r, (uint64_t)i, (uint64_t)j) < chance)
                u[m] = i, v[m++] = j;
        }
    csr g = csr_from_pairs(a, n, n, u, v, m, 1, 1);
    arena_free(&tmp);
    return g;
}

static int same(const partition *p, const partition *q)
{
    return p->nodes == q->nodes && p->clusters == q->clusters && p->hash == q->hash &&
           memcmp(p->of, q->of, (size_t)p->nodes * sizeof *p->of) == 0;
}

/* The number of nodes of the largest cluster minus those of the smallest; *least: those of the smallest. */
static int imbalance(int *least, const partition *p)
{
    int size[128] = {0}, most = 0;
    for (int i = 0; i < p->nodes; i++)
        size[p->of[i]]++;
    *least = p->nodes;
    for (int m = 0; m < p->clusters; m++) {
        *least = size[m] < *least ? size[m] : *least;
        most = size[m] > most ? size[m] : most;
    }
    return most - *least;
}

static void check_links(const partition *p, const csr *g)
{
    int n = g->rows;
    arena tmp = {0};
    char *link = NEW(&tmp, char, (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            link[i * n + g->idx[k]] = 1;
    int64_t in = 0, out = 0, within, between;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (link[i * n + j])
                *(p->of[i] == p->of[j] ? &in : &out) += 1;
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        partition_links(&within, &between, p, g);
        CHECK(within == in && between == out, "%d threads: %ld %ld", threads, (long)within, (long)between);
    }
    arena_free(&tmp);
}

static void test_metis(arena *a)
{
    csr g = planted(a, 600, 4, 0.08, 0.002, 0), looped = planted(a, 600, 4, 0.08, 0.002, 1);
    partition p = partition_metis(a, &g, 4, 64, 0);
    partition truth = {.nodes = 600, .clusters = 4, .of = NEW(a, int, 600)};
    for (int i = 0; i < 600; i++)
        truth.of[i] = i * 4 / 600;
    int64_t within, between, want;
    partition_links(&within, &want, &truth, &g);
    partition_links(&within, &between, &p, &g);
    CHECK(between <= want, "cut %ld, planted %ld", (long)between, (long)want);
    check_links(&p, &g);
    partition q = partition_metis(a, &looped, 4, 64, 0);
    CHECK(same(&p, &q), "loops change the answer");
    check_links(&q, &looped);
    for (int k = 2; k < 12; k++) { /* neither srand() nor the calls before matter */
        srand((unsigned)k * 77);
        partition_metis(a, &g, k, 64, 0);
        q = partition_metis(a, &g, 4, 64, 0);
        CHECK(same(&p, &q), "differs after a call with %d", k);
    }
    int differ = 0;
#pragma omp parallel for reduction(+ : differ) num_threads(4)
    for (int t = 0; t < 8; t++) {
        arena own = {0};
        partition mine = partition_metis(&own, &g, 4, 64, 0);
        differ += !same(&p, &mine);
        arena_free(&own);
    }
    CHECK(differ == 0, "%d of 8 parallel calls differ", differ);
}

/* The two kinds of random numbers. The hashes are those of METIS 5.1.0 built with 64-bit and with 32-bit ids, its own generator in place. */
static void test_metis_bits(arena *a)
{
    csr g = planted(a, 300, 3, 0.1, 0.05, 0);
    if (metis_bits(64) != 64 || metis_bits(32) != 32) {
        printf("this METIS keeps its own random numbers: only one kind of clusters can be had\n");
        return;
    }
    partition wide = partition_metis(a, &g, 6, 64, 0), narrow = partition_metis(a, &g, 6, 32, 0), seeded = partition_metis(a, &g, 6, 64, 9);
    CHECK(!same(&wide, &narrow) && wide.metis_bits == 64 && narrow.metis_bits == 32, "64 and 32 bits give the same clusters");
    if (METIS_VER_MAJOR == 5 && METIS_VER_MINOR == 1) {
        CHECK(wide.hash == UINT64_C(0x81f566b9c1270493), "64 bits: %016llx", (unsigned long long)wide.hash);
        CHECK(seeded.hash == UINT64_C(0xd97c6e6b95ea1bfd), "64 bits, seed 9: %016llx", (unsigned long long)seeded.hash);
        CHECK(narrow.hash == UINT64_C(0x54b2481214462ebe), "32 bits: %016llx", (unsigned long long)narrow.hash);
    }
    partition_input in = {.graph = &g, .data_hash = 0xb175};
    const char *cache = arena_printf(a, "%s/bits", dir);
    for (int twice = 0; twice < 2; twice++) {
        partition p = partition_get(a, cache, "metis", 6, &in), q = partition_get(a, cache, "metis32", 6, &in);
        CHECK(same(&p, &wide) && same(&q, &narrow), "kinds in the cache, time %d", twice);
    }
    const char *of_wide = arena_printf(a, "%s/000000000000b175-metis-6-0.part", cache);
    bytes other = file_read(a, arena_printf(a, "%s/000000000000b175-metis32-6-0.part", cache), 0);
    file_write(of_wide, other.p, other.n); /* as a program would leave it whose METIS keeps its own random numbers */
    partition p = partition_get(a, cache, "metis", 6, &in);
    CHECK(same(&p, &wide), "clusters of the other kind are taken from the cache");
}

static void test_metis_hostile(arena *a)
{
    csr few = planted(a, 60, 3, 0.2, 0.01, 0), none = planted(a, 60, 3, 0, 0, 0), one = planted(a, 1, 1, 0, 0, 0);
    for (int k = 1, least; k <= 60; k++) {
        partition p = partition_metis(a, &few, k, 64, 0), q = partition_metis(a, &none, k, 64, 0);
        for (int i = 0; i < 60; i++)
            CHECK(p.of[i] >= 0 && p.of[i] < k && q.of[i] >= 0 && q.of[i] < k, "%d clusters, node %d", k, i);
        CHECK(imbalance(&least, &q) <= 1 && least > 0, "%d clusters without links", k);
    }
    CHECK(partition_metis(a, &one, 1, 64, 0).of[0] == 0, "one node");
}

static void test_random(arena *a)
{
    partition p = partition_random(a, 103, 10, 1), q = partition_random(a, 103, 10, 1);
    partition r = partition_random(a, 103, 10, 2);
    int least;
    CHECK(imbalance(&least, &p) == 1 && least == 10, "the smallest holds %d", least);
    CHECK(same(&p, &q) && !same(&p, &r) && p.hash != r.hash, "seeds");
}

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

/* The obvious twin of one restart; no cluster may run empty. Returns the inertia. */
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

static mat points(arena *a, int n, int d, uint64_t seed, double zeros)
{
    mat x = mat_new(a, n, d);
    rng r = rng_make(seed, 0, RNG_TWIN);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            if (rng_uniform(r, 1, (uint64_t)(i * d + j)) >= zeros)
                mat_row(x, i)[j] = (real)(rng_normal(r, 2, (uint64_t)(i * d + j)) + 2 * (i % 3 == j % 3));
    return x;
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

typedef struct attempt {
    arena *a;
    const char *path, *method;
    int clusters;
    const partition_input *in;
} attempt;

static void attempted(void *arg)
{
    attempt *t = arg;
    if (t->path)
        partition_read(t->a, t->path, t->clusters);
    else
        partition_get(t->a, "", t->method, t->clusters, t->in);
}

static void test_refusals(arena *a)
{
    csr g = planted(a, 20, 2, 0.3, 0.1, 0);
    mat x = points(a, 20, 3, 1, 0), wrong = points(a, 19, 3, 1, 0), nan = points(a, 20, 3, 1, 0);
    nan.v[7] = NAN;
    partition_input in = {&g, NULL, &x, 1, NULL};
    partition_input bad[3] = {{&g, NULL, &wrong, 1, NULL}, {&g, NULL, &nan, 1, NULL}, {&g, NULL, NULL, 1, NULL}};
    const char *methods[] = {"metis", "kmeans", "random"};
    int counts[] = {-1, 0, 21, 1 << 30};
    for (int m = 0; m < 3; m++) {
        for (int k = 0; k < 4; k++)
            CHECK(err_try(attempted, &(attempt){a, NULL, methods[m], counts[k], &in}), "%s %d", methods[m], counts[k]);
        CHECK(!err_try(attempted, &(attempt){a, NULL, methods[m], 20, &in}), "%s", methods[m]);
        CHECK(err_try(attempted, &(attempt){a, NULL, "kmeans", 2, &bad[m]}), "bad features %d", m);
    }
    const char *unknown[] = {"leiden", "metis:", "metis:0", "metis:x", "metis:-1", "metis:99999999999", ":1", "metis64", "metis32:", "metis33", "files"};
    for (int i = 0; i < 11; i++)
        CHECK(err_try(attempted, &(attempt){a, NULL, unknown[i], 2, &in}), "unknown method %s", unknown[i]);
}

/* Another seed, another partition; kept apart in the cache. */
static void test_seeds(arena *a)
{
    csr g = planted(a, 300, 3, 0.1, 0.05, 0);
    mat x = points(a, 300, 3, 1, 0);
    partition_input in = {&g, NULL, &x, 0x5eed, NULL};
    const char *cache = arena_printf(a, "%s/seeds", dir), *methods[] = {"metis", "random"};
    for (int m = 0; m < 2; m++) {
        const char *other = arena_printf(a, "%s:7", methods[m]);
        partition p = partition_get(a, cache, methods[m], 6, &in), q = partition_get(a, cache, other, 6, &in);
        partition again = partition_get(a, cache, other, 6, &in);
        CHECK(!same(&p, &q) && same(&q, &again), "%s", other);
    }
}

static void test_cache(arena *a)
{
    csr g = planted(a, 90, 3, 0.3, 0.02, 0), other = planted(a, 90, 9, 0.5, 0.1, 0);
    partition_input in = {&g, NULL, NULL, 0xabcdef, NULL}, swapped = {&other, NULL, NULL, 0xabcdef, NULL};
    const char *cache = arena_printf(a, "%s/cache", dir);
    const char *path = arena_printf(a, "%s/0000000000abcdef-metis-3-0.part", cache);
    partition direct = partition_metis(a, &g, 3, 64, 0), fresh = partition_metis(a, &other, 3, 64, 0);
    partition p = partition_get(a, cache, "metis", 3, &in);
    CHECK(same(&p, &direct) && !same(&p, &fresh) && file_exists(path), "%s is not there", path);
    partition q = partition_get(a, cache, "metis", 3, &swapped);
    CHECK(same(&p, &q), "the file is not used");
    bytes whole = file_read(a, path, 0);
    unsigned char *b = NEW(a, unsigned char, 2 * whole.n);
    for (size_t at = 0; at < whole.n; at += at < 40 ? 4 : 64) { /* every field of the header, some ids */
        memcpy(b, whole.p, whole.n);
        b[at] ^= 1;
        file_write(path, b, whole.n);
        q = partition_get(a, cache, "metis", 3, &swapped);
        CHECK(same(&fresh, &q), "damage at byte %zu", at);
    }
    size_t lengths[] = {0, 1, 39, 40, whole.n - 1, whole.n + 1};
    for (int i = 0; i < 6; i++) {
        memcpy(b, whole.p, whole.n);
        file_write(path, b, lengths[i]);
        q = partition_get(a, cache, "metis", 3, &swapped);
        CHECK(same(&fresh, &q), "%zu of %zu bytes", lengths[i], whole.n);
    }
    q = partition_get(a, cache, "metis", 3, &in);
    CHECK(same(&fresh, &q), "the file is not repaired");
    err_program = "test_partition: as expected";
    q = partition_get(a, arena_printf(a, "%s/inside", path), "metis", 3, &in); /* a directory below a file */
    CHECK(same(&p, &q) && unlink(path) == 0 && rmdir(cache) == 0, "without a cache");
}

static void test_text(arena *a)
{
    partition p = partition_random(a, 40, 7, 1);
    const char *path = arena_printf(a, "%s/clusters.txt", dir);
    partition_write(path, &p);
    partition q = partition_read(a, path, 40);
    CHECK(same(&p, &q), "written and read");
    CHECK(err_try(attempted, &(attempt){a, path, NULL, 39, NULL}), "too many lines");
    CHECK(err_try(attempted, &(attempt){a, path, NULL, 41, NULL}), "too few lines");
    const char *text[] = {"0\n1\n2\n", "2\n0\n0", "0\r\n1\r\n0\r\n", "00\n1\n002\n", /* good so far */
                          "", "0\n1\n3\n", "0\n-1\n1\n", "0\n\n1\n", "0\n1 2\n1\n", "a\n1\n2\n", "0\n1.0\n1\n",
                          "99999999999999999999999999\n0\n0\n", "0\n1\n2\n\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        file_write(path, text[i], strlen(text[i]));
        CHECK((err_try(attempted, &(attempt){a, path, NULL, 3, NULL}) == NULL) == (i < 4), "text %zu", i);
    }
    file_write(path, "0\n\0001\n", 5);
    CHECK(err_try(attempted, &(attempt){a, path, NULL, 2, NULL}), "a NUL");
    CHECK(err_try(attempted, &(attempt){a, path, NULL, 0, NULL}), "no nodes");
    CHECK(err_try(attempted, &(attempt){a, dir, NULL, 2, NULL}), "a directory");
    unlink(path);
}

/* file:PATH lists clusters by upstream node. */
static void test_file(arena *a)
{
    csr g = planted(a, 40, 4, 0.3, 0.05, 0);
    int *row = NEW(a, int, 40);
    for (int i = 0; i < 40; i++)
        row[i] = (i * 7 + 3) % 40;
    partition p = partition_random(a, 40, 4, 1);
    const char *path = arena_printf(a, "%s/mine.txt", dir), *method = arena_printf(a, "file:%s", path);
    partition_write(path, &p);
    partition_input in = {.graph = &g, .data_hash = 1}, moved = in;
    moved.row = row;
    partition q = partition_get(a, "", method, 4, &in), r = partition_get(a, "", method, 4, &moved), more = partition_get(a, "", method, 6, &in);
    CHECK(same(&p, &q) && more.clusters == 6 && more.hash != q.hash, "read as written");
    for (int i = 0; i < 40; i++)
        CHECK(r.of[row[i]] == p.of[i], "node %d is in row %d", i, row[i]);
    CHECK(err_try(attempted, &(attempt){a, NULL, method, 3, &in}), "more clusters than asked for");
    CHECK(err_try(attempted, &(attempt){a, NULL, "file:", 4, &in}), "no path");
    unlink(path);
    CHECK(err_try(attempted, &(attempt){a, NULL, method, 4, &in}), "no file");
}

int main(void)
{
    snprintf(dir, sizeof dir, "%s/test_partition.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(dir))
        die("cannot make %s", dir);
    arena a = {0};
    test_metis(&a);
    test_metis_bits(&a);
    test_metis_hostile(&a);
    test_random(&a);
    test_kmeans_ref(&a);
    test_kmeans_optimum(&a);
    test_kmeans_hostile(&a);
    test_refusals(&a);
    test_seeds(&a);
    test_cache(&a);
    test_text(&a);
    test_file(&a);
    arena_free(&a);
    rmdir(dir);
    return test_end();
}
