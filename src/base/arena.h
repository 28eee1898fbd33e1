/* arena: memory that is released all at once.
 *
 * Every allocation is zeroed and aligned to 64 bytes. `live` counts the bytes handed out, which is what the
 * paper's memory table is about. An arena is used by one thread at a time. */
#ifndef JCB_ARENA_H
#define JCB_ARENA_H

#include <stddef.h>

typedef struct arena {
    struct arena_chunk *chunks;
    size_t live;
} arena;

/* count * size bytes; dies with the number of bytes when the product overflows or memory is short. */
void *arena_alloc(arena *a, size_t count, size_t size) __attribute__((malloc, returns_nonnull));
char *arena_printf(arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(arena *a); /* everything; the arena is empty and usable again */

#define NEW(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

/* For tests: the n-th allocation from now on dies as if memory were short; 0 switches that off. */
extern _Thread_local long arena_fail_at;

#endif
