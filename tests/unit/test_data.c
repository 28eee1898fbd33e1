/* test_data: the catalogue, twins and splits. */
#include "../../src/base/file.h"
#include "../../src/base/hash.h"
#include "../../src/base/mt19937.h"
#include "../../src/base/rng.h"
#include "../../src/data/split.h"
#include "made.h"
#include <limits.h>
#include <omp.h>

#define SMALL 25000 /* nodes of the data sets that are made in full here */

/* ---- twins ---- */

static void test_twins(void)
{
    for (int k = 0; k < cat.n; k++) {
        const catalog_entry *e = &cat.entry[k];
        if (e->nodes > SMALL)
            continue;
        arena a = {0};
        dataset d = make_twin(&a, e);
        check_against_catalogue(&d, e);
        CHECK(d.origin == ORIGIN_TWIN && *d.origin_note, "%s", e->name);
        CHECK((d.nsplits > 0) == (e->rule.kind == SPLIT_PUBLIC || e->rule.kind == SPLIT_HOLDOUT), "%s: %d splits",
              e->name, d.nsplits);
        arena_free(&a);
    }
    arena a = {0};
    dataset d = make_twin(&a, catalog_find(&cat, "cora"));
    CHECK(d.splits->n[TRAIN] == 140 && d.splits->n[VAL] == 500 && d.splits->n[TEST] == 1000, "planetoid");
    d = make_twin(&a, catalog_find(&cat, "wisconsin"));
    CHECK(d.nsplits == 10 && d.splits[9].n[TRAIN] == 120 && d.splits[9].n[VAL] == 80 && d.splits[9].n[TEST] == 51,
          "geom-gcn");
    arena_free(&a);
}

static void test_threads(void)
{
    catalog_entry multi = {.name = "amazon-small",
                           .format = "graphsaint",
                           .norm = "none",
                           .nodes = 3000,
                           .edges = 60000,
                           .features = 200,
                           .classes = 107,
                           .multi = 1,
                           .homophily = NAN,
                           .skew = NAN};
    const catalog_entry *entry[] = {catalog_find(&cat, "cora"), catalog_find(&cat, "squirrel"),
                                    catalog_find(&cat, "lastfmasia"), &multi};
    static const int threads[] = {1, 2, 3, 8};
    int before = omp_get_max_threads();
    for (int k = 0; k < 4; k++) {
        uint64_t first = 0;
        for (int t = 0; t < 4; t++) {
            arena a = {0};
            omp_set_num_threads(threads[t]);
            dataset d = make_twin(&a, entry[k]);
            first = t ? first : d.hash;
            CHECK(d.hash == first, "%s with %d threads", entry[k]->name, threads[t]);
            arena_free(&a);
        }
    }
    omp_set_num_threads(before);
    arena a = {0};
    dataset d = make_twin(&a, &multi);
    double labels = 0;
    for (size_t k = 0; k < (size_t)d.nodes * (size_t)d.classes; k++)
        labels += d.ym[k];
    CHECK(!d.y && labels / d.nodes > 3 && labels / d.nodes < 7, "%g labels per node", labels / d.nodes);
    CHECK(d.splits->n[TRAIN] == 2550 && d.splits->n[VAL] == 150 && d.splits->n[TEST] == 300, "roles");
    arena_free(&a);
}

/* ---- splits ---- */

static void check_split(const dataset *d, const split *s, const char *rule)
{
    unsigned char *seen = NEW(&all, unsigned char, (size_t)d->nodes);
    int bad = 0;
    for (int p = 0; p < PARTS; p++)
        for (int k = 0; k < s->n[p]; k++) {
            int i = s->idx[p][k];
            bad += i < 0 || i >= d->nodes || seen[i]++ || d->y[i] < 0 || (k && s->idx[p][k - 1] >= i);
        }
    CHECK(!bad, "split %s: %d bad entries", rule, bad);
}

static int same_split(const split *s, const split *t, enum part p)
{
    return s->n[p] == t->n[p] && !memcmp(s->idx[p], t->idx[p], (size_t)s->n[p] * sizeof(int));
}

static int count_class(const dataset *d, const split *s, enum part p, int c)
{
    int n = 0;
    for (int k = 0; k < s->n[p]; k++)
        n += d->y[s->idx[p][k]] == c;
    return n;
}

typedef struct drawing {
    const dataset *d;
    const char *rule;
} drawing;

static void draw_it(void *arg)
{
    drawing *w = arg;
    split_draw(&all, w->d, split_rule_read(w->rule), 1, 0);
}

/* redraw: parts of the published sizes from the nodes of the published split; over many runs every node is in each part
 * at the rate of its size. Only rules that use published parts limit the number of runs. */
static void test_redraw(arena *a, const dataset *one, const dataset *ten)
{
    enum { RUNS = 2000 };
    int *times = NEW(a, int, PARTS *(size_t)ten->nodes), wrong = 0;
    split few = {{100, 60, 40}, {ten->splits[0].idx[TRAIN], ten->splits[0].idx[VAL], ten->splits[0].idx[TEST]}};
    dataset some = *ten; /* most nodes of the test part, and others, are in no part: they stay out */
    some.splits = &few;
    some.nsplits = 1;
    few.n[TEST] = 5;
    for (int run = 0; run < RUNS; run++) {
        split s = split_draw(a, ten, split_rule_read("redraw"), 1, run),
              t = split_draw(a, &some, split_rule_read("redraw"), 1, run);
        const split *p = &ten->splits[run % ten->nsplits];
        for (int k = 0; k < PARTS; k++) {
            wrong += s.n[k] != p->n[k] || t.n[k] != few.n[k];
            for (int i = 0; i < s.n[k]; i++)
                times[PARTS * s.idx[k][i] + k]++;
        }
        if (run == 0)
            check_split(ten, &s, "redraw");
        for (int i = few.n[TEST]; i < p->n[TEST] && run == 0; i++)
            for (int k = 0; k < PARTS; k++)
                for (int j = 0; j < t.n[k]; j++)
                    wrong += t.idx[k][j] == p->idx[TEST][i];
    }
    CHECK(!wrong, "%d parts of another size or nodes of no part", wrong);
    double worst = 0;
    for (int i = 0; i < ten->nodes; i++)
        for (int k = 0; k < PARTS; k++) {
            double rate = (double)ten->splits[0].n[k] / ten->nodes;
            worst = fmax(worst, fabs(times[PARTS * i + k] - RUNS * rate) / sqrt(RUNS * rate * (1 - rate)));
        }
    CHECK(worst < 5, "a node is off its rate by %g standard deviations",
          worst); /* 753 of them: above 5 in one of 2,000 tests */
    const struct {
        const dataset *d;
        const char *rule;
        int runs;
    } want[] = {{ten, "public", 10},      {ten, "labels:3", 10},
                {ten, "redraw", INT_MAX}, {ten, "fraction:0.48:0.32", INT_MAX},
                {one, "public", INT_MAX}, {one, "labels:5", INT_MAX}};
    for (int k = 0; k < 6; k++)
        CHECK(split_runs(want[k].d, split_rule_read(want[k].rule)) == want[k].runs, "runs of %s", want[k].rule);
}

/* RULE@S: the split of run S and seed 1, whatever run and seed; other numbers draw other splits. */
static void test_numbered(arena *a, const dataset *one, const dataset *ten)
{
    static const char *const rule[] = {"per-class:20:30", "fraction:0.25:0.25", "labels:5",
                                       "redraw",          "holdout:0.3",        "python:20:30"};
    for (int k = 0; k < 6; k++) {
        const char *third = arena_printf(a, "%s@3", rule[k]), *fourth = arena_printf(a, "%s@4", rule[k]);
        const split_rule r = split_rule_read(third);
        split s = split_draw(a, one, r, 1, 0), t = split_draw(a, one, r, 9, 5),
              u = split_draw(a, one, split_rule_read(rule[k]), 1, 3),
              v = split_draw(a, one, split_rule_read(fourth), 1, 0);
        check_split(one, &s, third);
        for (enum part p = TRAIN; p < PARTS; p++)
            CHECK(same_split(&s, &t, p) && same_split(&s, &u, p), "%s: part %d", third, (int)p);
        CHECK(!same_split(&s, &v, TRAIN), "%s: also that of @4", third);
        CHECK(split_runs(ten, r) == INT_MAX, "%s: any number of runs", third);
    }
    split s = split_draw(a, ten, split_rule_read("labels:3@13"), 1, 0);
    CHECK(same_split(&s, &ten->splits[3], TEST), "test nodes of published split 13 %% 10");
}

/* Python 3.11: random.seed(42); a sample of each size in turn. */
static void test_python(void)
{
    arena a = {0};
    const dataset twin = make_twin(&a, catalog_find(&cat, "citeseer")), *d = &twin;
    static const struct {
        int n, k, from, want[10], wanted; /* elements from .. */
    } draw[] = {{20, 5, 0, {3, 0, 8, 7, 16}, 5},
                {20, 5, 0, {4, 3, 17, 2, 13}, 5},
                {20, 10, 0, {1, 0, 2, 6, 7, 8, 9, 18, 14, 3}, 10},
                {7000, 50, 0, {5865, 5323, 5745, 4464, 3436, 1805}, 6},
                {270, 50, 46, {183, 229, 225, 167}, 4},
                {280, 50, 46, {82, 276, 271, 0}, 4},
                {1, 1, 0, {0}, 1}};
    int out[50];
    mt19937 r;
    mt19937_seed_python(&r, 42);
    for (size_t i = 0; i < sizeof draw / sizeof *draw; i++) {
        mt19937_sample(out, &r, draw[i].n, draw[i].k);
        CHECK(!memcmp(out + draw[i].from, draw[i].want, (size_t)draw[i].wanted * sizeof *out), "sample %zu", i);
    }
    CHECK(mt19937_u32(&r) == 2098545541u, "as many numbers as Python");

    split s = split_draw(&a, d, split_rule_read("python:5"), 1, 1),
          t = split_draw(&a, d, split_rule_read("python:5"), 7, 1), whole = d->splits[0];
    check_split(d, &s, "python:5");
    CHECK(s.n[TRAIN] == 30 && same_split(&s, &whole, VAL) && same_split(&s, &whole, TEST), "python:5");
    CHECK(same_split(&s, &t, TRAIN), "whatever the seed");
    mt19937_seed_python(&r, 42); /* run 1: after the six classes of run 0 */
    for (int c = 0; c < 7; c++)
        mt19937_sample(out, &r, 20, 5);
    int node[20], n = 0, found = 0;
    for (int k = 0; k < whole.n[TRAIN]; k++)
        if (d->y[whole.idx[TRAIN][k]] == 0)
            node[n++] = whole.idx[TRAIN][k];
    for (int k = 0; k < 5 * 30; k++)
        found += s.idx[TRAIN][k / 5] == node[out[k % 5]];
    CHECK(n == 20 && found == 5, "class 0 of run 1: %d of 5 nodes", found);
    s = split_draw(&a, d, split_rule_read("python:20:30:72"), 1, 0);
    check_split(d, &s, "python:20:30:72");
    CHECK(s.n[TRAIN] == 120 && s.n[VAL] == 180, "python:20:30:72");
    t = split_draw(&a, d, split_rule_read("python:20:30"), 1, 0);
    CHECK(!same_split(&s, &t, TRAIN), "another seed");
    arena_free(&a);
}

static void test_bad_rules(const dataset *d, const dataset *w, const dataset *l)
{
    static const struct {
        int set;
        const char *rule, *says;
    } bad[] = {{1, "per-class:20:30", "class 0"},
               {2, "public", "no published split"},
               {0, "labels:4000", "class 0"},
               {0, "fraction:0.5:0.5", "leave"},
               {0, "per-class:20", "unknown"},
               {0, "labels:5x", "unknown"},
               {0, "fraction:nan:0.1", "fraction"},
               {0, "per-class:-1:5", "at least"},
               {2, "redraw", "no published split"},
               {0, "redraw:", "unknown"},
               {0, "public@3", "drawn splits"},
               {0, "per-class:20:30@0", "from 1"},
               {0, "redraw@", "from 1"},
               {0, "redraw@-1", "from 1"},
               {0, "labels:5@3x", "from 1"},
               {0, "labels:5@1000000000", "from 1"},
               {0, "per-class:20@3", "unknown"},
               {0, "python:21", "published training"},
               {0, "python:20:30:-1", "unknown"},
               {2, "python:5", "no published split"},
               {1, "per-class:20:30@1", "class 0"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        drawing job = {bad[k].set == 0 ? d : bad[k].set == 1 ? w : l, bad[k].rule};
        const char *why = err_try(draw_it, &job);
        CHECK(why && strstr(why, bad[k].says), "%s: %s", bad[k].rule, why ? why : "no error");
    }
}

static void test_splits(void)
{
    arena a = {0};
    dataset d = make_twin(&a, catalog_find(&cat, "citeseer")), w = make_twin(&a, catalog_find(&cat, "wisconsin"));
    dataset l = make_twin(&a, catalog_find(&cat, "lastfmasia"));
    d.name = "citeseer";
    static const char *const rule[] = {"public", "per-class:20:30", "fraction:0.25:0.25", "labels:5", "redraw"};
    for (int k = 0; k < 5; k++) {
        const split_rule r = split_rule_read(rule[k]);
        split s = split_draw(&a, &d, r, 1, 0), t = split_draw(&a, &d, r, 1, 0), u = split_draw(&a, &d, r, 1, 1),
              v = split_draw(&a, &d, r, 2, 0);
        check_split(&d, &s, rule[k]);
        CHECK(same_split(&s, &t, TRAIN) && same_split(&s, &t, VAL) && same_split(&s, &t, TEST), "%s: drawn twice",
              rule[k]);
        CHECK(same_split(&s, &u, TRAIN) == (k == 0) && same_split(&s, &v, TRAIN) == (k == 0), "%s: other run or seed",
              rule[k]);
    }
    split s = split_draw(&a, &d, split_rule_read("per-class:20:30"), 1, 0);
    CHECK(s.n[TRAIN] == 120 && s.n[VAL] == 180 && s.n[TEST] == 3312 - 300, "per-class sizes");
    s = split_draw(&a, &d, split_rule_read("labels:5"), 1, 3);
    CHECK(s.n[TRAIN] == 30 && same_split(&s, d.splits, VAL) && same_split(&s, d.splits, TEST), "labels:5");
    s = split_draw(&a, &l, split_rule_read("fraction:0.25:0.25"), 1, 0);
    for (int c = 0; c < l.classes; c++)
        CHECK(count_class(&l, &s, TRAIN, c) == catalog_find(&cat, "lastfmasia")->class_size[c] / 4, "class %d", c);
    s = split_draw(&a, &w, split_rule_read("fraction:0.01:0.01"), 1, 0);
    for (int c = 0; c < w.classes; c++)
        for (int p = 0; p < PARTS; p++)
            CHECK(count_class(&w, &s, (enum part)p, c) >= 1, "class %d has none in part %d", c, p);
    test_redraw(&a, &d, &w);
    test_numbered(&a, &d, &w);
    split last = split_draw(&a, &w, split_rule_read("public"), 1, 13);
    CHECK(last.idx[TRAIN] == w.splits[3].idx[TRAIN], "public split of run 13 is number 3");
    test_bad_rules(&d, &w, &l);
    arena_free(&a);
}

/* ---- the catalogue ---- */

static void read_bad(void *path) { catalog_read(&all, path); }

static void test_catalogue(void)
{
    CHECK(cat.n >= 12, "%d data sets", cat.n);
    const catalog_entry *e = catalog_find(&cat, "lastfmasia");
    CHECK(e->nodes == 7624 && e->classes == 18 && e->nsizes == 18 && e->class_size[17] == 1572 && !e->multi,
          "lastfmasia");
    CHECK(!strcmp(e->rule.text, "fraction:0.25:0.25") && catalog_find(&cat, "cora")->rule.kind == SPLIT_PUBLIC,
          "rules");
    CHECK(catalog_find(&cat, "yelp")->multi && isnan(catalog_find(&cat, "yelp")->skew), "yelp");
    static const char *const head = "name\tformat\tpath\tnodes\tedges\tfeatures\tclasses\tlabels\tsplit\tclass_sizes\n";
    static const char *const row[][2] = {
        {"a\tx\ty\t-5\t1\t1\t1\tsingle\t-\t-\n", "nodes"},      {"a\tx\ty\t5\t1.5\t1\t1\tsingle\t-\t-\n", "edges"},
        {"a\tx\ty\t5\t1\t1\t2\tsingle\t-\t3\n", "class_sizes"}, {"a\tx\ty\t5\t1\t1\t1\tsingle\t-\t9\n", "class_sizes"},
        {"a/b\tx\ty\t5\t1\t1\t1\tsingle\t-\t-\n", "a/b"},       {"a\tx\ty\t5\n", "newline"}};
    for (int k = 0; k < 6; k++) {
        char *path = arena_printf(&all, "%s/bad.tsv", dir), text[256];
        snprintf(text, sizeof text, "%s%s", head, row[k][0]);
        file_write(path, text, strlen(text) - (k == 5));
        const char *why = err_try(read_bad, path);
        CHECK(why && strstr(why, row[k][1]), "%s: %s", row[k][1], why ? why : "no error");
    }
}

TEST_MAIN(test_data)
{
    made_start("test_data");
    test_catalogue();
    test_twins();
    test_threads();
    test_splits();
    test_python();
    return made_end();
}
