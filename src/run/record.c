/* record: appending rows.
 *
 * O_APPEND and one write() keep rows of several writers apart; fdatasync() puts them on disk. flock() around the write
 * handles short writes: if an earlier write was cut short (full disk, power failure), the next row starts with a line
 * end, so that the torn piece becomes a malformed row of its own. Rows are never changed; a file is replaced (by
 * rename) only to add columns. A writer that has the replaced file open notices that under the lock and switches to the
 * new one. A process claims a run by locking one byte of a separate file, because flock() and byte locks are the same
 * lock on some network file systems. */
#include "record.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/buf.h"
#include "key_set.h"
#include "record_io.h"
#include "record_rows.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct record_file {
    arena a; /* owns the following */
    const char *path;
    const char *const *name; /* the caller's columns */
    int ncols;
    int fd;
    int *from; /* of each column of the file but the last two, `results` and `check`: the caller's column, -1: none */
    int width; /* length of from */
    key_set done;
    const char *need; /* a column that must not be empty in a row that counts, or NULL */
    off_t seen;       /* the keys of rows before this offset are in `done` */
    int claims;       /* the file whose bytes are locked, -1: none */
    pthread_mutex_t lock;
};

/* Cell j of a row, and what follows it; the row must have more than j cells. */
static const char *cell_at(const char *row, int j)
{
    for (; j > 0; j--)
        row = strchr(row, '\t') + 1;
    return row;
}

/* Whether a complete row counts: its run succeeded, and the column that the caller needs is not empty. */
static int counts(const record_file *f, const char *row)
{
    if (strncmp(cell_at(row, f->width - 1), "ok\t", 3))
        return 0;
    for (int j = 0; f->need && j < f->width; j++)
        if (f->from[j] >= 0 && !strcmp(f->name[f->from[j]], f->need))
            return *cell_at(row, j) != '\t';
    return !f->need;
}

/* Adds the keys of complete rows appended to the open file since the last call to `done`. The columns must be known.
 * Returns 0 or errno. */
static int load_keys(record_file *f)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return errno;
    if (st.st_size <= f->seen)
        return 0;
    arena tmp = {0};
    size_t n = (size_t)(st.st_size - f->seen), got = 0;
    char *text = NEW(&tmp, char, n + 1);
    int error = file_get(f->fd, text, n, f->seen, &got);
    for (char *row = text, *end = text + got, *nl; row < end && (nl = memchr(row, '\n', (size_t)(end - row)));
         row = nl + 1) {
        uint64_t key;
        *nl = 0;
        f->seen += nl + 1 - row;
        int whole = strlen(row) == (size_t)(nl - row) && record_cells(row) == f->width + 2 && record_checked(row);
        if (!whole || !counts(f, row))
            continue;
        row[strcspn(row, "\t")] = 0;
        if (record_key(row, &key))
            key_set_add(&f->done, &f->a, key);
    }
    arena_free(&tmp);
    return error;
}

/* The same with the lock held: an unfinished last line gets a line end, and counts if it lacked nothing else.
 * Otherwise the next writer would complete it, possibly after its run was repeated. */
static int load_all(record_file *f)
{
    struct stat st;
    int error = load_keys(f);
    if (!error && fstat(f->fd, &st) == 0 && st.st_size > f->seen && record_io_append(f->fd, "\n", 1) == 0)
        error = load_keys(f);
    return error;
}

static void die_unread(const record_file *f, int error)
{
    if (error)
        die("cannot read %s: %s (finished runs are unknown)", f->path, strerror(error));
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

/* The columns of the file: those that it has, each once, then the caller's that it lacks, `status`, `results` and
 * `check`. */
static int all_columns(const char **out, const tsv *t, const record_file *f)
{
    int n = 0;
    for (int j = 0; j < t->cols; j++)
        if (strcmp(t->name[j], "status") && column_of(own, 2, t->name[j]) < 0 && column_of(out, n, t->name[j]) < 0)
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

typedef struct replacement {
    const char *path;
    const buf *out;
} replacement;

static void replace(void *arg)
{
    const replacement *r = arg;
    file_write(r->path, r->out->s, r->out->n);
}

/* Replaces the file by one with these columns and the same rows. Its lock must be held. */
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
    int error = record_io_keep(f->path, to);
    replacement r = {f->path, &out};
    const char *why = error ? NULL : err_try(replace, &r);
    arena_free(&a);
    if (why) { /* nothing has changed; the next start tries again and makes its own copy */
        unlink(to);
        die("%s", why);
    }
    return error;
}

/* Whether the file has these columns, in this order. */
static int same_columns(const tsv *t, const char *const *name, int n)
{
    int same = t->cols == n;
    for (int j = 0; j < n && same; j++)
        same = !strcmp(t->name[j], name[j]);
    return same;
}

/* Writes the header or adds columns to the open and locked file as needed. 0: done; 1: the file was replaced, open it
 * again; else -errno. */
static int fit(record_file *f)
{
    struct stat st;
    tsv t = {0};
    if (fstat(f->fd, &st) != 0)
        return -errno;
    if (st.st_size)
        t = record_rows(&f->a, f->path, &(int){0});
    if (st.st_size && !record_header(&t)) {
        int error = record_io_move_aside(f->path);
        return error ? -error : 1;
    }
    const char **name = NEW(&f->a, const char *, (size_t)(t.cols + f->ncols + 3));
    int n = all_columns(name, &t, f);
    if (st.st_size && !same_columns(&t, name, n)) {
        int error = extend(f, &t, name, n);
        return error ? -error : 1;
    }
    if (!st.st_size) {
        buf head = {.a = &f->a};
        for (int j = 0; j < n; j++)
            buf_add(&head, "%s%c", name[j], j + 1 < n ? '\t' : '\n');
        int error = record_io_append(f->fd, head.s, head.n);
        if (error)
            return -error;
        file_sync_dir(f->path);
    }
    f->seen = 0;
    f->width = n - 2;
    f->from = NEW(&f->a, int, (size_t)n);
    for (int j = 0; j < f->width; j++)
        f->from[j] = column_of(f->name, f->ncols, name[j]);
    return 0;
}

/* Opens and locks the file at f->path, and reads its columns. */
static void attach(record_file *f)
{
    for (int again = 1; again;) {
        f->fd = record_io_open(f->path);
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
        die("%s: the first column of a record must be key, the last status", path);
    record_file *f = NEW(a, record_file, 1);
    *f = (record_file){
        .path = arena_printf(a, "%s", path), .name = columns, .ncols = ncols, .lock = PTHREAD_MUTEX_INITIALIZER};
    file_mkdirs(path);
    attach(f);
    int error = load_all(f);
    flock(f->fd, LOCK_UN);
    die_unread(f, error);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    f->claims = open(arena_printf(a, "%.*s.%s.lock", (int)(name - path), path, name),
                     O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    return f;
}

void record_need(record_file *f, const char *column)
{
    f->need = column;
    f->done = (key_set){0};
    f->seen = 0;
    die_unread(f, load_keys(f));
}

int record_done(record_file *f, const char *key)
{
    uint64_t k;
    if (!record_key(key, &k))
        return 0;
    pthread_mutex_lock(&f->lock);
    int done = key_set_has(&f->done, k);
    pthread_mutex_unlock(&f->lock);
    return done;
}

/* Locks the file at f->path, reopening it if another process has replaced it. */
static void lock_current(record_file *f)
{
    struct stat mine, there;
    record_io_lock(f->fd);
    if (fstat(f->fd, &mine) == 0 && stat(f->path, &there) == 0 && mine.st_ino == there.st_ino &&
        mine.st_dev == there.st_dev)
        return;
    close(f->fd);
    attach(f); /* another process extended or moved the file */
}

/* Locks or unlocks the byte of the key; 0: another process holds it. Locks belong to the open file, so they end with
 * the process. */
static int lock_byte(const record_file *f, const char *key, short type)
{
    uint64_t k;
    if (f->claims < 0 || !record_key(key, &k))
        return 1;
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)(k >> 1 & INT64_MAX >> 1), .l_len = 1};
    int rc;
    do
        rc = fcntl(f->claims, F_OFD_SETLK, &l);
    while (rc != 0 && errno == EINTR);
    return rc == 0 || (errno != EAGAIN && errno != EACCES);
}

int record_claim(record_file *f, const char *key)
{
    if (!lock_byte(f, key, F_WRLCK))
        return 0;
    pthread_mutex_lock(&f->lock);
    lock_current(f);
    int error = load_all(f);
    flock(f->fd, LOCK_UN);
    pthread_mutex_unlock(&f->lock);
    die_unread(f, error);
    return 1;
}

void record_release(record_file *f, const char *key) { lock_byte(f, key, F_UNLCK); }

static int append_row(record_file *f, const char *const *values)
{
    struct stat mine;
    lock_current(f);
    int error = fstat(f->fd, &mine) != 0 ? errno : 0;
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
    if (!error && mine.st_size)
        error = file_get(f->fd, &last, 1, mine.st_size - 1, &(size_t){0});
    const char *text = last == '\n' ? line.s : arena_printf(&a, "\n%s", line.s);
    if (!error)
        error = record_io_append(f->fd, text, strlen(text));
    flock(f->fd, LOCK_UN);
    arena_free(&a);
    return error;
}

void record_append(record_file *f, const char *const *values)
{
    pthread_mutex_lock(&f->lock); /* flock() does not exclude other threads of this process */
    int error = append_row(f, values);
    pthread_mutex_unlock(&f->lock);
    if (error)
        die("cannot append to %s: %s (free some space and start again: finished runs are kept)", f->path,
            strerror(error));
}

record_row record_row_new(record_file *f)
{
    record_row r = {.f = f};
    r.value = NEW(&r.a, const char *, (size_t)f->ncols);
    return r;
}

void record_put(record_row *r, const char *column, const char *format, ...)
{
    int j = column_of(r->f->name, r->f->ncols, column);
    if (j < 0)
        die("%s: no column '%s' was declared", r->f->path, column);
    va_list args;
    va_start(args, format);
    r->value[j] = arena_vprintf(&r->a, format, args);
    va_end(args);
}

void record_put_hash(record_row *r, const char *column, uint64_t hash)
{
    record_put(r, column, "%016llx", (unsigned long long)hash);
}

void record_row_append(record_row *r)
{
    record_append(r->f, r->value);
    arena_free(&r->a);
}

void record_close(record_file *f)
{
    close(f->fd);
    if (f->claims >= 0)
        close(f->claims);
    f->fd = f->claims = -1;
    arena_free(&f->a);
}
