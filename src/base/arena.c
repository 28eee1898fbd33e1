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

void *arena_alloc(arena *a, size_t count, size_t size)
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
    if (!c) {
        c = chunk_new(want);
        if (!c)
            die("out of memory: %zu bytes more than the %zu in use", bytes, a->live);
        struct arena_chunk *head = a->chunks;
        if (head && want != CHUNK) { /* keep filling the current chunk */
            c->next = head->next;
            head->next = c;
        } else {
            c->next = head;
            a->chunks = c;
        }
    }
    void *p = (char *)c + c->used;
    c->used += bytes;
    a->live += bytes;
    return p;
}

char *arena_printf(arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = arena_alloc(a, (size_t)n + 1, 1);
    vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

void arena_free(arena *a)
{
    for (struct arena_chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        chunk_drop(c);
    }
    *a = (arena){0};
}
