/* split: the rules of split.h. Each class is shuffled by its own stream of (seed, run), the first nodes train, the next
 * validate; parts are then read off in node order. */
#include "split.h"
#include "../base/err.h"
#include "../base/rng.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The nodes that are not taken, shuffled within their class: class c at node[start[c]] .. node[start[c + 1] - 1]. */
typedef struct shuffled {
    int *start, *node;
} shuffled;

/* Nodes with several labels are drawn as if they had one class. */
static int class_of(const dataset *d, int i) { return d->y ? d->y[i] : 0; }
static int class_count(const dataset *d) { return d->y ? d->classes : 1; }

static shuffled shuffle_classes(arena *a, const dataset *d, const unsigned char *taken, rng r)
{
    shuffled p = {NEW(a, int, (size_t)d->classes + 2), NEW(a, int, (size_t)d->nodes)};
    int *at = p.start + 1; /* after filling, start[c] is the start of class c */
    for (int i = 0; i < d->nodes; i++)
        if (class_of(d, i) >= 0 && !(taken && taken[i]))
            at[class_of(d, i) + 1]++;
    for (int c = 0; c < class_count(d); c++)
        at[c + 1] += at[c];
    for (int k = 0; k < d->nodes; k++) { /* in the order of the files: a split does not depend on the order of rows */
        int i = dataset_row(d, k);
        if (class_of(d, i) >= 0 && !(taken && taken[i]))
            p.node[at[class_of(d, i)]++] = i;
    }
    for (int c = 0; c < class_count(d); c++)
        rng_shuffle(p.node + p.start[c], p.start[c + 1] - p.start[c], r, (uint64_t)c);
    return p;
}

split split_of_parts(arena *a, const unsigned char *part, int nodes)
{
    split s = {0};
    for (int i = 0; i < nodes; i++)
        if (part[i] < PARTS)
            s.n[part[i]]++;
    for (int p = 0; p < PARTS; p++) {
        s.idx[p] = NEW(a, int, (size_t)s.n[p]);
        s.n[p] = 0;
    }
    for (int i = 0; i < nodes; i++)
        if (part[i] < PARTS)
            s.idx[part[i]][s.n[part[i]]++] = i;
    return s;
}

static split published(const dataset *d, const char *rule, int run)
{
    if (d->nsplits < 1)
        die("split '%s': %s has no published split; use per-class:T:V or fraction:a:b", rule, d->name);
    if (run < 0)
        die("split '%s': run %d is negative", rule, run);
    return d->splits[run % d->nsplits];
}

int split_runs(const dataset *d, const char *rule)
{
    int as_published = !strcmp(rule, "public") || (!strncmp(rule, "labels:", 7) && !strchr(rule, '@'));
    return as_published && d->nsplits > 1 ? d->nsplits : INT_MAX;
}

/* part[i]: the part of row i in s, PARTS: none. node: the rows in the parts up to `last`, in the order of the files, so
 * that a draw from them does not depend on how rows are numbered. Returns how many. */
static int list_parts(unsigned char *part, int *node, const dataset *d, const split *s, int last)
{
    int n = 0;
    memset(part, PARTS, (size_t)d->nodes);
    for (int p = 0; p < PARTS; p++)
        for (int k = 0; k < s->n[p]; k++)
            part[s->idx[p][k]] = (unsigned char)p;
    for (int k = 0; k < d->nodes; k++) {
        int i = dataset_row(d, k);
        if (part[i] <= last)
            node[n++] = i;
    }
    return n;
}

static split draw_again(arena *a, const dataset *d, const char *rule, int run, rng r)
{
    split s = published(d, rule, run);
    arena tmp = {0};
    unsigned char *part = NEW(&tmp, unsigned char, (size_t)d->nodes);
    int *node = NEW(&tmp, int, (size_t)d->nodes), n = list_parts(part, node, d, &s, TEST);
    rng_shuffle(node, n, r, 0);
    for (int k = 0; k < n; k++)
        part[node[k]] = k < s.n[TRAIN] ? TRAIN : k < s.n[TRAIN] + s.n[VAL] ? VAL : TEST;
    s = split_of_parts(a, part, d->nodes);
    arena_free(&tmp);
    return s;
}

static int share(double fraction, int n)
{
    int k = (int)floor(fraction * n + 1e-9);
    return k < 1 && n >= 3 ? 1 : k;
}

static split draw_holdout(arena *a, const dataset *d, const char *rule, double val, int run, rng r)
{
    split s = published(d, rule, run);
    if (!(val > 0 && val < 1))
        die("split '%s': the share of validation nodes must lie between 0 and 1", rule);
    arena tmp = {0};
    unsigned char *part = NEW(&tmp, unsigned char, (size_t)d->nodes);
    int *node = NEW(&tmp, int, (size_t)d->nodes), n = list_parts(part, node, d, &s, TRAIN),
        nval = share(val, s.n[TRAIN]);
    rng_shuffle(node, n, r, 0);
    for (int k = 0; k < nval; k++)
        part[node[k]] = VAL;
    s = split_of_parts(a, part, d->nodes);
    arena_free(&tmp);
    return s;
}

static void need_classes(const dataset *d, const char *rule)
{
    if (!d->y)
        die("split '%s': %s is multi-label and has no classes to draw from; use public, fraction:a:b or holdout:b",
            rule, d->name);
}

static split draw_per_class(arena *a, const dataset *d, const char *rule, int train, int val, rng r)
{
    need_classes(d, rule);
    if (train < 1 || val < 1)
        die("split '%s': needs at least one training and one validation node per class", rule);
    arena tmp = {0};
    shuffled p = shuffle_classes(&tmp, d, NULL, r);
    unsigned char *part = NEW(&tmp, unsigned char, (size_t)d->nodes);
    memset(part, PARTS, (size_t)d->nodes);
    for (int c = 0; c < d->classes; c++) {
        const int *node = p.node + p.start[c];
        int n = p.start[c + 1] - p.start[c];
        if (n < train || n - train < val) {
            arena_free(&tmp);
            die("split '%s': class %d of %s has only %d labelled nodes; request fewer, or use fraction:a:b", rule, c,
                d->name, n);
        }
        for (int k = 0; k < n; k++)
            part[node[k]] = k < train ? TRAIN : k < train + val ? VAL : TEST;
    }
    split s = split_of_parts(a, part, d->nodes);
    arena_free(&tmp);
    if (!s.n[TEST])
        die("split '%s': no test node of %s is left; request fewer nodes", rule, d->name);
    return s;
}

static split draw_fraction(arena *a, const dataset *d, const char *rule, double train, double val, rng r)
{
    if (!(train > 0 && val > 0 && train + val < 1))
        die("split '%s': fractions must be positive and leave test nodes in each class", rule);
    arena tmp = {0};
    shuffled p = shuffle_classes(&tmp, d, NULL, r);
    unsigned char *part = NEW(&tmp, unsigned char, (size_t)d->nodes);
    memset(part, PARTS, (size_t)d->nodes);
    for (int c = 0; c < class_count(d); c++) {
        const int *node = p.node + p.start[c];
        int n = p.start[c + 1] - p.start[c], t = share(train, n), v = share(val, n);
        while (n >= 3 && t + v >= n) /* leaves at least one test node */
            t > v ? t-- : v--;
        for (int k = 0; k < n; k++)
            part[node[k]] = k < t ? TRAIN : k < t + v ? VAL : TEST;
    }
    split s = split_of_parts(a, part, d->nodes);
    arena_free(&tmp);
    if (!s.n[TRAIN] || !s.n[VAL] || !s.n[TEST])
        die("split '%s': %s has too few labelled nodes for three parts", rule, d->name);
    return s;
}

static split draw_labels(arena *a, const dataset *d, const char *rule, int train, int run, rng r)
{
    need_classes(d, rule);
    if (train < 1)
        die("split '%s': needs at least one training node per class", rule);
    split s = published(d, rule, run);
    arena tmp = {0};
    unsigned char *taken = NEW(&tmp, unsigned char, (size_t)d->nodes);
    for (int p = VAL; p <= TEST; p++)
        for (int k = 0; k < s.n[p]; k++)
            taken[s.idx[p][k]] = 1;
    shuffled p = shuffle_classes(&tmp, d, taken, r);
    unsigned char *part = NEW(&tmp, unsigned char, (size_t)d->nodes);
    memset(part, PARTS, (size_t)d->nodes);
    for (int c = 0; c < d->classes; c++) {
        const int *node = p.node + p.start[c];
        int n = p.start[c + 1] - p.start[c];
        if (n < train) {
            arena_free(&tmp);
            die("split '%s': class %d of %s has only %d labelled nodes outside validation and test; request fewer",
                rule, c, d->name, n);
        }
        for (int k = 0; k < train; k++)
            part[node[k]] = TRAIN;
    }
    split drawn = split_of_parts(a, part, d->nodes);
    arena_free(&tmp);
    s.n[TRAIN] = drawn.n[TRAIN];
    s.idx[TRAIN] = drawn.idx[TRAIN];
    return s;
}

enum kind { PUBLIC, REDRAW, PER_CLASS, FRACTION, HOLDOUT, LABELS };

typedef struct rule {
    enum kind kind;
    int train, val;
    double ft, fv; /* fractions */
    int number;    /* S of RULE@S; 0: a split for each run */
} rule_parts;

/* Whether `rest`, what follows the rule, is nothing or @S. */
static int rule_ends(rule_parts *q, const char *rule, const char *rest)
{
    if (*rest != '@')
        return !*rest;
    size_t digits = strspn(rest + 1, "0123456789");
    if (digits < 1 || digits > 9 || rest[1] == '0' || rest[1 + digits])
        die("split '%s': @ is followed by the number of the split, from 1 to 999999999, e.g. per-class:20:30@3", rule);
    sscanf(rest, "@%9d", &q->number);
    return 1;
}

static rule_parts rule_parse(const char *rule)
{
    rule_parts q = {0};
    int end = 0;
    if (!strcmp(rule, "public"))
        return q;
    if (!strncmp(rule, "public@", 7))
        die("split '%s': @S is for drawn splits, not for published ones; redraw@S draws one of the same sizes", rule);
    q.kind = REDRAW;
    if (!strncmp(rule, "redraw", 6) && rule_ends(&q, rule, rule + 6))
        return q;
    q.kind = PER_CLASS;
    if (sscanf(rule, "per-class:%9d:%9d%n", &q.train, &q.val, &end) == 2 && rule_ends(&q, rule, rule + end))
        return q;
    q.kind = FRACTION, end = 0;
    if (sscanf(rule, "fraction:%20lf:%20lf%n", &q.ft, &q.fv, &end) == 2 && rule_ends(&q, rule, rule + end))
        return q;
    q.kind = HOLDOUT, end = 0;
    if (sscanf(rule, "holdout:%20lf%n", &q.fv, &end) == 1 && rule_ends(&q, rule, rule + end))
        return q;
    q.kind = LABELS, end = 0;
    if (sscanf(rule, "labels:%9d%n", &q.train, &end) == 1 && rule_ends(&q, rule, rule + end))
        return q;
    die("unknown split '%s': public, redraw, per-class:T:V, fraction:a:b, holdout:b or labels:T, e.g. per-class:20:30",
        rule);
}

const char *split_auto(const dataset *d, const catalog *c)
{
    const catalog_entry *e = d->origin == ORIGIN_USER ? NULL : catalog_find(c, d->name);
    if (d->nsplits && !(e && !strncmp(e->rule, "holdout:", 8)))
        return "public";
    return e ? e->rule : "per-class:20:30";
}

void split_check(const char *rule)
{
    if (strcmp(rule, "auto"))
        rule_parse(rule);
}

split split_draw(arena *a, const dataset *d, const char *rule, uint64_t seed, int run)
{
    rule_parts q = rule_parse(rule);
    if (q.number)
        seed = 1, run = q.number;
    rng r = rng_make(seed, (uint64_t)run, RNG_SPLIT);
    switch (q.kind) {
    case PUBLIC: return published(d, rule, run);
    case REDRAW: return draw_again(a, d, rule, run, r);
    case PER_CLASS: return draw_per_class(a, d, rule, q.train, q.val, r);
    case FRACTION: return draw_fraction(a, d, rule, q.ft, q.fv, r);
    case HOLDOUT: return draw_holdout(a, d, rule, q.fv, run, r);
    default: return draw_labels(a, d, rule, q.train, run, r);
    }
}
