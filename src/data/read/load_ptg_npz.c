/* load_ptg_npz: the npz files of the PyTorch Geometric mirror of MUSAE (Facebook, LastFM Asia with 128 features):
 * edges (m x 2), features (n x f), target (n). No split is published. */
#include "load_common.h"

void load_ptg_npz(load *l)
{
    npz *z = npz_open(l->tmp, l->path);
    dataset *d = &l->out->d;
    load_npz_features(l, z, "features", 0);
    d->y = npz_ints(l->a, z, "target", d->nodes, 0, NODES_MAX);
    d->classes = load_count_classes(d->y, d->nodes, l->path);
    load_npz_edges(l, z, "edges");
}
