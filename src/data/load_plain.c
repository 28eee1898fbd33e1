/* load_plain: a graph of one's own, as text files in a directory. Nodes are numbered from 0; fields are separated by
 * blanks, tabs or commas; empty lines, lines that start with '#' and a byte order mark are skipped, and so is a first line whose fields all begin with a letter (a header).
 *
 *   edges.tsv      two node ids per line; direction, repeats and loops do not matter
 *   labels.tsv     node id, class. Classes are all integers 0, 1, ... or else words, numbered in alphabetical order;
 *                  a node without a line has no label
 *   features.tsv   dense: one line of numbers for each node, in order; or instead
 *   features.svm   sparse: node id, then column:value pairs, columns from 0. A node without a line has zeros.
 *                  With neither file the features are the identity matrix
 *   split.tsv      optional: node id, then train, val or test; a node without a line is in no part
 *
 * The number of nodes is that of the lines of features.tsv, or else the largest id that occurs + 1. Example:
 *
 *   edges.tsv: 0 1     labels.tsv: 0 cat     features.svm: 0 0:1 3:0.5     split.tsv: 0 train
 *              1 2                 1 dog                   1 2:1                      1 test  */
#include "../base/err.h"
#include "load_common.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

#define GAPS 64 /* at most that many times more nodes than lines: a larger id is a mistake */

/* The lines of labels.tsv or split.tsv. */
typedef struct table {
    ints node, line;
    bytes *word;
} table;

typedef struct plain {
    load *l;
    int dense;       /* rows of features.tsv, -1 without it */
    int last;        /* largest node id seen */
    int64_t mentions;
} plain;

/* Past a byte order mark. Line ends have to be LF or CR LF. */
static text open_file(load *l, const char *name)
{
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/%s", l->path, name), 0)), s = t;
    if (t.end - t.p >= 3 && !memcmp(t.p, "\xef\xbb\xbf", 3))
        t.p += 3;
    for (; (s.p = memchr(s.p, '\r', (size_t)(s.end - s.p))); s.p++)
        if (s.p[1] != '\n') {
            for (const unsigned char *p = t.p; (p = memchr(p, '\n', (size_t)(s.p - p))); p++)
                s.line++;
            text_die(&s, "a carriage return that no line feed follows: end the lines with LF or CR LF");
        }
    return t;
}

/* The same past a header line. */
static text open_table(load *l, const char *name)
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

static int has_file(load *l, const char *name)
{
    return file_named(arena_printf(l->tmp, "%s/%s", l->path, name));
}

/* Past blanks and one comma; 0 at the end of the line. */
static int next_field(text *t)
{
    text_skip_blanks(t);
    if (*t->p == ',') {
        t->p++;
        text_skip_blanks(t);
        return 1; /* something has to follow */
    }
    return !text_at_eol(t);
}

/* A number has to end where a field ends. */
static void end_field(text *t, const char *what)
{
    char shown[48];
    if (!text_at_eol(t) && !strchr(" \t,", *t->p))
        text_die(t, "'%s' behind %s", text_show(shown, t->p, (size_t)(t->end - t->p)), what);
}

static int node_id(plain *g, text *t)
{
    int u = (int)text_int(t, "a node id", 0, (g->dense >= 0 ? g->dense : NODES_MAX) - 1);
    end_field(t, "a node id");
    g->last = u > g->last ? u : g->last;
    g->mentions++;
    return u;
}

static void read_edges(plain *g, ints *u, ints *v)
{
    text t = open_table(g->l, "edges.tsv");
    while (text_next_line(&t)) {
        ints_push(g->l->tmp, u, node_id(g, &t));
        next_field(&t);
        ints_push(g->l->tmp, v, node_id(g, &t));
        text_skip_blanks(&t);
        text_eol(&t);
    }
}

static table read_table(plain *g, const char *name)
{
    text t = open_table(g->l, name);
    table b = {.word = NEW(g->l->tmp, bytes, (size_t)text_lines(&t))};
    while (text_next_line(&t)) {
        int u = node_id(g, &t);
        next_field(&t);
        b.word[b.node.n] = text_word(&t, "a word");
        ints_push(g->l->tmp, &b.node, u);
        ints_push(g->l->tmp, &b.line, (int)t.line);
        text_skip_blanks(&t);
        text_eol(&t);
    }
    return b;
}

/* How many fields the line has from here on; goes to its end. Not strchr(): a zero byte would be found, too, and never passed. */
static int64_t count_fields(text *t)
{
    int64_t n = 0;
    do {
        for (n++; !text_at_eol(t) && !memchr(" \t,", *t->p, 3); t->p++)
            ;
    } while (next_field(t));
    return n;
}

/* Every line has as many numbers as the first. */
static void read_dense(load *l, text *t)
{
    dataset *d = &l->out->d;
    int64_t lines = 0, columns = 0, first = 0;
    for (text s = *t; text_next_line(&s); lines++) {
        int64_t n = count_fields(&s);
        if (!lines)
            columns = n, first = s.line;
        if (n != columns)
            text_die(&s, "%lld values, but %lld on line %lld", (long long)n, (long long)columns, (long long)first);
    }
    if (lines < 1 || lines > NODES_MAX || columns > FEATURES_MAX)
        text_die(t, "%lld lines with %lld values", (long long)lines, (long long)columns);
    d->features = (int)columns;
    d->xd = mat_new(l->a, (int)lines, d->features);
    for (int i = 0; i < d->xd.rows; i++) {
        text_next_line(t);
        for (int j = 0; j < d->features; j++) {
            if (j)
                next_field(t);
            mat_row(d->xd, i)[j] = text_real(t, "a number");
            end_field(t, "a number");
        }
        text_skip_blanks(t);
        text_eol(t);
    }
}

typedef struct triples {
    ints node, column;
    real *val;
    int columns;
} triples;

static _Noreturn void die_gaps(const plain *g, int node)
{
    die("%s: node id %d, but only %lld ids in all: number the nodes 0, 1, 2, ...", g->l->path, node, (long long)g->mentions);
}

static triples read_sparse(plain *g)
{
    text t = open_file(g->l, "features.svm");
    triples x = {.val = NEW(g->l->tmp, real, (size_t)(t.end - t.p) / 4 + 1)}; /* " i:v" takes four bytes */
    ints at = {0}; /* 1 + the line of each node; 0: none yet */
    while (text_next_line(&t)) {
        int u = node_id(g, &t);
        if (u / GAPS > g->mentions)
            die_gaps(g, u);
        while (at.n <= u)
            ints_push(g->l->tmp, &at, 0);
        if (at.v[u])
            text_die(&t, "node %d has a line already, line %d", u, at.v[u] - 1);
        at.v[u] = (int)t.line + 1;
        while (next_field(&t)) {
            int j = (int)text_int(&t, "a column", 0, FEATURES_MAX - 1);
            text_char(&t, ':');
            x.val[x.node.n] = text_real(&t, "a value");
            end_field(&t, "a value");
            ints_push(g->l->tmp, &x.node, u);
            ints_push(g->l->tmp, &x.column, j);
            x.columns = j >= x.columns ? j + 1 : x.columns;
        }
        text_eol(&t);
    }
    if (!x.columns)
        text_die(&t, "no line has a column:value pair");
    if (x.columns / GAPS > x.node.n)
        die("%s: column %d, but only %lld values in all: number the columns 0, 1, 2, ...", t.path, x.columns - 1, (long long)x.node.n);
    return x;
}

/* By node, in order of appearance: dataset_finish() sorts the columns. */
static csr gather(arena *a, const triples *x, int nodes)
{
    csr m = csr_new(a, nodes, x->columns, x->node.n, 1);
    for (int64_t k = 0; k < x->node.n; k++)
        m.ptr[x->node.v[k] + 1]++;
    for (int i = 0; i < nodes; i++)
        m.ptr[i + 1] += m.ptr[i];
    for (int64_t k = x->node.n; k-- > 0;) { /* from the end of each row down; the ends become the starts */
        int64_t to = --m.ptr[x->node.v[k] + 1];
        m.idx[to] = x->column.v[k];
        m.val[to] = x->val[k];
    }
    memmove(m.ptr, m.ptr + 1, (size_t)nodes * sizeof *m.ptr);
    m.ptr[nodes] = x->node.n;
    return m;
}

static csr identity(arena *a, int n)
{
    csr m = csr_new(a, n, n, n, 0);
    for (int i = 0; i < n; i++) {
        m.idx[i] = i;
        m.ptr[i + 1] = i + 1;
    }
    return m;
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

/* Classes that are numbers: none may be negative, and none written in two ways. word: all of them, sorted in the end by number. */
static void check_numbers(const table *b, bytes *word, int64_t n, int numbers, const char *path)
{
    char shown[48], other[48];
    for (int64_t k = 0; k < b->node.n; k++) {
        bytes w = b->word[k];
        if (w.n > 1 && *w.p == '-' && is_number((bytes){w.p + 1, w.n - 1, w.path}))
            die("%s:%d: class %s is negative: leave out the line of a node without a label", path, b->line.v[k], text_show(shown, w.p, w.n));
    }
    if (!numbers)
        return;
    qsort(word, (size_t)n, sizeof *word, by_number);
    for (int64_t k = 1; k < n; k++)
        if (!by_number(&word[k - 1], &word[k]))
            die("%s: classes '%s' and '%s' are the same number: write it one way", path, text_show(shown, word[k - 1].p, word[k - 1].n),
                text_show(other, word[k].p, word[k].n));
}

static void set_labels(plain *g, const table *b)
{
    dataset *d = &g->l->out->d;
    int64_t n = b->node.n, words = 0;
    const char *path = arena_printf(g->l->tmp, "%s/labels.tsv", g->l->path);
    bytes *sorted = NEW(g->l->tmp, bytes, (size_t)n);
    int numbers = 1;
    for (int64_t k = 0; k < n; k++)
        numbers &= is_number(b->word[k]);
    memcpy(sorted, b->word, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_text);
    for (int64_t k = 0; k < n; k++)
        if (k == 0 || by_text(&sorted[k], &sorted[words - 1]))
            sorted[words++] = sorted[k];
    check_numbers(b, sorted, words, numbers, path);
    d->y = NEW(g->l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        d->y[i] = -1;
    for (int64_t k = 0; k < n; k++) {
        int *y = &d->y[b->node.v[k]];
        if (*y >= 0)
            die("%s:%d: node %d has a label already", path, b->line.v[k], b->node.v[k]);
        if (numbers)
            *y = atoi((const char *)b->word[k].p);
        else
            *y = (int)((bytes *)bsearch(&b->word[k], sorted, (size_t)words, sizeof *sorted, by_text) - sorted);
    }
    d->classes = load_count_classes(d->y, d->nodes, path);
}

static void set_split(plain *g, const table *b)
{
    static const char *const part_name[PARTS] = {"train", "val", "test"};
    dataset *d = &g->l->out->d;
    unsigned char *part = NEW(g->l->tmp, unsigned char, (size_t)d->nodes);
    unsigned char *flag = NEW(g->l->tmp, unsigned char, (size_t)d->nodes);
    for (int64_t k = 0; k < b->node.n; k++) {
        int p = 0, u = b->node.v[k];
        while (p < PARTS && !text_equal(b->word[k], part_name[p]))
            p++;
        if (p == PARTS || part[u])
            die("%s/split.tsv:%d: %s", g->l->path, b->line.v[k],
                p == PARTS ? "the part is not train, val or test" : "the node is in a part already");
        part[u] = (unsigned char)(p + 1);
    }
    d->nsplits = 1;
    d->splits = NEW(g->l->a, split, 1);
    for (int p = 0; p < PARTS; p++) {
        for (int i = 0; i < d->nodes; i++)
            flag[i] = part[i] == p + 1;
        load_mask(g->l->a, d->splits, (enum part)p, flag, d->nodes);
    }
}

static int *keep(arena *a, const ints *s)
{
    int *v = NEW(a, int, (size_t)s->n);
    if (s->n)
        memcpy(v, s->v, (size_t)s->n * sizeof *v);
    return v;
}

static void plain_files(load *l)
{
    plain g = {l, -1, -1, 0};
    dataset *d = &l->out->d;
    ints u = {0}, v = {0};
    triples x = {0};
    table split_lines = {0};
    int sparse = has_file(l, "features.svm"), dense = has_file(l, "features.tsv"), parts = has_file(l, "split.tsv");
    if (sparse && dense)
        die("%s: has both features.tsv and features.svm: remove one", l->path);
    if (dense) {
        text t = open_table(l, "features.tsv");
        read_dense(l, &t);
        g.dense = d->xd.rows;
    }
    read_edges(&g, &u, &v);
    table labels = read_table(&g, "labels.tsv");
    if (sparse)
        x = read_sparse(&g);
    if (parts)
        split_lines = read_table(&g, "split.tsv");
    d->nodes = dense ? g.dense : g.last + 1;
    if (!dense && g.last / GAPS > g.mentions)
        die_gaps(&g, g.last);
    if (d->nodes < 1)
        die("%s: no nodes", l->path);
    l->out->nedges = u.n;
    l->out->eu = keep(l->a, &u);
    l->out->ev = keep(l->a, &v);
    if (sparse)
        d->xs = gather(l->a, &x, d->nodes);
    else if (!dense)
        d->xs = identity(l->a, d->nodes);
    d->features = dense ? d->xd.cols : d->xs.cols;
    set_labels(&g, &labels);
    if (parts)
        set_split(&g, &split_lines);
}

void load_plain(arena *a, draft *out, const char *path, const char *name) { load_run(plain_files, a, out, path, name); }
