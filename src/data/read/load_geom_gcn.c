/* load_geom_gcn: Chameleon, Squirrel, Wisconsin as in Geom-GCN. In the directory `path`:
 *   out1_graph_edges.txt         header, then source <tab> target (directed, loops present)
 *   out1_node_feature_label.txt  header, then id <tab> comma-separated values <tab> class, ids in order
 * and beside it splits/NAME_split_0.6_0.2_K.npz for K = 0 .. 9 with train_mask, val_mask and test_mask. */
#include "load_common.h"
#include "../text.h"

#define SPLITS 10

static void read_nodes(load *l)
{
    dataset *d = &l->out->d;
    text t = text_open(file_read(l->tmp, arena_printf(l->tmp, "%s/out1_node_feature_label.txt", l->path), 0));
    text_header(&t, "node_id\tfeature\tlabel");
    load_count_nodes(l, &t);
    d->y = NEW(l->a, int, (size_t)d->nodes);
    triples v = {.val = NEW(l->tmp, real, (size_t)(t.end - t.p) / 2)}; /* two bytes each, the separator included */
    for (int i = 0; i < d->nodes; i++) {
        text_int(&t, "the next node id", i, i);
        int j = 0;
        do {
            text_char(&t, j ? ',' : '\t');
            real x = text_real(&t, "a feature value");
            if (x != 0) {
                v.val[v.column.n] = x;
                ints_push(l->tmp, &v.node, i);
                ints_push(l->tmp, &v.column, j);
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
    }
    d->classes = load_count_classes(d->y, d->nodes, t.path);
    v.columns = d->features;
    d->xs = triples_rows(l->a, &v, d->nodes);
}

void load_geom_gcn(load *l)
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
