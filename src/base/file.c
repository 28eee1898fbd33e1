#include "file.h"
#include "err.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

int file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

int file_named(const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0)
        return 1;
    if (errno != ENOENT && errno != ENOTDIR)
        die("%s: %s", path, strerror(errno));
    return 0;
}

int file_is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int file_ends(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && !strcmp(path + n - m, suffix);
}

static int by_name(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

char **file_list(arena *a, const char *dir, const char *suffix, int *n)
{
    DIR *d = opendir(dir);
    int capacity = 1;
    *n = 0;
    if (!d && errno == ENOENT)
        return NULL;
    if (!d)
        die("%s: %s", dir, strerror(errno));
    while (readdir(d))
        capacity++;
    rewinddir(d);
    char **name = NEW(a, char *, (size_t)capacity);
    for (struct dirent *e; (e = readdir(d)) && *n < capacity - 1;)
        if (*e->d_name != '.' && (!*suffix || file_ends(e->d_name, suffix)))
            name[(*n)++] = arena_printf(a, "%.*s", (int)(strlen(e->d_name) - strlen(suffix)), e->d_name);
    closedir(d);
    qsort(name, (size_t)*n, sizeof *name, by_name);
    return name;
}

int file_get(int fd, void *to, size_t n, off_t from, size_t *got)
{
    ssize_t k = 1;
    for (*got = 0; *got < n && k != 0; *got += k > 0 ? (size_t)k : 0) {
        k = pread(fd, (char *)to + *got, n - *got, from + (off_t)*got);
        if (k < 0 && errno != EINTR)
            return errno;
    }
    return 0;
}

int file_put(int fd, const void *data, size_t n)
{
    for (size_t put = 0; put < n;) {
        ssize_t k = write(fd, (const char *)data + put, n - put);
        if (k == 0 || (k < 0 && errno != EINTR))
            return k ? errno : ENOSPC;
        put += k > 0 ? (size_t)k : 0;
    }
    return 0;
}

bytes file_read(arena *a, const char *path, size_t max)
{
    struct stat link;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* nonblock: a FIFO is refused, not waited for */
    if (fd < 0 && errno == ENOENT && lstat(path, &link) == 0)
        die("%s: a dangling link", path);
    if (fd < 0)
        die("%s: %s", path, strerror(errno));
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        die("%s: not a regular file", path);
    }
    if (!max)
        max = (size_t)4 << 30;
    if ((uintmax_t)st.st_size > max) {
        close(fd);
        die("%s: %jd bytes is more than the %zu expected at most", path, (intmax_t)st.st_size, max);
    }
    size_t n = (size_t)st.st_size, got;
    unsigned char *p = arena_alloc(a, n + 1, 1);
    file_get(fd, p, n, 0, &got);
    close(fd);
    if (got < n)
        die("%s: read %zu of %zu bytes", path, got, n);
    return (bytes){p, n, path};
}

bytes file_read_gz(arena *a, const char *path, size_t max)
{
    if (!max)
        max = (size_t)4 << 30;
    bytes in = file_read(a, path, max);
    if (in.n < 18 || in.p[0] != 0x1f || in.p[1] != 0x8b)
        die("%s: not a gzip file", path);
    const unsigned char *tail = in.p + in.n - 4; /* the size modulo 2^32 as the last member states it */
    size_t want = (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
    if (want > max || want / 1100 > in.n) /* deflate expands at most 1032-fold */
        die("%s: claims %zu bytes from %zu: corrupt", path, want, in.n);
    unsigned char *out = arena_alloc(a, want + 1, 1);
    z_stream z = {
        .next_in = (unsigned char *)in.p, .avail_in = (uInt)in.n, .next_out = out, .avail_out = (uInt)want + 1};
    if (in.n > UINT32_MAX || inflateInit2(&z, 15 + 16) != Z_OK)
        die("%s: cannot inflate", path);
    int rc = inflate(&z, Z_FINISH);
    size_t got = z.total_out, left = z.avail_in;
    inflateEnd(&z);
    if (rc != Z_STREAM_END || got != want || left)
        die("%s: corrupt or truncated gzip data after %zu bytes", path, got);
    out[want] = 0;
    return (bytes){out, want, path};
}

void file_mkdirs(const char *path)
{
    char dir[4096];
    if (strlen(path) >= sizeof dir)
        die("%s: path is too long", path);
    strcpy(dir, path);
    for (char *s = dir + 1; *s; s++)
        if (*s == '/') {
            *s = 0;
            if (mkdir(dir, 0777) != 0 && errno != EEXIST)
                die("cannot create directory %s: %s", dir, strerror(errno));
            *s = '/';
        }
}

void file_sync_dir(const char *path)
{
    char dir[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) < sizeof dir - 1)
        snprintf(dir, sizeof dir, "%.*s", (int)(slash - path) + (slash == path), path);
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) { /* some file systems cannot: then there is nothing to be done */
        fsync(fd);
        close(fd);
    }
}

/* A new file beside path, under a name that is unpredictable and not in use. */
static int open_temporary(char tmp[4096], const char *path)
{
    for (int tries = 0; tries < 100; tries++) {
        uint64_t x;
        if (getrandom(&x, sizeof x, 0) != (ssize_t)sizeof x)
            die("cannot write %s: no random numbers for a temporary name: %s", path, strerror(errno));
        if ((size_t)snprintf(tmp, 4096, "%s.tmp%016llx", path, (unsigned long long)x) >= 4096)
            die("%s: path is too long", path);
        int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

void file_write(const char *path, const void *data, size_t n)
{
    char tmp[4096];
    file_mkdirs(path);
    int fd = open_temporary(tmp, path);
    if (fd < 0)
        die("cannot write %s: %s", path, strerror(errno));
    int error = file_put(fd, data, n);
    if (!error && fsync(fd) != 0 && errno != EINVAL)
        error = errno;
    if (close(fd) != 0 && !error)
        error = errno;
    if (!error && rename(tmp, path) != 0)
        error = errno;
    if (error) {
        unlink(tmp);
        die("cannot write %s: %s", path, strerror(error));
    }
    file_sync_dir(path);
}
