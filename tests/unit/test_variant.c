/* Variants of a data set: the graph of an attack= text, compared link by link; hashes; stored, truncated and continued
 * files of flips; graphs drawn for each run; bad input. */
#include "../../src/data/variant/variant.h"
#include "../../src/data/variant/edit.h"
#include "../../src/base/file.h"
#include "../../src/net/spec.h"
#include "../../src/train/problem_fields.h"
#include "cell_of.h"
#include "made.h"
#include <dirent.h>

enum { NODES = 90 };

static const char *own, *cache;

/* Three classes in a ring of links within the class and some between; node NODES - 1 has no link. */
static void make_graph(void)
{
    char edges[16384] = "", labels[2048] = "", features[16384] = "";
    size_t e = 0, l = 0, f = 0;
    for (int i = 0; i < NODES; i++) {
        for (int step = 3; step <= 9 && i < NODES - 1; step += step == 6 ? 1 : 3)
            if (i + step < NODES - 1 && step < 9)
                e += (size_t)snprintf(edges + e, sizeof edges - e, "%d %d\n", i, i + step);
        l += (size_t)snprintf(labels + l, sizeof labels - l, "%d %c\n", i, 'a' + i % 3);
        f += (size_t)snprintf(features + f, sizeof features - f, "%d %d %d 1\n", i % 3 == 0, i % 3 == 1, i * i % 7);
    }
    char parts[2048];
    size_t s = 0;
    for (int i = 0; i < NODES; i++)
        s += (size_t)snprintf(parts + s, sizeof parts - s, "%d %s\n", i, i < 18 ? "train" : i < 36 ? "val" : "test");
    own = arena_printf(&all, "%s/own", dir);
    file_write(arena_printf(&all, "%s/split.tsv", own), parts, s);
    cache = arena_printf(&all, "%s/cache", dir);
    file_write(arena_printf(&all, "%s/edges.tsv", own), edges, e);
    file_write(arena_printf(&all, "%s/labels.tsv", own), labels, l);
    file_write(arena_printf(&all, "%s/features.tsv", own), features, f);
}

static dataset *opened(const char *text, variant_change *c)
{
    data_dirs dirs = {cat, dir, cache, 1};
    return variant_open(&all, &dirs, own, variant_rule_read(text), 1, c);
}

static int linked(const dataset *d, int u, int v) { return edit_linked(&d->graph, u, v); }

/* What two graphs differ in, pair by pair. */
static variant_change differences(const dataset *x, const dataset *y)
{
    variant_change c = {0};
    for (int u = 0; u < NODES; u++)
        for (int v = u + 1; v < NODES; v++)
            if (linked(x, u, v) != linked(y, u, v)) {
                c.added += linked(y, u, v);
                c.removed += linked(x, u, v);
                c.same += linked(y, u, v) && x->y[u] == x->y[v];
            }
    return c;
}

static void graphs(void)
{
    static const char *const text[] = {"random:0.4", "random:0.4:1", "random:0.4:2",
                                       "dice:0.2",   "metaself:0.1", "metaself:0.1:1:fixed",
                                       "ameta:0.1",  "prbcd:0.05",   "grbcd:0.1"};
    enum { MANY = sizeof text / sizeof *text };
    variant_change c;
    dataset *clean = opened("none", &c), *v[MANY];
    int64_t links = csr_nnz(&clean->graph) / 2;
    CHECK(!c.added && !c.removed, "the graph as it is");
    for (int k = 0; k < MANY; k++) {
        v[k] = opened(text[k], &c);
        variant_change want = differences(clean, v[k]);
        CHECK(c.added == want.added && c.removed == want.removed && c.same == want.same, "%s: %d added, %d removed",
              text[k], (int)c.added, (int)c.removed);
        int64_t flips = (int64_t)((k < 3 ? 0.4 : k == 3 ? 0.2 : k == 7 ? 0.05 : 0.1) * (double)links + 1e-9);
        CHECK(k == 7 ? c.added + c.removed <= flips : c.added + c.removed == flips, "%s: %d flips", text[k],
              (int)(c.added + c.removed));
        CHECK(k > 2 || (!c.removed && c.touch <= c.added), "%s removes", text[k]);
        CHECK(v[k]->hash != clean->hash && v[k]->y == clean->y + (v[k]->y - clean->y), "%s: hash", text[k]);
        CHECK(opened(text[k], &c)->hash == v[k]->hash, "%s: another graph the second time", text[k]);
    }
    CHECK(v[0]->hash == v[1]->hash && v[0]->hash != v[2]->hash && v[4]->hash != v[5]->hash, "seeds and options");
}

static const char *kept_file(const char *part)
{
    const char *at = arena_printf(&all, "%s/attack", cache), *found = NULL;
    DIR *d = opendir(at);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strstr(e->d_name, part))
            found = arena_printf(&all, "%s/%s", at, e->d_name);
    if (d)
        closedir(d);
    return found;
}

/* One file has all rates of a seed; known flips are not computed again, a torn line is. */
static void kept(void)
{
    variant_change c;
    uint64_t small = opened("metaself:0.06:9", &c)->hash, large = opened("metaself:0.15:9", &c)->hash;
    const char *path = kept_file("metaself-9-fresh");
    CHECK(path != NULL, "no file of flips");
    if (!path)
        return;
    bytes before = file_read(&all, path, 0);
    CHECK(opened("metaself:0.06:9", &c)->hash == small, "a smaller rate has the first flips");
    bytes after = file_read(&all, path, 0);
    CHECK(after.n == before.n && !memcmp(after.p, before.p, before.n), "reading changes the file");
    size_t half = before.n / 2;
    file_write(path, (const char *)before.p, half);
    CHECK(opened("metaself:0.15:9", &c)->hash == large, "cut short: other flips");
    after = file_read(&all, path, 0);
    CHECK(after.n == before.n && !memcmp(after.p, before.p, before.n), "cut short: another file");
    CHECK(kept_file("random") == NULL && kept_file("dice") == NULL, "what is drawn is not kept");
}

static void runs(void)
{
    variant_change c;
    dataset *clean = opened("none", &c);
    CHECK(opened("random:0.4:run", &c)->hash == clean->hash, "the graph of all runs");
    static const char *const one[] = {"random:0.4:3", "none", "file:x:run"};
    for (int k = 0; k < 3; k++) {
        const variant_rule r = variant_rule_read(one[k]);
        CHECK(!r.per_run && !strcmp(variant_of_run(&all, r, 5).text, one[k]), "%s: one graph for all", one[k]);
    }
    const variant_rule each = variant_rule_read("random:0.4:run"), sixth = variant_of_run(&all, each, 5);
    CHECK(each.per_run && !strcmp(sixth.text, "random:0.4:6") && sixth.s.seed == 6 && !sixth.per_run, "run 5");
    data_dirs dirs = {cat, dir, cache, 1};
    spec s = spec_default();
    s.dataset = own, s.loss = "jc", s.attack = each, s.split = split_rule_read("per-class:5:5");
    problem *p = problem_open(&dirs, &s), *first = problem_of_run(p, CELL(&s), 0),
            *second = problem_of_run(p, CELL(&s), 1);
    CHECK(p->d->hash == clean->hash && first && second && first->d->hash != second->d->hash,
          "runs have graphs of their own");
    CHECK(first->d->hash == opened("random:0.4:1", &c)->hash && problem_partition(first, CELL(&s)) != NULL,
          "run 0 has the graph of seed 1, clustered");
    problem_close(first);
    problem_close(second);
    problem_close(p);
}

/* --- bad input --- */

typedef struct attempt {
    const char *name, *text;
} attempt;

static void try_open(void *arg)
{
    const attempt *q = arg;
    variant_change c;
    data_dirs dirs = {cat, dir, cache, 1};
    variant_open(&all, &dirs, q->name, variant_rule_read(q->text), 0, &c);
}

static void expect(const char *name, const char *text, const char *part)
{
    attempt q = {name, text};
    const char *why = err_try(try_open, &q);
    CHECK(why && strstr(why, part) && !strchr(why, '\n'), "%s: '%s' where '%s' was expected", text,
          why ? why : "(no error)", part);
}

static const char *flips(const char *text)
{
    static int n;
    const char *path = arena_printf(&all, "%s/flips%d", dir, n++);
    file_write(path, text, strlen(text));
    return arena_printf(&all, "file:%s", path);
}

static void mistakes(void)
{
    variant_change c;
    dataset *clean = opened("none", &c), *v = opened(flips("# mine\n0 3\n89 1\n"), &c);
    CHECK(linked(clean, 0, 3) && !linked(v, 0, 3) && linked(v, 1, 89) && c.added == 1 && c.removed == 1,
          "flips of one's own");
    CHECK(opened(flips(""), &c)->hash != 0 && !c.added && !c.removed, "no flips");
    expect(own, flips("0 90\n"), ":1: ");
    expect(own, flips("0 1\n-1 2\n"), ":2: ");
    expect(own, flips("0 1\n1 2\n1 0\n"), "same pair as in line 1");
    expect(own, flips("4 4\n"), "with itself");
    expect(own, flips("0\n"), "expected a node id");
    expect(own, "file:/none/such", "/none/such");
    expect(own, "file:", "expected file:PATH");
    expect(own, "random:1000", "at most");
    expect(own, "metaself:1e300", "at most");
    expect(own, "random:0", "positive");
    expect(own, "random:0.0001", "not one flip");
    expect(own, "meta:0.2", "no poisoned graph");
    expect(own, "meta:../x", "expected meta:RATE");
    expect(own, "meta:", "expected meta:RATE");
    expect(own, "nice:0.2", "unknown attack");
    expect(own, "", "expected METHOD:RATE");
    const char *bare = arena_printf(&all, "%s/bare", dir), *lone = arena_printf(&all, "%s/lone", dir);
    file_write(arena_printf(&all, "%s/edges.tsv", lone), "0 0\n", 4);
    file_write(arena_printf(&all, "%s/labels.tsv", lone), "0 a\n1 b\n2 a\n3 b\n", 16);
    file_write(arena_printf(&all, "%s/split.tsv", lone), "0 train\n1 train\n2 val\n3 test\n", 29);
    expect(lone, "random:0.5", "no links");
    file_write(arena_printf(&all, "%s/edges.tsv", bare), "0 1\n", 4);
    expect(bare, "random:1", "labels");
}

/* A new field with a default renames no run. */
static void identity(void)
{
    spec s = spec_default();
    CHECK(!*spec_identity(&all, &s), "defaults have a name: %s", spec_identity(&all, &s));
    s.attack = variant_rule_read("meta:0.2"), s.norm = NORM_NONE;
    CHECK(!strcmp(spec_identity(&all, &s), "attack=meta:0.2 norm=none"), "%s", spec_identity(&all, &s));
}

TEST_MAIN(test_variant)
{
    made_start("test_variant");
    make_graph();
    graphs();
    kept();
    runs();
    mistakes();
    identity();
    return made_end();
}
