#include "npz.h"
#include "../../base/err.h"
#include "zip.h"
#include <math.h>
#include <string.h>

#define HEADER_MAX 65536

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "npy data is read as it is stored");

struct npz {
    arena *tmp;
    zip zip;
    int lone; /* a .npy file */
};

/* An array whose header has been read: the next byte read is its first element. */
typedef struct npy {
    zip_reader *in;
    const char *path, *key;
    char type; /* b, i, u, f or S */
    int size, fortran;
    npz_shape shape;
} npy;

npz *npz_open(arena *tmp, const char *path)
{
    npz *z = NEW(tmp, npz, 1);
    *z = (npz){.tmp = tmp, .zip = zip_open(tmp, path)};
    return z;
}

npz *npz_open_npy(arena *tmp, const char *path)
{
    npz *z = NEW(tmp, npz, 1);
    *z = (npz){.tmp = tmp, .zip.file = stream_open(path), .lone = 1};
    return z;
}

const char *npz_path(const npz *z) { return z->zip.file.path; }

static const zip_member *find(const npz *z, const char *key)
{
    size_t n = strlen(key);
    for (int i = 0; i < z->zip.count; i++) {
        const char *name = z->zip.member[i].name;
        if (strlen(name) == n + 4 && !memcmp(name, key, n) && !strcmp(name + n, ".npy"))
            return &z->zip.member[i];
    }
    return NULL;
}

int npz_has(const npz *z, const char *key) { return z->lone ? !*key : find(z, key) != NULL; }

static _Noreturn void bad(const npy *y, const char *why) { die("%s: array '%s': %s", y->path, y->key, why); }

/* The header is a Python dictionary in text: {'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), } */
typedef struct cursor {
    const char *p;
    const npy *y;
} cursor;

static void blanks(cursor *c)
{
    while (*c->p == ' ' || *c->p == '\n')
        c->p++;
}

static int accept(cursor *c, const char *s)
{
    blanks(c);
    size_t n = strlen(s);
    if (strncmp(c->p, s, n) != 0)
        return 0;
    c->p += n;
    return 1;
}

static void need(cursor *c, const char *s)
{
    if (!accept(c, s))
        bad(c->y, "corrupt npy header");
}

static void read_descr(cursor *c, npy *y)
{
    char order = 0;
    need(c, "'");
    if (*c->p == '<' || *c->p == '|')
        order = *c->p++;
    y->type = *c->p ? *c->p++ : 0;
    int size = 0;
    while (*c->p >= '0' && *c->p <= '9' && size < 100000)
        size = 10 * size + (*c->p++ - '0');
    y->size = size;
    int known = 0;
    if (y->type == 'S' || size == 1)
        known = order == '|' && size >= 1 && (y->type == 'S' || strchr("biu", y->type));
    else if (y->type == 'f' || y->type == 'i' || y->type == 'u')
        known = order == '<' && (size == 4 || size == 8 || (size == 2 && y->type != 'f'));
    if (!known || !accept(c, "'"))
        bad(y, "its element type is not supported (integers, booleans, float32 and float64 are)");
}

static void read_shape(cursor *c, npy *y)
{
    npz_shape s = {0, 1, 1, 1};
    need(c, "(");
    while (!accept(c, ")")) {
        blanks(c);
        int64_t n = 0;
        int digits = 0;
        for (; *c->p >= '0' && *c->p <= '9' && digits < 16; digits++)
            n = 10 * n + (*c->p++ - '0');
        if (!digits || digits == 16)
            bad(y, "its shape is corrupt");
        if (s.dims == 2)
            bad(y, "it has more than two dimensions");
        *(s.dims++ ? &s.cols : &s.rows) = n;
        if (!accept(c, ",") && *c->p != ')')
            bad(y, "its shape is corrupt");
    }
    if (__builtin_mul_overflow(s.rows, s.cols, &s.count))
        bad(y, "its shape is too large");
    y->shape = s;
}

static void read_header(npy *y, char *header)
{
    cursor c = {header, y};
    int seen[3] = {0};
    need(&c, "{");
    while (!accept(&c, "}")) {
        if (accept(&c, "'descr'")) {
            seen[0]++;
            need(&c, ":");
            read_descr(&c, y);
        } else if (accept(&c, "'fortran_order'")) {
            seen[1]++;
            need(&c, ":");
            y->fortran = accept(&c, "True");
            if (!y->fortran)
                need(&c, "False");
        } else {
            seen[2]++;
            need(&c, "'shape'");
            need(&c, ":");
            read_shape(&c, y);
        }
        if (!accept(&c, ",") && *c.p != '}')
            bad(y, "corrupt npy header");
    }
    blanks(&c);
    if (*c.p || seen[0] != 1 || seen[1] != 1 || seen[2] != 1)
        bad(y, "corrupt npy header");
}

static npy start(npz *z, const char *key)
{
    npy y = {.path = npz_path(z), .key = key};
    if (z->lone) {
        y.in = zip_start_plain(z->tmp, &z->zip.file);
    } else {
        const zip_member *m = find(z, key);
        if (!m)
            die("%s: no array '%s'", y.path, key);
        y.in = zip_start(z->tmp, &z->zip, m);
    }
    unsigned char h[12];
    if (zip_left(y.in) < 10)
        bad(&y, "not an npy array: too short");
    zip_read(h, y.in, 8);
    if (memcmp(h, "\x93NUMPY", 6) != 0 || h[6] < 1 || h[6] > 3 || h[7] != 0)
        bad(&y, "not an npy array of version 1.0 to 3.0");
    size_t wide = h[6] == 1 ? 2 : 4;
    memset(h, 0, sizeof h);
    zip_read(h, y.in, wide);
    size_t n = (size_t)h[0] | (size_t)h[1] << 8 | (size_t)h[2] << 16 | (size_t)h[3] << 24;
    if (n > HEADER_MAX || n > zip_left(y.in))
        bad(&y, "npy header too long: corrupt");
    char *header = NEW(z->tmp, char, n + 1);
    zip_read(header, y.in, n);
    read_header(&y, header);
    uint64_t size;
    if (__builtin_mul_overflow((uint64_t)y.shape.count, (uint64_t)y.size, &size) || size != zip_left(y.in))
        die("%s: array '%s': %lld x %lld elements of %d bytes claimed in %llu bytes: corrupt", y.path, key,
            (long long)y.shape.rows, (long long)y.shape.cols, y.size, (unsigned long long)zip_left(y.in));
    return y;
}

npz_shape npz_find(npz *z, const char *key) { return start(z, key).shape; }

/* One element as an integer; returns 0 if it is not one. */
static int as_int(int64_t *x, const npy *y, const unsigned char *p)
{
    union {
        int8_t i1;
        int16_t i2;
        int32_t i4;
        int64_t i8;
        uint16_t u2;
        uint32_t u4;
        uint64_t u8;
    } v = {0};
    memcpy(&v, p, (size_t)y->size);
    if (y->type == 'i')
        *x = y->size == 1 ? v.i1 : y->size == 2 ? v.i2 : y->size == 4 ? v.i4 : v.i8;
    else if (y->type == 'u' || y->type == 'b')
        *x = y->size == 1 ? *p : y->size == 2 ? v.u2 : y->size == 4 ? v.u4 : (int64_t)v.u8;
    else
        return 0;
    return !(y->type == 'u' && *x < 0);
}

static int as_double(double *x, const npy *y, const unsigned char *p)
{
    int64_t i;
    if (y->type == 'f' && y->size == 4) {
        float f;
        memcpy(&f, p, 4);
        *x = f;
    } else if (y->type == 'f') {
        memcpy(x, p, 8);
    } else if (as_int(&i, y, p)) {
        *x = (double)i;
    } else {
        return 0;
    }
    return isfinite(*x);
}

enum target { INTS, INT64S, REALS, FLAGS };

static int put(void *out, enum target to, int64_t at, const npy *y, const unsigned char *p, int64_t lo, int64_t hi)
{
    int64_t i;
    double d;
    if (to == INTS || to == INT64S) {
        if (!as_int(&i, y, p) || i < lo || i > hi)
            return 0;
        if (to == INTS)
            ((int *)out)[at] = (int)i;
        else
            ((int64_t *)out)[at] = i;
        return 1;
    }
    if (!as_double(&d, y, p))
        return 0;
    if (to == FLAGS)
        ((unsigned char *)out)[at] = d != 0;
    else
        ((real *)out)[at] = (real)d;
    return to == FLAGS || isfinite(((real *)out)[at]);
}

static void *load(arena *a, npz *z, const char *key, int64_t count, enum target to, int64_t lo, int64_t hi)
{
    static const size_t width[] = {sizeof(int), sizeof(int64_t), sizeof(real), 1};
    npy y = start(z, key);
    if (y.type == 'S' || (y.type == 'f' && (to == INTS || to == INT64S)))
        bad(&y, y.type == 'S' ? "contains text, not numbers" : "contains floats where integers are expected");
    if (count >= 0 && y.shape.count != count)
        die("%s: array '%s' has %lld elements, but %lld are expected", y.path, key, (long long)y.shape.count,
            (long long)count);
    void *out = arena_alloc(a, (size_t)y.shape.count, width[to]);
    unsigned char buf[65536];
    int64_t step = (int64_t)sizeof buf / y.size, i = 0, j = 0; /* i, j: row and column in Fortran order */
    for (int64_t k = 0; k < y.shape.count;) {
        int64_t n = y.shape.count - k < step ? y.shape.count - k : step;
        zip_read(buf, y.in, (size_t)(n * y.size));
        for (int64_t e = 0; e < n; e++, k++) {
            int64_t at = y.fortran ? i * y.shape.cols + j : k;
            if (!put(out, to, at, &y, buf + e * y.size, lo, hi))
                die(to == INTS || to == INT64S ? "%s: array '%s': element %lld is not in %lld..%lld"
                                               : "%s: array '%s': element %lld is not a finite number",
                    y.path, key, (long long)at, (long long)lo, (long long)hi);
            if (y.fortran && ++i == y.shape.rows) {
                i = 0;
                j++;
            }
        }
    }
    return out;
}

int *npz_ints(arena *a, npz *z, const char *key, int64_t count, int lo, int hi)
{
    return load(a, z, key, count, INTS, lo, hi);
}

int64_t *npz_int64s(arena *a, npz *z, const char *key, int64_t count, int64_t lo, int64_t hi)
{
    return load(a, z, key, count, INT64S, lo, hi);
}

real *npz_reals(arena *a, npz *z, const char *key, int64_t count) { return load(a, z, key, count, REALS, 0, 0); }

unsigned char *npz_flags(arena *a, npz *z, const char *key, int64_t count)
{
    return load(a, z, key, count, FLAGS, 0, 0);
}

int npz_is_word(npz *z, const char *key, const char *word)
{
    npy y = start(z, key);
    size_t n = strlen(word);
    char found[64] = "";
    if (y.type != 'S' || y.shape.count != 1 || y.size != (int)n || n >= sizeof found)
        return 0;
    zip_read(found, y.in, n);
    return !memcmp(found, word, n);
}
