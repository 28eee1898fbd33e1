/* METIS and random clusters, their files and their cache, on planted graphs. k-means: test_kmeans.c. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/memory.h"
#include "partition_toy.h"
#include "test.h"
#include <metis.h>
#include <omp.h>
#include <unistd.h>

static char dir[4096]; /* scratch, removed at the end */

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

/* The two kinds of random numbers. The hashes are those of METIS 5.1.0 built with 64-bit and with 32-bit ids, its own
 * generator in place. */
static void test_metis_bits(arena *a)
{
    csr g = planted(a, 300, 3, 0.1, 0.05, 0);
    if (metis_bits(64) != 64 || metis_bits(32) != 32) {
        printf("this METIS keeps its own random numbers: only one kind of clusters can be had\n");
        return;
    }
    partition wide = partition_metis(a, &g, 6, 64, 0), narrow = partition_metis(a, &g, 6, 32, 0),
              seeded = partition_metis(a, &g, 6, 64, 9);
    CHECK(!same(&wide, &narrow) && wide.metis_bits == 64 && narrow.metis_bits == 32,
          "64 and 32 bits give the same clusters");
    if (METIS_VER_MAJOR == 5 && METIS_VER_MINOR == 1) {
        CHECK(wide.hash == UINT64_C(0x81f566b9c1270493), "64 bits: %016llx", (unsigned long long)wide.hash);
        CHECK(seeded.hash == UINT64_C(0xd97c6e6b95ea1bfd), "64 bits, seed 9: %016llx", (unsigned long long)seeded.hash);
        CHECK(narrow.hash == UINT64_C(0x54b2481214462ebe), "32 bits: %016llx", (unsigned long long)narrow.hash);
    }
    partition_input in = {.graph = &g, .data_hash = 0xb175};
    const char *cache = arena_printf(a, "%s/bits", dir);
    for (int twice = 0; twice < 2; twice++) {
        partition p = partition_get(a, cache, partition_rule_read("metis"), 6, &in),
                  q = partition_get(a, cache, partition_rule_read("metis32"), 6, &in);
        CHECK(same(&p, &wide) && same(&q, &narrow), "kinds in the cache, time %d", twice);
    }
    const char *of_wide = arena_printf(a, "%s/000000000000b175-metis-6-0.part", cache);
    bytes other = file_read(a, arena_printf(a, "%s/000000000000b175-metis32-6-0.part", cache), 0);
    file_write(of_wide, other.p, other.n); /* as a program would leave it whose METIS keeps its own random numbers */
    partition p = partition_get(a, cache, partition_rule_read("metis"), 6, &in);
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
        partition_get(t->a, "", partition_rule_read(t->method), t->clusters, t->in);
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
    const char *unknown[] = {"leiden", "metis:",  "metis:0",  "metis:x", "metis:-1", "metis:99999999999",
                             ":1",     "metis64", "metis32:", "metis33", "files"};
    for (int i = 0; i < 11; i++)
        CHECK(err_try(attempted, &(attempt){a, NULL, unknown[i], 2, &in}), "unknown method %s", unknown[i]);
    memory_set("1K"); /* less than METIS takes for the links of g */
    const char *why = err_try(attempted, &(attempt){a, NULL, "metis", 2, &in});
    CHECK(why && strstr(why, "--memory"), "METIS without memory: %s", why ? why : "accepted");
    CHECK(!err_try(attempted, &(attempt){a, NULL, "random", 2, &in}), "random clusters need no memory for METIS");
    memory_set("1G");
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
        partition p = partition_get(a, cache, partition_rule_read(methods[m]), 6, &in),
                  q = partition_get(a, cache, partition_rule_read(other), 6, &in);
        partition again = partition_get(a, cache, partition_rule_read(other), 6, &in);
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
    partition p = partition_get(a, cache, partition_rule_read("metis"), 3, &in);
    CHECK(same(&p, &direct) && !same(&p, &fresh) && file_exists(path), "%s is not there", path);
    partition q = partition_get(a, cache, partition_rule_read("metis"), 3, &swapped);
    CHECK(same(&p, &q), "the file is not used");
    bytes whole = file_read(a, path, 0);
    unsigned char *b = NEW(a, unsigned char, 2 * whole.n);
    for (size_t at = 0; at < whole.n; at += at < 40 ? 4 : 64) { /* every field of the header, some ids */
        memcpy(b, whole.p, whole.n);
        b[at] ^= 1;
        file_write(path, b, whole.n);
        q = partition_get(a, cache, partition_rule_read("metis"), 3, &swapped);
        CHECK(same(&fresh, &q), "damage at byte %zu", at);
    }
    size_t lengths[] = {0, 1, 39, 40, whole.n - 1, whole.n + 1};
    for (int i = 0; i < 6; i++) {
        memcpy(b, whole.p, whole.n);
        file_write(path, b, lengths[i]);
        q = partition_get(a, cache, partition_rule_read("metis"), 3, &swapped);
        CHECK(same(&fresh, &q), "%zu of %zu bytes", lengths[i], whole.n);
    }
    q = partition_get(a, cache, partition_rule_read("metis"), 3, &in);
    CHECK(same(&fresh, &q), "the file is not repaired");
    err_program = "test_partition: as expected";
    q = partition_get(a, arena_printf(a, "%s/inside", path), partition_rule_read("metis"), 3,
                      &in); /* a directory below a file */
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
    const char *text[] = {"0\n1\n2\n",
                          "2\n0\n0",
                          "0\r\n1\r\n0\r\n",
                          "00\n1\n002\n", /* good so far */
                          "",
                          "0\n1\n3\n",
                          "0\n-1\n1\n",
                          "0\n\n1\n",
                          "0\n1 2\n1\n",
                          "a\n1\n2\n",
                          "0\n1.0\n1\n",
                          "99999999999999999999999999\n0\n0\n",
                          "0\n1\n2\n\n"};
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
    partition q = partition_get(a, "", partition_rule_read(method), 4, &in),
              r = partition_get(a, "", partition_rule_read(method), 4, &moved),
              more = partition_get(a, "", partition_rule_read(method), 6, &in);
    CHECK(same(&p, &q) && more.clusters == 6 && more.hash != q.hash, "read as written");
    for (int i = 0; i < 40; i++)
        CHECK(r.of[row[i]] == p.of[i], "node %d is in row %d", i, row[i]);
    CHECK(err_try(attempted, &(attempt){a, NULL, method, 3, &in}), "more clusters than asked for");
    CHECK(err_try(attempted, &(attempt){a, NULL, "file:", 4, &in}), "no path");
    unlink(path);
    CHECK(err_try(attempted, &(attempt){a, NULL, method, 4, &in}), "no file");
}

TEST_MAIN(test_partition)
{
    snprintf(dir, sizeof dir, "%s/test_partition.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(dir))
        die("cannot make %s", dir);
    arena a = {0};
    test_metis(&a);
    test_metis_bits(&a);
    test_metis_hostile(&a);
    test_random(&a);
    test_refusals(&a);
    test_seeds(&a);
    test_cache(&a);
    test_text(&a);
    test_file(&a);
    arena_free(&a);
    rmdir(dir);
    return test_end();
}
