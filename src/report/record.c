/* record: appending rows.
 *
 * O_APPEND and one write() keep rows of several writers apart; fdatasync() puts them on disk. flock() around it is for the tail: when an
 * earlier write was cut short (full disk, power), the next row starts with a line end of its own, so that the torn piece becomes a
 * malformed row and nothing is glued to it. Rows that were written are never changed; a file is replaced (by rename) only to get more
 * columns. A writer that had the replaced file open notices that under the lock and turns to the new one. */
#include "record.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "buf.h"
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
    arena a; /* what follows */
    const char *path;
    const char *const *name; /* the caller's columns */
    int ncols;
    int fd;
    int *from;  /* of each column of the file but `results` and `check`, which come last: the caller's column, -1: none */
    int width;  /* length of from */
    uint64_t *slot; /* keys that are done: open addressing; 0 is empty */
    size_t mask;
    int has_zero; /* the key 0 itself */
    pthread_mutex_t lock;
};

static void lock_file(int fd)
{
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        ; /* a file system without locks: O_APPEND alone has to do */
}

/* Appends everything in one write() and waits for the disk; 0, or the errno. */
static int append(int fd, const char *s, size_t n)
{
    ssize_t k;
    do
        k = write(fd, s, n);
    while (k < 0 && errno == EINTR);
    if (k < 0 || (size_t)k < n)
        return k < 0 ? errno : ENOSPC;
    return fdatasync(fd) != 0 && errno != EINVAL && errno != ENOSYS ? errno : 0; /* EINVAL: nothing to wait for, as on some file systems */
}

/* Gives the file a second name, NAME.old-N.tsv. */
static int keep_old(const char *path, char to[4096])
{
    size_t stem = strlen(path);
    if (stem > 4 && !strcmp(path + stem - 4, ".tsv"))
        stem -= 4;
    for (int i = 1;; i++) {
        if ((size_t)snprintf(to, 4096, "%.*s.old-%d.tsv", (int)stem, path, i) >= 4096)
            return ENAMETOOLONG;
        if (link(path, to) == 0)
            return 0;
        if (errno != EEXIST)
            return errno;
    }
}

static int move_aside(const char *path)
{
    char to[4096];
    int error = keep_old(path, to);
    if (!error && unlink(path) != 0)
        error = errno;
    if (!error)
        warn("%s does not hold records (its columns should run from key to status): moved to %s", path, to);
    return error;
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

/* need: a column in which a row must have something, or NULL. */
static void load_keys(arena *a, record_file *f, const tsv *t, const char *need)
{
    size_t size = 64;
    while (size < 2 * (size_t)t->rows)
        size *= 2;
    f->slot = NEW(a, uint64_t, size);
    f->has_zero = 0;
    f->mask = size - 1;
    for (int i = 0; i < t->rows; i++) {
        uint64_t key;
        int whole = !need || (tsv_col(t, need) >= 0 && *tsv_get(t, i, need));
        if (whole && !strcmp(tsv_get(t, i, "status"), "ok") && record_key(t->cell[i][0], &key))
            remember(f, key);
    }
}

/* ---- columns ---- */

static const char *const own[] = {"results", "check"};

static int column_of(const char *const *name, int n, const char *want)
{
    for (int j = 0; j < n; j++)
        if (!strcmp(name[j], want))
            return j;
    return -1;
}

/* The columns of the file: those that it has, then those of the caller that it lacks, `status`, and our own two. */
static int all_columns(const char **out, const tsv *t, const record_file *f)
{
    int n = 0;
    for (int j = 0; j < t->cols; j++)
        if (strcmp(t->name[j], "status") && column_of(own, 2, t->name[j]) < 0)
            out[n++] = t->name[j];
    for (int j = 0; j < f->ncols - 1; j++)
        if (column_of(out, n, f->name[j]) < 0)
            out[n++] = f->name[j];
    out[n++] = "status";
    out[n++] = own[0];
    out[n++] = own[1];
    return n;
}

/* Appends the cells and their check. */
static void put_row(buf *out, const char *const *cell, int n)
{
    size_t from = out->n;
    for (int j = 0; j < n; j++)
        buf_add(out, "%s%s", j ? "\t" : "", cell[j]);
    buf_add(out, "\t%016llx\n", (unsigned long long)hash_bytes(HASH_INIT, out->s + from, out->n - from));
}

/* Replaces the file by one with more columns and the same rows. While its lock is held. */
static int extend(record_file *f, const tsv *t, const char *const *name, int n)
{
    arena a = {0};
    buf out = {.a = &a};
    char to[4096];
    const char **cell = NEW(&a, const char *, (size_t)n);
    for (int j = 0; j < n; j++)
        buf_add(&out, "%s%c", name[j], j + 1 < n ? '\t' : '\n');
    for (int i = 0; i < t->rows; i++) {
        for (int j = 0; j < n - 1; j++) {
            int k = tsv_col(t, name[j]);
            cell[j] = k < 0 ? "" : t->cell[i][k];
        }
        put_row(&out, cell, n - 1);
    }
    int error = keep_old(f->path, to);
    if (!error)
        file_write(f->path, out.s, out.n);
    arena_free(&a);
    return error;
}

/* Makes the open and locked file fit: header, columns. 0: it does; 1: another file has taken its place; else -errno. */
static int fit(record_file *f)
{
    struct stat st;
    tsv t = {0};
    if (fstat(f->fd, &st) != 0)
        return -errno;
    if (st.st_size)
        t = record_rows(&f->a, f->path, &(int){0});
    if (st.st_size && (!t.name || column_of((const char *const *)t.name, t.cols, "key") != 0 || tsv_col(&t, "status") < 0)) {
        int error = move_aside(f->path);
        return error ? -error : 1;
    }
    const char **name = NEW(&f->a, const char *, (size_t)(t.cols + f->ncols + 3));
    int n = all_columns(name, &t, f);
    if (st.st_size && n > t.cols) {
        int error = extend(f, &t, name, n);
        return error ? -error : 1;
    }
    if (!st.st_size) {
        buf head = {.a = &f->a};
        for (int j = 0; j < n; j++)
            buf_add(&head, "%s%c", name[j], j + 1 < n ? '\t' : '\n');
        int error = append(f->fd, head.s, head.n);
        if (error)
            return -error;
        file_sync_dir(f->path);
    }
    f->width = n - 2;
    f->from = NEW(&f->a, int, (size_t)n);
    for (int j = 0; j < f->width; j++)
        f->from[j] = column_of(f->name, f->ncols, name[j]);
    return 0;
}

/* The file under our path, locked, with its columns known. */
static void attach(record_file *f)
{
    for (int again = 1; again;) {
        f->fd = open_locked(f->path);
        again = fit(f);
        if (again)
            close(f->fd);
        if (again < 0)
            die("cannot write %s: %s (free some space and start again)", f->path, strerror(-again));
    }
}

record_file *record_open(arena *a, const char *path, const char *const *columns, int ncols)
{
    if (ncols < 2 || strcmp(columns[0], "key") || strcmp(columns[ncols - 1], "status"))
        die("%s: the first column of a record is key, the last is status", path);
    record_file *f = NEW(a, record_file, 1);
    *f = (record_file){.path = arena_printf(a, "%s", path), .name = columns, .ncols = ncols, .lock = PTHREAD_MUTEX_INITIALIZER};
    file_mkdirs(path);
    attach(f);
    flock(f->fd, LOCK_UN);
    tsv t = record_rows(a, path, &(int){0});
    load_keys(a, f, &t, NULL);
    return f;
}

void record_need(record_file *f, const char *column)
{
    tsv t = record_rows(&f->a, f->path, &(int){0});
    load_keys(&f->a, f, &t, column);
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

static int append_row(record_file *f, const char *const *values)
{
    struct stat mine, there;
    lock_file(f->fd);
    if (fstat(f->fd, &mine) != 0 || stat(f->path, &there) != 0 || mine.st_ino != there.st_ino || mine.st_dev != there.st_dev) {
        close(f->fd);
        attach(f); /* somebody extended the file, or moved it */
        if (fstat(f->fd, &mine) != 0)
            return errno;
    }
    arena a = {0};
    buf line = {.a = &a};
    char last = '\n', version[16];
    const char **cell = NEW(&a, const char *, (size_t)f->width + 1);
    for (int j = 0; j < f->width; j++) {
        const char *v = f->from[j] >= 0 ? values[f->from[j]] : NULL;
        char *copy = arena_printf(&a, "%s", v ? v : "");
        for (char *c = copy; *c; c++)
            *c = *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c;
        cell[j] = copy;
    }
    snprintf(version, sizeof version, "%d", RESULTS_VERSION);
    cell[f->width] = version;
    put_row(&line, cell, f->width + 1);
    int torn = mine.st_size > 0 && pread(f->fd, &last, 1, mine.st_size - 1) == 1 && last != '\n';
    const char *text = torn ? arena_printf(&a, "\n%s", line.s) : line.s;
    int error = append(f->fd, text, strlen(text));
    flock(f->fd, LOCK_UN);
    arena_free(&a);
    return error;
}

void record_append(record_file *f, const char *const *values)
{
    pthread_mutex_lock(&f->lock); /* flock() does not keep threads apart */
    int error = append_row(f, values);
    pthread_mutex_unlock(&f->lock);
    if (error)
        die("cannot append to %s: %s (free some space and start again: finished runs are kept)", f->path,
            strerror(error));
}

void record_close(record_file *f)
{
    close(f->fd);
    f->fd = -1;
    arena_free(&f->a);
}
