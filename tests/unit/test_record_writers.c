/* Records with several writers, kill -9, full disks and errors of fstat(); claims of runs. Linked with --wrap. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "record_toy.h"
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void child_appends(const char *path, uint64_t first, int n)
{
    arena a = {0};
    record_file *f = record_open(&a, path, columns, COLUMNS);
    for (int i = 0; i < n; i++)
        add(f, first + (uint64_t)i, "0.123456789", "ok");
    record_close(f);
    arena_free(&a);
    _exit(0);
}

static void several_writers(void)
{
    enum { WRITERS = 4, ROWS = 500 };
    arena a = {0};
    const char *path = path_of(&a, "writers/shared.tsv");
    const char *const less[] = {"key", "status"};
    pid_t pid[WRITERS];
    record_close(record_open(&a, path, less, 2)); /* all of them find a file to extend, one does it */
    for (int w = 0; w < WRITERS; w++)
        if ((pid[w] = fork()) == 0)
            child_appends(path, (uint64_t)w * ROWS + 1, ROWS);
    for (int w = 0, status; w < WRITERS; w++)
        CHECK(waitpid(pid[w], &status, 0) == pid[w] && status == 0, "writer %d", w);
    CHECK(file_exists(path_of(&a, "writers/shared.old-1.tsv")) && !file_exists(path_of(&a, "writers/shared.old-2.tsv")),
          "aside");
    record_file *f = record_open(&a, path, columns, COLUMNS);
    int missing = 0;
    for (uint64_t i = 1; i <= WRITERS * ROWS; i++)
        missing += !done(f, i);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 200; i++)
        add(f, 100000 + (uint64_t)i, "0.5", "ok");
    record_close(f);
    records r = records_read(&a, path);
    CHECK(missing == 0 && r.malformed == 0 && r.n == WRITERS * ROWS + 200, "%d missing, %d malformed, %d rows", missing,
          r.malformed, r.n);
    arena_free(&a);
}

/* A child appends rows in an endless loop and reports each on a pipe; all reported rows exist after kill -9. */
static void kill_nine(void)
{
    arena a = {0};
    const char *path = path_of(&a, "killed.tsv");
    uint64_t said = 0, next = 1;
    for (int round = 0; round < 5; round++) {
        int pipe_fd[2];
        CHECK(pipe(pipe_fd) == 0, "pipe");
        pid_t pid = fork();
        if (pid == 0) {
            record_file *f = record_open(&a, path, columns, COLUMNS);
            for (uint64_t i = next;; i++) {
                if (done(f, i))
                    continue;
                add(f, i, "0.987654321", "ok");
                if (write(pipe_fd[1], &i, sizeof i) != sizeof i)
                    _exit(0);
            }
        }
        close(pipe_fd[1]);
        if (read(pipe_fd[0], &next, sizeof next) == sizeof next) /* it has begun, however busy the machine is */
            said = next;
        struct timespec some = {0, 20000000L * (round + 1)};
        nanosleep(&some, NULL);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        while (read(pipe_fd[0], &next, sizeof next) == sizeof next)
            said = next;
        close(pipe_fd[0]);
        next = 1;
    }
    record_file *f = record_open(&a, path, columns, COLUMNS);
    int missing = 0;
    for (uint64_t i = 1; i <= said; i++)
        missing += !done(f, i);
    record_close(f);
    records r = records_read(&a, path);
    CHECK(said > 0 && missing == 0 && r.superseded == 0, "%" PRIu64 " runs, %d missing, %d repeated", said, missing,
          r.superseded);
    arena_free(&a);
}

typedef struct job {
    record_file *f;
    const char *path;
    arena *a;
} job;

static void append_many(void *arg)
{
    job *j = arg;
    for (uint64_t i = 1; i < 1000; i++)
        add(j->f, i, "0.5", "ok");
}

static void open_it(void *arg)
{
    job *j = arg;
    j->f = record_open(j->a, j->path, columns, COLUMNS);
}

static void full_disk(void)
{
    arena a = {0};
    const char *path = path_of(&a, "full.tsv");
    int status;
    pid_t pid = fork();
    if (pid == 0) { /* a file that may not grow beyond 1000 bytes, in the middle of a row */
        struct rlimit small = {1000, 1000};
        signal(SIGXFSZ, SIG_IGN);
        job j = {.f = record_open(&a, path, columns, COLUMNS)};
        setrlimit(RLIMIT_FSIZE, &small);
        const char *message = err_try(append_many, &j);
        _exit(message && strstr(message, "full.tsv") && strstr(message, "finished runs are kept") &&
                      !strchr(message, '\n')
                  ? 0
                  : 1);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0, "one line, naming the file");
    record_file *f = record_open(&a, path, columns, COLUMNS);
    int rows = records_read(&a, path).n;
    CHECK(rows > 10 && done(f, 1) && done(f, (uint64_t)rows) && !done(f, (uint64_t)rows + 1), "%d rows were finished",
          rows);
    add(f, 5000, "0.5", "ok");
    record_close(f);
    records r = records_read(&a, path);
    CHECK(r.n == rows + 1 && r.malformed == 1, "%d rows, %d malformed after space was freed", r.n, r.malformed);
    job j = {.path = "/dev/full", .a = &a};
    CHECK(err_try(open_it, &j) != NULL, "a device is not a file");
    j.path = path_of(&a, "full.tsv/x.tsv");
    CHECK(err_try(open_it, &j) != NULL, "a directory that is a file");
    arena_free(&a);
}

/* Two that have the file open, as two processes would. */
static void claims(void)
{
    arena a = {0};
    char key[17], other[17];
    const char *path = path_of(&a, "claims.tsv");
    record_file *f = record_open(&a, path, columns, COLUMNS), *g = record_open(&a, path, columns, COLUMNS);
    key_of(key, 1), key_of(other, 2);
    CHECK(record_claim(f, key) && !record_claim(g, key) && record_claim(g, other), "a key is claimed by one");
    add(f, 1, "0.5", "ok");
    CHECK(!record_claim(g, key), "until it is released");
    record_release(f, key);
    CHECK(record_claim(g, key) && done(g, 1), "who claims it then sees the row");
    for (uint64_t i = 10; i < 400; i++)
        add(f, i, "0.5", i % 7 ? "ok" : "failed:x");
    put(path, O_APPEND, "torn");
    add(f, 400, "0.5", "ok");
    record_release(g, key);
    CHECK(!done(g, 11) && record_claim(g, key), "rows are read with the next claim");
    int bad = 0;
    for (uint64_t i = 10; i <= 400; i++)
        bad += done(g, i) != (i % 7 != 0 || i == 400);
    CHECK(!bad, "%d keys are wrong", bad);
    pid_t pid = fork(); /* a claim ends with its process */
    if (!pid) {
        record_file *h = record_open(&a, path, columns, COLUMNS);
        record_claim(h, key_of(other, 3));
        raise(SIGKILL);
    }
    waitpid(pid, NULL, 0);
    CHECK(record_claim(g, key_of(other, 3)), "a claim outlives kill -9");
    static const char *const more[] = {"key", "experiment", "dataset", "run", "acc", "hash", "lr", "new", "status"};
    record_file *h = record_open(&a, path, more, 9); /* replaces the file */
    const char *v[] = {key_of(key, 500), "balanced", "cora", "500", "1", "ff", "0.01", "x", "ok"};
    record_append(h, v);
    CHECK(!done(g, 500) && record_claim(g, key) && done(g, 500) && done(g, 400) && done(g, 1),
          "a file that was replaced");
    record_close(f), record_close(g), record_close(h);
    arena_free(&a);
}

static int stat_fails; /* the n-th fstat() from now on; 0: none */
int __wrap_fstat(int fd, struct stat *st), __real_fstat(int fd, struct stat *st);

int __wrap_fstat(int fd, struct stat *st)
{
    if (!stat_fails || --stat_fails)
        return __real_fstat(fd, st);
    errno = EIO;
    return -1;
}

static void add_one(void *f) { add(f, 1, "0.5", "ok"); }

/* A row that cannot be appended is an error, after which others can write. */
static void no_stat(void)
{
    arena a = {0};
    const char *path = path_of(&a, "stat.tsv");
    record_file *f = record_open(&a, path, columns, COLUMNS);
    stat_fails = 2; /* the first tells whether the file has been replaced */
    const char *why = err_try(add_one, f);
    CHECK(why && strstr(why, path) && strstr(why, strerror(EIO)), "%s", why ? why : "appended");
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0, "the file is still locked");
    close(fd);
    stat_fails = 0;
    add_one(f);
    record_close(f);
    CHECK(records_read(&a, path).n == 1, "a row after the error");
    arena_free(&a);
}

TEST_MAIN(test_record_writers)
{
    err_program = "test_record_writers";
    if (!mkdtemp(dir))
        return EXIT_FAILURE;
    several_writers();
    kill_nine();
    claims();
    full_disk();
    no_stat();
    test_remove(dir);
    return test_end();
}
