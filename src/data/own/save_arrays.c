/* save_arrays: numpy arrays as load_arrays.c reads them, in npy 1.0; features.npz is an uncompressed zip archive of
 * five arrays, as scipy.sparse.save_npz writes. Labels are int32, or n x c of uint8; parts are n x k of uint8. */
#include "../../base/err.h"
#include "../../base/file.h"
#include "own.h"
#include "save.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { HEAD = 128, MEMBERS = 5 };

typedef struct array {
    const char *descr;
    int64_t rows, cols; /* cols 0: one dimension; rows -1: none */
    const void *v;
    size_t bytes;
} array;

/* npy 1.0: magic, version, length of the header, the header as a Python dict, padded to 128 bytes; then the values. */
static bytes npy(arena *a, const array *x)
{
    char shape[64] = "", dict[HEAD];
    unsigned char *p = NEW(a, unsigned char, HEAD + x->bytes);
    if (x->cols)
        snprintf(shape, sizeof shape, "%lld, %lld", (long long)x->rows, (long long)x->cols);
    else if (x->rows >= 0)
        snprintf(shape, sizeof shape, "%lld,", (long long)x->rows);
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", x->descr, shape);
    memcpy(p, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(p + 10, ' ', HEAD - 11);
    memcpy(p + 10, dict, strlen(dict));
    p[HEAD - 1] = '\n';
    if (x->bytes)
        memcpy(p + HEAD, x->v, x->bytes);
    return (bytes){p, HEAD + x->bytes, ""};
}

static void save_npy(const save *s, const char *name, const char *descr, int64_t rows, int64_t cols, const void *v,
                     size_t bytes_each)
{
    array x = {descr, rows, cols, v, (size_t)rows * (size_t)(cols ? cols : 1) * bytes_each};
    bytes b = npy(s->a, &x);
    file_write(save_path(s, name), b.p, b.n);
}

static unsigned char *le(unsigned char *p, uint64_t x, int n)
{
    for (int k = 0; k < n; k++)
        *p++ = (unsigned char)(x >> 8 * k);
    return p;
}

/* The common fields of a member's local header and its directory entry: version, flags, method (stored), date, crc,
 * sizes, length of the name. */
static unsigned char *zip_fields(unsigned char *p, const bytes *b, size_t name)
{
    p = le(le(le(le(p, 20, 2), 0, 2), 0, 2), (uint64_t)0x21 << 16, 4); /* 1 January 1980 */
    p = le(le(le(p, crc32(0, b->p, (uInt)b->n), 4), b->n, 4), b->n, 4);
    return le(le(p, name, 2), 0, 2);
}

static void save_zip(const save *s, const char *name, const char *const *member, const bytes *b, int n)
{
    size_t size = 22;
    for (int k = 0; k < n; k++)
        size += b[k].n + 2 * strlen(member[k]) + 76;
    if (size > UINT32_MAX)
        die("%s: %zu bytes exceed the limit of this format", save_path(s, name), size);
    unsigned char *out = NEW(s->a, unsigned char, size), *p = out;
    size_t at[MEMBERS];
    for (int k = 0; k < n; k++) {
        at[k] = (size_t)(p - out);
        p = zip_fields(le(p, 0x04034b50, 4), &b[k], strlen(member[k]));
        memcpy(p, member[k], strlen(member[k]));
        p += strlen(member[k]);
        memcpy(p, b[k].p, b[k].n);
        p += b[k].n;
    }
    size_t directory = (size_t)(p - out);
    for (int k = 0; k < n; k++) {
        p = zip_fields(le(le(p, 0x02014b50, 4), 20, 2), &b[k], strlen(member[k]));
        p = le(le(le(p, 0, 6), 0, 4), at[k], 4);
        memcpy(p, member[k], strlen(member[k]));
        p += strlen(member[k]);
    }
    size_t end = (size_t)(p - out);
    p = le(le(le(le(p, 0x06054b50, 4), 0, 4), (uint64_t)n, 2), (uint64_t)n, 2);
    p = le(le(le(p, end - directory, 4), directory, 4), 0, 2);
    file_write(save_path(s, name), out, (size_t)(p - out));
}

static const char *real_descr(void) { return sizeof(real) == sizeof(float) ? "<f4" : "<f8"; }

static void save_sparse(const save *s)
{
    static const char *const member[MEMBERS] = {"indices.npy", "indptr.npy", "format.npy", "shape.npy", "data.npy"};
    const dataset *d = s->d;
    const csr *x = &d->xs;
    int64_t nnz = csr_nnz(x), at = 0, *ptr = NEW(s->a, int64_t, (size_t)d->nodes + 1),
            shape[2] = {d->nodes, d->features};
    int *idx = NEW(s->a, int, (size_t)nnz);
    real *val = NEW(s->a, real, (size_t)nnz);
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u);
        for (int64_t k = x->ptr[i]; k < x->ptr[i + 1]; k++, at++)
            idx[at] = x->idx[k], val[at] = csr_value(x, k);
        ptr[u + 1] = at;
    }
    const array v[MEMBERS] = {{"<i4", nnz, 0, idx, (size_t)nnz * sizeof *idx},
                              {"<i8", d->nodes + 1, 0, ptr, ((size_t)d->nodes + 1) * sizeof *ptr},
                              {"|S3", -1, 0, "csr", 3},
                              {"<i8", 2, 0, shape, sizeof shape},
                              {real_descr(), nnz, 0, val, (size_t)nnz * sizeof *val}};
    bytes b[MEMBERS];
    for (int k = 0; k < MEMBERS; k++)
        b[k] = npy(s->a, &v[k]);
    save_zip(s, "features.npz", member, b, MEMBERS);
}

static void save_dense(const save *s)
{
    const dataset *d = s->d;
    size_t row = (size_t)d->features * sizeof(real);
    unsigned char *x = NEW(s->a, unsigned char, (size_t)d->nodes *row);
    for (int u = 0; u < d->nodes; u++)
        memcpy(x + (size_t)u * row, mat_row(d->xd, dataset_row(d, u)), row);
    save_npy(s, "features.npy", real_descr(), d->nodes, d->features, x, sizeof(real));
}

static void save_labels(const save *s)
{
    const dataset *d = s->d;
    size_t c = (size_t)d->classes;
    int *y = NEW(s->a, int, (size_t)d->nodes);
    unsigned char *ym = NEW(s->a, unsigned char, d->ym ? (size_t)d->nodes *c : 0);
    for (int u = 0; u < d->nodes; u++) {
        int i = dataset_row(d, u);
        if (d->y)
            y[u] = d->y[i];
        else
            memcpy(ym + (size_t)u * c, d->ym + (size_t)i * c, c);
    }
    if (d->y)
        save_npy(s, "labels.npy", "<i4", d->nodes, 0, y, sizeof *y);
    else
        save_npy(s, "labels.npy", "|u1", d->nodes, d->classes, ym, 1);
}

static void save_splits(const save *s)
{
    static const char *const name[PARTS] = {"train.npy", "val.npy", "test.npy"};
    const dataset *d = s->d;
    size_t n = (size_t)d->nodes, splits = (size_t)d->nsplits;
    unsigned char *part = NEW_2D(s->a, unsigned char, n, splits), *flag = NEW_2D(s->a, unsigned char, n, splits);
    for (size_t k = 0; k < splits; k++)
        save_parts(part + n * k, s, (int)k);
    for (int p = 0; p < PARTS && splits; p++) {
        for (size_t u = 0; u < n; u++)
            for (size_t k = 0; k < splits; k++)
                flag[u * splits + k] = part[n * k + u] == p;
        save_npy(s, name[p], "|u1", d->nodes, d->nsplits, flag, 1);
    }
}

typedef struct pairs {
    int *v;
    size_t n;
} pairs;

static void add_link(void *ctx, int u, int v)
{
    pairs *p = ctx;
    p->v[p->n++] = u;
    p->v[p->n++] = v;
}

void save_arrays(arena *tmp, const dataset *d, const char *dir)
{
    save s = save_begin(tmp, d, dir);
    pairs e = {NEW(tmp, int, (size_t)csr_nnz(&d->graph)), 0};
    save_links(&s, add_link, &e);
    save_npy(&s, "edges.npy", "<i4", (int64_t)e.n / 2, 2, e.v, sizeof *e.v);
    save_labels(&s);
    if (!save_is_identity(&s))
        (d->xs.rows ? save_sparse : save_dense)(&s);
    save_splits(&s);
}
