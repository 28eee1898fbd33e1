/* Contents and reading of record files: torn lines, other columns and versions, garbage. Several writers, kill -9 and
 * full disks: test_record_writers.c. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/hash.h"
#include "../../src/net/spec.h"
#include "../../src/run/record_rows.h"
#include "record_toy.h"
#include <math.h>
#include <sys/stat.h>

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
    CHECK(r.n == 3 && r.superseded == 2 && r.malformed == 0, "%d rows, %d, %d", r.n, r.superseded, r.malformed);
    CHECK(r.v[1].number[RUN_test_acc] == 0.81, "%g", r.v[1].number[RUN_test_acc]);
    CHECK(r.v[2].number[RUN_test_acc] == 0.82, "%g", r.v[2].number[RUN_test_acc]);
    r = records_read(&a, path_of(&a, "nothing"));
    CHECK(r.n == 0 && r.files == 0, "no such file is no rows");
    arena_free(&a);
}

static void torn(void)
{
    arena a = {0};
    const char *path = path_of(&a, "torn.tsv");
    record_file *f = record_open(&a, path, columns, COLUMNS), *g;
    add(f, 1, "0.1", "ok");
    put(path, O_APPEND, "0123456789abcdef\tbalanced\tco");
    CHECK(records_read(&a, path).n == 1, "a torn end is not a row");
    g = record_open(&a, path, columns, COLUMNS); /* f was opened before the tear, g after */
    CHECK(done(g, 1) && !record_done(g, "0123456789abcdef"), "keys");
    add(f, 2, "0.2", "ok");
    put(path, O_APPEND, "1");
    add(g, 3, "0.3", "ok");
    add(f, 4, "0.4", "ok");
    record_close(f);
    record_close(g);
    records r = records_read(&a, path);
    CHECK(r.n == 4 && r.malformed == 2, "%d rows, %d malformed", r.n, r.malformed);
    bytes b = file_read(&a, path, 0);
    CHECK(strstr((const char *)b.p, "cdef\tbalanced\tco\n") != NULL, "the torn piece is kept as it was");
    arena_free(&a);
}

/* A row that lacks only its line end counts: its run is not repeated, and it is read once. A row that lacks more does
 * not count. */
static void line_end(void)
{
    for (int lost = 1; lost < 3; lost++) {
        arena a = {0};
        const char *path = path_of(&a, lost == 1 ? "line-end.tsv" : "line-end-2.tsv");
        record_file *f = record_open(&a, path, columns, COLUMNS), *g = record_open(&a, path, columns, COLUMNS);
        add(f, 1, "0.1", "ok");
        record_close(f);
        CHECK(truncate(path, (off_t)file_read(&a, path, 0).n - lost) == 0, "truncate");
        char key[17];
        CHECK(record_claim(g, key_of(key, 1)) && done(g, 1) == (lost == 1), "open since before, %d bytes lost", lost);
        f = record_open(&a, path, columns, COLUMNS);
        CHECK(done(f, 1) == (lost == 1), "opened afterwards, %d bytes lost", lost);
        add(f, 2, "0.2", "ok");
        record_close(f);
        record_close(g);
        records r = records_read(&a, path);
        CHECK(r.n == 3 - lost && r.superseded == 0 && r.malformed == lost - 1, "%d rows, %d, %d", r.n, r.superseded,
              r.malformed);
        arena_free(&a);
    }
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
    CHECK(r.n == 2 && r.malformed == 6, "%d rows, %d malformed", r.n, r.malformed);
    put(path_of(&a, "other.tsv"), 0, "name\tvalue\nx\t1\n");
    CHECK(records_read(&a, path_of(&a, "other.tsv")).n == 0, "not records");
    put(path_of(&a, "empty.tsv"), 0, "");
    CHECK(records_read(&a, path_of(&a, "empty.tsv")).n == 0, "empty");
    f = record_open(&a, path_of(&a, "empty.tsv"), columns, COLUMNS);
    add(f, 1, "0.1", "ok");
    record_close(f);
    CHECK(records_read(&a, path_of(&a, "empty.tsv")).n == 1, "an empty file is given its header");
    arena_free(&a);
}

/* A program with other columns: neither its columns nor those of the file are lost, and earlier writers can continue.
 */
static void other_columns(void)
{
    arena a = {0};
    const char *const less[] = {"key", "experiment", "old", "status"}, *const more[] = {"key", "experiment", "old",
                                                                                        "new", "status"};
    const char *row[] = {"00000000000000aa", "balanced", "7", "ok"},
               *late[] = {"00000000000000ab", "balanced", "8", "ok"};
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
    CHECK(r.files == 1 && r.n == 5 && !r.malformed, "%d files, %d rows, %d malformed", r.files, r.n, r.malformed);
    static const char *const want[5][4] = {{"7", "", "", "balanced"},
                                           {"", "0.6", "", "balanced"},
                                           {"8", "", "", "balanced"},
                                           {"9", "", "10", "balanced"},
                                           {"", "0.7", "", "balanced"}};
    int broken = 0;
    tsv t = record_rows(&a, path, &broken);
    for (int i = 0; i < 5 && i < t.rows; i++)
        CHECK(!strcmp(tsv_get(&t, i, "old"), want[i][0]) && !strcmp(tsv_get(&t, i, "test_acc"), want[i][1]) &&
                  !strcmp(tsv_get(&t, i, "new"), want[i][2]) && !strcmp(r.v[i].experiment, want[i][3]),
              "row %d", i);
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-1.tsv")).n == 1, "the first file is kept");
    CHECK(records_read(&a, path_of(&a, "head/balanced.old-2.tsv")).n == 3, "the second file is kept");
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
    put(path_of(&a, "specs/before.tsv"), 0,
        "key\tschema\texperiment\tparam_hash\tlr\tstatus\n00000000000000aa\t1\tb\tff\t0.01\tok\n");
    records r = records_read(&a, path_of(&a, "specs"));
    CHECK(r.n == 4 && r.older == 1 && !r.malformed, "%d rows, %d older, %d malformed", r.n, r.older, r.malformed);
    CHECK(r.v[0].s.lr == 0.005 && r.v[0].s.tau == 0.1 && r.v[0].s.hidden == 64 && r.v[2].s.lr == 0.01 &&
              r.v[3].s.epochs == 200,
          "values and defaults");
    CHECK(r.v[0].spec_hash == r.v[1].spec_hash && r.v[0].spec_hash != r.v[2].spec_hash &&
              r.v[2].spec_hash != r.v[3].spec_hash,
          "hashes of specs");
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
    CHECK(r.n == 1 && r.older == 1, "%d rows, %d older", r.n, r.older);
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
    CHECK(r.files == 2 && r.n == 4, "%d files, %d rows: the same key of two experiments is two runs", r.files, r.n);
    CHECK(r.v[0].number[RUN_nodes] == 7 && isnan(r.v[3].number[RUN_nodes]), "a column that a file lacks");
    CHECK(r.v[3].number[RUN_epochs] == 100, "of two columns with one name the first");
    arena_free(&a);
}

static void put_unknown(void *row) { record_put(row, "accuracy", "1"); }

/* Rows by name and value: in any order, columns that are not named stay empty, others are an error. */
static void by_name(void)
{
    arena a = {0};
    const char *path = path_of(&a, "named.tsv");
    record_file *f = record_open(&a, path, columns, COLUMNS);
    record_row row = record_row_new(f);
    record_put(&row, "status", "ok");
    record_put(&row, "test_acc", "%.3f", 0.8125);
    record_put(&row, "run", "%d", 1);
    record_put(&row, "run", "%d", 7);
    record_put_hash(&row, "key", 0xab);
    const char *why = err_try(put_unknown, &row);
    CHECK(why && strstr(why, "'accuracy'"), "%s", why ? why : "an unknown column was taken");
    record_row_append(&row);
    CHECK(!record_done(f, "00000000000000ab"), "known only when it is read");
    record_close(f);
    f = record_open(&a, path, columns, COLUMNS);
    CHECK(record_done(f, "00000000000000ab"), "done");
    record_close(f);
    records r = records_read(&a, path);
    CHECK(r.n == 1 && r.v[0].number[RUN_test_acc] == 0.812, "%d rows", r.n);
    CHECK(r.v[0].run == 7, "the last value of a column counts: %d", r.v[0].run);
    CHECK(!*r.v[0].dataset && r.v[0].ok && r.v[0].threads == -1, "empty");
    arena_free(&a);
}

TEST_MAIN(test_record)
{
    err_program = "test_record";
    if (!mkdtemp(dir))
        return EXIT_FAILURE;
    basics();
    torn();
    line_end();
    malformed();
    other_columns();
    specs();
    directory();
    by_name();
    test_remove(dir);
    return test_end();
}
