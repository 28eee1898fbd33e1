/* test_base: arenas, files, text tables, sizes, times and signals: the contracts of the headers of src/base, and the
 * message of each error. Options, places and progress on a terminal are tested by cli.sh, install.sh and kill.sh. */
#include "../../src/base/arena.h"
#include "../../src/base/clock.h"
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/memory.h"
#include "../../src/base/signals.h"
#include "../../src/base/tsv.h"
#include "test.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char dir[] = "/tmp/test_base.XXXXXX";
static arena all;

static const char *at(const char *name) { return arena_printf(&all, "%s/%s", dir, name); }

/* Checks that fn(arg) dies with a message that contains these words. */
static void refused(void (*fn)(void *), void *arg, const char *words)
{
    const char *why = err_try(fn, arg);
    CHECK(why && strstr(why, words), "%s: %s", words, why ? why : "no message");
}

/* ---- arena ---- */

static size_t bytes_asked;
static void take(void *a) { arena_alloc(a, bytes_asked, 8); }

static int is_zero(const unsigned char *p, size_t n)
{
    size_t i = 0;
    while (i < n && !p[i])
        i++;
    return i == n;
}

static void test_arena(void)
{
    enum { SMALL = 1000, LARGE = 3 << 20 };
    arena a = {0};
    char *kept = NEW(&a, char, SMALL);
    memset(kept, 7, SMALL);
    arena_mark mark = arena_now(&a);
    size_t live = a.live;
    for (int round = 0; round < 4; round++) { /* what was written before the reset is not seen after it */
        unsigned char *p = NEW(&a, unsigned char, SMALL), *q = NEW(&a, unsigned char, (size_t)LARGE *(1 + round % 2));
        CHECK((uintptr_t)p % 64 == 0 && (uintptr_t)q % 64 == 0, "alignment");
        CHECK(is_zero(p, SMALL) && is_zero(q, (size_t)LARGE * (1 + round % 2)), "round %d: not zeroed", round);
        CHECK(a.live >= live + SMALL + LARGE, "live: %zu", a.live);
        memset(p, 255, SMALL);
        memset(q, 255, (size_t)LARGE * (1 + round % 2));
        arena_reset(&a, mark);
        CHECK(a.live == live, "live after a reset: %zu, not %zu", a.live, live);
    }
    CHECK(kept[0] == 7 && kept[SMALL - 1] == 7, "what was allocated before the mark is gone");
    bytes_asked = SIZE_MAX / 4;
    refused(take, &a, "cannot allocate");
    bytes_asked = (size_t)1 << 57; /* more than the addresses of any machine */
    refused(take, &a, "out of memory: ");
    bytes_asked = 1, arena_fail_at = 2;
    CHECK(!err_try(take, &a), "the first of two");
    refused(take, &a, "(simulated)");
    CHECK(!err_try(take, &a), "it fails once");
    arena_free(&a);
    CHECK(!a.chunks && !a.spare && !a.live && !err_try(take, &a), "an arena is usable after arena_free");
    arena_free(&a);
}

/* ---- files ---- */

static void read_it(void *path) { file_read(&all, path, 100); }
static void gunzip(void *path) { file_read_gz(&all, path, 1000); }
static void write_it(void *path) { file_write(path, "new", 3); }
static void name_it(void *path) { file_named(path); }

static void test_read(void)
{
    file_write(at("deep/er/file"), "text", 4);
    bytes b = file_read(&all, at("deep/er/file"), 4);
    CHECK(b.n == 4 && !memcmp(b.p, "text", 5), "%zu bytes, %s", b.n, b.p);
    CHECK(file_exists(b.path) && file_named(b.path) && !file_named(at("none")) && !file_named(at("deep/er/file/x")),
          "which names exist");
    CHECK(!file_exists(at("deep")) && file_named(at("deep")), "a directory is no file, but a name");
    refused(read_it, (void *)at("none"), "none: No such file or directory");
    refused(read_it, (void *)at("deep"), "deep: not a regular file");
    CHECK(symlink("nowhere", at("link")) == 0, "symlink");
    refused(read_it, (void *)at("link"), "link: a dangling link");
    CHECK(mkfifo(at("fifo"), 0600) == 0, "mkfifo");
    refused(read_it, (void *)at("fifo"), "fifo: not a regular file");
    char hundred[101] = {0};
    file_write(at("long"), hundred, 101);
    refused(read_it, (void *)at("long"), "long: 101 bytes is more than the 100 expected at most");
    char *name = NEW(&all, char, 6000);
    memset(name, 'a', 5999);
    refused(name_it, name, "File name too long");
    refused(write_it, name, "path is too long");
    memcpy(name, "/tmp/", 5);
    name[4090] = 0; /* it has room itself, its temporary file has not */
    refused(write_it, name, "path is too long");
}

static void test_write(void)
{
    const char *path = at("target");
    file_write(path, "old", 3);
    refused(write_it, (void *)at("target/below"), "cannot write");
    refused(write_it, (void *)at("target/below/it"), "cannot create directory");
    CHECK(mkdir(at("occupied"), 0700) == 0, "mkdir");
    refused(write_it, (void *)at("occupied"), "occupied: Is a directory");
    CHECK(!memcmp(file_read(&all, path, 0).p, "old", 4), "what a failure leaves");
    file_write(path, "new", 3);
    CHECK(!memcmp(file_read(&all, path, 0).p, "new", 4), "replaced");
    CHECK(system(arena_printf(&all, "test -z \"$(find '%s' -name '*.tmp*')\"", dir)) == 0, "a temporary file is left");
}

static void test_gzip(void)
{
    const char *path = at("text.gz");
    gzFile z = gzopen(path, "wb");
    CHECK(z && gzprintf(z, "%0300d", 7) == 300 && gzclose(z) == Z_OK, "gzopen");
    bytes b = file_read_gz(&all, path, 300), whole = file_read(&all, path, 0);
    CHECK(b.n == 300 && b.p[299] == '7' && !b.p[300], "%zu bytes", b.n);
    file_write(at("none.gz"), "neither gzip nor long", 21);
    refused(gunzip, (void *)at("none.gz"), "not a gzip file");
    unsigned char *bad = NEW(&all, unsigned char, whole.n);
    memcpy(bad, whole.p, whole.n);
    bad[whole.n - 1] = 1; /* 16 MiB from this */
    file_write(at("claims.gz"), bad, whole.n);
    refused(gunzip, (void *)at("claims.gz"), "corrupt");
    memcpy(bad, whole.p, whole.n);
    bad[whole.n - 8] ^= 1; /* its checksum */
    file_write(at("sum.gz"), bad, whole.n);
    refused(gunzip, (void *)at("sum.gz"), "corrupt or truncated gzip data");
}

/* ---- tables ---- */

static tsv table;
static void number(void *column) { (void)tsv_number(&table, 0, column); }
static void need(void *column) { tsv_need(&table, column); }
static void read_table(void *path) { table = tsv_read(&all, path); }

static void test_tsv(void)
{
    const char *path = at("table.tsv"), text[] = "# says: this\r\n\na\tb\tc\r\n1.5\t-\tx\r\n2\r\n#3\t4";
    file_write(path, text, sizeof text - 1);
    read_table((void *)path);
    CHECK(table.rows == 2 && table.cols == 3 && table.torn, "%d x %d, torn %d", table.rows, table.cols, table.torn);
    CHECK_NEAR(tsv_number(&table, 0, "a"), 1.5, 0);
    CHECK(isnan(tsv_number(&table, 0, "b")) && isnan(tsv_number(&table, 1, "c")) && isnan(tsv_number(&table, 0, "d")),
          "- and nothing are no number");
    CHECK(tsv_need(&table, "c") == 2 && !strcmp(tsv_get(&table, 0, "c"), "x") && !*tsv_get(&table, 1, "b"), "cells");
    refused(number, "c", "table.tsv: row 1: c is 'x', not a number");
    refused(need, "d", "table.tsv: no column 'd'");
    CHECK(!strcmp(tsv_comment(&all, path, "says: "), "this") && !*tsv_comment(&all, path, "more: "), "comments");
    file_write(path, "a\n1\t2\n", 6);
    refused(read_table, (void *)path, "table.tsv:2: 2 cells under 1 column names");
}

/* ---- sizes, times, signals ---- */

static void test_sizes(void)
{
    static const struct {
        const char *text;
        double bytes;
    } good[] = {
        {"8G", 8.0 * (1 << 30)}, {"500M", 500.0 * (1 << 20)}, {"1.5k", 1536}, {"2t", 2.0 * (1LL << 40)}, {"77", 77}};
    static const char *const bad[] = {"", "x", "8GB", "8 G", "-1", "0", "nan", "1e30"};
    CHECK(!memory_is_set() && memory_available() > 0 && memory_limit() > 0, "a default");
    memory_set(NULL);
    CHECK(!memory_is_set(), "no text: the default stays");
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        memory_set((void *)good[i].text);
        CHECK(memory_is_set(), "%s", good[i].text);
        CHECK_NEAR(memory_limit(), good[i].bytes, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(memory_set, (void *)bad[i], "--memory must be a size such as 8G or 500M");
    CHECK_NEAR(memory_limit(), 77, 0);
}

/* Control groups of both versions: the smallest limit counts, and files that may be dropped from memory are no use. */
static void test_cgroups(void)
{
    static const struct {
        const char *path, *text;
    } file[] = {
        {"v1/memory/memory.limit_in_bytes", "9223372036854771712\n"},
        {"v1/memory/a/memory.limit_in_bytes", "1000\n"},
        {"v1/memory/a/memory.usage_in_bytes", "700\n"},
        {"v1/memory/a/memory.stat", "cache 600\ntotal_inactive_file 200\n"},
        {"v1/memory/a/b/memory.limit_in_bytes", "2000\n"},
        {"v1/memory/a/b/memory.usage_in_bytes", "100\n"},
        {"v2/memory.max", "5000\n"},
        {"v2/memory.current", "6000\n"},
        {"v2/c/memory.max", "max\n"},
    };
    static const struct {
        const char *self, *root;
        double limit, left;
    } want[] = {
        {"9:cpu:/x\n4:memory:/a/b\n0::/\n", "v1", 1000, 500},
        {"4:memory:/\n", "v1", INFINITY, INFINITY},
        {"0::/c\n", "v2", 5000, 0},
        {"0::/not/mounted/here\n", "v2", 5000, 0},
        {"no group\n", "v2", INFINITY, INFINITY},
    };
    double limit, left;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        file_mkdirs(at(file[i].path));
        file_write(at(file[i].path), file[i].text, strlen(file[i].text));
    }
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        file_write(at("self"), want[i].self, strlen(want[i].self));
        memory_cgroup(&limit, &left, at("self"), at(want[i].root));
        CHECK(limit == want[i].limit && left == want[i].left, "group %zu: %g %g", i, limit, left);
    }
    memory_cgroup(&limit, &left, at("missing"), at("v1"));
    CHECK(isinf(limit) && isinf(left), "no control groups");
    CHECK(memory_total() > 0 && memory_available() <= memory_total(), "this machine");
}

static void test_times(void)
{
    static const struct {
        double seconds;
        const char *text;
    } known[] = {{0, "0s"},       {99, "99s"}, {185, "3m05s"}, {5999, "99m59s"},
                 {7800, "2h10m"}, {-1, "?"},   {NAN, "?"},     {2e9, "?"}};
    char out[32];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        clock_text(out, sizeof out, known[i].seconds);
        CHECK(!strcmp(out, known[i].text), "%g s: %s, not %s", known[i].seconds, out, known[i].text);
    }
    double began = clock_now(), cpu = clock_cpu();
    usleep(20000);
    CHECK(clock_now() - began >= 0.02 && clock_cpu() - cpu < clock_now() - began, "sleep takes time, but no CPU");
}

/* Progress lines in a file: one at the start, none soon after, one at the end; none if quiet. */
static void test_progress(void)
{
    const char *path = at("progress");
    int saved = dup(2), fd = open(path, O_WRONLY | O_CREAT, 0600);
    fflush(stderr);
    dup2(fd, 2);
    for (int quiet = 0; quiet < 2; quiet++) {
        progress p;
        progress_start(&p, quiet);
        for (int k = 1; k <= 3; k++)
            progress_show(&p, k, 3, 185, "cora");
        progress_clear(&p);
    }
    dup2(saved, 2);
    close(saved), close(fd);
    const char *text = (const char *)file_read(&all, path, 0).p, *end = strstr(text, "3/3 runs  cora");
    CHECK(!strncmp(text, "1/3 runs  cora", 14) && end && !strstr(text, "2/3") && !strstr(end + 1, "3/3") &&
              strstr(text, " elapsed, 3m05s left\n") && !strchr(text, '\r'),
          "%s", text);
}

static void test_signals(void)
{
    signals_catch();
    CHECK(signals_stopped() == 0, "no signal yet");
    raise(SIGTERM);
    CHECK(signals_stopped() == SIGTERM, "%d", signals_stopped());
    struct sigaction now;
    CHECK(sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler == SIG_DFL, "a second one would not end the program");
    CHECK(sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler != SIG_DFL, "the other one is still noted");
}

TEST_MAIN(test_base)
{
    CHECK(mkdtemp(dir), "%s", dir);
    test_arena();
    test_read();
    test_write();
    test_gzip();
    test_tsv();
    test_sizes();
    test_cgroups();
    test_times();
    test_progress();
    test_signals();
    test_remove(dir);
    arena_free(&all);
    return test_end();
}
