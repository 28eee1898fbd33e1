#include "record_io.h"
#include "../base/err.h"
#include "../base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void record_io_lock(int fd)
{
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        ; /* ENOLCK and the like: without locks O_APPEND alone keeps rows apart */
}

int record_io_append(int fd, const char *s, size_t n)
{
    int error = file_put(fd, s, n);
    return !error && fdatasync(fd) != 0 && errno != EINVAL && errno != ENOSYS ? errno
                                                                              : error; /* EINVAL: not supported */
}

int record_io_keep(const char *path, char to[4096])
{
    size_t stem = strlen(path) - (file_ends(path, ".tsv") ? strlen(".tsv") : 0);
    for (int i = 1;; i++) {
        if ((size_t)snprintf(to, 4096, "%.*s.old-%d.tsv", (int)stem, path, i) >= 4096)
            return ENAMETOOLONG;
        if (link(path, to) == 0)
            return 0;
        if (errno != EEXIST)
            return errno;
    }
}

int record_io_move_aside(const char *path)
{
    char to[4096];
    int error = record_io_keep(path, to);
    if (!error && unlink(path) != 0)
        error = errno;
    if (!error)
        warn("%s does not hold records (its columns should run from key to status): moved to %s", path, to);
    return error;
}

int record_io_open(const char *path)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        struct stat mine, there;
        if (fd < 0)
            die("cannot open %s: %s (is the output directory writable?)", path, strerror(errno));
        record_io_lock(fd);
        int known = fstat(fd, &mine) == 0, found = known && stat(path, &there) == 0, error = errno;
        if (known && !S_ISREG(mine.st_mode)) {
            close(fd);
            die("%s: not a regular file", path);
        }
        if (!found && (!known || error != ENOENT)) { /* ENOENT: another process has just moved it */
            close(fd);
            die("cannot open %s: %s", path, strerror(error));
        }
        if (found && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
            return fd;
        close(fd);
    }
}
