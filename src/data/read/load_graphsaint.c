/* load_graphsaint: Yelp, Amazon and others as GraphSAINT ships them. In the directory `path`:
 *   adj_full.npz    scipy CSR adjacency          feats.npy      nodes x features, float32 or float64
 *   class_map.json  node -> list of 0/1 (multi-label), or node -> class
 *   role.json       {"tr": [...], "va": [...], "te": [...]}: node ids
 * Features are kept as shipped; GraphSAINT standardises them with the training nodes' mean and deviation. Everything is
 * streamed: besides the result, memory holds the adjacency once. */
#include "../../base/err.h"
#include "load_common.h"

typedef struct class_map {
    load *l;
    int64_t seen; /* entries */
    unsigned char *has;
} class_map;

static void add_classes(void *ctx, const json_entry *e)
{
    class_map *m = ctx;
    dataset *d = &m->l->out->d;
    int u = json_key_id(e, d->nodes);
    if (m->has[u]++)
        die("%s: node %d occurs twice", e->path, u);
    if (m->seen++ == 0) {
        if (e->list && (e->n < 1 || e->n > 65536))
            die("%s: node %d has a list of %lld classes", e->path, u, (long long)e->n);
        d->classes = e->list ? (int)e->n : 0;
        if (e->list)
            d->ym = NEW_2D(m->l->a, unsigned char, d->nodes, d->classes);
        else
            d->y = NEW(m->l->a, int, (size_t)d->nodes);
    }
    if (e->list != (d->ym != NULL) || (e->list && e->n != d->classes))
        die("%s: node %d has a different number of classes than the first node", e->path, u);
    for (int64_t k = 0; k < e->n; k++) {
        if (e->v[k] < 0 || e->v[k] > (e->list ? 1 : NODES_MAX))
            die("%s: node %d: label %lld is out of range", e->path, u, (long long)e->v[k]);
        if (e->list)
            d->ym[(size_t)u * (size_t)d->classes + (size_t)k] = (unsigned char)e->v[k];
        else
            d->y[u] = (int)e->v[k];
    }
}

static void read_classes(load *l)
{
    dataset *d = &l->out->d;
    const char *path = arena_printf(l->tmp, "%s/class_map.json", l->path);
    class_map m = {l, 0, NEW(l->tmp, unsigned char, (size_t)d->nodes)};
    json_entries(l->tmp, path, add_classes, &m);
    for (int i = 0; i < d->nodes; i++)
        if (!m.has[i])
            die("%s: node %d has no entry: truncated, or from another graph", path, i);
    if (d->y)
        d->classes = load_count_classes(d->y, d->nodes, path);
}

static void read_adjacency(load *l)
{
    const char *path = arena_printf(l->tmp, "%s/adj_full.npz", l->path);
    csr adj = load_npz_csr(l->tmp, l->tmp, npz_open(l->tmp, path), "", 0);
    if (adj.rows < 1 || adj.cols != adj.rows)
        die("%s: a matrix of %d x %d is not an adjacency", path, adj.rows, adj.cols);
    l->out->d.nodes = adj.rows;
    load_csr_edges(l->a, l->tmp, l->out, &adj);
}

void load_graphsaint(load *l)
{
    static const char *const role[PARTS] = {"tr", "va", "te"};
    read_adjacency(l);
    arena_free(l->tmp); /* memory for the next files */
    load_npz_features(l, npz_open_npy(l->tmp, arena_printf(l->tmp, "%s/feats.npy", l->path)), "", 0);
    read_classes(l);
    load_json_split(l, arena_printf(l->tmp, "%s/role.json", l->path), role, 0);
}
