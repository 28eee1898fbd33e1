/* load_ptg_npz: the npz files of the PyTorch Geometric mirror of MUSAE (Facebook, LastFM Asia with 128 features):
 * edges (m x 2), features (n x f), target (n). No split is published. */
#include "load_common.h"
#include "../base/err.h"

static void ptg_npz(load *l)
{
    npz *z = npz_open(l->tmp, l->path);
    dataset *d = &l->out->d;
    npz_shape x = npz_find(z, "features"), e = npz_find(z, "edges");
    if (x.dims != 2 || x.rows < 1 || x.rows > NODES_MAX || x.cols < 1 || x.cols > FEATURES_MAX)
        die("%s: array 'features' is %lld x %lld, not a matrix of features", l->path, (long long)x.rows,
            (long long)x.cols);
    if (e.dims != 2 || e.cols != 2)
        die("%s: array 'edges' is %lld x %lld, not a list of pairs", l->path, (long long)e.rows, (long long)e.cols);
    d->nodes = (int)x.rows;
    d->features = (int)x.cols;
    d->xd = (mat){d->nodes, d->features, npz_reals(l->a, z, "features", -1)};
    d->y = npz_ints(l->a, z, "target", d->nodes, 0, NODES_MAX);
    d->classes = load_count_classes(d->y, d->nodes, l->path);
    int *pair = npz_ints(l->tmp, z, "edges", -1, 0, d->nodes - 1);
    draft *out = l->out;
    out->nedges = e.rows;
    out->eu = NEW(l->a, int, (size_t)e.rows);
    out->ev = NEW(l->a, int, (size_t)e.rows);
    for (int64_t k = 0; k < e.rows; k++) {
        out->eu[k] = pair[2 * k];
        out->ev[k] = pair[2 * k + 1];
    }
}

void load_ptg_npz(arena *a, draft *out, const char *path, const char *name) { load_run(ptg_npz, a, out, path, name); }
