/* load_geom_gcn: Chameleon, Squirrel, Wisconsin as in Geom-GCN. In the directory `path`:
 *   out1_graph_edges.txt         header, then source <tab> target (directed, loops present)
 *   out1_node_feature_label.txt  header, then id <tab> comma-separated values <tab> class, ids in order
 * and beside it splits/NAME_split_0.6_0.2_K.npz for K = 0 .. 9 with train_mask, val_mask and test_mask. */
#include "../../base/err.h"
#include "load_common.h"
#include "../text.h"
#include <string.h>

#define SPLITS 10

static void read_nodes(load *l)
{
    dataset *d = &l->out->d;
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/out1_node_feature_label.txt", l->path), 0));
    text_header(&t, "node_id\tfeature\tlabel");
    int64_t lines = text_lines(&t);
    if (lines < 1 || lines > NODES_MAX)
        text_die(&t, "%lld nodes", (long long)lines);
    d->nodes = (int)lines;
    d->y = NEW(l->a, int, (size_t)d->nodes);
    int64_t *ptr = NEW(l->a, int64_t, (size_t)d->nodes + 1);
    ints column = {0};
    size_t capacity = (size_t)(t.end - t.p) / 2; /* a value takes two bytes, its separator included */
    real *val = NEW(l->tmp, real, capacity);
    for (int i = 0; i < d->nodes; i++) {
        text_int(&t, "the next node id", i, i);
        int j = 0;
        do {
            text_char(&t, j ? ',' : '\t');
            real x = text_real(&t, "a feature value");
            if (x != 0) {
                val[column.n] = x;
                ints_push(l->tmp, &column, j);
            }
            j++;
        } while (*t.p == ',');
        text_char(&t, '\t');
        if (i == 0)
            d->features = j;
        if (j != d->features)
            text_die(&t, "%d feature values, but %d on the first line", j, d->features);
        d->y[i] = (int)text_int(&t, "a class", 0, NODES_MAX);
        text_eol(&t);
        ptr[i + 1] = column.n;
    }
    d->classes = load_count_classes(d->y, d->nodes, t.path);
    d->xs =
        (csr){d->nodes, d->features, ptr, NEW(l->a, int, (size_t)column.n), NEW(l->a, real, (size_t)column.n), NULL};
    if (column.n) {
        memcpy(d->xs.idx, column.v, (size_t)column.n * sizeof(int));
        memcpy(d->xs.val, val, (size_t)column.n * sizeof(real));
    }
}

static void geom_gcn(load *l)
{
    dataset *d = &l->out->d;
    read_nodes(l);
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/out1_graph_edges.txt", l->path), 0));
    text_header(&t, "node_id\tnode_id");
    load_edge_lines(l, &t, '\t', d->nodes);
    static const char *const mask[PARTS] = {"train_mask", "val_mask", "test_mask"};
    d->nsplits = SPLITS;
    d->splits = NEW(l->a, split, SPLITS);
    for (int k = 0; k < SPLITS; k++) {
        npz *z = npz_open(l->tmp, arena_printf(l->tmp, "%s/../splits/%s_split_0.6_0.2_%d.npz", l->path, l->name, k));
        for (int part = 0; part < PARTS; part++)
            load_mask(l->a, &d->splits[k], (enum part)part, npz_flags(l->tmp, z, mask[part], d->nodes), d->nodes);
    }
}

void load_geom_gcn(arena *a, draft *out, const char *path, const char *name) { load_run(geom_gcn, a, out, path, name); }
