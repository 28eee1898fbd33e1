/* finish: turns a loader's draft into a validated data set.
 *
 * Checks every size, id, label and value, sorts columns and splits, builds the graph (undirected, simple, without
 * loops), and computes the hash. */
#include "../base/err.h"
#include "../base/hash.h"
#include "read/load_common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check_sizes(const draft *f, const char *what)
{
    const dataset *d = &f->d;
    if (d->nodes < 1 || d->nodes > NODES_MAX)
        die("%s: %d nodes, outside 1..%d", what, d->nodes, NODES_MAX);
    if (d->features < 0 || d->features > FEATURES_MAX)
        die("%s: %d features, outside 0..%d", what, d->features, FEATURES_MAX);
    if (d->classes < 1 || (d->y && d->classes > d->nodes))
        die("%s: %d classes for %d nodes", what, d->classes, d->nodes);
    if (!d->y == !d->ym)
        die("%s: needs either one class per node or multi-label data, not both", what);
    if (f->nedges < 0 || f->nedges > ENTRIES_MAX)
        die("%s: %lld edges", what, (long long)f->nedges);
}

static void check_edges(const draft *f, const char *what)
{
    unsigned n = (unsigned)f->d.nodes;
    for (int64_t k = 0; k < f->nedges; k++)
        if ((unsigned)f->eu[k] >= n || (unsigned)f->ev[k] >= n)
            die("%s: edge %lld joins %d and %d, but nodes are 0..%u", what, (long long)k, f->eu[k], f->ev[k], n - 1);
}

static void check_labels(const dataset *d, const char *what)
{
    arena tmp = {0};
    int64_t *size = NEW(&tmp, int64_t, (size_t)d->classes);
    int bad = -1, empty = -1;
    for (int i = 0; i < d->nodes && bad < 0; i++) {
        if (d->y && (d->y[i] < -1 || d->y[i] >= d->classes))
            bad = i;
        else if (d->y && d->y[i] >= 0)
            size[d->y[i]]++;
        for (int c = 0; d->ym && c < d->classes; c++) {
            int x = d->ym[(size_t)i * (size_t)d->classes + (size_t)c];
            size[c] += x;
            if (x > 1)
                bad = i;
        }
    }
    for (int c = d->classes - 1; c >= 0; c--)
        if (!size[c])
            empty = c;
    arena_free(&tmp);
    if (bad >= 0)
        die("%s: node %d has a label outside 0..%d", what, bad, d->ym ? 1 : d->classes - 1);
    if (empty >= 0)
        warn("%s: class %d of %d has no node", what, empty, d->classes);
}

static void sort_rows(void *m) { csr_sort_rows(m); }

static void finish_sparse(csr *m, const char *what)
{
    int64_t nnz = csr_nnz(m), ones = 0;
    for (int i = 0; i < m->rows; i++)
        if (m->ptr[i] > m->ptr[i + 1] || m->ptr[0] != 0)
            die("%s: row %d of the features is corrupt", what, i);
    for (int64_t k = 0; k < nnz; k++) {
        if (m->idx[k] < 0 || m->idx[k] >= m->cols)
            die("%s: feature column %d is outside 0..%d", what, m->idx[k], m->cols - 1);
        if (m->val && !isfinite(m->val[k]))
            die("%s: feature column %d has a value that is not finite: remove or replace it", what, m->idx[k]);
        ones += m->val && m->val[k] == 1;
    }
    if (ones == nnz)
        m->val = NULL;
    const char *failed = err_try(sort_rows, m);
    if (failed) {
        char message[256];
        snprintf(message, sizeof message, "%s", failed);
        die("%s: features: %s", what, message);
    }
}

static void finish_features(dataset *d, const char *what)
{
    int sparse = d->xs.rows > 0, dense = d->xd.rows > 0;
    if (sparse + dense != (d->features > 0))
        die("%s: %d features in %d matrices", what, d->features, sparse + dense);
    if (sparse ? d->xs.rows != d->nodes || d->xs.cols != d->features
               : dense && (d->xd.rows != d->nodes || d->xd.cols != d->features))
        die("%s: %d x %d features for %d nodes and %d features", what, sparse ? d->xs.rows : d->xd.rows,
            sparse ? d->xs.cols : d->xd.cols, d->nodes, d->features);
    if (sparse)
        finish_sparse(&d->xs, what);
    for (int i = 0; dense && i < d->nodes; i++)
        for (int j = 0; j < d->features; j++)
            if (!isfinite(mat_row(d->xd, i)[j]))
                die("%s: feature %d of node %d is not finite: remove or replace it", what, j, i);
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

static void finish_split(split *s, const dataset *d, unsigned char *taken, const char *what)
{
    static const char *const part_name[PARTS] = {"training", "validation", "test"};
    for (int part = 0; part < PARTS; part++) {
        int n = s->n[part], *idx = s->idx[part], sorted = 1;
        if (n < 0 || n > d->nodes)
            die("%s: %d %s nodes of %d", what, n, part_name[part], d->nodes);
        for (int k = 1; k < n; k++)
            sorted &= idx[k - 1] < idx[k];
        if (!sorted)
            qsort(idx, (size_t)n, sizeof *idx, ascending);
        for (int k = 0; k < n; k++) {
            if (idx[k] < 0 || idx[k] >= d->nodes)
                die("%s: %s node %d is outside 0..%d", what, part_name[part], idx[k], d->nodes - 1);
            if (taken[idx[k]])
                die("%s: %s node %d occurs twice in the split", what, part_name[part], idx[k]);
            if (d->y && d->y[idx[k]] < 0)
                die("%s: %s node %d has no label", what, part_name[part], idx[k]);
            taken[idx[k]] = 1;
        }
    }
    for (int part = 0; part < PARTS; part++)
        for (int k = 0; k < s->n[part]; k++)
            taken[s->idx[part][k]] = 0;
}

static uint64_t hash_csr(uint64_t h, const csr *m)
{
    size_t nnz = (size_t)csr_nnz(m);
    h = hash_u64(hash_u64(h, (uint64_t)m->rows), (uint64_t)m->cols);
    if (!m->ptr)
        return h;
    h = hash_bytes(h, m->ptr, ((size_t)m->rows + 1) * sizeof *m->ptr);
    h = hash_bytes(h, m->idx, nnz * sizeof *m->idx);
    return m->val ? hash_bytes(h, m->val, nnz * sizeof *m->val) : hash_u64(h, 1);
}

static uint64_t hash_dataset(const dataset *d)
{
    size_t nodes = (size_t)d->nodes;
    uint64_t h = hash_u64(hash_u64(hash_u64(HASH_INIT, nodes), (uint64_t)d->features), (uint64_t)d->classes);
    h = hash_csr(hash_csr(h, &d->graph), &d->xs);
    if (d->xd.rows)
        h = hash_bytes(h, d->xd.v, nodes * (size_t)d->features * sizeof *d->xd.v);
    h = d->y ? hash_bytes(h, d->y, nodes * sizeof *d->y) : hash_bytes(h, d->ym, nodes * (size_t)d->classes);
    h = hash_u64(h, (uint64_t)d->nsplits);
    for (int k = 0; k < d->nsplits; k++)
        for (int part = 0; part < PARTS; part++)
            h = hash_bytes(h, d->splits[k].idx[part], (size_t)d->splits[k].n[part] * sizeof(int));
    return h;
}

void dataset_finish(arena *a, draft *f, const char *what)
{
    dataset *d = &f->d;
    check_sizes(f, what);
    check_edges(f, what);
    check_labels(d, what);
    finish_features(d, what);
    unsigned char *taken = NEW(a, unsigned char, d->nsplits > 0 ? (size_t)d->nodes : 0);
    for (int k = 0; k < d->nsplits; k++)
        finish_split(&d->splits[k], d, taken, what);
    d->graph = csr_from_pairs(a, d->nodes, d->nodes, f->eu, f->ev, f->nedges, 1, 0);
    d->hash = hash_dataset(d);
}
