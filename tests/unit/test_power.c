/* Simulated power failure: the system calls that reach the disk are logged while rows are written; then, for every
 * moment between two of them, possible states of the disk after a power failure are constructed and read. All synced
 * data are on it; writes that were not synced may be lost, truncated or zeroed, and changes of names may be lost from
 * any one on. Every row that record_append had reported by then must be found, once. Linked with --wrap. */
#include "../../src/base/err.h"
#include "../../src/base/rng.h"
#include "../../src/run/run.h"
#include "test.h"
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { WRITE, SYNC, SYNC_DIR, CREATE, RENAME, LINK, UNLINK, REPORTED };

typedef struct event {
    enum kind kind;
    ino_t file;
    size_t at, n;    /* WRITE: where, how many */
    char *data;      /* WRITE */
    char *name, *to; /* names, without the directory */
} event;

enum { EVENTS = 4096, FILES = 64, SIZE = 1 << 16 };
static event events[EVENTS];
static int nevents, logging;

static event *note(enum kind kind)
{
    if (!logging || nevents == EVENTS)
        return NULL;
    events[nevents] = (event){.kind = kind};
    return &events[nevents++];
}

static char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strdup(slash ? slash + 1 : path);
}

static ino_t inode(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? st.st_ino : 0;
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *data, size_t n);
int __real_fdatasync(int fd), __real_fsync(int fd), __real_unlink(const char *path);
int __real_rename(const char *from, const char *to), __real_link(const char *from, const char *to);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_write(int fd, const void *data, size_t n);
int __wrap_fdatasync(int fd), __wrap_fsync(int fd), __wrap_unlink(const char *path);
int __wrap_rename(const char *from, const char *to), __wrap_link(const char *from, const char *to);

int __wrap_open(const char *path, int flags, ...)
{
    struct stat st;
    va_list ap;
    va_start(ap, flags);
    int mode = flags & O_CREAT ? va_arg(ap, int) : 0, fresh = logging && (flags & O_CREAT) && stat(path, &st) != 0;
    va_end(ap);
    int fd = __real_open(path, flags, mode);
    event *e = fd >= 0 && fresh ? note(CREATE) : NULL;
    if (e)
        e->name = base(path), e->file = inode(fd);
    return fd;
}

ssize_t __wrap_write(int fd, const void *data, size_t n)
{
    ssize_t k = __real_write(fd, data, n);
    event *e = k > 0 && logging ? note(WRITE) : NULL;
    if (e) {
        off_t end = lseek(fd, 0, SEEK_CUR);
        e->file = inode(fd), e->at = (size_t)end - (size_t)k, e->n = (size_t)k, e->data = malloc((size_t)k);
        memcpy(e->data, data, (size_t)k);
    }
    return k;
}

static void note_sync(int fd)
{
    struct stat st;
    event *e = logging && fstat(fd, &st) == 0 ? note(S_ISDIR(st.st_mode) ? SYNC_DIR : SYNC) : NULL;
    if (e)
        e->file = st.st_ino;
}

int __wrap_fdatasync(int fd)
{
    note_sync(fd);
    return __real_fdatasync(fd);
}
int __wrap_fsync(int fd)
{
    note_sync(fd);
    return __real_fsync(fd);
}

static int note_name(enum kind kind, int rc, const char *from, const char *to)
{
    event *e = rc == 0 ? note(kind) : NULL;
    if (e)
        e->name = base(from), e->to = to ? base(to) : NULL;
    return rc;
}

int __wrap_rename(const char *from, const char *to) { return note_name(RENAME, __real_rename(from, to), from, to); }
int __wrap_link(const char *from, const char *to) { return note_name(LINK, __real_link(from, to), from, to); }
int __wrap_unlink(const char *path) { return note_name(UNLINK, __real_unlink(path), path, NULL); }

/* ---- the disk after a power failure ---- */

static rng chance;
static uint64_t drawn;
static int pick(int n) { return (int)rng_below(chance, 0, drawn++, (uint64_t)n); }

typedef struct name {
    char text[256];
    ino_t file;
} name;

static name *find(name *v, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(v[i].text, text))
            return &v[i];
    return NULL;
}

/* The names in the directory after the events of names before `cut`; those behind the last SYNC_DIR only up to a
 * point. */
static int names_at(name *v, int cut)
{
    int n = 0, synced = 0, end;
    for (int i = 0; i < cut; i++)
        if (events[i].kind == SYNC_DIR)
            synced = i;
    end = synced + pick(cut - synced + 1);
    for (int i = 0; i < end; i++) {
        const event *e = &events[i];
        name *from = e->name ? find(v, n, e->name) : NULL;
        if (e->kind == CREATE && n < FILES) {
            snprintf(v[n].text, sizeof v[n].text, "%s", e->name);
            v[n++].file = e->file;
        } else if ((e->kind == RENAME || e->kind == LINK) && from && n < FILES) {
            name *to = find(v, n, e->to);
            if (!to)
                to = &v[n++];
            snprintf(to->text, sizeof to->text, "%s", e->to);
            to->file = from->file;
        }
        if ((e->kind == RENAME || e->kind == UNLINK) && from) {
            n--;
            *from = v[n];
        }
    }
    return n;
}

/* What of the file is on the disk; returns its length. */
static size_t contents_at(char *out, ino_t file, int cut)
{
    int synced = 0;
    size_t size = 0;
    memset(out, 0, SIZE);
    for (int i = 0; i < cut; i++)
        if (events[i].kind == SYNC && events[i].file == file)
            synced = i;
    for (int i = 0; i < cut; i++) {
        const event *e = &events[i];
        if (e->kind != WRITE || e->file != file || e->at + e->n > SIZE)
            continue;
        int how = i < synced ? 3 : pick(4); /* dropped, cut short, zeroed, there */
        size_t n = how == 0 ? 0 : how == 1 ? (size_t)pick((int)e->n) : e->n;
        if (how != 2)
            memcpy(out + e->at, e->data, n);
        size = n && e->at + n > size ? e->at + n : size;
    }
    return size;
}

static void recover(const char *dir, int cut)
{
    static char data[SIZE];
    name v[FILES + 1];
    arena a = {0};
    int n = names_at(v, cut), reported = 0;
    for (int i = 0; i < n; i++) {
        size_t size = contents_at(data, v[i].file, cut);
        int fd = __real_open(arena_printf(&a, "%s/%s", dir, v[i].text), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        CHECK(fd >= 0 && __real_write(fd, data, size) == (ssize_t)size, "%s", v[i].text);
        close(fd);
    }
    records r = records_read(&a, dir);
    for (int i = 0; i < cut; i++)
        if (events[i].kind == REPORTED) {
            int found = 0;
            char key[17];
            for (int k = 0; k < r.n; k++)
                found += !strcmp(run_key_text(key, r.v[k].key), events[i].name);
            CHECK(found == 1, "cut before event %d of %d: row %d was reported and is there %d times", cut, nevents,
                  reported, found);
            reported++;
        }
    for (int i = 0; i < n; i++)
        __real_unlink(arena_printf(&a, "%s/%s", dir, v[i].text));
    arena_free(&a);
}

/* Rows of two programs, the second with more columns: the file is made, filled, extended and filled again. */
static void write_rows(const char *path)
{
    static const char *const few[] = {"key", "experiment", "status"}, *const more[] = {"key", "experiment", "spec",
                                                                                       "status"};
    arena a = {0};
    char key[17];
    for (int program = 0; program < 2; program++) {
        record_file *f = program ? record_open(&a, path, more, 4) : record_open(&a, path, few, 3);
        for (int i = 0; i < 12; i++) {
            snprintf(key, sizeof key, "%016x", 100 * program + i);
            const char *short_row[] = {key, "x", "ok"}, *row[] = {key, "x", "lr=0.5", "ok"};
            record_append(f, program ? row : short_row);
            event *e = note(REPORTED);
            if (e)
                e->name = strdup(key);
        }
        record_close(f);
    }
    arena_free(&a);
}

TEST_MAIN(test_power)
{
    char work[] = "/tmp/jcb_power_XXXXXX", disk[] = "/tmp/jcb_disk_XXXXXX";
    if (!mkdtemp(work) || !mkdtemp(disk))
        return EXIT_FAILURE;
    char path[64];
    snprintf(path, sizeof path, "%s/a.tsv", work);
    chance = rng_make(3, 0, RNG_TUNE);
    logging = 1;
    write_rows(path);
    logging = 0;
    CHECK(nevents > 60 && nevents < EVENTS, "%d events", nevents);
    err_program = "test_power, as expected"; /* headers that were cut short are reported */
    for (int cut = 0; cut <= nevents && !test_failures; cut++)
        for (int round = 0; round < 20 && !test_failures; round++)
            recover(disk, cut);
    printf("%d moments of a power cut\n", nevents + 1);
    test_remove(work);
    test_remove(disk);
    return test_end();
}
