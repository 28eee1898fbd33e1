#include "save.h"
#include "../../base/err.h"
#include "../../base/file.h"
#include "../order.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char *const part_name[PARTS + 1] = {"train", "val", "test", "-"};

save save_begin(arena *a, const dataset *d, const char *dir)
{
    int *node = d->row ? order_inverse(a, d->row, d->nodes) : NEW(a, int, (size_t)d->nodes);
    for (int i = 0; !d->row && i < d->nodes; i++)
        node[i] = i;
    return (save){a, d, dir, node};
}

const char *save_path(const save *s, const char *name) { return arena_printf(s->a, "%s/%s", s->dir, name); }

void save_links(const save *s, void (*fn)(void *ctx, int u, int v), void *ctx)
{
    const csr *g = &s->d->graph;
    for (int u = 0; u < s->d->nodes; u++) {
        int i = dataset_row(s->d, u);
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            if (s->node[g->idx[k]] > u)
                fn(ctx, u, s->node[g->idx[k]]);
    }
}

void save_parts(unsigned char *part, const save *s, int k)
{
    memset(part, PARTS, (size_t)s->d->nodes);
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < s->d->splits[k].n[p]; i++)
            part[s->node[s->d->splits[k].idx[p][i]]] = (unsigned char)p;
}

void save_number(buf *t, real x)
{
    char text[40];
    int max = sizeof(real) == sizeof(float) ? 9 : 17;
    for (int digits = 6; digits <= max; digits += digits < max && digits >= 9 ? 4 : 1) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if ((sizeof(real) == sizeof(float) ? (real)strtof(text, NULL) : (real)strtod(text, NULL)) == x)
            break;
    }
    buf_put(t, text);
}

int save_is_identity(const save *s)
{
    const csr *x = &s->d->xs;
    int same = x->rows && x->cols == x->rows && !x->val && csr_nnz(x) == x->rows;
    for (int i = 0; same && i < x->rows; i++)
        same = x->ptr[i + 1] == i + 1 && x->idx[i] == s->node[i];
    return same;
}

static void save_labels(const save *s)
{
    const dataset *d = s->d;
    buf t = {.a = s->a};
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u), any = 0;
        if (d->y && d->y[i] >= 0)
            buf_add(&t, "%d\t%d\n", u, d->y[i]);
        for (int c = 0; d->ym && c < d->classes; c++)
            if (d->ym[(size_t)i * (size_t)d->classes + (size_t)c]) {
                buf_add(&t, any ? "\t%d" : "%d\t%d", any ? c : u, c);
                any = 1;
            }
        buf_put(&t, any ? "\n" : "");
    }
    buf_save(&t, s->dir, d->y ? "labels" : "multilabels", ".tsv");
}

void save_tables(const save *s)
{
    const dataset *d = s->d;
    buf t = {.a = s->a}, sizes = {.a = s->a};
    save_labels(s);
    buf_add(&sizes, "nodes\t%d\nfeatures\t%d\nclasses\t%d\n", d->nodes, d->features, d->classes);
    buf_save(&sizes, s->dir, "sizes", ".tsv");
    if (!d->nsplits)
        return;
    size_t n = (size_t)d->nodes;
    unsigned char *part = NEW_2D(s->a, unsigned char, n, d->nsplits);
    for (int k = 0; k < d->nsplits; k++)
        save_parts(part + n * (size_t)k, s, k);
    for (int u = 0; u < d->nodes; u++) {
        buf_add(&t, "%d", u);
        for (int k = 0; k < d->nsplits; k++)
            buf_add(&t, "\t%s", part_name[part[n * (size_t)k + (size_t)u]]);
        buf_put(&t, "\n");
    }
    buf_save(&t, s->dir, "split", ".tsv");
}

void save_gz(const save *s, const char *name, const buf *t)
{
    z_stream z = {0};
    if (t->n > UINT32_MAX - (1 << 20))
        die("%s: %zu bytes exceed the limit of this format", save_path(s, name), t->n);
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        die("%s: zlib: out of memory", save_path(s, name));
    uLong bound = deflateBound(&z, (uLong)t->n);
    z.next_out = NEW(s->a, unsigned char, bound);
    z.avail_out = (uInt)bound;
    z.next_in = (unsigned char *)(t->s ? t->s : "");
    z.avail_in = (uInt)t->n;
    unsigned char *out = z.next_out;
    int done = deflate(&z, Z_FINISH);
    deflateEnd(&z);
    if (done != Z_STREAM_END)
        die("%s: zlib: cannot compress", save_path(s, name));
    file_write(save_path(s, name), out, z.total_out);
}
