#include "hops.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../kernel/kernels.h"
#include "blocks.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 32768, HEAD = 64 };
#define MAGIC UINT64_C(0x3170686a63620a01)

typedef struct head {
    uint64_t magic, data, hash;
    int32_t number, rows, cols, real_size;
} head;

static void multiply(mat y, const csr *g, enum adjacency kind, mat x)
{
    arena tmp = {0};
    int *rows = NEW_RAW(&tmp, int, ROWS);
    arena_mark start = arena_now(&tmp);
    for (int first = 0; first < g->rows; first += ROWS) {
        int n = g->rows - first < ROWS ? g->rows - first : ROWS;
        arena_reset(&tmp, start);
        for (int i = 0; i < n; i++)
            rows[i] = first + i;
        const csr *all = blocks_links(&tmp, g, kind, rows, n);
        csr piece = {n,        g->rows,  all->ptr + first,
                     all->idx, all->val, NULL}; /* rows before it are empty: its offsets start at 0 */
        spmm(mat_row(y, first), &piece, x.v, x.cols, 0);
    }
    arena_free(&tmp);
}

static uint64_t hash_values(mat m)
{
    uint64_t h = HASH_INIT;
    for (int i = 0; i < m.rows; i += ROWS)
        h = hash_bytes(h, mat_row(m, i),
                       (size_t)(m.rows - i < ROWS ? m.rows - i : ROWS) * (size_t)m.cols * sizeof(real));
    return h;
}

static unsigned char *map(const char *path, int flags, int protection, size_t size)
{
    int fd = open(path, flags, 0666);
    if (fd < 0)
        return NULL;
    struct stat st;
    int fits = flags & O_CREAT ? ftruncate(fd, (off_t)size) == 0 : fstat(fd, &st) == 0 && (size_t)st.st_size == size;
    unsigned char *p = fits ? mmap(NULL, size, protection, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

/* The file of an earlier run; NULL: it does not exist or does not match. */
static unsigned char *map_earlier(const char *path, const head *want, size_t size)
{
    unsigned char *p = map(path, O_RDONLY, PROT_READ, size);
    head h;
    if (!p)
        return NULL;
    memcpy(&h, p, sizeof h);
    mat m = {want->rows, want->cols, (real *)(void *)(p + HEAD)};
    uint64_t hash = h.hash;
    h.hash = 0;
    if (!memcmp(&h, want, sizeof h) && hash == hash_values(m))
        return p;
    munmap(p, size);
    return NULL;
}

mat hops_propagate(arena *a, const csr *graph, enum adjacency kind, mat x, const hops_file *file, double limit)
{
    size_t payload = (size_t)x.rows * (size_t)x.cols * sizeof(real), size = HEAD + payload;
    if ((double)payload <= limit || !file->cache || !*file->cache) {
        mat y = mat_raw(a, x.rows, x.cols);
        multiply(y, graph, kind, x);
        return y;
    }
    head want = {.magic = MAGIC,
                 .data = file->data_hash,
                 .number = file->number,
                 .rows = x.rows,
                 .cols = x.cols,
                 .real_size = sizeof(real)};
    const char *path = arena_printf(a, "%s/%016" PRIx64 "-%d.hop", file->cache, file->data_hash, file->number);
    unsigned char *p = map_earlier(path, &want, size);
    if (p)
        return (mat){x.rows, x.cols, (real *)(void *)(p + HEAD)};
    const char *tmp = arena_printf(a, "%s.%ld.tmp", path, (long)getpid());
    file_mkdirs(path);
    p = map(tmp, O_RDWR | O_CREAT | O_TRUNC, PROT_READ | PROT_WRITE, size);
    if (!p)
        die("cannot write %s (%.1f GB of propagated features that memory has no room for): %s", tmp, (double)size / 1e9,
            strerror(errno));
    mat y = {x.rows, x.cols, (real *)(void *)(p + HEAD)};
    multiply(y, graph, kind, x);
    want.hash = hash_values(y);
    memcpy(p, &want, sizeof want);
    if (msync(p, size, MS_SYNC) != 0 || rename(tmp, path) != 0)
        warn("%s: %s: propagated features will be computed again next time", path, strerror(errno)), unlink(tmp);
    return y;
}
