/* save_mtx: Matrix Market files as load_mtx.c reads them. The graph is a symmetric pattern, its lower half. */
#include "own.h"
#include "save.h"

static void link_line(void *ctx, int u, int v) { buf_add(ctx, "%d %d\n", v + 1, u + 1); }

static void save_sparse(const save *s)
{
    const dataset *d = s->d;
    const csr *x = &d->xs;
    buf t = {.a = s->a};
    buf_add(&t, "%%%%MatrixMarket matrix coordinate %s general\n%d %d %lld\n", x->val ? "real" : "pattern", d->nodes,
            d->features, (long long)csr_nnz(x));
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u);
        for (int64_t k = x->ptr[i]; k < x->ptr[i + 1]; k++) {
            buf_add(&t, x->val ? "%d %d " : "%d %d", u + 1, x->idx[k] + 1);
            if (x->val)
                save_number(&t, x->val[k]);
            buf_put(&t, "\n");
        }
    }
    buf_save(&t, s->dir, "features", ".mtx");
}

static void save_dense(const save *s)
{
    const dataset *d = s->d;
    buf t = {.a = s->a};
    buf_add(&t, "%%%%MatrixMarket matrix array real general\n%d %d\n", d->nodes, d->features);
    for (int j = 0; j < d->features; j++)
        for (int u = 0; u < d->nodes; u++) {
            save_number(&t, mat_row(d->xd, dataset_row(d, u))[j]);
            buf_put(&t, "\n");
        }
    buf_save(&t, s->dir, "features", ".mtx");
}

void save_mtx(arena *tmp, const dataset *d, const char *dir)
{
    save s = save_begin(tmp, d, dir);
    buf t = {.a = tmp};
    buf_add(&t, "%%%%MatrixMarket matrix coordinate pattern symmetric\n%d %d %lld\n", d->nodes, d->nodes,
            (long long)csr_nnz(&d->graph) / 2);
    save_links(&s, link_line, &t);
    buf_save(&t, dir, "graph", ".mtx");
    if (!save_is_identity(&s))
        (d->xs.rows ? save_sparse : save_dense)(&s);
    save_tables(&s);
}
