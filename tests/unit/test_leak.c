/* test_leak: test nodes that have a training node with the same neighbours, against a comparison of all pairs of lists;
 * planted duplicates; known counts on the real files. */
#include "../../src/base/rng.h"
#include "../../src/data/leak.h"
#include "../../src/data/split.h"
#include "made.h"
#include <omp.h>

/* Compares every test node with every training node. */
static leak leak_ref(const dataset *d)
{
    leak n = {0};
    const int64_t *p = d->graph.ptr;
    for (int s = 0; s < d->nsplits; s++)
        for (int k = 0; k < d->splits[s].n[TEST]; k++) {
            int i = d->splits[s].idx[TEST][k], duplicate = 0, label = 0;
            for (int l = 0; l < d->splits[s].n[TRAIN]; l++) {
                int j = d->splits[s].idx[TRAIN][l], same = p[i + 1] - p[i] == p[j + 1] - p[j] && p[i + 1] > p[i];
                for (int64_t e = 0; same && e < p[i + 1] - p[i]; e++)
                    same = d->graph.idx[p[i] + e] == d->graph.idx[p[j] + e];
                int alike = d->y ? d->y[i] == d->y[j] : 1;
                for (int c = 0; d->ym && c < d->classes; c++)
                    alike &= d->ym[i * d->classes + c] == d->ym[j * d->classes + c];
                duplicate |= same;
                label |= same && alike;
            }
            n.test++;
            n.duplicated += duplicate;
            n.same_label += label;
        }
    return n;
}

static void same_counts(const dataset *d, const leak *want, const char *what)
{
    leak n = leak_count(d);
    CHECK(n.test == want->test && n.duplicated == want->duplicated && n.same_label == want->same_label,
          "%s: %lld test, %lld duplicated, %lld with the same label; expected %lld, %lld, %lld", what,
          (long long)n.test, (long long)n.duplicated, (long long)n.same_label, (long long)want->test,
          (long long)want->duplicated, (long long)want->same_label);
}

/* m edges among few hubs, so that many nodes have equal lists; some nodes have none. */
static dataset random_graph(arena *a, int nodes, int hubs, int m, int splits, int multi, uint64_t seed)
{
    rng r = rng_make(seed, 0, RNG_TWIN);
    int *u = NEW(a, int, (size_t)m), *v = NEW(a, int, (size_t)m);
    dataset d = {.name = "random", .nodes = nodes, .classes = 3, .nsplits = splits, .origin_note = ""};
    for (int k = 0; k < m; k++) {
        u[k] = (int)rng_below(r, 0, (uint64_t)k, (uint64_t)nodes);
        v[k] = (int)rng_below(r, 1, (uint64_t)k, (uint64_t)hubs);
    }
    d.graph = csr_from_pairs(a, nodes, nodes, u, v, m, 1, 0);
    d.y = multi ? NULL : NEW(a, int, (size_t)nodes);
    d.ym = multi ? NEW(a, unsigned char, 3 * (size_t)nodes) : NULL;
    for (int i = 0; i < 3 * nodes; i++)
        if (multi)
            d.ym[i] = rng_uniform(r, 2, (uint64_t)i) < 0.3;
        else
            d.y[i / 3] = (int)rng_below(r, 2, (uint64_t)i, 3);
    d.splits = NEW(a, split, (size_t)splits);
    unsigned char *part = NEW(a, unsigned char, (size_t)nodes);
    for (int s = 0; s < splits; s++) {
        for (int i = 0; i < nodes; i++)
            part[i] = (unsigned char)rng_below(r, 3 + (uint64_t)s, (uint64_t)i, PARTS + 1); /* PARTS: in none */
        d.splits[s] = split_of_parts(a, part, nodes);
    }
    return d;
}

static void test_random(void)
{
    int found = 0, other = 0;
    for (int k = 0; k < 200; k++) {
        arena a = {0};
        int nodes = 1 + k * 3 / 2, hubs = 1 + k % 7;
        dataset d =
            random_graph(&a, nodes, hubs < nodes ? hubs : nodes, k * (1 + k % 3), k % 4, k % 5 == 0, (uint64_t)k);
        leak want = leak_ref(&d);
        same_counts(&d, &want, "random graph");
        found += want.same_label > 0;
        other += want.same_label < want.duplicated;
        arena_free(&a);
    }
    CHECK(found > 50 && other > 50, "%d graphs with duplicates, %d with other labels", found, other);
}

/* Counted by hand. */
static void test_planted(void)
{
    arena a = {0};
    /* leaves 2, 3, 4, 5 of hub 0; 6 joins 0 and 1, as does 7; 8 and 9 have no neighbour; 10 joins 1 alone */
    int u[] = {2, 3, 4, 5, 6, 6, 7, 7, 10}, v[] = {0, 0, 0, 0, 0, 1, 0, 1, 1};
    int y[] = {0, 0, 1, 2, 1, 1, 2, 2, 0, 0, 1};
    unsigned char one[] = {TEST, VAL, TRAIN, TRAIN, TEST, TEST, TRAIN, TEST, TRAIN, TEST, TEST};
    /* test: 0 no, 4 and 5 as 2 (label 1) and 3 (label 2): yes, same; 7 as 6: yes, same; 9: no; 10: no */
    unsigned char two[] = {PARTS, PARTS, VAL, TRAIN, TEST, VAL, TEST, VAL, PARTS, PARTS, TRAIN};
    /* test: 4 as 3, another label; 6: its duplicate 7 validates */
    split s[] = {split_of_parts(&a, one, 11), split_of_parts(&a, two, 11)};
    dataset d = {.name = "planted", .nodes = 11, .classes = 3, .y = y, .nsplits = 1, .splits = s};
    d.graph = csr_from_pairs(&a, 11, 11, u, v, 9, 1, 0);
    same_counts(&d, &(leak){6, 3, 3}, "the first split");
    d.nsplits = 2;
    same_counts(&d, &(leak){8, 4, 3}, "both splits");
    d.nsplits = 0;
    same_counts(&d, &(leak){0, 0, 0}, "no split");
    arena_free(&a);
}

/* Reordered rows and other numbers of threads give the same counts; 30,000 leaves of one hub are compared once each. */
static void test_large(void)
{
    arena a = {0};
    dataset d = random_graph(&a, 30000, 1, 60000, 2, 0, 5);
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    leak n = leak_count(&d);
    omp_set_num_threads(3);
    same_counts(&d, &n, "3 threads");
    omp_set_num_threads(before);
    CHECK(n.duplicated > n.test / 2 && n.same_label == n.duplicated, "a star: %lld of %lld", (long long)n.duplicated,
          (long long)n.test);
    d.features = 1, d.xd = mat_new(&a, d.nodes, 1), d.hash = 1;
    dataset_reorder(&a, &d, "", 1);
    CHECK(d.row != NULL, "the nodes are not renamed");
    same_counts(&d, &n, "renamed nodes");
    arena_free(&a);
}

/* The published files; what an independent program counted (sets of neighbours as sorted lists in a dictionary). */
static void test_real(void)
{
    static const struct {
        const char *name;
        leak n;
    } want[] = {{"chameleon", {4560, 2279, 2268}},
                {"squirrel", {10410, 4155, 4146}},
                {"wisconsin", {510, 82, 69}},
                {"chameleon-filtered", {1768, 69, 66}},
                {"squirrel-filtered", {4477, 17, 14}}};
    const char *raw = getenv("JCB_RAW");
    data_dirs dirs = {cat, raw, "", 0};
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        if (!raw || !*raw || dataset_missing(&dirs, want[k].name)) {
            printf("skipped: the files of %s are missing\n", want[k].name);
            continue;
        }
        arena a = {0};
        const dataset *d = dataset_open(&a, &dirs, want[k].name);
        same_counts(d, &want[k].n, want[k].name);
        arena_free(&a);
    }
}

TEST_MAIN(test_leak)
{
    made_start("test_leak");
    test_random();
    test_planted();
    test_large();
    test_real();
    return made_end();
}
