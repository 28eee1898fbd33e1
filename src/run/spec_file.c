#include "spec_file.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../train/method/resolve.h"
#include "../train/grid.h"
#include "../base/buf.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char *const column[SPEC_COLUMNS] = {"dataset", "model",  "loss",  "setting", "spec",
                                                 "grid",    "trials", "seeds", "val_acc", "note"};

static const char about[] = "# Hyper-parameters of this experiment found by `jcb tune`, without test labels.\n"
                            "# dataset model loss setting   the cell; setting is - if the experiment has none\n"
                            "# spec      key=value ...: replaces these hyper-parameters of the cell\n"
                            "# grid      the grid of the search (the base was tried, too)\n"
                            "# trials    number of points tried, each with `seeds` runs\n"
                            "# val_acc   mean validation accuracy of the winner over the seeds, in percent\n";

static int same_cell(char *const *x, const char *const *y)
{
    for (int k = 0; k <= SPEC_SETTING; k++)
        if (strcmp(x[k], y[k]))
            return 0;
    return 1;
}

static spec_row read_row(arena *a, const char *path, char *const *row)
{
    spec_row r = {.s = spec_default()};
    const char *where =
        arena_printf(a, "%s: %s %s %s %s", path, row[SPEC_DATASET], row[SPEC_MODEL], row[SPEC_LOSS], row[SPEC_SETTING]);
    r.s.dataset = row[SPEC_DATASET], r.s.model = row[SPEC_MODEL], r.s.loss = row[SPEC_LOSS];
    spec was = r.s;
    r.given = grid_spec(a, &r.s, NULL, row[SPEC_SPEC], where);
    if (r.s.dataset != was.dataset || r.s.model != was.model || r.s.loss != was.loss)
        die("%s: dataset, model and loss have columns of their own", where);
    spec_check(&r.s);
    return r;
}

spec_file spec_file_read(arena *a, const char *path)
{
    spec_file f = {.t = {.path = path}};
    if (!file_named(path))
        return f;
    f.t = tsv_read(a, path);
    int bad = f.t.cols != SPEC_COLUMNS;
    for (int k = 0; !bad && k < SPEC_COLUMNS; k++)
        bad = strcmp(f.t.name[k], column[k]) != 0;
    if (bad)
        die("%s: the columns must be dataset model loss setting spec grid trials seeds val_acc note", path);
    if (f.t.torn)
        die("%s: the last line has no line end", path);
    f.row = NEW(a, spec_row, (size_t)f.t.rows);
    for (int i = 0; i < f.t.rows; i++) {
        f.row[i] = read_row(a, path, f.t.cell[i]);
        for (int k = 0; k < i; k++)
            if (same_cell(f.t.cell[k], (const char *const *)f.t.cell[i]))
                die("%s: rows %d and %d are for the same cell", path, k + 1, i + 1);
    }
    return f;
}

int spec_file_apply(spec_file *f, cell *c, const char *setting)
{
    const char *const key[] = {c->s.dataset, c->model, c->loss, setting};
    for (int i = 0; i < f->t.rows; i++)
        if (same_cell(f->t.cell[i], key)) {
            spec s = c->s;
            spec_take(&s, &f->row[i].s, f->row[i].given);
            *c = resolve_cell(&s, c->experiment, c->setting);
            f->row[i].used++;
            return 1;
        }
    return 0;
}

static int by_cell(const void *x, const void *y)
{
    const char *const *a = *(const char *const *const *)x, *const *b = *(const char *const *const *)y;
    int order = 0;
    for (int k = 0; k <= SPEC_SETTING && !order; k++)
        order = strcmp(a[k], b[k]);
    return order;
}

/* Two searches may end at the same time: without the lock a row could be lost. */
static int lock_directory(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    file_mkdirs(path);
    int fd =
        open(slash ? arena_printf(a, "%.*s", (int)(slash - path + 1), path) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    return fd;
}

/* The comment lines in front of the header. */
static const char *comments(arena *a, const char *path)
{
    if (!file_named(path))
        return about;
    const char *text = (const char *)file_read(a, path, 0).p, *end = text;
    while (*end == '#' && strchr(end, '\n'))
        end = strchr(end, '\n') + 1;
    return arena_printf(a, "%.*s", (int)(end - text), text);
}

void spec_file_put(const char *path, const char *const row[SPEC_COLUMNS])
{
    arena a = {0};
    for (int k = 0; k < SPEC_COLUMNS; k++)
        if (!*row[k] || strpbrk(row[k], "\t\r\n"))
            die("%s: %s '%s' is empty or contains a tab or line break", path, column[k], row[k]);
    int lock = lock_directory(&a, path), n = 0;
    spec_file f = spec_file_read(&a, path);
    const char *const **rows = NEW(&a, const char *const *, (size_t)f.t.rows + 1);
    for (int i = 0; i < f.t.rows; i++)
        if (!same_cell(f.t.cell[i], row))
            rows[n++] = (const char *const *)f.t.cell[i];
    rows[n++] = row;
    qsort(rows, (size_t)n, sizeof *rows, by_cell);
    buf out = {.a = &a};
    buf_put(&out, comments(&a, path));
    for (int i = -1; i < n; i++)
        for (int k = 0; k < SPEC_COLUMNS; k++)
            buf_add(&out, "%s%c", i < 0 ? column[k] : rows[i][k], k + 1 < SPEC_COLUMNS ? '\t' : '\n');
    file_write(path, out.s, out.n);
    if (lock >= 0)
        close(lock);
    arena_free(&a);
}
