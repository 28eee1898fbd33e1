/* load_plain: a user's graph as text files in a directory. Nodes are numbered from 0.
 *
 *   edges.tsv      two node ids per line; direction, repeats and loops do not matter
 *   features.tsv   dense: one line of numbers for each node, in order; or instead
 *   features.svm   sparse: node id, then column:value pairs, columns from 0. A node without a line has zeros.
 *                  With neither file the features are the identity matrix
 *   labels.tsv or multilabels.tsv, split.tsv, sizes.tsv: own_tables.h, where the form of the files is explained
 *
 * The number of nodes is that of sizes.tsv or of the lines of features.tsv, or else the largest id that occurs + 1.
 * Example:
 *
 *   edges.tsv: 0 1     labels.tsv: 0 cat     features.svm: 0 0:1 3:0.5     split.tsv: 0 train
 *              1 2                 1 dog                   1 2:1                      1 test  */
#include "../../base/err.h"
#include "own_tables.h"

static void read_edges(own *g, ints *u, ints *v)
{
    text t = own_open(g->l, "edges.tsv");
    while (text_next_line(&t)) {
        ints_push(g->l->tmp, u, own_node(g, &t));
        own_next_field(&t);
        ints_push(g->l->tmp, v, own_node(g, &t));
        text_skip_blanks(&t);
        text_eol(&t);
    }
}

/* Every line has as many numbers as the first. */
static void read_dense(load *l, text *t)
{
    dataset *d = &l->out->d;
    int64_t lines = 0, columns = 0, first = 0;
    for (text s = *t; text_next_line(&s); lines++) {
        int64_t n = own_count_fields(&s);
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
                own_next_field(t);
            mat_row(d->xd, i)[j] = text_real(t, "a number");
            own_end_field(t, "a number");
        }
        text_skip_blanks(t);
        text_eol(t);
    }
}

static triples read_sparse(own *g)
{
    text t = own_open(g->l, "features.svm");
    triples x = {.val = NEW(g->l->tmp, real, (size_t)(t.end - t.p) / 4 + 1)}; /* " i:v" takes four bytes */
    ints at = {0}; /* 1 + the line of each node; 0: none yet */
    while (text_next_line(&t)) {
        int u = own_node(g, &t);
        if (u / GAPS > g->mentions)
            own_die_gaps(g, u);
        while (at.n <= u)
            ints_push(g->l->tmp, &at, 0);
        if (at.v[u])
            text_die(&t, "node %d already has a line, line %d", u, at.v[u] - 1);
        at.v[u] = (int)t.line + 1;
        while (own_next_field(&t)) {
            int j = (int)text_int(&t, "a column", 0, FEATURES_MAX - 1);
            text_char(&t, ':');
            x.val[x.node.n] = text_real(&t, "a value");
            own_end_field(&t, "a value");
            ints_push(g->l->tmp, &x.node, u);
            ints_push(g->l->tmp, &x.column, j);
            x.columns = j >= x.columns ? j + 1 : x.columns;
        }
        text_eol(&t);
    }
    if (!x.columns)
        text_die(&t, "no line has a column:value pair");
    if (g->features >= 0 && x.columns > g->features)
        die("%s: column %d, but sizes.tsv says that there are %d", t.path, x.columns - 1, g->features);
    x.columns = g->features >= 0 ? g->features : x.columns;
    if (x.columns / GAPS > x.node.n)
        die("%s: column %d, but only %lld values in all: number the columns 0, 1, 2, ...", t.path, x.columns - 1,
            (long long)x.node.n);
    return x;
}

void load_plain(load *l)
{
    own g = {.l = l, .nodes = -1, .features = -1, .classes = -1, .last = -1};
    dataset *d = &l->out->d;
    ints u = {0}, v = {0};
    triples x = {0};
    int sparse = own_has(l, "features.svm"), dense = own_has(l, "features.tsv");
    if (sparse && dense)
        die("%s: has both features.tsv and features.svm: remove one", l->path);
    own_read_sizes(&g);
    if (dense) {
        text t = own_open(l, "features.tsv");
        read_dense(l, &t);
        if (g.nodes >= 0 && g.nodes != d->xd.rows)
            die("%s: %d lines, but sizes.tsv says that there are %d nodes", t.path, d->xd.rows, g.nodes);
        g.nodes = d->xd.rows;
        g.mentions = d->xd.rows;
    }
    read_edges(&g, &u, &v);
    own_read_tables(&g);
    if (sparse)
        x = read_sparse(&g);
    own_count_nodes(&g);
    load_edge_lists(l, &u, &v);
    if (sparse)
        d->xs = triples_rows(l->a, &x, d->nodes);
    else if (!dense)
        d->xs = load_identity(l->a, d->nodes);
    d->features = dense ? d->xd.cols : d->xs.cols;
    own_check_features(&g);
    own_set_tables(&g);
}
