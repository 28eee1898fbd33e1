#include "arena.h"
#include "err.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGN ((size_t)64)
#define CHUNK ((size_t)1 << 20)
#define HUGE_CHUNK ((size_t)4 << 20) /* from here on ask the kernel for huge pages */

struct arena_chunk {
    struct arena_chunk *next;
    size_t size, used;
    size_t dirty; /* bytes before this one may have been written */
    int serial;   /* how many chunks the arena had before */
};

_Thread_local long arena_fail_at;

#ifdef __SANITIZE_ADDRESS__ /* one heap block for each allocation, so that an overrun is seen */
static struct arena_chunk *chunk_new(size_t size)
{
    void *p;
    if (posix_memalign(&p, ALIGN, size) != 0)
        return NULL;
    memset(p, 0, size);
    *(struct arena_chunk *)p = (struct arena_chunk){.size = size, .used = ALIGN};
    return p;
}
#define chunk_drop(c) free(c)
#else
static struct arena_chunk *chunk_new(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (size >= HUGE_CHUNK)
        madvise(p, size, MADV_HUGEPAGE);
    *(struct arena_chunk *)p = (struct arena_chunk){.size = size, .used = ALIGN};
    return p;
}
#define chunk_drop(c) munmap((c), (c)->size)
#endif

/* The smallest spare chunk of at least `want` bytes, taken out of the list; NULL: none. Chunks of CHUNK bytes serve
 * small allocations and no others. Of the larger ones that are too small the largest is given back to the system: the
 * block that has grown is likely the one that it was made for. */
static struct arena_chunk *spare_take(arena *a, size_t want)
{
    struct arena_chunk **best = NULL, **lesser = NULL;
    for (struct arena_chunk **q = &a->spare; *q; q = &(*q)->next) {
        size_t have = (*q)->size;
        if ((want == CHUNK) != (have == CHUNK))
            continue;
        if (have < want)
            lesser = !lesser || have > (*lesser)->size ? q : lesser;
        else
            best = !best || have < (*best)->size ? q : best;
    }
    struct arena_chunk **q = best ? best : lesser, *c = q ? *q : NULL;
    if (c)
        *q = c->next;
    if (c && !best) {
        chunk_drop(c);
        c = NULL;
    }
    return c;
}

static struct arena_chunk *chunk_add(arena *a, size_t want)
{
    int again =
        a->spare && want != CHUNK; /* larger than before the last reset: likely to grow further, so allocate 1/8 more */
    struct arena_chunk *c = spare_take(a, want), *head = a->chunks;
    if (!c)
        c = chunk_new(again ? want + want / 8 : want);
    if (!c)
        die("out of memory: %zu bytes more than the %zu in use", want, a->live);
    if (head && want != CHUNK) { /* keep filling the current chunk */
        c->next = head->next;
        head->next = c;
    } else {
        c->next = head;
        a->chunks = c;
    }
    c->serial = a->made++;
    return c;
}

static void *allocate(arena *a, size_t count, size_t size, int zero)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 2 * CHUNK)
        die("cannot allocate %zu items of %zu bytes", count, size);
    if (arena_fail_at && --arena_fail_at == 0)
        die("out of memory: %zu bytes (simulated)", bytes);
    struct arena_chunk *c = a->chunks;
#ifdef __SANITIZE_ADDRESS__
    c = NULL;
    size_t want = bytes + ALIGN;
#else
    bytes = (bytes + ALIGN - 1) & ~(ALIGN - 1);
    size_t want = bytes + ALIGN > CHUNK / 4 ? bytes + ALIGN : CHUNK;
    if (c && c->size - c->used < bytes)
        c = NULL;
#endif
    if (!c)
        c = chunk_add(a, want);
    char *p = (char *)c + c->used;
    if (zero && c->dirty > c->used)
        memset(p, 0, c->dirty - c->used < bytes ? c->dirty - c->used : bytes);
    c->used += bytes;
    a->live += bytes;
    return p;
}

void *arena_alloc(arena *a, size_t count, size_t size) { return allocate(a, count, size, 1); }

void *arena_alloc_raw(arena *a, size_t count, size_t size) { return allocate(a, count, size, 0); }

arena_mark arena_now(const arena *a) { return (arena_mark){a->live, a->chunks ? a->chunks->used : 0, a->made}; }

/* An empty chunk that may be used again; under the address sanitizer none is, so that a pointer into it is noticed. */
static void chunk_spare(arena *a, struct arena_chunk *c)
{
#ifdef __SANITIZE_ADDRESS__
    (void)a;
    chunk_drop(c);
#else
    c->dirty = c->used > c->dirty ? c->used : c->dirty;
    c->used = ALIGN;
    c->next = a->spare;
    a->spare = c;
#endif
}

void arena_reset(arena *a, arena_mark mark)
{
    struct arena_chunk *old = NULL, **end = &old;
    for (struct arena_chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        if (c->serial >= mark.made) {
            chunk_spare(a, c);
        } else {
            *end = c;
            end = &c->next;
        }
    }
    *end = NULL;
    a->chunks = old;
    if (old) { /* chunks added after the mark are released; this one was being filled at the mark */
        old->dirty = old->used > old->dirty ? old->used : old->dirty;
        old->used = mark.used;
    }
    a->live = mark.live;
    a->made = mark.made;
}

void *arena_grow(arena *a, const void *v, int64_t n, int64_t *capacity, int64_t first, size_t size)
{
    *capacity = *capacity ? 2 * *capacity : first;
    void *grown = arena_alloc(a, (size_t)*capacity, size);
    if (n)
        memcpy(grown, v, (size_t)n * size);
    return grown;
}

char *arena_vprintf(arena *a, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *s = arena_alloc(a, (size_t)n + 1, 1);
    vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

char *arena_printf(arena *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *s = arena_vprintf(a, fmt, args);
    va_end(args);
    return s;
}

void arena_free(arena *a)
{
    struct arena_chunk *const list[] = {a->chunks, a->spare};
    for (int k = 0; k < 2; k++)
        for (struct arena_chunk *c = list[k], *next; c; c = next) {
            next = c->next;
            chunk_drop(c);
        }
    *a = (arena){0};
}
