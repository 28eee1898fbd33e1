/* load_mtx: a user's graph as Matrix Market files in a directory (SuiteSparse, scipy.io.mmwrite). Rows and columns in
 * them are numbered from 1, node ids in text files from 0.
 *
 *   graph.mtx      n x n; direction and values do not matter, but 0 is no link
 *   features.mtx   optional: n x f, coordinate: sparse, array: dense; without it the identity matrix
 *   labels.tsv or multilabels.tsv, split.tsv, sizes.tsv: own_tables.h
 *
 * coordinate and array, real, double, integer and pattern, general, symmetric and skew-symmetric. */
#include "own_tables.h"
#include <string.h>
#include <strings.h>

typedef struct mtx {
    text t;
    int coordinate, pattern, symmetric, skew;
    int64_t rows, cols, entries; /* entries: lines to come */
    int64_t i, j;                /* of an array: the next element */
} mtx;

/* Reads a word of the first line, which must be one of the names, ignoring case; returns its index. */
static int one_of(text *t, const char *what, const char *const *name, int n)
{
    char shown[48];
    text_skip_blanks(t);
    bytes w = text_word(t, what);
    for (int k = 0; k < n; k++)
        if (w.n == strlen(name[k]) && !strncasecmp((const char *)w.p, name[k], w.n))
            return k;
    text_die(t, "'%s' is not %s", text_show(shown, w.p, w.n), what);
}

/* Skips to the next line that is neither empty nor a comment. */
static int next_line(text *t)
{
    for (;;) {
        if (!text_next_line(t) || *t->p != '%')
            return text_more(t);
        const unsigned char *nl = memchr(t->p, '\n', (size_t)(t->end - t->p));
        t->p = nl ? nl : t->end;
    }
}

static int64_t size_field(text *t, const char *what, int64_t max)
{
    text_skip_blanks(t);
    return text_int(t, what, 0, max);
}

/* Reads the header; checks counts against the remaining bytes of the file. */
static mtx mtx_open(load *l, const char *name)
{
    static const char *const banner[] = {"%%MatrixMarket"}, *const object[] = {"matrix"},
                             *const form[] = {"array", "coordinate"},
                             *const field[] = {"pattern", "real", "double", "integer"},
                             *const shape[] = {"general", "symmetric", "skew-symmetric"};
    mtx m = {.t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/%s", l->path, name), 0))};
    text *t = &m.t;
    one_of(t, "%%MatrixMarket", banner, 1);
    one_of(t, "matrix", object, 1);
    m.coordinate = one_of(t, "coordinate or array", form, 2);
    m.pattern = !one_of(t, "real, double, integer or pattern", field, 4);
    int k = one_of(t, "general, symmetric or skew-symmetric", shape, 3);
    m.symmetric = k > 0, m.skew = k > 1;
    text_skip_blanks(t);
    text_eol(t);
    if (!next_line(t))
        text_die(t, "expected the sizes, found the end of the file");
    m.rows = size_field(t, "the number of rows", NODES_MAX);
    m.cols = size_field(t, "the number of columns", NODES_MAX);
    if (m.coordinate)
        m.entries = size_field(t, "the number of entries", ENTRIES_MAX);
    else
        m.entries = !m.symmetric ? m.rows * m.cols : m.skew ? m.rows * (m.rows - 1) / 2 : m.rows * (m.rows + 1) / 2;
    text_skip_blanks(t);
    text_eol(t);
    if (m.symmetric && m.rows != m.cols)
        text_die(t, "%lld x %lld cannot be symmetric", (long long)m.rows, (long long)m.cols);
    if (!m.coordinate && m.pattern)
        text_die(t, "an array has values: pattern needs coordinate");
    if (m.entries > (t->end - t->p + 1) / (m.coordinate ? 4 : 2)) /* "1 1" and "1" with the end of a line */
        text_die(t, "%lld entries do not fit into the %lld bytes that follow: truncated?", (long long)m.entries,
                 (long long)(t->end - t->p));
    m.i = m.skew;
    return m;
}

/* The next element, with indices from 0; returns 0 at the end. The caller mirrors the elements of symmetric matrices.
 */
static int mtx_next(mtx *m, int *i, int *j, real *v)
{
    text *t = &m->t;
    if (!m->entries) {
        if (next_line(t))
            text_die(t, "more lines than the header says");
        return 0;
    }
    m->entries--;
    if (!next_line(t))
        text_die(t, "the file ends before its last entry: truncated?");
    *v = 1;
    if (m->coordinate) {
        *i = (int)text_int(t, "a row", 1, m->rows) - 1;
        text_skip_blanks(t);
        *j = (int)text_int(t, "a column", 1, m->cols) - 1;
        text_skip_blanks(t);
        if (m->symmetric && (*i < *j || (m->skew && *i == *j)))
            text_die(t, "entry %d, %d is not below the diagonal of a %ssymmetric matrix", *i + 1, *j + 1,
                     m->skew ? "skew-" : "");
    } else {
        *i = (int)m->i, *j = (int)m->j;
        if (++m->i == m->rows) /* by columns */
            m->j++, m->i = m->symmetric ? m->j + m->skew : 0;
    }
    if (!m->pattern)
        *v = text_real(t, "a value");
    text_skip_blanks(t);
    text_eol(t);
    return 1;
}

static void read_graph(own *g, ints *u, ints *v)
{
    mtx m = mtx_open(g->l, "graph.mtx");
    int i, j;
    real x;
    if (m.rows != m.cols)
        text_die(&m.t, "%lld x %lld: the matrix of a graph is square", (long long)m.rows, (long long)m.cols);
    if (g->nodes >= 0 && g->nodes != m.rows)
        text_die(&m.t, "%lld nodes, but sizes.tsv says %d", (long long)m.rows, g->nodes);
    g->nodes = (int)m.rows;
    while (mtx_next(&m, &i, &j, &x))
        if (x != 0) {
            ints_push(g->l->tmp, u, i);
            ints_push(g->l->tmp, v, j);
            g->mentions += 2;
        }
}

static void read_sparse(load *l, mtx *m)
{
    dataset *d = &l->out->d;
    triples x = {.val = NEW(l->tmp, real, (size_t)m->entries * (m->symmetric ? 2 : 1)), .columns = (int)m->cols};
    int i, j;
    real v;
    if (m->cols / GAPS > m->entries)
        text_die(&m->t, "%lld columns, but only %lld entries", (long long)m->cols, (long long)m->entries);
    while (mtx_next(m, &i, &j, &v))
        for (int mirror = 0, both = m->symmetric && i != j ? 2 : 1; mirror < both; mirror++) {
            x.val[x.node.n] = mirror && m->skew ? -v : v;
            ints_push(l->tmp, &x.node, mirror ? j : i);
            ints_push(l->tmp, &x.column, mirror ? i : j);
        }
    d->xs = triples_rows(l->a, &x, d->nodes);
}

static void read_dense(load *l, mtx *m)
{
    dataset *d = &l->out->d;
    int i, j;
    real v;
    d->xd = mat_new(l->a, d->nodes, (int)m->cols);
    while (mtx_next(m, &i, &j, &v)) {
        mat_row(d->xd, i)[j] = v;
        if (m->symmetric && i != j)
            mat_row(d->xd, j)[i] = m->skew ? -v : v;
    }
}

static void read_features(own *g)
{
    load *l = g->l;
    dataset *d = &l->out->d;
    if (own_has(l, "features.mtx")) {
        mtx m = mtx_open(l, "features.mtx");
        if (m.rows != d->nodes || m.cols < 1 || m.cols > FEATURES_MAX)
            text_die(&m.t, "%lld x %lld features, but there are %d nodes", (long long)m.rows, (long long)m.cols,
                     d->nodes);
        (m.coordinate ? read_sparse : read_dense)(l, &m);
    } else
        d->xs = load_identity(l->a, d->nodes);
    d->features = d->xd.rows ? d->xd.cols : d->xs.cols;
    own_check_features(g);
}

void load_mtx(load *l)
{
    own g = {.l = l, .nodes = -1, .features = -1, .classes = -1, .last = -1};
    ints u = {0}, v = {0};
    own_read_sizes(&g);
    read_graph(&g, &u, &v);
    own_read_tables(&g);
    own_count_nodes(&g);
    load_edge_lists(l, &u, &v);
    read_features(&g);
    own_set_tables(&g);
}
