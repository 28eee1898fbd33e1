/* load_arrays: a user's graph as numpy arrays in a directory. n nodes, numbered from 0.
 *
 *   edges.npy                      m x 2 node ids; direction, repeats and loops do not matter; or instead
 *   graph.npz                      n x n, a scipy CSR matrix (scipy.sparse.save_npz); values do not matter, but 0 is no
 *                                  link
 *   features.npy | features.npz    n x f, dense or scipy CSR; with neither the features are the identity matrix
 *   labels.npy                     n classes, -1: none; or n x c of 0 and 1: several labels a node
 *   train.npy, val.npy, test.npy   optional, all or none: n of 0 and 1, or n x k for k splits, or lists of node ids  */
#include "../../base/err.h"
#include "../../base/file.h"
#include "../read/load_common.h"
#include <string.h>

static const char *file(const load *l, const char *name)
{
    const char *path = arena_printf(l->tmp, "%s/%s", l->path, name);
    return file_named(path) ? path : NULL;
}

static void read_features(load *l)
{
    dataset *d = &l->out->d;
    const char *dense = file(l, "features.npy"), *sparse = file(l, "features.npz");
    if (dense && sparse)
        die("%s: has both features.npy and features.npz: remove one", l->path);
    if (dense) {
        load_npz_features(l, npz_open_npy(l->tmp, dense), "", 0);
    } else if (sparse) {
        d->xs = load_npz_csr(l->a, l->tmp, npz_open(l->tmp, sparse), "", 1);
        if (d->xs.rows != d->nodes)
            die("%s: %d rows, but there are %d nodes", sparse, d->xs.rows, d->nodes);
    } else
        d->xs = load_identity(l->a, d->nodes);
    d->features = dense ? d->xd.cols : d->xs.cols;
}

static void read_labels(load *l, const char *path)
{
    dataset *d = &l->out->d;
    npz *z = npz_open_npy(l->tmp, path);
    npz_shape s = npz_find(z, "");
    if (s.rows < 1 || s.rows > NODES_MAX || s.dims < 1)
        die("%s: %lld rows", path, (long long)s.rows);
    d->nodes = (int)s.rows;
    if (s.dims == 2 && s.cols > 1) {
        if (s.cols > NODES_MAX)
            die("%s: %lld labels", path, (long long)s.cols);
        d->classes = (int)s.cols;
        d->ym = npz_flags(l->a, z, "", s.count);
        return;
    }
    d->y = npz_ints(l->a, z, "", s.count, -1, NODES_MAX);
    d->classes = load_count_classes(d->y, d->nodes, path);
}

static void read_graph(load *l)
{
    dataset *d = &l->out->d;
    const char *edges = file(l, "edges.npy"), *graph = file(l, "graph.npz");
    if (!edges == !graph)
        die("%s: needs either edges.npy or graph.npz", l->path);
    if (edges) {
        load_npz_edges(l, npz_open_npy(l->tmp, edges), "");
        return;
    }
    csr m = load_npz_csr(l->tmp, l->tmp, npz_open(l->tmp, graph), "", 0);
    if (m.rows != d->nodes || m.cols != d->nodes)
        die("%s: %d x %d, but there are %d nodes", graph, m.rows, m.cols, d->nodes);
    load_csr_edges(l->a, l->tmp, l->out, &m);
}

/* Flags of the nodes of split k. One-dimensional arrays of another length than n are lists of ids. */
static void read_part(unsigned char *flag, load *l, const char *path, npz *z, npz_shape s, int k)
{
    int n = l->out->d.nodes;
    memset(flag, 0, (size_t)n);
    if (s.rows == n) {
        const unsigned char *v = npz_flags(l->tmp, z, "", s.count);
        for (int i = 0; i < n; i++)
            flag[i] = v[(int64_t)i * s.cols + k];
        return;
    }
    const int *id = npz_ints(l->tmp, z, "", s.count, 0, n - 1);
    for (int64_t i = 0; i < s.count; i++) {
        if (flag[id[i]])
            die("%s: node %d is listed twice", path, id[i]);
        flag[id[i]] = 1;
    }
}

static void read_splits(load *l)
{
    static const char *const name[PARTS] = {"train.npy", "val.npy", "test.npy"};
    dataset *d = &l->out->d;
    unsigned char *flag = NEW(l->tmp, unsigned char, (size_t)d->nodes);
    const char *path[PARTS];
    npz *z[PARTS];
    npz_shape s[PARTS];
    int there = 0;
    for (int p = 0; p < PARTS; p++)
        there += (path[p] = file(l, name[p])) != NULL;
    if (!there)
        return;
    if (there < PARTS)
        die("%s: needs train.npy, val.npy and test.npy, or none of them", l->path);
    for (int p = 0; p < PARTS; p++) {
        z[p] = npz_open_npy(l->tmp, path[p]);
        s[p] = npz_find(z[p], "");
        if (s[p].dims < 1 || s[p].cols != s[0].cols || s[p].cols > 1000 || (s[p].rows != d->nodes && s[p].cols != 1))
            die("%s: %lld x %lld, but there are %d nodes and %lld splits", path[p], (long long)s[p].rows,
                (long long)s[p].cols, d->nodes, (long long)s[0].cols);
    }
    d->nsplits = (int)s[0].cols;
    d->splits = NEW(l->a, split, (size_t)d->nsplits);
    for (int k = 0; k < d->nsplits; k++)
        for (int p = 0; p < PARTS; p++) {
            read_part(flag, l, path[p], z[p], s[p], k);
            load_mask(l->a, d->splits + k, (enum part)p, flag, d->nodes);
        }
}

void load_arrays(load *l)
{
    const char *labels = file(l, "labels.npy");
    if (!labels)
        die("%s: no labels.npy", l->path);
    read_labels(l, labels);
    read_graph(l);
    read_features(l);
    read_splits(l);
}
