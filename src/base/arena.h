/* arena: memory that is released all at once.
 *
 * Every allocation is zeroed and aligned to 64 bytes. `live` counts the bytes handed out, which is what the
 * paper's memory table is about. An arena is used by one thread at a time. */
#ifndef JCB_ARENA_H
#define JCB_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arena {
    struct arena_chunk *chunks; /* the first one is being filled */
    struct arena_chunk *spare;  /* released by arena_reset, for later allocations */
    size_t live;
    int made; /* chunks in `chunks` */
} arena;

/* A position in an arena: arena_reset releases everything that was allocated after it. */
typedef struct arena_mark {
    size_t live, used;
    int made;
} arena_mark;

/* count * size bytes; dies with the number of bytes when the product overflows or memory is short. */
void *arena_alloc(arena *a, size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *arena_alloc_raw(arena *a, size_t count, size_t size)
    __attribute__((malloc, returns_nonnull)); /* not zeroed where memory is recycled */
char *arena_printf(arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *a, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
arena_mark arena_now(const arena *a);

/* Releases what was allocated since the mark; pointers to it are invalid afterwards, and so are later marks. The memory
 * stays with the arena: a loop that resets and allocates the same sizes again makes no system call. */
void arena_reset(arena *a, arena_mark mark);

void arena_free(arena *a); /* everything; the arena is empty and usable again */

#define NEW(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

#define NEW_RAW(a, type, count) ((type *)arena_alloc_raw((a), (count), sizeof(type)))

/* rows * cols elements. */
#define NEW_2D(a, type, rows, cols) ((type *)arena_alloc((a), (size_t)(rows) * (size_t)(cols), sizeof(type)))

/* Makes sure that the array v, of which n elements are in use, can take one more. Where n == capacity (an int64_t) the
 * elements are copied to an array of twice the capacity; `first` is the capacity of the first array, for v NULL. */
#define GROW(a, v, n, capacity, first) \
    ((v) = (n) < (capacity) ? (v) : arena_grow((a), (v), (n), &(capacity), (first), sizeof *(v)))
void *arena_grow(arena *a, const void *v, int64_t n, int64_t *capacity, int64_t first, size_t size);

/* For tests: the n-th allocation from now on dies as if memory were short; 0 switches that off. */
extern _Thread_local long arena_fail_at;

#endif
