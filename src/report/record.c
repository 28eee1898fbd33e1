/* record: appending rows.
 *
 * O_APPEND and one write() keep rows of several writers apart. flock() around it is for the tail: when an earlier
 * write was cut short (full disk, power), the next row starts with a line end of its own, so that the torn piece
 * becomes a malformed row and nothing is glued to it. Nothing that was written is ever changed. */
#include "record.h"
#include "../base/err.h"
#include "../base/file.h"
#include "record_rows.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct record_file {
    const char *path;
    int fd, ncols;
    uint64_t *slot; /* open addressing; 0 is empty */
    size_t mask;
    int has_zero; /* the key 0 itself */
    pthread_mutex_t lock;
};

static void lock_file(int fd)
{
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        ; /* a file system without locks: O_APPEND alone has to do */
}

/* Appends everything in one write(); 0, or the errno. */
static int append(int fd, const char *s, size_t n)
{
    ssize_t k;
    do
        k = write(fd, s, n);
    while (k < 0 && errno == EINTR);
    return k < 0 ? errno : (size_t)k < n ? ENOSPC : 0;
}

static int move_aside(const char *path)
{
    char to[4096];
    size_t stem = strlen(path);
    if (stem > 4 && !strcmp(path + stem - 4, ".tsv"))
        stem -= 4;
    for (int i = 1;; i++) {
        if ((size_t)snprintf(to, sizeof to, "%.*s.old-%d.tsv", (int)stem, path, i) >= sizeof to)
            return ENAMETOOLONG;
        struct stat st;
        if (lstat(to, &st) != 0)
            break;
    }
    if (rename(path, to) != 0)
        return errno;
    warn("%s has other columns than this program writes: moved to %s, its runs are not in the tables", path, to);
    return 0;
}

/* Opens the file and holds its lock; reopens when another process moved it aside meanwhile. */
static int open_locked(const char *path)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        struct stat mine, there;
        if (fd < 0)
            die("cannot open %s: %s (is the output directory writable?)", path, strerror(errno));
        lock_file(fd);
        if (fstat(fd, &mine) == 0 && !S_ISREG(mine.st_mode)) {
            close(fd);
            die("%s: not a regular file", path);
        }
        if (stat(path, &there) == 0 && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
            return fd;
        close(fd);
    }
}

static void remember(record_file *f, uint64_t key)
{
    if (!key) {
        f->has_zero = 1;
        return;
    }
    size_t i = key & f->mask;
    while (f->slot[i] && f->slot[i] != key)
        i = (i + 1) & f->mask;
    f->slot[i] = key;
}

static void load_keys(arena *a, record_file *f, const tsv *t)
{
    size_t size = 64;
    while (size < 2 * (size_t)t->rows)
        size *= 2;
    f->slot = NEW(a, uint64_t, size);
    f->mask = size - 1;
    for (int i = 0; i < t->rows; i++) {
        uint64_t key;
        if (!strcmp(t->cell[i][t->cols - 1], "ok") && record_key(t->cell[i][0], &key))
            remember(f, key);
    }
}

static const char *header_line(arena *a, const char *const *columns, int ncols)
{
    size_t n = 1;
    for (int j = 0; j < ncols; j++)
        n += strlen(columns[j]) + 1;
    char *line = arena_alloc(a, n, 1), *p = line;
    for (int j = 0; j < ncols; j++) {
        p = stpcpy(p, columns[j]);
        *p++ = j + 1 < ncols ? '\t' : '\n';
    }
    return line;
}

record_file *record_open(arena *a, const char *path, const char *const *columns, int ncols)
{
    if (ncols < 2 || strcmp(columns[0], "key") || strcmp(columns[ncols - 1], "status"))
        die("%s: the first column of a record is key, the last is status", path);
    record_file *f = NEW(a, record_file, 1);
    *f = (record_file){.path = arena_printf(a, "%s", path), .ncols = ncols, .lock = PTHREAD_MUTEX_INITIALIZER};
    const char *head = header_line(a, columns, ncols);
    size_t n = strlen(head);
    file_mkdirs(path);
    for (;;) {
        f->fd = open_locked(path);
        struct stat st;
        int error = fstat(f->fd, &st) ? errno : st.st_size == 0 ? append(f->fd, head, n) : 0;
        char *have = arena_alloc(a, n, 1);
        int same = !error && pread(f->fd, have, n, 0) == (ssize_t)n && !memcmp(have, head, n);
        if (same)
            break;
        if (!error)
            error = move_aside(path); /* while the lock is held */
        close(f->fd);
        if (error)
            die("cannot write %s: %s (free some space and start again)", path, strerror(error));
    }
    flock(f->fd, LOCK_UN);
    tsv t = record_rows(a, path, &(int){0});
    load_keys(a, f, &t);
    return f;
}

int record_done(const record_file *f, const char *key)
{
    uint64_t k;
    if (!record_key(key, &k))
        return 0;
    if (!k)
        return f->has_zero;
    size_t i = k & f->mask;
    while (f->slot[i] && f->slot[i] != k)
        i = (i + 1) & f->mask;
    return f->slot[i] == k;
}

static int append_row(record_file *f, const char *line, size_t n)
{
    struct stat st;
    char last = '\n';
    lock_file(f->fd);
    int torn = fstat(f->fd, &st) == 0 && st.st_size > 0 && pread(f->fd, &last, 1, st.st_size - 1) == 1 && last != '\n';
    int error = append(f->fd, line + !torn, n - !torn);
    flock(f->fd, LOCK_UN);
    return error;
}

void record_append(record_file *f, const char *const *values)
{
    size_t n = 1;
    for (int j = 0; j < f->ncols; j++)
        n += (values[j] ? strlen(values[j]) : 0) + 1;
    char *line = malloc(n + 1), *p = line;
    if (!line)
        die("out of memory: %zu bytes", n);
    *p++ = '\n'; /* used only after a torn row */
    for (int j = 0; j < f->ncols; j++) {
        for (const char *v = values[j] ? values[j] : ""; *v; v++)
            *p++ = *v == '\t' || *v == '\n' || *v == '\r' ? ' ' : *v;
        *p++ = j + 1 < f->ncols ? '\t' : '\n';
    }
    pthread_mutex_lock(&f->lock); /* flock() does not keep threads apart */
    int error = append_row(f, line, n);
    pthread_mutex_unlock(&f->lock);
    free(line);
    if (error)
        die("cannot append to %s: %s (free some space and start again: finished runs are kept)", f->path,
            strerror(error));
}

void record_close(record_file *f)
{
    close(f->fd);
    f->fd = -1;
}
