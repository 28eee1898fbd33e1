
#include "synth_raw.h"
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/data/read/zip.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void blob_add(blob *b, const void *data, size_t n)
{
    if (b->n + n > b->cap) {
        b->cap = 2 * (b->n + n) + 64;
        b->p = realloc(b->p, b->cap);
        if (!b->p)
            die("out of memory");
    }
    if (n)
        memcpy(b->p + b->n, data, n);
    b->n += n;
}

void blob_le(blob *b, uint64_t x, int n)
{
    for (int k = 0; k < n; k++, x >>= 8)
        blob_add(b, &(unsigned char){(unsigned char)x}, 1);
}

void blob_text(blob *b, const char *fmt, ...)
{
    char s[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(s, sizeof s, fmt, ap);
    va_end(ap);
    blob_add(b, s, (size_t)n);
}

blob blob_copy(const blob *b)
{
    blob c = {0};
    blob_add(&c, b->p, b->n);
    return c;
}

void blob_free(blob *b)
{
    free(b->p);
    *b = (blob){0};
}

static blob squeeze(const blob *in, int window)
{
    z_stream z = {.next_in = in->p, .avail_in = (uInt)in->n};
    blob out = {.p = malloc(in->n + 1024), .n = 0, .cap = in->n + 1024};
    z.next_out = out.p;
    z.avail_out = (uInt)out.cap;
    if (!out.p || deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        die("cannot deflate");
    out.n = z.total_out;
    deflateEnd(&z);
    return out;
}

static void zip_header(blob *b, const raw_file *f, int k, const blob *packed, const uint64_t *offset)
{
    int central = offset != NULL, wide = central && f->zip64;
    const blob *m = &f->m[k].b;
    blob_le(b, central ? 0x02014b50 : 0x04034b50, 4);
    if (central)
        blob_le(b, 20, 2);
    blob_le(b, 20, 2);
    blob_le(b, 0, 2);
    blob_le(b, f->deflate ? 8 : 0, 2);
    blob_le(b, 0x00210000, 4);
    blob_le(b, crc32(0, m->p, (uInt)m->n), 4);
    blob_le(b, wide ? UINT32_MAX : packed->n, 4);
    blob_le(b, wide ? UINT32_MAX : m->n, 4);
    blob_le(b, strlen(f->m[k].name), 2);
    blob_le(b, wide ? 32 : 0, 2);
    if (central) {
        blob_le(b, 0, 6);
        blob_le(b, 0, 4);
        blob_le(b, wide ? UINT32_MAX : offset[k], 4);
    }
    blob_add(b, f->m[k].name, strlen(f->m[k].name));
    if (wide) { /* an extra field to skip, then the sizes */
        blob_le(b, 0x7777, 2);
        blob_le(b, 0, 2);
        blob_le(b, 1, 2);
        blob_le(b, 24, 2);
        blob_le(b, m->n, 8);
        blob_le(b, packed->n, 8);
        blob_le(b, offset[k], 8);
    }
}

static void zip64_end(blob *b, int n, uint64_t size, uint64_t directory)
{
    uint64_t at = b->n;
    blob_le(b, 0x06064b50, 4);
    blob_le(b, 44, 8);
    blob_le(b, 45 | 45 << 16, 4);
    blob_le(b, 0, 8);
    blob_le(b, (uint64_t)n, 8);
    blob_le(b, (uint64_t)n, 8);
    blob_le(b, size, 8);
    blob_le(b, directory, 8);
    blob_le(b, 0x07064b50, 4);
    blob_le(b, 0, 4);
    blob_le(b, at, 8);
    blob_le(b, 1, 4);
}

static blob zip_pack(const raw_file *f)
{
    blob out = {0}, packed[MEMBERS];
    uint64_t at[MEMBERS];
    for (int k = 0; k < f->n; k++) {
        packed[k] = f->deflate ? squeeze(&f->m[k].b, -15) : blob_copy(&f->m[k].b);
        at[k] = out.n;
        zip_header(&out, f, k, &packed[k], NULL);
        blob_add(&out, packed[k].p, packed[k].n);
    }
    uint64_t directory = out.n;
    for (int k = 0; k < f->n; k++) {
        zip_header(&out, f, k, &packed[k], at);
        blob_free(&packed[k]);
    }
    uint64_t size = out.n - directory;
    if (f->zip64)
        zip64_end(&out, f->n, size, directory);
    blob_le(&out, 0x06054b50, 4);
    blob_le(&out, 0, 4);
    blob_le(&out, (uint64_t)f->n, 2);
    blob_le(&out, (uint64_t)f->n, 2);
    blob_le(&out, f->zip64 ? UINT32_MAX : size, 4);
    blob_le(&out, f->zip64 ? UINT32_MAX : directory, 4);
    blob_le(&out, 0, 2);
    return out;
}

blob raw_pack(const raw_file *f)
{
    return f->packing == PLAIN  ? blob_copy(&f->m[0].b)
           : f->packing == GZIP ? squeeze(&f->m[0].b, 15 + 16)
                                : zip_pack(f);
}

void raw_write(const char *dir, const char *path, const blob *b)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", dir, path);
    file_mkdirs(full);
    FILE *f = fopen(full, "wb");
    if (!f || (b->n && fwrite(b->p, 1, b->n, f) != b->n) || fclose(f) != 0)
        die("cannot write %s", full);
}

int raw_read(raw_file *f, const char *dir, const char *path)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", dir, path);
    if (!file_exists(full))
        return 0;
    size_t n = strlen(path);
    *f = (raw_file){.n = 1};
    snprintf(f->path, sizeof f->path, "%s", path);
    arena tmp = {0};
    if (n > 4 && !strcmp(path + n - 4, ".npz")) {
        zip z = zip_open(&tmp, full);
        f->packing = NPZ;
        f->n = z.count < MEMBERS ? z.count : MEMBERS;
        for (int k = 0; k < f->n; k++) {
            unsigned char *p = NEW(&tmp, unsigned char, z.member[k].size);
            f->deflate = z.member[k].method == 8;
            zip_read(p, zip_start(&tmp, &z, &z.member[k]), z.member[k].size);
            snprintf(f->m[k].name, sizeof f->m[k].name, "%s", z.member[k].name);
            blob_add(&f->m[k].b, p, z.member[k].size);
        }
    } else {
        f->packing = n > 3 && !strcmp(path + n - 3, ".gz") ? GZIP : PLAIN;
        bytes b = f->packing == GZIP ? file_read_gz(&tmp, full, 0) : file_read(&tmp, full, 0);
        blob_add(&f->m[0].b, b.p, b.n);
    }
    arena_free(&tmp);
    return 1;
}

void raw_npy_header(blob *b, const char *dict)
{
    blob_add(b, "\x93NUMPY\x01\x00", 8);
    size_t n = strlen(dict) + 1, pad = (64 - (10 + n) % 64) % 64;
    blob_le(b, n + pad, 2);
    blob_text(b, "%s", dict);
    for (; pad > 0; pad--)
        blob_add(b, " ", 1);
    blob_add(b, "\n", 1);
}

void raw_npy(raw_file *f, const char *key, const char *descr, int rows, int cols, const double *x)
{
    blob *b = &f->m[f->n].b;
    char dict[160], shape[40];
    if (cols)
        snprintf(shape, sizeof shape, "(%d, %d)", rows, cols);
    else
        snprintf(shape, sizeof shape, "(%d,)", rows);
    snprintf(f->m[f->n++].name, sizeof f->m[0].name, "%s.npy", key);
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    raw_npy_header(b, dict);
    int width = descr[2] - '0';
    for (int k = 0; k < rows * (cols ? cols : 1); k++)
        if (descr[1] == 'f' && width == 4)
            blob_add(b, &(float){(float)x[k]}, 4);
        else if (descr[1] == 'f')
            blob_add(b, &x[k], 8);
        else
            blob_le(b, (uint64_t)(int64_t)x[k], width);
}

raw_file *raw_add(raw_set *s, enum packing packing, const char *path)
{
    raw_file *f = &s->f[s->nfiles++];
    f->packing = packing;
    f->n = packing != NPZ;
    snprintf(f->path, sizeof f->path, "%s", path);
    return f;
}

void raw_parts(raw_set *s, int splits, int train, int val, int test)
{
    s->splits = splits;
    s->part[TRAIN] = train;
    s->part[VAL] = val;
    s->part[TEST] = test;
}

double raw_weight(int i) { return 0.5 + i / 8.0; }

void raw_temp_dir(char *dir, size_t size)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(dir, size, "%s/jcb_raw_XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir))
        die("cannot create %s", dir);
}
