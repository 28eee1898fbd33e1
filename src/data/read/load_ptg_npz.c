/* load_ptg_npz: the npz files of the PyTorch Geometric mirror of MUSAE (Facebook, LastFM Asia with 128 features):
 * edges (m x 2), features (n x f), target (n). No split is published. */
#include "load_common.h"
#include "../../base/err.h"

static void ptg_npz(load *l)
{
    npz *z = npz_open(l->tmp, l->path);
    dataset *d = &l->out->d;
    npz_shape x = npz_find(z, "features");
    if (x.dims != 2 || x.rows < 1 || x.rows > NODES_MAX || x.cols < 1 || x.cols > FEATURES_MAX)
        die("%s: array 'features' is %lld x %lld, not a matrix of features", l->path, (long long)x.rows,
            (long long)x.cols);
    d->nodes = (int)x.rows;
    d->features = (int)x.cols;
    d->xd = (mat){d->nodes, d->features, npz_reals(l->a, z, "features", -1)};
    d->y = npz_ints(l->a, z, "target", d->nodes, 0, NODES_MAX);
    d->classes = load_count_classes(d->y, d->nodes, l->path);
    load_npz_edges(l, z, "edges");
}

void load_ptg_npz(arena *a, draft *out, const char *path, const char *name) { load_run(ptg_npz, a, out, path, name); }
