/* load_deeprobust: the graphs of the robustness experiments, prepared as DeepRobust does, and their poisoned versions.
 *
 * PATH.npz (gnn-meta-attack) has a directed CSR adjacency adj_*, attributes attr_* (none in polblogs) and labels. The
 * graph is A + A^T without loops; nodes outside its largest component (the one with the smallest node among equals)
 * are dropped, the others renumbered in order. Polblogs gets the identity of the full graph as features, rows of the
 * component. The name's "-lcc" is cut off to find the split, ../prognn/splits/NAME_prognn_splits.json beside PATH.
 * PubMed is the Planetoid graph, ../planetoid/ind.pubmed, with that split. */
#include "../../base/err.h"
#include "load_common.h"
#include "prognn.h"
#include <string.h>

/* Union-find: the root of a tree is its smallest node, paths are halved on the way. */
static int root(int *up, int i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

/* The nodes of the largest component, ascending. */
static ints largest_component(arena *tmp, const csr *adj)
{
    int n = adj->rows;
    int *up = NEW(tmp, int, (size_t)n), *size = NEW(tmp, int, (size_t)n);
    for (int i = 0; i < n; i++)
        up[i] = i;
    for (int i = 0; i < n; i++)
        for (int64_t k = adj->ptr[i]; k < adj->ptr[i + 1]; k++) {
            int u = root(up, i), v = root(up, adj->idx[k]);
            up[u > v ? u : v] = u < v ? u : v;
        }
    for (int i = 0; i < n; i++)
        size[root(up, i)]++;
    int best = 0;
    for (int i = 1; i < n; i++)
        if (size[i] > size[best])
            best = i;
    ints keep = {0};
    for (int i = 0; i < n; i++)
        if (root(up, i) == best)
            ints_push(tmp, &keep, i);
    return keep;
}

/* Edges with both ends in the component; an edge has both or none. */
static void renumber_edges(load *l, const csr *adj, const ints *keep)
{
    draft *out = l->out;
    int *number = NEW(l->tmp, int, (size_t)adj->rows);
    for (int i = 0; i < keep->n; i++)
        number[keep->v[i]] = i + 1;
    load_csr_edges(l->a, l->tmp, out, adj);
    int64_t n = 0;
    for (int64_t k = 0; k < out->nedges; k++)
        if (number[out->eu[k]]) {
            out->eu[n] = number[out->eu[k]] - 1;
            out->ev[n++] = number[out->ev[k]] - 1;
        }
    out->nedges = n;
}

static csr identity_rows(arena *a, const ints *keep, int cols)
{
    csr m = csr_new(a, (int)keep->n, cols, keep->n, 0);
    for (int i = 0; i < m.rows; i++) {
        m.idx[i] = keep->v[i];
        m.ptr[i + 1] = i + 1;
    }
    return m;
}

static void read_npz(load *l)
{
    dataset *d = &l->out->d;
    const char *path = arena_printf(l->tmp, "%s.npz", l->path);
    npz *z = npz_open(l->tmp, path);
    csr adj = load_npz_csr(l->tmp, l->tmp, z, "adj_", 0);
    if (adj.rows < 1 || adj.cols != adj.rows)
        die("%s: a matrix of %d x %d is not an adjacency", path, adj.rows, adj.cols);
    int *y = npz_ints(l->tmp, z, "labels", adj.rows, 0, NODES_MAX);
    d->classes = load_count_classes(y, adj.rows, path);
    ints keep = largest_component(l->tmp, &adj);
    d->nodes = (int)keep.n;
    if (npz_has(z, "attr_shape")) {
        csr x = load_npz_csr(l->tmp, l->tmp, z, "attr_", 1);
        if (x.rows != adj.rows)
            die("%s: %d rows of attributes for %d nodes", path, x.rows, adj.rows);
        d->xs = csr_restrict(l->a, &x, keep.v, (int)keep.n, NULL, 0);
    } else {
        d->xs = identity_rows(l->a, &keep, adj.rows);
    }
    d->features = d->xs.cols;
    d->y = NEW(l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        d->y[i] = y[keep.v[i]];
    renumber_edges(l, &adj, &keep);
}

void load_deeprobust(load *l)
{
    static const char *const key[PARTS] = {"idx_train", "idx_val", "idx_test"};
    dataset *d = &l->out->d;
    const char *slash = strrchr(l->path, '/');
    const char *dir = slash ? arena_printf(l->tmp, "%.*s/..", (int)(slash - l->path), l->path) : "..";
    size_t n = strlen(l->name);
    if (n > 4 && !strcmp(l->name + n - 4, "-lcc"))
        n -= 4;
    const char *name = arena_printf(l->tmp, "%.*s", (int)n, l->name);
    if (!strcmp(name, "pubmed")) {
        const char *full = d->name;
        load_run(load_planetoid, l->a, l->out, arena_printf(l->tmp, "%s/planetoid/ind.pubmed", dir), name);
        d->name = full;
    } else {
        read_npz(l);
    }
    load_json_split(l, arena_printf(l->tmp, "%s/prognn/splits/%s_prognn_splits.json", dir, name), key, 1);
}

static void prognn(load *l)
{
    csr adj = load_npz_csr(l->tmp, l->tmp, npz_open(l->tmp, l->path), "", 0);
    if (adj.rows != l->out->d.nodes || adj.cols != adj.rows)
        die("%s: a matrix of %d x %d is not an adjacency of %d nodes", l->path, adj.rows, adj.cols, l->out->d.nodes);
    load_csr_edges(l->a, l->tmp, l->out, &adj);
}

void load_prognn_graph(arena *a, draft *out, const char *path, int nodes)
{
    draft poisoned = {.d.nodes = nodes};
    load_scratch(prognn, a, &poisoned, path, "");
    out->nedges = poisoned.nedges;
    out->eu = poisoned.eu;
    out->ev = poisoned.ev;
}
