/* load_heterophilous: the npz files of Platonov et al., "A critical look at the evaluation of GNNs under heterophily"
 * (2023): Chameleon and Squirrel without duplicated nodes. One file has
 *   node_features (n x f), node_labels (n), edges (m x 2, each undirected edge once),
 *   train_masks, val_masks, test_masks (splits x n).
 * The features are bags of words, zero for the most part: kept sparse. */
#include "../../base/err.h"
#include "load_common.h"

static void read_splits(load *l, npz *z)
{
    static const char *const key[PARTS] = {"train_masks", "val_masks", "test_masks"};
    enum { SPLITS_MAX = 10000 };
    dataset *d = &l->out->d;
    for (int part = 0; part < PARTS; part++) {
        npz_shape s = npz_find(z, key[part]);
        if (s.dims != 2 || s.cols != d->nodes || s.rows < 1 || s.rows > SPLITS_MAX || (part && s.rows != d->nsplits))
            die("%s: array '%s' is %lld x %lld, not a mask of %d nodes for each split", l->path, key[part],
                (long long)s.rows, (long long)s.cols, d->nodes);
        if (!part) {
            d->nsplits = (int)s.rows;
            d->splits = NEW(l->a, split, (size_t)d->nsplits);
        }
        const unsigned char *flag = npz_flags(l->tmp, z, key[part], s.count);
        for (int k = 0; k < d->nsplits; k++)
            load_mask(l->a, &d->splits[k], (enum part)part, flag + (size_t)k * (size_t)d->nodes, d->nodes);
    }
}

void load_heterophilous(load *l)
{
    npz *z = npz_open(l->tmp, l->path);
    dataset *d = &l->out->d;
    load_npz_features(l, z, "node_features", 1);
    d->y = npz_ints(l->a, z, "node_labels", d->nodes, 0, NODES_MAX);
    d->classes = load_count_classes(d->y, d->nodes, l->path);
    load_npz_edges(l, z, "edges");
    read_splits(l, z);
}
