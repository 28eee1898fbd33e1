/* Records survive what happens to them: kill -9, torn lines, full disks, other columns and versions, several writers, garbage. */
#include "../src/base/err.h"
#include "../src/base/file.h"
#include "../src/base/hash.h"
#include "../src/model/spec.h"
#include "../src/record/record.h"
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

static int done(record_file *f, uint64_t i)
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

/* A row as the program writes it: results version and check behind the cells. */
static void put_row(const char *path, const char *cells)
{
    char text[512], line[600];
    snprintf(text, sizeof text, "%s\t%d", cells, RESULTS_VERSION);
    snprintf(line, sizeof line, "%s\t%016" PRIx64 "\n", text, hash_bytes(HASH_INIT, text, strlen(text)));
    put(path, O_APPEND, line);
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
    const char *path = path_of(&a, "malformed.tsv"), *good = "00000000000000aa\tb\tcora\t0\t0.5\tff\t1\tok";
    record_file *f = record_open(&a, path, columns, COLUMNS);
    put_row(path, good);
    put(path, O_APPEND, "\n\nshort\tok\n");
    put_row(path, "00000000000000ab\tb\tcora\t0\t0.5\tff\t1\tok\ttoo many");
    put_row(path, "00000000000000ac\tb\tcora\t0\t0.5\tff\t1\to");
    put_row(path, "not hexadecimal!\tb\tcora\t0\t0.5\tff\t1\tok");
    put_row(path, "00000000000000ad\tb\tcora\t0\t0.5\tff\t1\tfailed:why");
    put(path, O_APPEND, "00000000000000ae\tb\tcora\t0\t0.5\tff\t1\tok\t1\t0123456789abcdef\n"); /* another check */
    int fd = open(path, O_WRONLY | O_APPEND);
    CHECK(write(fd, "0000\0\0\0\0\n", 9) == 9, "zeros");
    close(fd);
    record_close(f);
    records r = records_read(&a, path);
    CHECK(r.t.rows == 2 && r.malformed == 6, "%d rows, %d malformed", r.t.rows, r.malformed);
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

/* A program with other columns: none of its own is lost, none of the file's either, and writers that were there before go on. */
static void other_columns(void)
{
    arena a = {0};
    const char *const less[] = {"key", "experiment", "old", "status"}, *const more[] = {"key", "experiment", "old", "new", "status"};
    const char *row[] = {"00000000000000aa", "balanced", "7", "ok"}, *late[] = {"00000000000000ab", "balanced", "8", "ok"};
    const char *wide[] = {"00000000000000ac", "balanced", "9", "10", "ok"};
    const char *path = path_of(&a, "head/balanced.tsv");
    record_file *f = record_open(&a, path, less, 4), *g, *h;
    record_append(f, row);
    g = record_open(&a, path, columns, COLUMNS);
    CHECK(record_done(g, row[0]), "the run of the file before");
    add(g, 1, "0.6", "ok");
    record_append(f, late); /* f had the file open that g replaced */
    h = record_open(&a, path, more, 5);
    record_append(h, wide);
    add(g, 2, "0.7", "ok");
    record_close(f);
    record_close(g);
    record_close(h);
    records r = records_read(&a, path_of(&a, "head"));
    CHECK(r.files == 1 && r.t.rows == 5 && !r.malformed, "%d files, %d rows, %d malformed", r.files, r.t.rows, r.malformed);
    static const char *const want[5][4] = {{"7", "", "", "balanced"}, {"", "0.6", "", "balanced"}, {"8", "", "", "balanced"}, {"9", "", "10", "balanced"}, {"", "0.7", "", "balanced"}};
    for (int i = 0; i < 5 && i < r.t.rows; i++)
        CHECK(!strcmp(tsv_get(&r.t, i, "old"), want[i][0]) && !strcmp(tsv_get(&r.t, i, "test_acc"), want[i][1]) &&
                  !strcmp(tsv_get(&r.t, i, "new"), want[i][2]) && !strcmp(tsv_get(&r.t, i, "experiment"), want[i][3]),
              "row %d", i);
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-1.tsv")).t.rows == 1, "the first file is kept");
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-2.tsv")).t.rows == 3, "the second file is kept");
    put(path_of(&a, "head/notes.tsv"), 0, "name\tvalue\nx\t1\n");
    f = record_open(&a, path_of(&a, "head/notes.tsv"), less, 4);
    record_append(f, row);
    record_close(f);
    CHECK(file_exists(path_of(&a, "head/notes.old-1.tsv")), "what is no record file is moved aside");
    arena_free(&a);
}

/* Records of a program that had fewer hyper-parameters, or more, and of one before there were versions. */
static void specs(void)
{
    static const char *const with[] = {"key", "experiment", "spec", "status"};
    arena a = {0};
    const char *path = path_of(&a, "specs/a.tsv");
    record_file *f = record_open(&a, path, with, 4);
    record_append(f, (const char *[]){"00000000000000aa", "a", "lr=0.005 tau=0.1", "ok"});
    record_append(f, (const char *[]){"00000000000000ab", "a", "lr=0.005 tau=0.1", "ok"});
    record_append(f, (const char *[]){"00000000000000ac", "a", "", "ok"});
    record_append(f, (const char *[]){"00000000000000ad", "a", "not_invented_yet=3", "ok"});
    record_close(f);
    put(path_of(&a, "specs/before.tsv"), 0, "key\tschema\texperiment\tparam_hash\tlr\tstatus\n00000000000000aa\t1\tb\tff\t0.01\tok\n");
    records r = records_read(&a, path_of(&a, "specs"));
    CHECK(r.t.rows == 4 && r.older == 1 && !r.malformed, "%d rows, %d older, %d malformed", r.t.rows, r.older, r.malformed);
    CHECK(!strcmp(tsv_get(&r.t, 0, "lr"), "0.005") && !strcmp(tsv_get(&r.t, 0, "tau"), "0.1") && !strcmp(tsv_get(&r.t, 0, "hidden"), "64") &&
              !strcmp(tsv_get(&r.t, 2, "lr"), "0.01") && !strcmp(tsv_get(&r.t, 3, "max_epochs"), "200"),
          "values and defaults");
    CHECK(r.spec[0] == r.spec[1] && r.spec[0] != r.spec[2] && r.spec[2] != r.spec[3], "hashes of specs");
    spec s = spec_default();
    CHECK(!strcmp(spec_identity(&a, &s), ""), "the defaults have no text: %s", spec_identity(&a, &s));
    spec_set(&s, "tau", "0.1");
    spec_set(&s, "lr", ".005");
    spec_set(&s, "dataset", "pubmed");
    spec_set(&s, "wd", "0.00012345678901");
    CHECK(!strcmp(spec_identity(&a, &s), "lr=0.005 tau=0.1 wd=0.00012345678901"), "%s", spec_identity(&a, &s));
    f = record_open(&a, path_of(&a, "specs/before.tsv"), with, 4); /* is extended, its row still of before */
    record_append(f, (const char *[]){"00000000000000af", "b", "", "ok"});
    record_close(f);
    r = records_read(&a, path_of(&a, "specs/before.tsv"));
    CHECK(r.t.rows == 1 && r.older == 1, "%d rows, %d older", r.t.rows, r.older);
    arena_free(&a);
}

static void directory(void)
{
    arena a = {0};
    put(path_of(&a, "x"), 0, "");
    CHECK(mkdir(path_of(&a, "union"), 0777) == 0, "mkdir");
    put(path_of(&a, "union/a.tsv"), 0,
        "key\texperiment\tnodes\tparam_hash\tlr\tepochs\tstatus\tresults\n"
        "00000000000000aa\ta\t7\tff\t1\t2\tok\t1\n00000000000000ab\ta\t7\tfe\t1\t2\tok\t1\n"
        "00000000000000ac\ta\t7\tfe\t1\t3\tok\t1\n");
    put(path_of(&a, "union/b.tsv"), 0,
        "key\texperiment\tepochs\tparam_hash\tepochs\tstatus\tresults\n00000000000000aa\tb\t100\tff\t200\tok\t1\n");
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
    CHECK(!done(g, 500) && record_claim(g, key) && done(g, 500) && done(g, 400) && done(g, 1), "a file that was replaced");
    record_close(f), record_close(g), record_close(h);
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
    other_columns();
    specs();
    directory();
    several_writers();
    kill_nine();
    claims();
    full_disk();
    test_remove(dir);
    return test_end();
}
