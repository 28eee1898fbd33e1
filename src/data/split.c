/* split: the rules of split_rule.h. Each class is shuffled by its own stream of (seed, run), the first nodes train, the
 * next validate; parts are then read off in node order. */
#include "split.h"
#include "../base/err.h"
#include "../base/mt19937.h"
#include "../base/rng.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* A split that is being drawn. */
typedef struct draw {
    const dataset *d;
    split_rule rule;
    int run;
    rng r;
    arena tmp;           /* of part, and for the drawing */
    unsigned char *part; /* of each row; PARTS: in none */
} draw;

/* Nodes by class: those of class c are node[start[c]] .. node[start[c + 1] - 1]. */
typedef struct by_class {
    int *start, *node;
} by_class;

/* Nodes with several labels are drawn as if they had one class. */
static int class_of(const dataset *d, int i) { return d->y ? d->y[i] : 0; }
static int class_count(const dataset *d) { return d->y ? d->classes : 1; }

/* The nodes that are not taken, in the order of the files: a split does not depend on the order of rows. */
static by_class list_classes(draw *w, const unsigned char *taken)
{
    const dataset *d = w->d;
    by_class p = {NEW(&w->tmp, int, (size_t)d->classes + 2), NEW(&w->tmp, int, (size_t)d->nodes)};
    int *at = p.start + 1; /* after filling, start[c] is the start of class c */
    for (int i = 0; i < d->nodes; i++)
        if (class_of(d, i) >= 0 && !(taken && taken[i]))
            at[class_of(d, i) + 1]++;
    for (int c = 0; c < class_count(d); c++)
        at[c + 1] += at[c];
    for (int k = 0; k < d->nodes; k++) {
        int i = dataset_row(d, k);
        if (class_of(d, i) >= 0 && !(taken && taken[i]))
            p.node[at[class_of(d, i)]++] = i;
    }
    return p;
}

static by_class shuffle_classes(draw *w, const unsigned char *taken)
{
    by_class p = list_classes(w, taken);
    for (int c = 0; c < class_count(w->d); c++)
        rng_shuffle(p.node + p.start[c], p.start[c + 1] - p.start[c], w->r, (uint64_t)c);
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

static split published(const draw *w)
{
    const dataset *d = w->d;
    if (d->nsplits < 1)
        die("split '%s': %s has no published split; use per-class:T:V or fraction:a:b", w->rule.text, d->name);
    if (w->run < 0)
        die("split '%s': run %d is negative", w->rule.text, w->run);
    return d->splits[w->run % d->nsplits];
}

/* Whether the rule draws training nodes only. */
static int only_trains(const split_rule *r) { return r->kind == SPLIT_LABELS || (r->kind == SPLIT_PYTHON && !r->val); }

int split_runs(const dataset *d, split_rule rule)
{
    int as_published = rule.kind == SPLIT_PUBLIC || (only_trains(&rule) && !rule.number);
    return as_published && d->nsplits > 1 ? d->nsplits : INT_MAX;
}

/* Sets the part of each row from s. Returns the rows in the parts up to `last`, *n of them, shuffled from the order of
 * the files, so that a draw from them does not depend on how rows are numbered. */
static int *shuffle_parts(draw *w, int *n, const split *s, int last)
{
    int *node = NEW(&w->tmp, int, (size_t)w->d->nodes);
    *n = 0;
    for (int p = 0; p < PARTS; p++)
        for (int k = 0; k < s->n[p]; k++)
            w->part[s->idx[p][k]] = (unsigned char)p;
    for (int k = 0; k < w->d->nodes; k++) {
        int i = dataset_row(w->d, k);
        if (w->part[i] <= last)
            node[(*n)++] = i;
    }
    rng_shuffle(node, *n, w->r, 0);
    return node;
}

static void draw_again(draw *w)
{
    split s = published(w);
    int n, *node = shuffle_parts(w, &n, &s, TEST);
    for (int k = 0; k < n; k++)
        w->part[node[k]] = k < s.n[TRAIN] ? TRAIN : k < s.n[TRAIN] + s.n[VAL] ? VAL : TEST;
}

static int share(double fraction, int n)
{
    int k = (int)floor(fraction * n + 1e-9);
    return k < 1 && n >= 3 ? 1 : k;
}

static void draw_holdout(draw *w)
{
    split s = published(w);
    if (!(w->rule.val_share > 0 && w->rule.val_share < 1))
        die("split '%s': the share of validation nodes must lie between 0 and 1", w->rule.text);
    int n, *node = shuffle_parts(w, &n, &s, TRAIN), nval = share(w->rule.val_share, s.n[TRAIN]);
    for (int k = 0; k < nval; k++)
        w->part[node[k]] = VAL;
}

static void need_classes(const draw *w)
{
    if (!w->d->y)
        die("split '%s': %s is multi-label and has no classes to draw from; use public, fraction:a:b or holdout:b",
            w->rule.text, w->d->name);
}

static void draw_per_class(draw *w)
{
    const int train = w->rule.train, val = w->rule.val;
    need_classes(w);
    if (train < 1 || val < 1)
        die("split '%s': needs at least one training and one validation node per class", w->rule.text);
    by_class p = shuffle_classes(w, NULL);
    for (int c = 0; c < w->d->classes; c++) {
        const int *node = p.node + p.start[c];
        int n = p.start[c + 1] - p.start[c];
        if (n < train || n - train < val)
            die("split '%s': class %d of %s has only %d labelled nodes; request fewer, or use fraction:a:b",
                w->rule.text, c, w->d->name, n);
        for (int k = 0; k < n; k++)
            w->part[node[k]] = k < train ? TRAIN : k < train + val ? VAL : TEST;
    }
}

static void draw_fraction(draw *w)
{
    const double train = w->rule.train_share, val = w->rule.val_share;
    if (!(train > 0 && val > 0 && train + val < 1))
        die("split '%s': fractions must be positive and leave test nodes in each class", w->rule.text);
    by_class p = shuffle_classes(w, NULL);
    for (int c = 0; c < class_count(w->d); c++) {
        const int *node = p.node + p.start[c];
        int n = p.start[c + 1] - p.start[c], t = share(train, n), v = share(val, n);
        while (n >= 3 && t + v >= n) /* leaves at least one test node */
            t > v ? t-- : v--;
        for (int k = 0; k < n; k++)
            w->part[node[k]] = k < t ? TRAIN : k < t + v ? VAL : TEST;
    }
}

/* Sets the training nodes only: validation and test are the published ones. */
static void draw_labels(draw *w)
{
    const int train = w->rule.train;
    need_classes(w);
    if (train < 1)
        die("split '%s': needs at least one training node per class", w->rule.text);
    split s = published(w);
    unsigned char *taken = NEW(&w->tmp, unsigned char, (size_t)w->d->nodes);
    for (int p = VAL; p <= TEST; p++)
        for (int k = 0; k < s.n[p]; k++)
            taken[s.idx[p][k]] = 1;
    by_class p = shuffle_classes(w, taken);
    for (int c = 0; c < w->d->classes; c++) {
        const int *node = p.node + p.start[c];
        int n = p.start[c + 1] - p.start[c];
        if (n < train)
            die("split '%s': class %d of %s has only %d labelled nodes outside validation and test; request fewer",
                w->rule.text, c, w->d->name, n);
        for (int k = 0; k < train; k++)
            w->part[node[k]] = TRAIN;
    }
}

/* The draws of all runs come from one stream: those of earlier runs are repeated. */
static void draw_python(draw *w)
{
    const int train = w->rule.train, each = train + w->rule.val;
    unsigned char *taken = w->rule.val ? NULL : NEW(&w->tmp, unsigned char, (size_t)w->d->nodes);
    need_classes(w);
    if (train < 1)
        die("split '%s': needs at least one training node per class", w->rule.text);
    if (taken) { /* all but the published training nodes */
        split s = published(w);
        memset(taken, 1, (size_t)w->d->nodes);
        for (int k = 0; k < s.n[TRAIN]; k++)
            taken[s.idx[TRAIN][k]] = 0;
    }
    by_class p = list_classes(w, taken);
    for (int c = 0; c < w->d->classes; c++)
        if (p.start[c + 1] - p.start[c] < each)
            die("split '%s': class %d of %s has only %d %snodes; request fewer", w->rule.text, c, w->d->name,
                p.start[c + 1] - p.start[c], taken ? "published training " : "");
    int *chosen = NEW(&w->tmp, int, (size_t)each *(size_t)w->d->classes);
    mt19937 r;
    mt19937_seed_python(&r, (uint32_t)w->rule.seed);
    for (int k = 0; k <= w->run; k++)
        for (int c = 0; c < w->d->classes; c++)
            mt19937_sample(chosen + c * each, &r, p.start[c + 1] - p.start[c], each);
    for (int k = 0; k < p.start[w->d->classes] && !taken; k++)
        w->part[p.node[k]] = TEST;
    for (int c = 0; c < w->d->classes; c++)
        for (int k = 0; k < each; k++)
            w->part[p.node[p.start[c] + chosen[c * each + k]]] = k < train ? TRAIN : VAL;
}

split_rule split_auto(const dataset *d, const catalog *c)
{
    const catalog_entry *e = d->origin == ORIGIN_USER ? NULL : catalog_find(c, d->name);
    if (d->nsplits && !(e && e->rule.kind == SPLIT_HOLDOUT))
        return split_rule_read("public");
    return e ? e->rule : split_rule_read("per-class:20:30");
}

static void draw_parts(void *arg)
{
    draw *w = arg;
    switch (w->rule.kind) {
    case SPLIT_REDRAW: draw_again(w); break;
    case SPLIT_PER_CLASS: draw_per_class(w); break;
    case SPLIT_FRACTION: draw_fraction(w); break;
    case SPLIT_HOLDOUT: draw_holdout(w); break;
    case SPLIT_LABELS: draw_labels(w); break;
    case SPLIT_PYTHON: draw_python(w); break;
    default: die("split '%s' is no rule to draw by", w->rule.text);
    }
}

split split_draw(arena *a, const dataset *d, split_rule rule, uint64_t seed, int run)
{
    uint64_t from = rule.number ? 1 : seed;
    draw w = {.d = d, .rule = rule, .run = rule.number ? rule.number : run};
    if (rule.kind == SPLIT_PUBLIC)
        return published(&w);
    w.r = rng_make(from, (uint64_t)w.run, RNG_SPLIT);
    w.part = NEW(&w.tmp, unsigned char, (size_t)d->nodes);
    memset(w.part, PARTS, (size_t)d->nodes);
    const char *why = err_try(draw_parts, &w);
    split s = why ? (split){0} : split_of_parts(a, w.part, d->nodes);
    arena_free(&w.tmp);
    if (why)
        die("%s", arena_printf(a, "%s", why)); /* a copy: why is a buffer of die() */
    if (only_trains(&rule)) {                  /* the other parts as published */
        split other = published(&w);
        other.n[TRAIN] = s.n[TRAIN], other.idx[TRAIN] = s.idx[TRAIN];
        s = other;
    }
    if ((rule.kind == SPLIT_PER_CLASS || rule.kind == SPLIT_PYTHON) && !s.n[TEST])
        die("split '%s': no test node of %s is left; request fewer nodes", rule.text, d->name);
    if (rule.kind == SPLIT_FRACTION && (!s.n[TRAIN] || !s.n[VAL] || !s.n[TEST]))
        die("split '%s': %s has too few labelled nodes for three parts", rule.text, d->name);
    return s;
}
