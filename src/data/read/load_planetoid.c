/* load_planetoid: Cora, CiteSeer and PubMed as pickled by Yang et al. (2016): ind.NAME.{x,y,tx,ty,allx,ally,graph} and
 * ind.NAME.test.index.
 *
 * Nodes 0 .. len(allx)-1 are the rows of allx and ally, node test.index[i] is row i of tx and ty; a node in the range
 * of test.index that is not in it (15 in CiteSeer) has neither features nor label. The first rows of allx are x. Public
 * split: the rows of x train, the next 500 nodes validate, test.index tests. graph maps each node to its neighbours. */
#include "../../base/err.h"
#include "load_common.h"
#include "pickle.h"
#include "../text.h"
#include <string.h>

#define FILE_MAX ((size_t)64 << 20)
#define VALIDATION 500

static bytes part_of(load *l, const char *suffix)
{
    return file_read(l->tmp, arena_printf(l->tmp, "%s.%s", l->path, suffix), FILE_MAX);
}

static const pickle_array *array_of(const char *path, const pickle_value *dict, const char *key, char type,
                                    int64_t count)
{
    const pickle_value *x = pickle_get(dict, key);
    if (!x || x->kind != PICKLE_ARRAY || x->array->type != type || x->array->dims != 1)
        die("%s: the matrix has no '%s' of the expected type", path, key);
    if (count >= 0 && x->array->rows != count)
        die("%s: '%s' has %lld elements, but %lld are expected", path, key, (long long)x->array->rows,
            (long long)count);
    return x->array;
}

/* A pickled csr_matrix, checked. */
static csr read_matrix(load *l, const char *suffix)
{
    bytes b = part_of(l, suffix);
    pickle_value v = pickle_read(l->tmp, b);
    const pickle_value *shape = v.kind == PICKLE_CSR ? pickle_get(&v, "_shape") : NULL;
    if (!shape || shape->kind != PICKLE_TUPLE || shape->seq->n != 2)
        die("%s: not a csr_matrix", b.path);
    const pickle_value *n = shape->seq->v;
    for (int k = 0; k < 2; k++)
        if (n[k].kind != PICKLE_INT || n[k].i < 0 || n[k].i > NODES_MAX)
            die("%s: the shape of the matrix is corrupt", b.path);
    const pickle_array *ptr = array_of(b.path, &v, "indptr", 'i', n[0].i + 1);
    const pickle_array *idx = array_of(b.path, &v, "indices", 'i', -1);
    const pickle_array *val = array_of(b.path, &v, "data", 'f', idx->rows);
    csr m = csr_new(l->tmp, (int)n[0].i, (int)n[1].i, idx->rows, 1);
    for (int i = 0; i <= m.rows; i++) {
        m.ptr[i] = pickle_i4(ptr, i);
        if (i == 0 ? m.ptr[i] != 0 : m.ptr[i] < m.ptr[i - 1])
            die("%s: indptr[%d] is %lld: corrupt", b.path, i, (long long)m.ptr[i]);
    }
    if (csr_nnz(&m) != idx->rows)
        die("%s: indptr ends at %lld, but there are %lld indices", b.path, (long long)csr_nnz(&m),
            (long long)idx->rows);
    for (int64_t k = 0; k < idx->rows; k++) {
        m.idx[k] = pickle_i4(idx, k);
        m.val[k] = pickle_f4(val, k);
        if (m.idx[k] < 0 || m.idx[k] >= m.cols)
            die("%s: indices[%lld] is %d, outside 0..%d", b.path, (long long)k, m.idx[k], m.cols - 1);
    }
    return m;
}

typedef struct labels {
    int n, classes;
    int *y;
} labels;

/* One-hot rows; a row of zeros is a node without label. */
static labels read_labels(load *l, const char *suffix)
{
    bytes b = part_of(l, suffix);
    pickle_value v = pickle_read(l->tmp, b);
    if (v.kind != PICKLE_ARRAY || v.array->type != 'i' || v.array->dims != 2)
        die("%s: not a two-dimensional array of integers", b.path);
    labels t = {(int)v.array->rows, (int)v.array->cols, NULL};
    if (t.classes < 1)
        die("%s: no classes", b.path);
    t.y = NEW(l->tmp, int, (size_t)t.n);
    for (int i = 0; i < t.n; i++) {
        t.y[i] = -1;
        for (int c = 0; c < t.classes; c++) {
            int x = pickle_i4(v.array, (int64_t)i * t.classes + c);
            if (x != 0 && (x != 1 || t.y[i] >= 0))
                die("%s: row %d is not one-hot", b.path, i);
            if (x)
                t.y[i] = c;
        }
    }
    return t;
}

static int read_graph(load *l)
{
    bytes b = part_of(l, "graph");
    pickle_value v = pickle_read(l->tmp, b);
    if (v.kind != PICKLE_DICT || v.seq->n == 0)
        die("%s: not a dictionary of neighbours, or empty", b.path);
    int64_t nodes = v.seq->n / 2, m = 0;
    unsigned char *seen = NEW(l->tmp, unsigned char, (size_t)nodes);
    for (int64_t k = 0; k < nodes; k++) {
        const pickle_value *key = &v.seq->v[2 * k], *list = key + 1;
        if (key->kind != PICKLE_INT || key->i < 0 || key->i >= nodes || seen[key->i]++ || list->kind != PICKLE_LIST)
            die("%s: entry %lld is not a new node id in 0..%lld with a list", b.path, (long long)k,
                (long long)nodes - 1);
        m += list->seq->n;
    }
    draft *out = l->out;
    load_new_edges(l, m);
    out->nedges = 0;
    for (int64_t k = 0; k < nodes; k++) {
        const pickle_value *key = &v.seq->v[2 * k], *list = key + 1;
        for (int64_t e = 0; e < list->seq->n; e++) {
            int64_t to = list->seq->v[e].i;
            if (to < 0 || to >= nodes)
                die("%s: node %lld has neighbour %lld, outside 0..%lld", b.path, (long long)key->i, (long long)to,
                    (long long)nodes - 1);
            out->eu[out->nedges] = (int)key->i;
            out->ev[out->nedges++] = (int)to;
        }
    }
    return (int)nodes;
}

/* row[node] = its row in tx, or -1. */
static int *read_test_index(load *l, int *count, int first, int nodes)
{
    bytes b = part_of(l, "test.index");
    text t = text_open(b);
    int64_t lines = text_lines(&t);
    if (lines > nodes)
        text_die(&t, "%lld test nodes, but there are %d nodes", (long long)lines, nodes);
    int *row = NEW(l->tmp, int, (size_t)nodes);
    for (int i = 0; i < nodes; i++)
        row[i] = -1;
    for (int i = 0; i < (int)lines; i++) {
        int u = (int)text_int(&t, "a test node id", first, nodes - 1);
        if (row[u] >= 0)
            text_die(&t, "test node %d occurs twice", u);
        row[u] = i;
        text_eol(&t);
    }
    *count = (int)lines;
    return row;
}

/* Puts the rows of allx and tx in node order. */
static void place(load *l, const csr *allx, const csr *tx, const labels *ally, const labels *ty, const int *row)
{
    dataset *d = &l->out->d;
    d->xs = csr_new(l->a, d->nodes, d->features, csr_nnz(allx) + csr_nnz(tx), 1);
    d->y = NEW(l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++) {
        int64_t to = d->xs.ptr[i], n = 0;
        const csr *from = i < allx->rows ? allx : tx;
        int r = i < allx->rows ? i : row[i];
        d->y[i] = i < allx->rows ? ally->y[i] : r >= 0 ? ty->y[r] : -1;
        if (r >= 0) {
            n = from->ptr[r + 1] - from->ptr[r];
            memcpy(d->xs.idx + to, from->idx + from->ptr[r], (size_t)n * sizeof(int));
            memcpy(d->xs.val + to, from->val + from->ptr[r], (size_t)n * sizeof(real));
        }
        d->xs.ptr[i + 1] = to + n;
    }
}

void load_planetoid(load *l)
{
    csr x = read_matrix(l, "x"), tx = read_matrix(l, "tx"), allx = read_matrix(l, "allx");
    labels y = read_labels(l, "y"), ty = read_labels(l, "ty"), ally = read_labels(l, "ally");
    dataset *d = &l->out->d;
    if (x.cols != allx.cols || tx.cols != allx.cols || y.classes != ally.classes || ty.classes != ally.classes)
        die("%s.*: the files disagree in the number of features or classes", l->path);
    if (x.rows != y.n || tx.rows != ty.n || allx.rows != ally.n)
        die("%s.*: features and labels have different numbers of rows", l->path);
    d->nodes = read_graph(l);
    d->features = allx.cols;
    d->classes = ally.classes;
    if (allx.rows > d->nodes || x.rows > allx.rows || allx.rows - x.rows < VALIDATION)
        die("%s.*: %d training rows and %d validation nodes do not fit in %d rows of %d nodes", l->path, x.rows,
            VALIDATION, allx.rows, d->nodes);
    int tests;
    int *row = read_test_index(l, &tests, allx.rows, d->nodes);
    if (tests != tx.rows)
        die("%s.test.index: %d ids for the %d rows of tx", l->path, tests, tx.rows);
    place(l, &allx, &tx, &ally, &ty, row);
    split *s = d->splits = NEW(l->a, split, 1);
    d->nsplits = 1;
    unsigned char *flag = NEW(l->tmp, unsigned char, (size_t)d->nodes);
    for (int part = 0; part < PARTS; part++) {
        for (int i = 0; i < d->nodes; i++)
            flag[i] = part == (i < x.rows ? TRAIN : i < x.rows + VALIDATION ? VAL : row[i] >= 0 ? TEST : PARTS);
        load_mask(l->a, s, (enum part)part, flag, d->nodes);
    }
}
