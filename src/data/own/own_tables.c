#include "own_tables.h"
#include "../../base/err.h"
#include <stdlib.h>
#include <string.h>

#define SPLITS_MAX 1000
#define LABELS_A_NODE \
    4096 /* most classes for each mention of a node in multi-label data: bounds the array of nodes x classes */

static text open_file(load *l, const char *name)
{
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/%s", l->path, name), 0)), s = t;
    if (t.end - t.p >= 3 && !memcmp(t.p, "\xef\xbb\xbf", 3))
        t.p += 3;
    for (; (s.p = memchr(s.p, '\r', (size_t)(s.end - s.p))); s.p++)
        if (s.p[1] != '\n') {
            for (const unsigned char *p = t.p; (p = memchr(p, '\n', (size_t)(s.p - p))); p++)
                s.line++;
            text_die(&s, "a carriage return without a line feed: end lines with LF or CR LF");
        }
    return t;
}

text own_open(load *l, const char *name)
{
    text t = open_file(l, name), s = t;
    int words = 0, all = 1;
    if (!text_next_line(&s))
        return t;
    do {
        all &= (*s.p | 32) >= 'a' && (*s.p | 32) <= 'z';
        for (words++; !text_at_eol(&s) && !memchr(" \t,", *s.p, 3); s.p++)
            ;
        text_skip_blanks(&s);
        s.p += *s.p == ',';
        text_skip_blanks(&s);
    } while (!text_at_eol(&s));
    return all && words > 1 ? s : t;
}

int own_has(load *l, const char *name) { return file_named(arena_printf(l->tmp, "%s/%s", l->path, name)); }

int own_next_field(text *t)
{
    text_skip_blanks(t);
    if (*t->p == ',') {
        t->p++;
        text_skip_blanks(t);
        return 1; /* a field must follow a comma */
    }
    return !text_at_eol(t);
}

void own_end_field(text *t, const char *what)
{
    char shown[48];
    if (!text_at_eol(t) && !strchr(" \t,", *t->p))
        text_die(t, "'%s' behind %s", text_show(shown, t->p, (size_t)(t->end - t->p)), what);
}

/* Not strchr(): it would also find a zero byte, and the loop would not end. */
int64_t own_count_fields(text *t)
{
    int64_t n = 0;
    do {
        for (n++; !text_at_eol(t) && !memchr(" \t,", *t->p, 3); t->p++)
            ;
    } while (own_next_field(t));
    return n;
}

int own_node(own *g, text *t)
{
    int u = (int)text_int(t, "a node id", 0, (g->nodes >= 0 ? g->nodes : NODES_MAX) - 1);
    own_end_field(t, "a node id");
    g->last = u > g->last ? u : g->last;
    g->mentions++;
    return u;
}

void own_read_sizes(own *g)
{
    static const char *const name[] = {"nodes", "features", "classes"};
    int *const value[] = {&g->nodes, &g->features, &g->classes};
    if (!own_has(g->l, "sizes.tsv"))
        return;
    text t = open_file(g->l, "sizes.tsv");
    while (text_next_line(&t)) {
        bytes w = text_word(&t, "nodes, features or classes");
        char shown[48];
        int k = 0;
        while (k < 3 && !text_equal(w, name[k]))
            k++;
        if (k == 3)
            text_die(&t, "'%s' is not nodes, features or classes", text_show(shown, w.p, w.n));
        if (*value[k] >= 0)
            text_die(&t, "%s occurs twice", name[k]);
        own_next_field(&t);
        *value[k] = (int)text_int(&t, "a number", 1, k == 1 ? FEATURES_MAX : NODES_MAX);
        text_skip_blanks(&t);
        text_eol(&t);
    }
}

static own_table read_table(own *g, const char *name)
{
    text t = own_open(g->l, name);
    int64_t words = 0;
    for (text s = t; text_next_line(&s);)
        words += own_count_fields(&s) - 1;
    own_table b = {.word = NEW(g->l->tmp, bytes, (size_t)words), .path = t.path};
    for (words = 0; text_next_line(&t);) {
        ints_push(g->l->tmp, &b.line, (int)t.line);
        ints_push(g->l->tmp, &b.node, own_node(g, &t));
        ints_push(g->l->tmp, &b.first, (int)words);
        own_next_field(&t);
        do {
            bytes w = text_word(&t, "a word"); /* dies where there is none: there may be no room for it */
            b.word[words++] = w;
        } while (own_next_field(&t));
        text_eol(&t);
    }
    ints_push(g->l->tmp, &b.first, (int)words);
    return b;
}

void own_read_tables(own *g)
{
    g->multi = own_has(g->l, "multilabels.tsv");
    g->parts = own_has(g->l, "split.tsv");
    if (g->multi && own_has(g->l, "labels.tsv"))
        die("%s: has both labels.tsv and multilabels.tsv: remove one", g->l->path);
    g->labels = read_table(g, g->multi ? "multilabels.tsv" : "labels.tsv");
    for (int64_t k = 0; !g->multi && k < g->labels.node.n; k++)
        if (g->labels.first.v[k + 1] - g->labels.first.v[k] > 1)
            die("%s:%d: more than one class: several classes a node belong into multilabels.tsv", g->labels.path,
                g->labels.line.v[k]);
    if (g->parts)
        g->split = read_table(g, "split.tsv");
}

_Noreturn void own_die_gaps(const own *g, int node)
{
    die("%s: node id %d, but only %lld ids in all: number the nodes 0, 1, 2, ...", g->l->path, node,
        (long long)g->mentions);
}

void own_count_nodes(own *g)
{
    int n = g->nodes >= 0 ? g->nodes : g->last + 1;
    if (n < 1)
        die("%s: no nodes", g->l->path);
    if ((n - 1) / GAPS > g->mentions)
        own_die_gaps(g, n - 1);
    g->nodes = g->l->out->d.nodes = n;
}

void own_check_features(const own *g)
{
    int n = g->l->out->d.features;
    if (g->features >= 0 && g->features != n)
        die("%s: %d features, but sizes.tsv says %d", g->l->path, n, g->features);
}

static int by_text(const void *x, const void *y)
{
    const bytes *a = x, *b = y;
    int c = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);
    return c ? c : (a->n > b->n) - (a->n < b->n);
}

static int is_number(bytes b)
{
    size_t k = 0;
    while (k < b.n && b.p[k] >= '0' && b.p[k] <= '9')
        k++;
    return k == b.n && k < 10;
}

static int by_number(const void *x, const void *y)
{
    int a = atoi((const char *)((const bytes *)x)->p), b = atoi((const char *)((const bytes *)y)->p);
    return (a > b) - (a < b);
}

/* Checks that classes that are numbers are not negative, and not written in two ways (1, 01). word: all of them, sorted
 * by number on return. */
static void check_numbers(const own_table *b, bytes *word, int64_t n, int numbers)
{
    char shown[48], other[48];
    for (int64_t k = 0; k < b->node.n; k++)
        for (int j = b->first.v[k]; j < b->first.v[k + 1]; j++) {
            bytes w = b->word[j];
            if (w.n > 1 && *w.p == '-' && is_number((bytes){w.p + 1, w.n - 1, w.path}))
                die("%s:%d: class %s is negative: leave out the line of a node without a label", b->path, b->line.v[k],
                    text_show(shown, w.p, w.n));
        }
    if (!numbers)
        return;
    qsort(word, (size_t)n, sizeof *word, by_number);
    for (int64_t k = 1; k < n; k++)
        if (!by_number(&word[k - 1], &word[k]))
            die("%s: classes '%s' and '%s' are the same number: write it in one way", b->path,
                text_show(shown, word[k - 1].p, word[k - 1].n), text_show(other, word[k].p, word[k].n));
}

/* The class of each word. */
static int *number_classes(const own *g, const own_table *b)
{
    int64_t n = b->first.v[b->node.n], words = 0;
    bytes *sorted = NEW(g->l->tmp, bytes, (size_t)n);
    int *label = NEW(g->l->tmp, int, (size_t)n), numbers = 1;
    for (int64_t k = 0; k < n; k++)
        numbers &= is_number(b->word[k]);
    memcpy(sorted, b->word, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_text);
    for (int64_t k = 0; k < n; k++)
        if (k == 0 || by_text(&sorted[k], &sorted[words - 1]))
            sorted[words++] = sorted[k];
    check_numbers(b, sorted, words, numbers);
    for (int64_t k = 0; k < n; k++)
        label[k] = numbers
                       ? atoi((const char *)b->word[k].p)
                       : (int)((bytes *)bsearch(&b->word[k], sorted, (size_t)words, sizeof *sorted, by_text) - sorted);
    return label;
}

/* The number of classes of sizes.tsv, which must be at least `found`, that of the labels. */
static int count_classes(const own *g, int found)
{
    if (g->classes >= 0 && found > g->classes)
        die("%s: class %d, but sizes.tsv says that there are %d", g->labels.path, found - 1, g->classes);
    return g->classes >= 0 ? g->classes : found;
}

static void set_one(own *g, const int *label)
{
    dataset *d = &g->l->out->d;
    const own_table *b = &g->labels;
    d->y = NEW(g->l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        d->y[i] = -1;
    for (int64_t k = 0; k < b->node.n; k++) {
        if (d->y[b->node.v[k]] >= 0)
            die("%s:%d: node %d already has a label", b->path, b->line.v[k], b->node.v[k]);
        d->y[b->node.v[k]] = label[k];
    }
    d->classes = count_classes(g, load_count_classes(d->y, d->nodes, b->path));
}

static void set_several(own *g, const int *label)
{
    dataset *d = &g->l->out->d;
    const own_table *b = &g->labels;
    int found = 0;
    for (int j = 0; j < b->first.v[b->node.n]; j++)
        found = label[j] >= found ? label[j] + 1 : found;
    d->classes = count_classes(g, found);
    if ((double)d->nodes * d->classes > (double)LABELS_A_NODE * (double)g->mentions)
        die("%s: %d classes: number them 0, 1, 2, ...", b->path, d->classes);
    d->ym = NEW_2D(g->l->a, unsigned char, d->nodes, d->classes);
    unsigned char *seen = NEW(g->l->tmp, unsigned char, (size_t)d->nodes);
    for (int64_t k = 0; k < b->node.n; k++) {
        if (seen[b->node.v[k]]++)
            die("%s:%d: node %d already has a line", b->path, b->line.v[k], b->node.v[k]);
        for (int j = b->first.v[k]; j < b->first.v[k + 1]; j++) {
            unsigned char *y = &d->ym[(size_t)b->node.v[k] * (size_t)d->classes + (size_t)label[j]];
            char shown[48];
            if (*y)
                die("%s:%d: class '%s' occurs twice", b->path, b->line.v[k],
                    text_show(shown, b->word[j].p, b->word[j].n));
            *y = 1;
        }
    }
}

static int part_of(const own_table *b, int64_t line, bytes w)
{
    static const char *const part_name[] = {"train", "val", "test", "-"};
    for (int p = 0; p <= PARTS; p++)
        if (text_equal(w, part_name[p]))
            return p;
    die("%s:%d: the part is not train, val, test or - (none)", b->path, b->line.v[line]);
}

static void set_splits(own *g)
{
    dataset *d = &g->l->out->d;
    const own_table *b = &g->split;
    int columns = b->node.n ? b->first.v[1] - b->first.v[0] : 0;
    unsigned char *seen = NEW(g->l->tmp, unsigned char, (size_t)d->nodes),
                  *flag = NEW(g->l->tmp, unsigned char, (size_t)d->nodes);
    if (columns < 1 || columns > SPLITS_MAX)
        die("%s: %d splits", b->path, columns);
    for (int64_t k = 0; k < b->node.n; k++) {
        if (b->first.v[k + 1] - b->first.v[k] != columns)
            die("%s:%d: %d parts, but %d on line %d", b->path, b->line.v[k], b->first.v[k + 1] - b->first.v[k], columns,
                b->line.v[0]);
        if (seen[b->node.v[k]]++)
            die("%s:%d: the node already is in a part", b->path, b->line.v[k]);
    }
    d->nsplits = columns;
    d->splits = NEW(g->l->a, split, (size_t)columns);
    for (int s = 0; s < columns; s++)
        for (int p = 0; p < PARTS; p++) {
            memset(flag, 0, (size_t)d->nodes);
            for (int64_t k = 0; k < b->node.n; k++)
                flag[b->node.v[k]] = part_of(b, k, b->word[b->first.v[k] + s]) == p;
            load_mask(g->l->a, &d->splits[s], (enum part)p, flag, d->nodes);
        }
}

void own_set_tables(own *g)
{
    const int *label = number_classes(g, &g->labels);
    if (g->multi)
        set_several(g, label);
    else
        set_one(g, label);
    if (g->parts)
        set_splits(g);
}
