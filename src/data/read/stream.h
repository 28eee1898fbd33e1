/* stream: reads parts of a large file. No descriptor stays open between two reads, so that a reader may die at any
 * time. */
#ifndef JCB_STREAM_H
#define JCB_STREAM_H

#include <stddef.h>
#include <stdint.h>

typedef struct stream {
    const char *path;
    uint64_t size;
} stream;

#define STREAM_WINDOW ((size_t)1 << 18) /* a good size for one read */

stream stream_open(const char *path); /* dies unless path is a readable regular file */

/* The n bytes from offset at on, into buf; dies when the file has fewer. */
void stream_read(void *buf, const stream *s, uint64_t at, size_t n);

#endif
