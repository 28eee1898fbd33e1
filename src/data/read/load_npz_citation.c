/* load_npz_citation: the graph2gauss npz files (DBLP): adj_* and attr_* are CSR matrices, labels one class per node.
 *
 * Every positive attribute value becomes 1, as in PyTorch Geometric's CitationFull. No split is published. */
#include "load_common.h"
#include "../../base/err.h"

void load_npz_citation(load *l)
{
    npz *z = npz_open(l->tmp, l->path);
    dataset *d = &l->out->d;
    csr adj = load_npz_csr(l->tmp, l->tmp, z, "adj_", 0);
    d->xs = load_npz_csr(l->a, l->tmp, z, "attr_", 1);
    d->nodes = adj.rows;
    d->features = d->xs.cols;
    if (adj.cols != adj.rows || d->xs.rows != adj.rows)
        die("%s: %d x %d adjacency with %d attribute rows", l->path, adj.rows, adj.cols, d->xs.rows);
    for (int64_t k = 0; k < csr_nnz(&d->xs); k++)
        if (d->xs.val[k] > 0)
            d->xs.val[k] = 1;
    d->y = npz_ints(l->a, z, "labels", d->nodes, 0, NODES_MAX);
    d->classes = load_count_classes(d->y, d->nodes, l->path);
    load_csr_edges(l->a, l->tmp, l->out, &adj);
}
