/* save_plain: text files as load_plain.c reads them. */
#include "own.h"
#include "save.h"

static void link_line(void *ctx, int u, int v) { buf_add(ctx, "%d\t%d\n", u, v); }

static void save_features(const save *s)
{
    const dataset *d = s->d;
    buf t = {.a = s->a};
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u);
        if (d->xs.rows)
            buf_add(&t, "%d", u);
        for (int64_t k = d->xs.rows ? d->xs.ptr[i] : 0; d->xs.rows && k < d->xs.ptr[i + 1]; k++) {
            buf_add(&t, "\t%d:", d->xs.idx[k]);
            save_number(&t, csr_value(&d->xs, k));
        }
        for (int j = 0; d->xd.rows && j < d->features; j++) {
            buf_put(&t, j ? "\t" : "");
            save_number(&t, mat_row(d->xd, i)[j]);
        }
        buf_put(&t, "\n");
    }
    buf_save(&t, s->dir, "features", d->xs.rows ? ".svm" : ".tsv");
}

void save_plain(arena *tmp, const dataset *d, const char *dir)
{
    save s = save_begin(tmp, d, dir);
    buf t = {.a = tmp};
    save_links(&s, link_line, &t);
    buf_save(&t, dir, "edges", ".tsv");
    if (!save_is_identity(&s))
        save_features(&s);
    save_tables(&s);
}
