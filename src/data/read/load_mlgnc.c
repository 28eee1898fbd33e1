/* load_mlgnc: multi-label graphs of Zhao et al., "Multi-label node classification on graph-structured data" (2023). In
 * the directory `path`:
 *   features.csv     a line of numbers for each node
 *   labels.csv       a line of 0 and 1 for each node, also written 0.0 and 1.0
 *   edge_list.csv    a header, then lines that begin with two node ids written as floats; or
 *   edges_undir.csv  lines of two node ids, each edge in both directions
 *   train.txt, test.txt   a header, then a node id on each line; missing if no split is published */
#include "../../base/err.h"
#include "load_common.h"
#include "../text.h"

/* Reads the numbers of a line, `want` of them (0: any number). Returns their number. */
static int64_t line_of_numbers(load *l, text *t, real **v, int64_t want, int64_t *capacity)
{
    int64_t n = 0;
    for (int more = 1; more; n++) {
        GROW(l->tmp, *v, n, *capacity, 16);
        (*v)[n] = text_real(t, "a number");
        more = !text_at_eol(t);
        if (more)
            text_char(t, ',');
    }
    text_eol(t);
    if (want && n != want)
        text_die(t, "the line before has %lld numbers, the first one %lld", (long long)n, (long long)want);
    return n;
}

/* A matrix of numbers with at most `max` columns. */
static mat table(load *l, arena *a, const char *file, int64_t max)
{
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/%s", l->path, file), 0));
    int64_t rows = text_lines(&t), capacity = 0;
    real *line = NULL;
    if (rows < 1 || rows > NODES_MAX)
        text_die(&t, "%lld nodes", (long long)rows);
    int64_t cols = line_of_numbers(l, &t, &line, 0, &capacity);
    if (cols > max)
        text_die(&t, "%lld columns, at most %lld", (long long)cols, (long long)max);
    mat m = mat_new(a, (int)rows, (int)cols);
    for (int i = 0;; i++) {
        for (int k = 0; k < m.cols; k++)
            mat_row(m, i)[k] = line[k];
        if (i == m.rows - 1)
            return m;
        line_of_numbers(l, &t, &line, cols, &capacity);
    }
}

static void read_labels(load *l)
{
    dataset *d = &l->out->d;
    mat y = table(l, l->tmp, "labels.csv", 65536);
    if (y.rows != d->nodes)
        die("%s/labels.csv: labels of %d nodes, features of %d", l->path, y.rows, d->nodes);
    d->classes = y.cols;
    d->ym = NEW_2D(l->a, unsigned char, y.rows, y.cols);
    for (int i = 0; i < y.rows; i++)
        for (int k = 0; k < y.cols; k++) {
            real v = mat_row(y, i)[k];
            if (v != 0 && v != 1)
                die("%s/labels.csv: line %d: a label is 0 or 1, not %g", l->path, i + 1, (double)v);
            d->ym[(size_t)i * (size_t)y.cols + (size_t)k] = v == 1;
        }
}

static int node_id(text *t, int nodes)
{
    double v = (double)text_real(t, "a node id");
    if (!(v >= 0 && v < nodes) || v != (double)(int)v)
        text_die(t, "node %g, but nodes are 0..%d", v, nodes - 1);
    return (int)v;
}

static void rest_of_line(text *t)
{
    while (!text_at_eol(t)) {
        text_csv(t);
        if (!text_at_eol(t))
            text_char(t, ',');
    }
    text_eol(t);
}

static void read_edges(load *l)
{
    const char *list = arena_printf(l->tmp, "%s/edge_list.csv", l->path),
               *plain = arena_printf(l->tmp, "%s/edges_undir.csv", l->path);
    int header = file_exists(list);
    text t = text_open(file_read(l->tmp, header ? list : plain, 0));
    if (header)
        rest_of_line(&t);
    int64_t m = text_lines(&t);
    draft *f = l->out;
    load_new_edges(l, m);
    for (f->nedges = 0; text_more(&t); f->nedges++) {
        f->eu[f->nedges] = node_id(&t, f->d.nodes);
        text_char(&t, ',');
        f->ev[f->nedges] = node_id(&t, f->d.nodes);
        rest_of_line(&t);
    }
}

static void read_part(load *l, const char *path, enum part part)
{
    text t = text_open(file_read(l->tmp, path, 0));
    rest_of_line(&t);
    load_id_lines(l, l->out->d.splits, part, &t);
}

void load_mlgnc(load *l)
{
    dataset *d = &l->out->d;
    d->xd = table(l, l->a, "features.csv", FEATURES_MAX);
    d->nodes = d->xd.rows, d->features = d->xd.cols;
    read_labels(l);
    read_edges(l);
    const char *train = arena_printf(l->tmp, "%s/train.txt", l->path),
               *test = arena_printf(l->tmp, "%s/test.txt", l->path);
    if (!file_exists(train) && !file_exists(test))
        return;
    d->nsplits = 1;
    d->splits = NEW(l->a, split, 1);
    read_part(l, train, TRAIN);
    read_part(l, test, TEST);
    d->splits->idx[VAL] = NEW(l->a, int, 1);
}
