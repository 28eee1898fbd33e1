#include "zip.h"
#include "../../base/err.h"
#include "../text.h"
#include <string.h>
#include <zlib.h>

#define MEMBERS_MAX 256
#define INPUT ((size_t)1 << 16)
#define NONE32 UINT32_C(0xFFFFFFFF)

struct zip_reader {
    stream file;
    zip_member m;
    uint64_t at, end; /* packed bytes not yet read from the file */
    uint64_t left;    /* unpacked bytes not yet returned */
    int plain;        /* no CRC to check */
    uint32_t crc;
    unsigned char *in;
    z_stream z;
};

static uint32_t le16(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t le32(const unsigned char *p) { return le16(p) | le16(p + 2) << 16; }
static uint64_t le64(const unsigned char *p) { return le32(p) | (uint64_t)le32(p + 4) << 32; }

typedef struct directory {
    uint64_t at, size, count;
} directory;

/* The end record may be followed by a comment: takes the last position at which record and comment length fit. */
static directory find_directory(arena *tmp, const stream *f)
{
    size_t n = f->size < 22 + 65535 ? (size_t)f->size : 22 + 65535;
    unsigned char *tail = NEW(tmp, unsigned char, n);
    stream_read(tail, f, f->size - n, n);
    size_t k = n;
    for (size_t i = n < 22 ? 0 : n - 21; i-- > 0;)
        if (le32(tail + i) == 0x06054b50 && i + 22 + le16(tail + i + 20) == n) {
            k = i;
            break;
        }
    if (k == n)
        die("%s: no end record: not a zip (npz) file, or truncated", f->path);
    const unsigned char *p = tail + k;
    if (le16(p + 4) || le16(p + 6))
        die("%s: a zip in several parts is not supported", f->path);
    directory d = {le32(p + 16), le32(p + 12), le16(p + 10)};
    if (d.at != NONE32 && d.size != NONE32 && d.count != 0xFFFF)
        return d;
    if (k < 20 || le32(p - 20) != 0x07064b50)
        die("%s: zip64 end record missing", f->path);
    unsigned char end64[56];
    stream_read(end64, f, le64(p - 12), sizeof end64);
    if (le32(end64) != 0x06064b50)
        die("%s: zip64 end record is corrupt", f->path);
    return (directory){le64(end64 + 48), le64(end64 + 40), le64(end64 + 32)};
}

/* Sizes that do not fit into 32 bits are in the extra field with tag 1, in the order size, packed, offset. */
static void read_zip64(zip_member *m, const unsigned char *p, size_t n, const char *path)
{
    uint64_t *want[3] = {&m->size, &m->packed, &m->at};
    for (size_t k = 0; n - k >= 4;) {
        size_t tag = le16(p + k), len = le16(p + k + 2);
        k += 4;
        if (len > n - k)
            break;
        if (tag == 1) {
            for (size_t w = 0, used = 0; w < 3; w++)
                if (*want[w] == NONE32 && used + 8 <= len) {
                    *want[w] = le64(p + k + used);
                    used += 8;
                }
            return;
        }
        k += len;
    }
    die("%s: member '%s': zip64 sizes missing", path, m->name);
}

static void check_member(const zip_member *m, const unsigned char *p, const stream *f)
{
    if (le16(p + 8) & ~0x080eu) /* allowed: deflate level, sizes repeated after the data, UTF-8 name */
        die("%s: member '%s' is encrypted or has unknown flags (0x%x)", f->path, m->name, le16(p + 8));
    if (m->method != 0 && m->method != 8)
        die("%s: member '%s': compression method %d is not supported", f->path, m->name, m->method);
    if (m->at > f->size || m->packed > f->size - m->at)
        die("%s: member '%s' lies outside the file: truncated or corrupt", f->path, m->name);
    if (m->method == 0 ? m->size != m->packed : m->size / 1032 > m->packed) /* deflate expands at most 1032-fold */
        die("%s: member '%s' claims %llu bytes from %llu: corrupt", f->path, m->name, (unsigned long long)m->size,
            (unsigned long long)m->packed);
}

static const char *member_name(arena *tmp, const unsigned char *p, size_t n, const char *path)
{
    char *name = NEW(tmp, char, n + 1), shown[48];
    memcpy(name, p, n);
    int plain = n > 0 && *name != '.';
    for (size_t k = 0; k < n; k++)
        plain &= name[k] >= ' ' && name[k] < 127 && name[k] != '/' && name[k] != '\\';
    if (!plain)
        die("%s: member name '%s' is not the name of an array", path, text_show(shown, p, n));
    return name;
}

zip zip_open(arena *tmp, const char *path)
{
    zip z = {.file = stream_open(path)};
    directory d = find_directory(tmp, &z.file);
    if (d.at > z.file.size || d.size > z.file.size - d.at || d.count > MEMBERS_MAX || d.size / 46 < d.count ||
        d.size > MEMBERS_MAX * (size_t)4096)
        die("%s: directory of %llu entries in %llu bytes: corrupt", path, (unsigned long long)d.count,
            (unsigned long long)d.size);
    unsigned char *p = NEW(tmp, unsigned char, d.size);
    stream_read(p, &z.file, d.at, d.size);
    z.member = NEW(tmp, zip_member, d.count);
    for (const unsigned char *end = p + d.size; z.count < (int)d.count; z.count++) {
        if (end - p < 46 || le32(p) != 0x02014b50)
            die("%s: directory entry %d is corrupt", path, z.count);
        size_t name = le16(p + 28), extra = le16(p + 30), comment = le16(p + 32);
        if ((size_t)(end - p) - 46 < name + extra + comment || name > 255)
            die("%s: directory entry %d is corrupt", path, z.count);
        const char *copy = member_name(tmp, p + 46, name, path);
        for (int k = 0; k < z.count; k++)
            if (!strcmp(z.member[k].name, copy))
                die("%s: member '%s' occurs twice", path, copy);
        zip_member *m = &z.member[z.count];
        *m = (zip_member){copy, (int)le16(p + 10), le32(p + 16), le32(p + 20), le32(p + 24), le32(p + 42)};
        if (m->packed == NONE32 || m->size == NONE32 || m->at == NONE32)
            read_zip64(m, p + 46 + name, extra, path);
        check_member(m, p, &z.file);
        p += 46 + name + extra + comment;
    }
    return z;
}

static void *z_take(void *ctx, unsigned count, unsigned size) { return arena_alloc(ctx, count, size); }

static void z_drop(void *ctx, void *p)
{
    (void)ctx;
    (void)p;
}

static zip_reader *reader_new(arena *tmp, const stream *file, const zip_member *m)
{
    zip_reader *r = NEW(tmp, zip_reader, 1);
    *r = (zip_reader){.file = *file, .m = *m, .left = m->size, .crc = (uint32_t)crc32(0, NULL, 0)};
    return r;
}

zip_reader *zip_start(arena *tmp, const zip *z, const zip_member *m)
{
    zip_reader *r = reader_new(tmp, &z->file, m);
    unsigned char h[30];
    stream_read(h, &z->file, m->at, sizeof h);
    if (le32(h) != 0x04034b50 || (int)le16(h + 8) != m->method || le16(h + 26) != strlen(m->name))
        die("%s: member '%s': local header is corrupt", z->file.path, m->name);
    r->at = m->at + 30 + le16(h + 26) + le16(h + 28);
    if (r->at > z->file.size || m->packed > z->file.size - r->at)
        die("%s: member '%s' lies outside the file: truncated or corrupt", z->file.path, m->name);
    r->end = r->at + m->packed;
    if (m->method == 8) {
        r->in = NEW(tmp, unsigned char, m->packed < INPUT ? m->packed : INPUT);
        r->z = (z_stream){.zalloc = z_take, .zfree = z_drop, .opaque = tmp};
        if (inflateInit2(&r->z, -15) != Z_OK)
            die("%s: cannot start zlib", z->file.path);
    }
    return r;
}

zip_reader *zip_start_plain(arena *tmp, const stream *file)
{
    zip_member m = {.name = "", .packed = file->size, .size = file->size};
    zip_reader *r = reader_new(tmp, file, &m);
    r->end = file->size;
    r->plain = 1;
    return r;
}

static _Noreturn void bad_data(const zip_reader *r, const char *why)
{
    die("%s: member '%s': %s after %llu of %llu bytes", r->file.path, r->m.name, why,
        (unsigned long long)(r->m.size - r->left), (unsigned long long)r->m.size);
}

static void inflate_some(unsigned char *out, zip_reader *r, size_t n)
{
    r->z.next_out = out;
    r->z.avail_out = (uInt)n;
    while (r->z.avail_out > 0) {
        if (r->z.avail_in == 0 && r->at < r->end) {
            size_t k = r->end - r->at < INPUT ? (size_t)(r->end - r->at) : INPUT;
            stream_read(r->in, &r->file, r->at, k);
            r->at += k;
            r->z.next_in = r->in;
            r->z.avail_in = (uInt)k;
        }
        int rc = inflate(&r->z, Z_NO_FLUSH);
        if (rc == Z_STREAM_END ? r->z.avail_out > 0 : rc != Z_OK)
            bad_data(r, "corrupt or truncated data");
    }
}

void zip_read(void *buf, zip_reader *r, size_t n)
{
    if (n > r->left)
        bad_data(r, "ends");
    for (unsigned char *out = buf; n > 0;) {
        size_t k = n < STREAM_WINDOW ? n : STREAM_WINDOW;
        if (r->m.method == 8) {
            inflate_some(out, r, k);
        } else {
            stream_read(out, &r->file, r->at, k);
            r->at += k;
        }
        if (!r->plain)
            r->crc = (uint32_t)crc32(r->crc, out, (uInt)k);
        r->left -= k;
        out += k;
        n -= k;
    }
    if (r->left == 0 && !r->plain && r->crc != r->m.crc)
        bad_data(r, "checksum differs");
}

uint64_t zip_left(const zip_reader *r) { return r->left; }
