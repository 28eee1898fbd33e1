/* Records survive what happens to them: kill -9, torn lines, full disks, other columns, several writers, garbage. */
#include "../src/base/err.h"
#include "../src/base/file.h"
#include "../src/report/record.h"
#include "test.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const columns[] = {"key", "experiment", "dataset", "run", "test_acc", "param_hash", "lr", "status"};
enum { COLUMNS = 8 };
static char dir[] = "/tmp/jcb_record_XXXXXX";

static const char *path_of(arena *a, const char *name)
{
    return arena_printf(a, "%s/%s", dir, name);
}

static const char *key_of(char out[17], uint64_t i)
{
    snprintf(out, 17, "%016" PRIx64, i * UINT64_C(0x9E3779B97F4A7C15));
    return out;
}

static void add(record_file *f, uint64_t i, const char *acc, const char *status)
{
    char key[17], run[24];
    snprintf(run, sizeof run, "%" PRIu64, i);
    const char *v[] = {key_of(key, i), "balanced", "cora", run, acc, "ff", "0.01", status};
    record_append(f, v);
}

static int done(const record_file *f, uint64_t i)
{
    char key[17];
    return record_done(f, key_of(key, i));
}

static void put(const char *path, int flags, const char *s)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0666);
    CHECK(fd >= 0 && write(fd, s, strlen(s)) == (ssize_t)strlen(s), "%s", path);
    close(fd);
}

static void basics(void)
{
    arena a = {0};
    const char *path = path_of(&a, "basics.tsv");
    record_file *f = record_open(&a, path, columns, COLUMNS);
    CHECK(!done(f, 1), "empty");
    add(f, 0, "0.5", "ok");
    add(f, 1, "0.81", "ok");
    add(f, 2, "tab\there\nand line", "failed:out of\tmemory");
    record_close(f);
    f = record_open(&a, path, columns, COLUMNS);
    CHECK(done(f, 0) && done(f, 1) && !done(f, 2) && !done(f, 3), "keys");
    CHECK(!record_done(f, "") && !record_done(f, "zz") && !record_done(f, "0000000000000000x"), "bad keys");
    add(f, 2, "0.82", "ok");
    add(f, 1, "0.1", "failed:later"); /* does not undo the success */
    record_close(f);
    records r = records_read(&a, path);
    CHECK(r.t.rows == 3 && r.superseded == 2 && r.malformed == 0, "%d rows, %d, %d", r.t.rows, r.superseded,
          r.malformed);
    CHECK(!strcmp(tsv_get(&r.t, 1, "test_acc"), "0.81"), "%s", tsv_get(&r.t, 1, "test_acc"));
    CHECK(!strcmp(tsv_get(&r.t, 2, "test_acc"), "0.82"), "%s", tsv_get(&r.t, 2, "test_acc"));
    r = records_read(&a, path_of(&a, "nothing"));
    CHECK(r.t.rows == 0 && r.files == 0, "no such file is no rows");
    arena_free(&a);
}

static void torn(void)
{
    arena a = {0};
    const char *path = path_of(&a, "torn.tsv");
    record_file *f = record_open(&a, path, columns, COLUMNS), *g;
    add(f, 1, "0.1", "ok");
    put(path, O_APPEND, "0123456789abcdef\tbalanced\tco");
    CHECK(records_read(&a, path).t.rows == 1, "a torn end is not a row");
    g = record_open(&a, path, columns, COLUMNS); /* f was opened before the tear, g after */
    CHECK(done(g, 1) && !record_done(g, "0123456789abcdef"), "keys");
    add(f, 2, "0.2", "ok");
    put(path, O_APPEND, "1");
    add(g, 3, "0.3", "ok");
    add(f, 4, "0.4", "ok");
    record_close(f);
    record_close(g);
    records r = records_read(&a, path);
    CHECK(r.t.rows == 4 && r.malformed == 2, "%d rows, %d malformed", r.t.rows, r.malformed);
    bytes b = file_read(&a, path, 0);
    CHECK(strstr((const char *)b.p, "cdef\tbalanced\tco\n") != NULL, "the torn piece is kept as it was");
    arena_free(&a);
}

static void malformed(void)
{
    arena a = {0};
    const char *path = path_of(&a, "malformed.tsv"), *good = "00000000000000aa\tb\tcora\t0\t0.5\tff\t1\tok\n";
    record_file *f = record_open(&a, path, columns, COLUMNS);
    put(path, O_APPEND, good);
    put(path, O_APPEND, "\n\nshort\tok\n");
    put(path, O_APPEND, "00000000000000ab\tb\tcora\t0\t0.5\tff\t1\tok\ttoo many\n");
    put(path, O_APPEND, "00000000000000ac\tb\tcora\t0\t0.5\tff\t1\to\n");
    put(path, O_APPEND, "not hexadecimal!\tb\tcora\t0\t0.5\tff\t1\tok\n");
    put(path, O_APPEND, "00000000000000ad\tb\tcora\t0\t0.5\tff\t1\tfailed:why\n");
    int fd = open(path, O_WRONLY | O_APPEND);
    CHECK(write(fd, "0000\0\0\0\0\n", 9) == 9, "zeros");
    close(fd);
    record_close(f);
    records r = records_read(&a, path);
    CHECK(r.t.rows == 2 && r.malformed == 5, "%d rows, %d malformed", r.t.rows, r.malformed);
    put(path_of(&a, "other.tsv"), 0, "name\tvalue\nx\t1\n");
    CHECK(records_read(&a, path_of(&a, "other.tsv")).t.rows == 0, "not records");
    put(path_of(&a, "empty.tsv"), 0, "");
    CHECK(records_read(&a, path_of(&a, "empty.tsv")).t.rows == 0, "empty");
    f = record_open(&a, path_of(&a, "empty.tsv"), columns, COLUMNS);
    add(f, 1, "0.1", "ok");
    record_close(f);
    CHECK(records_read(&a, path_of(&a, "empty.tsv")).t.rows == 1, "an empty file is given its header");
    arena_free(&a);
}

static void other_header(void)
{
    arena a = {0};
    const char *const less[] = {"key", "experiment", "test_acc", "status"};
    const char *row[] = {"00000000000000aa", "balanced", "0.5", "ok"};
    const char *path = path_of(&a, "head/balanced.tsv");
    for (int i = 0; i < 2; i++) {
        record_file *f = record_open(&a, path, less, 4);
        CHECK(!record_done(f, row[0]), "a new file");
        record_append(f, row);
        record_close(f);
        f = record_open(&a, path, columns, COLUMNS);
        CHECK(!record_done(f, row[0]), "a new file");
        add(f, (uint64_t)i, "0.6", "ok");
        record_close(f);
    }
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-1.tsv")).t.rows == 1, "the first file is kept");
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-2.tsv")).t.rows == 1, "the second file is kept");
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-3.tsv")).t.rows == 1, "the third file is kept");
    records r = records_read(&a, path_of(&a, "head"));
    CHECK(r.files == 1 && r.t.rows == 1, "a directory is read without what was moved aside: %d files", r.files);
    arena_free(&a);
}

static void directory(void)
{
    arena a = {0};
    put(path_of(&a, "x"), 0, "");
    CHECK(mkdir(path_of(&a, "union"), 0777) == 0, "mkdir");
    put(path_of(&a, "union/a.tsv"), 0,
        "key\texperiment\tnodes\tparam_hash\tlr\tepochs\tstatus\n"
        "00000000000000aa\ta\t7\tff\t1\t2\tok\n00000000000000ab\ta\t7\tfe\t1\t2\tok\n"
        "00000000000000ac\ta\t7\tfe\t1\t3\tok\n");
    put(path_of(&a, "union/b.tsv"), 0,
        "key\texperiment\tepochs\tparam_hash\tepochs\tstatus\n00000000000000aa\tb\t100\tff\t200\tok\n");
    put(path_of(&a, "union/notes.txt"), 0, "not mine\n");
    records r = records_read(&a, path_of(&a, "union"));
    CHECK(r.files == 2 && r.t.rows == 4, "%d files, %d rows: the same key of two experiments is two runs", r.files,
          r.t.rows);
    CHECK(!strcmp(tsv_get(&r.t, 0, "nodes"), "7") && !strcmp(tsv_get(&r.t, 3, "nodes"), ""), "union of columns");
    CHECK(!strcmp(tsv_get(&r.t, 3, "epochs"), "100"), "of two columns with one name the first");
    CHECK(r.spec[0] == r.spec[1] && r.spec[1] != r.spec[2], "the hash is of the hyper-parameters");
    arena_free(&a);
}

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
    record_close(record_open(&a, path, less, 2)); /* all of them find a file to move aside, one does it */
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
    CHECK(missing == 0 && r.malformed == 0 && r.t.rows == WRITERS * ROWS + 200, "%d missing, %d malformed, %d rows",
          missing, r.malformed, r.t.rows);
    arena_free(&a);
}

/* A child appends for ever and says on a pipe what it has finished; whatever it said is there after kill -9. */
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
    int rows = records_read(&a, path).t.rows;
    CHECK(rows > 10 && done(f, 1) && done(f, (uint64_t)rows) && !done(f, (uint64_t)rows + 1), "%d rows were finished",
          rows);
    add(f, 5000, "0.5", "ok");
    record_close(f);
    records r = records_read(&a, path);
    CHECK(r.t.rows == rows + 1 && r.malformed == 1, "%d rows, %d malformed after space was freed", r.t.rows,
          r.malformed);
    job j = {.path = "/dev/full", .a = &a};
    CHECK(err_try(open_it, &j) != NULL, "a device is not a file");
    j.path = path_of(&a, "full.tsv/x.tsv");
    CHECK(err_try(open_it, &j) != NULL, "a directory that is a file");
    arena_free(&a);
}

int main(void)
{
    err_program = "test_record";
    if (!mkdtemp(dir))
        return EXIT_FAILURE;
    basics();
    torn();
    malformed();
    other_header();
    directory();
    several_writers();
    kill_nine();
    full_disk();
    test_remove(dir);
    return test_end();
}
