#include "flip_file.h"
#include "../../base/err.h"
#include "../text.h"
#include "../order.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* A pair and its line. */
typedef struct listed {
    int64_t key, line;
} listed;

static int by_key(const void *x, const void *y)
{
    const listed *a = x, *b = y;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->line > b->line) - (a->line < b->line);
}

static void check_repeats(const text *t, const listed *seen, int64_t n)
{
    for (int64_t k = 1; k < n; k++)
        if (seen[k].key == seen[k - 1].key)
            die("%s:%lld: the same pair as in line %lld: a pair can be flipped once", t->path, (long long)seen[k].line,
                (long long)seen[k - 1].line);
}

flip *flip_file_read(arena *a, int64_t *n, const char *path, const dataset *d, int cut, int64_t *size)
{
    bytes b = file_read(a, path, 0);
    if (cut)
        while (b.n && b.p[b.n - 1] != '\n')
            b.n--;
    if (size)
        *size = (int64_t)b.n;
    text t = text_open(b);
    int64_t max = text_lines(&t), m = 0;
    flip *f = NEW(a, flip, (size_t)max);
    listed *seen = NEW(a, listed, (size_t)max);
    while (text_next_line(&t)) {
        int x = (int)text_int(&t, "a node id", 0, d->nodes - 1);
        text_skip_blanks(&t);
        int y = (int)text_int(&t, "a node id", 0, d->nodes - 1);
        text_skip_blanks(&t);
        if (x == y)
            text_die(&t, "node %d with itself: loops are not supported", x);
        int u = dataset_row(d, x), v = dataset_row(d, y);
        f[m] = u < v ? (flip){u, v} : (flip){v, u};
        seen[m] = (listed){(int64_t)f[m].u * d->nodes + f[m].v, t.line};
        m++;
        text_eol(&t);
    }
    qsort(seen, (size_t)m, sizeof *seen, by_key);
    check_repeats(&t, seen, m);
    *n = m;
    return f;
}

static void put(const flip_file *f, const char *s, size_t n)
{
    int error = file_put(f->fd, s, n);
    if (error)
        die("cannot write %s: %s", f->path, strerror(error));
}

flip_file flip_file_open(arena *a, flip **known, int64_t *nknown, const char *path, const char *header,
                         const dataset *d, int wait)
{
    file_mkdirs(path);
    flip_file f = {path, open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666),
                   d->row ? order_inverse(a, d->row, d->nodes) : NULL};
    if (f.fd < 0)
        die("cannot write %s: %s", path, strerror(errno));
    while (flock(f.fd, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0 && (errno == EWOULDBLOCK || errno == EINTR))
        if (errno == EWOULDBLOCK)
            die("%s: another process is writing it", path);
    bytes b = file_read(a, path, 0);
    size_t n = strlen(header);
    const unsigned char *end = memchr(b.p, '\n', b.n);
    *known = NULL, *nknown = 0;
    if (!end && b.n <= n && !memcmp(b.p, header, b.n)) { /* new, or cut short in its first line */
        if (ftruncate(f.fd, 0) != 0)
            die("cannot write %s: %s", path, strerror(errno));
        put(&f, arena_printf(a, "%s\n", header), n + 1);
        return f;
    }
    if (!end || (size_t)(end - b.p) != n || memcmp(b.p, header, n))
        die("%s: is not of this attack, whose header is '%s'; choose another file, or remove it", path, header);
    int64_t size;
    *known = flip_file_read(a, nknown, path, d, 1, &size);
    if (ftruncate(f.fd, size) != 0)
        die("cannot write %s: %s", path, strerror(errno));
    return f;
}

void flip_file_add(const flip_file *f, const flip *more, int64_t n)
{
    char line[4096];
    size_t used = 0;
    for (int64_t k = 0; k < n; k++) {
        int u = f->node ? f->node[more[k].u] : more[k].u, v = f->node ? f->node[more[k].v] : more[k].v;
        used += (size_t)snprintf(line + used, sizeof line - used, "%d %d\n", u, v);
        if (used > sizeof line - 32 || k + 1 == n) {
            put(f, line, used);
            used = 0;
        }
    }
}

void flip_file_note(const flip_file *f, const char *note)
{
    char line[256];
    put(f, line, (size_t)snprintf(line, sizeof line, "# %s\n", note));
}

void flip_file_close(flip_file *f)
{
    if (fsync(f->fd) != 0 && errno != EINVAL)
        die("cannot write %s: %s", f->path, strerror(errno));
    close(f->fd);
    f->fd = -1;
}
