/* catalog: reads and checks catalog.tsv. */
#include "catalog.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/guess.h"
#include "../base/hash.h"
#include "../base/tsv.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An integer, or `unknown` for "-" and "". */
static int64_t whole(const tsv *t, int row, const char *col, int64_t min, int64_t max, int64_t unknown)
{
    double x = tsv_number(t, row, col);
    if (isnan(x))
        return unknown;
    if (x != floor(x) || x < (double)min || x > (double)max)
        die("%s: %s: %s is '%s', expected an integer from %lld to %lld", t->path, t->cell[row][0], col,
            tsv_get(t, row, col), (long long)min, (long long)max);
    return (int64_t)x;
}

/* A comma list of class sizes; its length must be the number of classes, its sum at most that of the nodes. */
static void read_sizes(arena *a, catalog_entry *e, const tsv *t, int row)
{
    const char *s = tsv_get(t, row, "class_sizes");
    if (!*s || !strcmp(s, "-"))
        return;
    int n = 1;
    for (const char *p = s; *p; p++)
        n += *p == ',';
    if (n != e->classes)
        die("%s: %s: %d class_sizes for %d classes", t->path, e->name, n, e->classes);
    e->class_size = NEW(a, int, (size_t)n);
    e->nsizes = n;
    int64_t sum = 0;
    for (int c = 0; c < n; c++) {
        char *end;
        long long k = strtoll(s, &end, 10);
        if (end == s || k < 0 || k > e->nodes || (*end && *end != ','))
            die("%s: %s: class_sizes: entry %d is not a number of nodes", t->path, e->name, c + 1);
        e->class_size[c] = (int)k;
        sum += k;
        s = end + 1;
    }
    if (!e->multi && sum > e->nodes)
        die("%s: %s: class_sizes add up to %lld, more than %d nodes", t->path, e->name, (long long)sum, e->nodes);
}

static double number_within(const tsv *t, int row, const char *col, double max)
{
    double x = tsv_number(t, row, col);
    if (x < 0 || x > max)
        die("%s: %s: %s is '%s', expected 0 to %g", t->path, t->cell[row][0], col, tsv_get(t, row, col), max);
    return x;
}

/* Hash of everything that a twin depends on. */
static uint64_t hash_shape(const tsv *t, int row)
{
    static const char *const column[] = {"name",  "nodes", "edges",     "features", "classes",    "labels",
                                         "split", "norm",  "homophily", "skew",     "class_sizes"};
    uint64_t h = HASH_INIT;
    for (size_t k = 0; k < sizeof column / sizeof *column; k++)
        h = hash_text(h, tsv_get(t, row, column[k]));
    return h;
}

static void read_row(arena *a, catalog_entry *e, const tsv *t, int row)
{
    e->name = tsv_get(t, row, "name");
    e->title = tsv_get(t, row, "title");
    e->format = tsv_get(t, row, "format");
    e->path = tsv_get(t, row, "path");
    e->split = tsv_get(t, row, "split");
    if (!split_rule_try(&e->rule, e->split))
        e->rule = split_rule_read("public");
    e->norm = tsv_get(t, row, "norm");
    e->paper_table = tsv_get(t, row, "paper_table");
    e->note = tsv_get(t, row, "note");
    e->multi = !strncmp(tsv_get(t, row, "labels"), "multi", 5);
    e->nodes = (int)whole(t, row, "nodes", 1, INT_MAX - 1, 0);
    e->edges = whole(t, row, "edges", 0, (int64_t)1 << 40, 0);
    e->features = (int)whole(t, row, "features", 0, 1 << 24, 0);
    e->classes = (int)whole(t, row, "classes", 1, 1 << 16, 0);
    e->homophily = number_within(t, row, "homophily", 1);
    e->skew = number_within(t, row, "skew", 10);
    read_sizes(a, e, t, row);
    e->paper_nodes = whole(t, row, "paper_nodes", 0, INT64_MAX / 2, 0);
    e->paper_edges = whole(t, row, "paper_edges", 0, INT64_MAX / 2, 0);
    e->paper_features = whole(t, row, "paper_features", 0, INT64_MAX / 2, 0);
    e->paper_classes = whole(t, row, "paper_classes", 0, INT64_MAX / 2, 0);
    e->hash = hash_shape(t, row);
    if (!*e->name || strpbrk(e->name, "/ "))
        die("%s: row %d: '%s' cannot be the name of a data set", t->path, row + 1, e->name);
}

catalog catalog_read(arena *a, const char *path)
{
    if (!file_named(path))
        return (catalog){.path = arena_printf(a, "%s", path)};
    tsv t = tsv_read(a, path);
    if (!t.cols || strcmp(t.name[0], "name"))
        die("%s: no header line that starts with 'name'", path);
    static const char *const need[] = {"format", "path", "nodes", "edges", "features", "classes", "labels", "split"};
    for (size_t k = 0; k < sizeof need / sizeof *need; k++)
        tsv_need(&t, need[k]);
    if (t.torn)
        die("%s: the last line has no newline: incomplete file", path);
    catalog c = {t.path, t.rows, NEW(a, catalog_entry, (size_t)t.rows)};
    for (int i = 0; i < t.rows; i++) {
        read_row(a, &c.entry[i], &t, i);
        for (int j = 0; j < i; j++)
            if (!strcmp(c.entry[i].name, c.entry[j].name))
                die("%s: '%s' is listed twice", path, c.entry[i].name);
    }
    return c;
}

void catalog_need(const catalog *c)
{
    if (!c->entry)
        die("%s: not found: give the data directory with --data (default: `data` in the current directory)", c->path);
}

int catalog_is_twin(const char *name) { return !strncmp(name, "twin:", 5); }

const catalog_entry *catalog_search(const catalog *c, const char *name)
{
    name += catalog_is_twin(name) ? 5 : 0;
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->entry[i].name, name))
            return &c->entry[i];
    return NULL;
}

const catalog_entry *catalog_find(const catalog *c, const char *name)
{
    const catalog_entry *e = catalog_search(c, name);
    if (e)
        return e;
    catalog_need(c);
    char known[700] = "";
    for (int i = 0; i < c->n; i++) {
        size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%s", i ? " " : "", c->entry[i].name);
    }
    char hint[80];
    guess g = {.word = name};
    for (int i = 0; i < c->n; i++)
        guess_try(&g, c->entry[i].name);
    die("unknown data set '%s'%s; there are %s; or give a directory with a graph of your own", name,
        guess_text(&g, hint), known);
}
