/* buf: a string that grows, from an arena. */
#ifndef JCB_BUF_H
#define JCB_BUF_H

#include "arena.h"
#include <stddef.h>

typedef struct buf {
    arena *a;
    char *s; /* NUL-terminated, NULL while empty */
    size_t n, capacity;
} buf;

void buf_add(buf *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_number(buf *t, double x);   /* a field of a TSV file, after a tab: ten digits, "-" for NaN */
void buf_put(buf *t, const char *s); /* verbatim */
/* Writes dir/name+suffix, atomically; a file that holds the same is left as it is. */
void buf_save(const buf *t, const char *dir, const char *name, const char *suffix);

/* Characters that mean something to the format are escaped; buf_tex also sets plus-minus, minus and dash; buf_html is
 * valid in text and quoted attributes, and puts U+FFFD for bytes that XML does not allow. */
void buf_md(buf *t, const char *s);
void buf_tex(buf *t, const char *s);
void buf_html(buf *t, const char *s);

#endif
