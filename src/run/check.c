#include "check.h"
#include "../base/err.h"
#include "../base/file.h"
#include "record_rows.h"
#include "run_record.h"
#include <stdlib.h>
#include <string.h>

const char *const check_word[] = {"VALID", "SAME BITS", "DIFFERENT BITS", "INVALID"};

/* A complete row of this results version. */
typedef struct row {
    const char *file, *key, *cell, *run, *data, *part, *spec, *params, *cpu, *status;
    int number; /* of the run; -1: none */
    int order;  /* in which it was read */
} row;

typedef struct check {
    arena *a;
    buf *out;
    row *v;
    int n, invalid;
} check;

/* Findings of one kind: the first SHOWN are printed, the others counted. */
enum { SHOWN = 5 };

typedef struct finding {
    const char *what;
    int n, bad;
} finding;

static void found(check *c, finding *f, const char *where)
{
    c->invalid += f->bad;
    if (f->n++ < SHOWN)
        buf_add(c->out, "%s: %s\n", f->what, where);
}

static void total(check *c, const finding *f)
{
    if (f->n > SHOWN)
        buf_add(c->out, "%s: %d in all\n", f->what, f->n);
}

static const char *describe(const check *c, const row *r)
{
    return arena_printf(c->a, "%s run %s (key %s, %s)", r->cell, r->run, r->key, r->file);
}

/* ---- reading ---- */

/* Rows of measuring programs have no parameters, and keys that run_key did not make. */
static int trained(const tsv *t, int i)
{
    const char *hash = tsv_get(t, i, "param_hash");
    return tsv_col(t, "spec") >= 0 && *hash && strcmp(hash, "-");
}

static void check_key(check *c, finding *f, const tsv *t, int i, const row *r)
{
    char key[17];
    run_words w = {tsv_get(t, i, "dataset"), r->data, r->part, tsv_get(t, i, "seed"), r->run,
                   tsv_get(t, i, "setting"), r->spec};
    run_key_of(key, &w);
    if (strcmp(key, r->key))
        found(c, f, describe(c, r));
}

/* Counts lines with as many cells as the header and a wrong check. Shorter lines are remains of interrupted writes. */
static int damaged_lines(arena *a, const char *path)
{
    char *save = NULL, *text = (char *)file_read(a, path, 0).p, *line = strtok_r(text, "\n", &save);
    int cells = line ? record_cells(line) : 0, n = 0;
    size_t len = line ? strlen(line) : 0;
    if (len < 6 || strcmp(line + len - 6, "\tcheck"))
        return 0;
    while ((line = strtok_r(NULL, "\n", &save)))
        n += record_cells(line) == cells && !record_checked(line);
    return n;
}

static void read_file(check *c, const char *path, finding *wrong_key)
{
    int malformed = 0, older = 0, failed = 0;
    tsv t = record_rows(c->a, path, &malformed);
    for (int i = 0; i < t.rows; i++) {
        if (!record_is_current(&t, i)) {
            older++;
            continue;
        }
        row *r = &c->v[c->n];
        *r = (row){path,
                   t.cell[i][0],
                   NULL,
                   tsv_get(&t, i, "run"),
                   tsv_get(&t, i, "data_hash"),
                   tsv_get(&t, i, "part_hash"),
                   tsv_get(&t, i, "spec"),
                   tsv_get(&t, i, "param_hash"),
                   tsv_get(&t, i, "cpu"),
                   tsv_get(&t, i, "status"),
                   -1,
                   c->n};
        r->cell = arena_printf(c->a, "%s %s %s %s %s seed %s", tsv_get(&t, i, "experiment"), tsv_get(&t, i, "dataset"),
                               tsv_get(&t, i, "model"), tsv_get(&t, i, "loss"), tsv_get(&t, i, "setting"),
                               tsv_get(&t, i, "seed"));
        r->number = *r->run ? atoi(r->run) : -1;
        if (!trained(&t, i))
            r->number = -1;
        else
            check_key(c, wrong_key, &t, i, r);
        failed += strcmp(r->status, "ok") != 0;
        c->n++;
    }
    buf_add(c->out, "%s: %d rows", path, t.rows - older);
    if (failed)
        buf_add(c->out, ", %d of them failed runs", failed);
    if (older)
        buf_add(c->out, "; %d rows of other results versions", older);
    int damaged = damaged_lines(c->a, path);
    if (damaged)
        buf_add(c->out, "; %d rows are damaged", damaged);
    if (malformed > damaged || t.torn)
        buf_add(c->out, "; %d remains of interrupted writes", malformed - damaged + t.torn);
    buf_put(c->out, "\n");
    c->invalid += damaged;
}

/* ---- consistency of rows ---- */

static int by_cell(const void *x, const void *y)
{
    const row *a = x, *b = y;
    int order = strcmp(a->cell, b->cell);
    order = order ? order : (a->number > b->number) - (a->number < b->number);
    order = order ? order : strcmp(a->key, b->key);
    return order ? order : a->order - b->order;
}

static void compare(check *c)
{
    finding twice = {"the same run with different results", 0, 1},
            mixed = {"runs of one cell differ in data, partition or hyper-parameters", 0, 1};
    finding hole = {"a run is missing before", 0, 0}, repeat = {"a run is recorded more than once", 0, 0};
    const row *last = NULL;
    for (int i = 0; i < c->n; i++) {
        const row *r = &c->v[i];
        if (r->number < 0 || strcmp(r->status, "ok"))
            continue;
        int same = last && !strcmp(last->cell, r->cell);
        if (same && !strcmp(last->key, r->key))
            found(c, strcmp(last->params, r->params) && run_same_bits(last->cpu, r->cpu) ? &twice : &repeat,
                  describe(c, r));
        else if (same && (strcmp(last->data, r->data) || strcmp(last->part, r->part) || strcmp(last->spec, r->spec)))
            found(c, &mixed, describe(c, r));
        int next = same ? last->number + 1 : strncmp(r->cell, "tune-", 5) ? 0 : r->number;
        if (r->number > next)
            found(c, &hole, describe(c, r));
        last = r;
    }
    total(c, &twice);
    total(c, &mixed);
    total(c, &hole);
    total(c, &repeat);
}

/* Whether row k of the reference is that of this run, and the run's CPU had the bits of all others. */
static int same_run(const row *r, const tsv *t, int k)
{
    return !strcmp(r->key, tsv_get(t, k, "key")) && run_same_bits(r->cpu, "any");
}

/* Returns the number of runs that are in the reference; *differ: those with different parameters. */
static int compare_reference(check *c, int *differ, const char *reference)
{
    tsv t = tsv_read(c->a, reference);
    finding other = {"parameters differ from the reference", 0, 0};
    int same = 0;
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < t.rows; k++) {
            const row *r = &c->v[i];
            if (r->number < 0 || !same_run(r, &t, k) || strcmp(r->status, "ok"))
                continue;
            if (!strcmp(r->params, tsv_get(&t, k, "param_hash")))
                same++;
            else
                found(c, &other, describe(c, r));
        }
    total(c, &other);
    *differ = other.n;
    return same + other.n;
}

static check read_all(arena *a, buf *out, const char *path)
{
    check c = {.a = a, .out = out};
    int files;
    size_t lines = 0;
    char **file = record_files(a, path, &files);
    if (!files)
        die("%s: no record files (*.tsv)", path);
    for (int i = 0; i < files; i++) {
        bytes b = file_read(a, file[i], 0);
        for (size_t k = 0; k < b.n; k++)
            lines += b.p[k] == '\n';
    }
    c.v = NEW(a, row, lines + 1);
    finding wrong_key = {"the key does not belong to the row", 0, 1};
    for (int i = 0; i < files; i++)
        read_file(&c, file[i], &wrong_key);
    total(&c, &wrong_key);
    qsort(c.v, (size_t)c.n, sizeof *c.v, by_cell);
    return c;
}

enum check_verdict check_records(buf *out, const char *path, const char *reference)
{
    arena a = {0};
    check c = read_all(&a, out, path);
    int differ = 0, compared = 0;
    compare(&c);
    if (reference)
        compared = compare_reference(&c, &differ, reference);
    buf_add(out, "%d rows; %d of them are in the reference, %d with different parameters\n", c.n, compared, differ);
    enum check_verdict v = c.invalid  ? CHECK_INVALID
                           : differ   ? CHECK_OTHER_BITS
                           : compared ? CHECK_SAME_BITS
                                      : CHECK_VALID;
    arena_free(&a);
    return v;
}

void check_reference(buf *out, const char *path)
{
    arena a = {0};
    buf ignored = {.a = &a};
    check c = read_all(&a, &ignored, path);
    buf_put(out, "# Hashes of the parameters that runs must have at the end, on every machine: jcb check.\n");
    buf_put(out, "key\tparam_hash\twhat\n");
    for (int i = 0; i < c.n; i++)
        if (c.v[i].number >= 0 && !strcmp(c.v[i].status, "ok") && run_same_bits("any", c.v[i].cpu))
            buf_add(out, "%s\t%s\t%s run %s\n", c.v[i].key, c.v[i].params, c.v[i].cell, c.v[i].run);
    arena_free(&a);
}
