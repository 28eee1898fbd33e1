/* save_ogb: gzipped text files as load_ogb.c reads them; several splits are the schemes 0, 1, 2, ... */
#include "own.h"
#include "save.h"

static void link_line(void *ctx, int u, int v) { buf_add(ctx, "%d,%d\n", u, v); }

/* A line for each node, whether its features are sparse or dense. */
static void save_features(const save *s)
{
    const dataset *d = s->d;
    buf t = {.a = s->a};
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u);
        int64_t k = d->xs.rows ? d->xs.ptr[i] : 0, end = d->xs.rows ? d->xs.ptr[i + 1] : 0;
        for (int j = 0; j < d->features; j++) {
            real x = d->xs.rows ? 0 : mat_row(d->xd, i)[j];
            if (k < end && d->xs.idx[k] == j)
                x = csr_value(&d->xs, k++);
            buf_put(&t, j ? "," : "");
            save_number(&t, x);
        }
        buf_put(&t, "\n");
    }
    save_gz(s, "raw/node-feat.csv.gz", &t);
}

static void save_labels(const save *s)
{
    const dataset *d = s->d;
    buf t = {.a = s->a};
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u);
        if (d->y)
            buf_add(&t, d->y[i] < 0 ? "nan" : "%d", d->y[i]);
        for (int c = 0; d->ym && c < d->classes; c++)
            buf_put(&t, &",0\0,1"[3 * d->ym[(size_t)i * (size_t)d->classes + (size_t)c] + !c]);
        buf_put(&t, "\n");
    }
    save_gz(s, "raw/node-label.csv.gz", &t);
}

static void save_split(const save *s, int k)
{
    static const char *const name[PARTS] = {"train", "valid", "test"};
    const dataset *d = s->d;
    unsigned char *part = NEW(s->a, unsigned char, (size_t)d->nodes);
    save_parts(part, s, k);
    for (int p = 0; p < PARTS; p++) {
        buf t = {.a = s->a};
        for (int u = 0; u < d->nodes; u++)
            if (part[u] == p)
                buf_add(&t, "%d\n", u);
        save_gz(s, arena_printf(s->a, "split/%d/%s.csv.gz", k, name[p]), &t);
    }
}

void save_ogb(arena *tmp, const dataset *d, const char *dir)
{
    save s = save_begin(tmp, d, dir);
    buf links = {.a = tmp}, nodes = {.a = tmp}, count = {.a = tmp};
    save_links(&s, link_line, &links);
    save_gz(&s, "raw/edge.csv.gz", &links);
    buf_add(&nodes, "%d\n", d->nodes);
    save_gz(&s, "raw/num-node-list.csv.gz", &nodes);
    buf_add(&count, "%lld\n", (long long)csr_nnz(&d->graph) / 2);
    save_gz(&s, "raw/num-edge-list.csv.gz", &count);
    save_labels(&s);
    if (!save_is_identity(&s))
        save_features(&s);
    for (int k = 0; k < d->nsplits; k++)
        save_split(&s, k);
}
