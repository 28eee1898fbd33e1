#include "stream.h"
#include "../../base/err.h"
#include "../../base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

stream stream_open(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        die("%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        die("%s: not a regular file", path);
    return (stream){path, (uint64_t)st.st_size};
}

void stream_read(void *buf, const stream *s, uint64_t at, size_t n)
{
    if (at > s->size || n > s->size - at)
        die("%s: needs %zu bytes at offset %llu, but has %llu in all: truncated or corrupt", s->path, n,
            (unsigned long long)at, (unsigned long long)s->size);
    int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        die("%s: %s", s->path, strerror(errno));
    size_t got;
    int error = file_get(fd, buf, n, (off_t)at, &got);
    close(fd);
    if (error)
        die("%s: %s", s->path, strerror(error));
    if (got < n)
        die("%s: shrank while it was read", s->path);
}
