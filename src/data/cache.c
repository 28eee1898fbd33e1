/* cache: see cache.h. The payload is hashed by blocks of 1 MiB in parallel, and the block hashes in order. */
#include "cache.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x0A617461646A6362) /* also tells the byte order */
#define CACHE_VERSION 2
#define ALIGN ((uint64_t)64)
#define BLOCK ((uint64_t)1 << 20)

enum array { GRAPH_PTR, GRAPH_IDX, XS_PTR, XS_IDX, XS_VAL, XD, Y, YM, SPLIT_N, SPLIT_IDX, ROW, NOTE, ARRAYS };

typedef struct head {
    uint64_t magic;
    uint32_t version, real_size;
    uint64_t stamp, file_bytes, payload_hash, data_hash;
    int32_t nodes, features, classes, nsplits, origin, xs_values;
    struct {
        uint64_t at, bytes;
    } array[ARRAYS];
    uint64_t head_hash; /* of all bytes before it */
} head;

static uint64_t hash_head(const head *h) { return hash_bytes(HASH_INIT, h, offsetof(head, head_hash)); }

static uint64_t hash_payload(const unsigned char *p, uint64_t n)
{
    arena tmp = {0};
    int64_t blocks = (int64_t)((n + BLOCK - 1) / BLOCK);
    uint64_t *part = NEW(&tmp, uint64_t, (size_t)blocks), h = HASH_INIT;
#pragma omp parallel for schedule(static)
    for (int64_t b = 0; b < blocks; b++) {
        uint64_t at = (uint64_t)b * BLOCK;
        part[b] = hash_bytes(HASH_INIT, p + at, n - at < BLOCK ? n - at : BLOCK);
    }
    for (int64_t b = 0; b < blocks; b++)
        h = hash_u64(h, part[b]);
    arena_free(&tmp);
    return h;
}

/* ---- writing ---- */

/* The arrays of d with their sizes; the lists of the splits are copied to tmp. */
static void gather(arena *tmp, const void *from[ARRAYS], uint64_t size[ARRAYS], const dataset *d)
{
    size_t n = (size_t)d->nodes, k = 0;
    int *count = NEW_2D(tmp, int, PARTS, d->nsplits), *id;
    for (int s = 0; s < d->nsplits; s++)
        for (int p = 0; p < PARTS; p++)
            k += (size_t)(count[PARTS * s + p] = d->splits[s].n[p]);
    id = NEW(tmp, int, k);
    size[SPLIT_IDX] = k * sizeof(int);
    k = 0;
    for (int s = 0; s < d->nsplits; s++)
        for (int p = 0; p < PARTS; p++)
            for (int i = 0; i < d->splits[s].n[p]; i++)
                id[k++] = d->splits[s].idx[p][i];
    from[SPLIT_N] = count, size[SPLIT_N] = PARTS * (size_t)d->nsplits * sizeof(int);
    from[SPLIT_IDX] = id;
    from[GRAPH_PTR] = d->graph.ptr, size[GRAPH_PTR] = (n + 1) * sizeof(int64_t);
    from[GRAPH_IDX] = d->graph.idx, size[GRAPH_IDX] = (uint64_t)csr_nnz(&d->graph) * sizeof(int);
    if (d->xs.rows) {
        from[XS_PTR] = d->xs.ptr, size[XS_PTR] = (n + 1) * sizeof(int64_t);
        from[XS_IDX] = d->xs.idx, size[XS_IDX] = (uint64_t)csr_nnz(&d->xs) * sizeof(int);
        from[XS_VAL] = d->xs.val, size[XS_VAL] = d->xs.val ? (uint64_t)csr_nnz(&d->xs) * sizeof(real) : 0;
    }
    from[XD] = d->xd.v, size[XD] = (uint64_t)d->xd.rows * (uint64_t)d->xd.cols * sizeof(real);
    from[Y] = d->y, size[Y] = d->y ? n * sizeof(int) : 0;
    from[YM] = d->ym, size[YM] = d->ym ? n * (size_t)d->classes : 0;
    from[ROW] = d->row, size[ROW] = d->row ? n * sizeof(int) : 0;
    from[NOTE] = d->origin_note ? d->origin_note : "";
    size[NOTE] = strlen(from[NOTE]) + 1;
}

static uint64_t align(uint64_t at) { return (at + ALIGN - 1) / ALIGN * ALIGN; }

typedef struct job {
    arena tmp;
    const char *path;
    const dataset *d;
    uint64_t stamp;
} job;

static void store(void *arg)
{
    job *j = arg;
    const dataset *d = j->d;
    const void *from[ARRAYS] = {0};
    uint64_t size[ARRAYS] = {0};
    gather(&j->tmp, from, size, d);
    head h;
    memset(&h, 0, sizeof h); /* also the padding, which is hashed */
    h.magic = MAGIC, h.version = CACHE_VERSION, h.real_size = sizeof(real), h.stamp = j->stamp, h.data_hash = d->hash;
    h.nodes = d->nodes, h.features = d->features, h.classes = d->classes, h.nsplits = d->nsplits;
    h.origin = (int32_t)d->origin, h.xs_values = d->xs.rows && d->xs.val;
    uint64_t end = align(sizeof h);
    for (int k = 0; k < ARRAYS; k++) {
        h.array[k].at = end;
        h.array[k].bytes = size[k];
        end = align(end + size[k]);
    }
    h.file_bytes = end;
    unsigned char *file = NEW(&j->tmp, unsigned char, end);
    for (int k = 0; k < ARRAYS; k++)
        if (size[k])
            memcpy(file + h.array[k].at, from[k], size[k]);
    uint64_t payload = align(sizeof h);
    h.payload_hash = hash_payload(file + payload, end - payload);
    h.head_hash = hash_head(&h);
    memcpy(file, &h, sizeof h);
    file_write(j->path, file, end);
}

static void warn_once(const char *why)
{
    static int warned;
    if (!__atomic_exchange_n(&warned, 1, __ATOMIC_RELAXED))
        warn("loaded data sets are not cached: %s", why);
}

int cache_store(const char *path, const dataset *d, uint64_t stamp)
{
    job j = {.path = path, .d = d, .stamp = stamp};
    const char *why = err_try(store, &j);
    if (why)
        warn_once(why);
    arena_free(&j.tmp);
    return !why;
}

static void make_dir(void *path) { file_mkdirs(path); }

int cache_usable(const char *dir)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/x", dir) >= sizeof path)
        return 0;
    const char *why = err_try(make_dir, path);
    if (!why && access(dir, W_OK | X_OK) != 0) {
        snprintf(path, sizeof path, "%.4000s is not a writable directory", dir);
        why = path;
    }
    if (why)
        warn_once(why);
    return !why;
}

/* ---- reading ---- */

/* Whether ptr[0 .. rows] are the offsets of rows of `entries` column ids below cols. */
static int rows_ok(const int64_t *ptr, const int *idx, int64_t rows, uint64_t entries, int64_t cols)
{
    int64_t bad = ptr[0] != 0 || (uint64_t)ptr[rows] != entries;
    for (int64_t i = 0; i < rows; i++)
        bad |= ptr[i + 1] < ptr[i];
    if (bad)
        return 0;
#pragma omp parallel for reduction(| : bad) schedule(static)
    for (int64_t k = 0; k < (int64_t)entries; k++)
        bad |= idx[k] < 0 || idx[k] >= cols;
    return !bad;
}

static int ids_ok(const int *id, uint64_t n, int from, int64_t below)
{
    int64_t bad = 0;
    for (uint64_t k = 0; k < n; k++)
        bad |= id[k] < from || id[k] >= below;
    return !bad;
}

/* What is wrong with the arrays, or NULL; their offsets have been checked. Checks sizes against counts, then contents,
 * so that nothing is read out of bounds later. */
static const char *array_defect(const unsigned char *p)
{
    const head *h = (const head *)p;
    uint64_t size[ARRAYS], rows = (uint64_t)h->nodes, listed = 0;
    for (int k = 0; k < ARRAYS; k++)
        size[k] = h->array[k].bytes;
#define AT(k) ((const void *)(p + h->array[k].at))
    uint64_t links = size[GRAPH_IDX] / sizeof(int), entries = size[XS_IDX] / sizeof(int), dense = size[XD];
    if (size[GRAPH_PTR] != (rows + 1) * 8 || size[GRAPH_IDX] % sizeof(int) ||
        !rows_ok(AT(GRAPH_PTR), AT(GRAPH_IDX), h->nodes, links, h->nodes))
        return "inconsistent graph";
    if ((size[XS_PTR] != 0) == (dense != 0) || (dense && dense != rows * (uint64_t)h->features * sizeof(real)))
        return "inconsistent features";
    if (size[XS_PTR] && (size[XS_PTR] != (rows + 1) * 8 || size[XS_IDX] % sizeof(int) ||
                         size[XS_VAL] != (h->xs_values ? entries * sizeof(real) : 0) ||
                         !rows_ok(AT(XS_PTR), AT(XS_IDX), h->nodes, entries, h->features)))
        return "inconsistent features";
    if ((size[Y] != 0) == (size[YM] != 0) ||
        (size[Y] && (size[Y] != rows * sizeof(int) || !ids_ok(AT(Y), rows, -1, h->classes))) ||
        (size[YM] && size[YM] != rows * (uint64_t)h->classes))
        return "inconsistent labels";
    if (size[ROW] && (size[ROW] != rows * sizeof(int) || !ids_ok(AT(ROW), rows, 0, h->nodes)))
        return "inconsistent names of nodes";
    if (size[SPLIT_N] != PARTS * (uint64_t)h->nsplits * sizeof(int) ||
        !ids_ok(AT(SPLIT_N), PARTS * (uint64_t)h->nsplits, 0, (int64_t)h->nodes + 1))
        return "inconsistent splits";
    for (int k = 0; k < PARTS * h->nsplits; k++)
        listed += (uint64_t)((const int *)AT(SPLIT_N))[k];
    if (size[SPLIT_IDX] != listed * sizeof(int) || !ids_ok(AT(SPLIT_IDX), listed, 0, h->nodes))
        return "inconsistent splits";
    return !size[NOTE] || ((const char *)AT(NOTE))[size[NOTE] - 1] ? "inconsistent note" : NULL;
#undef AT
}

/* What is wrong with the file, or NULL. */
static const char *defect(const unsigned char *p, uint64_t n)
{
    const head *h = (const head *)p;
    uint64_t first = align(sizeof *h);
    if (h->file_bytes != n)
        return "truncated";
    if (n < first || hash_payload(p + first, n - first) != h->payload_hash)
        return "damaged contents";
    for (int k = 0; k < ARRAYS; k++)
        if (h->array[k].at % ALIGN || h->array[k].at > n || h->array[k].bytes > n - h->array[k].at)
            return "misplaced array";
    if (h->nodes < 1 || h->features < 0 || h->classes < 1 || h->nsplits < 0 || h->nsplits > INT32_MAX / PARTS ||
        h->origin < 0 || h->origin >= ORIGINS)
        return "impossible counts";
    return array_defect(p);
}

/* Maps the whole file; NULL: it does not exist, or is too short for a header (*why is set then). */
static unsigned char *map_file(uint64_t *n, const char **why, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct stat st;
    void *p = MAP_FAILED;
    int known = fstat(fd, &st) == 0, large = known && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(head);
    if (large)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED) {
        *why = known && !large ? "truncated" : "cannot be read";
        return NULL;
    }
    *n = (uint64_t)st.st_size;
    return p;
}

/* SIGBUS: a mapped file was truncated, or its disk failed. */
static void on_bus_error(int sig)
{
    static const char text[] = "bus error: a mapped file of the data cache was truncated or cannot be read: delete "
                               "data/cache and start again\n";
    (void)sig;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(EXIT_FAILURE);
}

static void adopt(arena *a, dataset *d, unsigned char *p)
{
    const head *h = (const head *)p;
#define AT(k) ((void *)(p + h->array[k].at))
    d->nodes = h->nodes, d->features = h->features, d->classes = h->classes, d->nsplits = h->nsplits;
    d->origin = (enum origin)h->origin, d->hash = h->data_hash, d->origin_note = AT(NOTE);
    d->graph = (csr){d->nodes, d->nodes, AT(GRAPH_PTR), AT(GRAPH_IDX), NULL, NULL};
    d->xs = (csr){0};
    d->xd = (mat){0};
    if (h->array[XS_PTR].bytes)
        d->xs = (csr){d->nodes, d->features, AT(XS_PTR), AT(XS_IDX), h->xs_values ? AT(XS_VAL) : NULL, NULL};
    else
        d->xd = (mat){d->nodes, d->features, AT(XD)};
    d->y = h->array[Y].bytes ? AT(Y) : NULL;
    d->ym = h->array[YM].bytes ? AT(YM) : NULL;
    d->row = h->array[ROW].bytes ? AT(ROW) : NULL;
    int *count = AT(SPLIT_N), *id = AT(SPLIT_IDX);
#undef AT
    d->splits = NEW(a, split, (size_t)d->nsplits);
    for (int s = 0; s < d->nsplits; s++)
        for (int part = 0; part < PARTS; part++) {
            d->splits[s].n[part] = *count;
            d->splits[s].idx[part] = id;
            id += *count++;
        }
}

int cache_load(arena *a, dataset *d, const char *path, uint64_t stamp)
{
    uint64_t n = 0;
    const char *why = NULL;
    unsigned char *p = map_file(&n, &why, path);
    if (p) {
        const head *h = (const head *)p;
        if (hash_head(h) != h->head_hash)
            why = "damaged header, or made by another version";
        else if (h->magic == MAGIC && h->version == CACHE_VERSION && h->real_size == sizeof(real) &&
                 h->stamp == stamp) {
            why = defect(p, n);
            if (!why) {
                signal(SIGBUS, on_bus_error);
                adopt(a, d, p);
                return 1;
            }
        }
        munmap(p, n);
    }
    if (why)
        warn("%s: %s: rebuilding it", path, why);
    return 0;
}
