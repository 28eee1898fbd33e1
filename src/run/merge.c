#include "merge.h"
#include "../base/err.h"
#include "../base/file.h"
#include "record.h"
#include "record_rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *name, *key, *bits; /* name: of the file in its directory; bits: param_hash, "": none */
    const tsv *t;
    int i, order, source; /* row i of t; source 0: the target */
    int ok, taken;
    int rank; /* 2: a success of a clean commit, 1: of uncommitted changes, 0: a failure; the highest is taken */
} row;

typedef struct merge {
    arena *a;
    buf *out;
    const char **dir; /* of records: the target, then the sources */
    int dirs;
    row *v;
    int n;
    int64_t capacity;
    int *kept, *there, *older, *torn; /* of each source: rows taken, already in the target, of other versions, torn */
} merge;

static const char *records_of(arena *a, const char *dir)
{
    const char *below = arena_printf(a, "%s/records", dir);
    return file_is_directory(below) ? below : dir;
}

static void add_row(merge *m, row r)
{
    GROW(m->a, m->v, m->n, m->capacity, 1024);
    m->v[m->n++] = r;
}

static void read_dir(merge *m, int source)
{
    int files;
    char **file = record_files(m->a, m->dir[source], &files);
    for (int f = 0; f < files; f++) {
        tsv *t = NEW(m->a, tsv, 1);
        *t = record_rows(m->a, file[f], &m->torn[source]);
        m->torn[source] += t->torn;
        for (int i = 0; i < t->rows; i++) {
            const char *bits = tsv_get(t, i, "param_hash");
            int ok = !strcmp(tsv_get(t, i, "status"), "ok"), dirty = strstr(tsv_get(t, i, "commit"), "-dirty") != NULL;
            if (!record_is_current(t, i))
                m->older[source]++;
            else
                add_row(m, (row){.name = strrchr(file[f], '/') + 1,
                                 .key = t->cell[i][0],
                                 .bits = strcmp(bits, "-") ? bits : "",
                                 .t = t,
                                 .i = i,
                                 .order = m->n,
                                 .source = source,
                                 .ok = ok,
                                 .rank = ok ? 2 - dirty : 0});
        }
    }
}

/* By file and key; then by rank, then in the order of the sources. */
static int by_key(const void *x, const void *y)
{
    const row *a = x, *b = y;
    int order = strcmp(a->name, b->name);
    order = order ? order : strcmp(a->key, b->key);
    order = order ? order : b->rank - a->rank;
    return order ? order : a->order - b->order;
}

static int same_run(const row *x, const row *y) { return !strcmp(x->name, y->name) && !strcmp(x->key, y->key); }

static void describe(merge *m, const row *r)
{
    buf_add(m->out, "  %s: parameters %s, %s, %s, commit %s\n", r->t->path, r->bits, tsv_get(r->t, r->i, "blas"),
            tsv_get(r->t, r->i, "cpu"), tsv_get(r->t, r->i, "commit"));
}

/* Chooses a row for each run. Returns the number of contradictory runs. */
static int choose(merge *m)
{
    enum { SHOWN = 10 };
    int contradictions = 0;
    for (int i = 0, j; i < m->n; i = j) {
        const row *first = &m->v[i], *other = NULL;
        int there = 0;
        for (j = i; j < m->n && same_run(first, &m->v[j]); j++) {
            there |= !m->v[j].source && m->v[j].rank == first->rank;
            if (m->v[j].ok && *first->bits && *m->v[j].bits && strcmp(first->bits, m->v[j].bits))
                other = &m->v[j];
        }
        for (int k = i; k < j; k++)
            m->there[m->v[k].source] += there || k > i;
        m->v[i].taken = !there;
        m->kept[first->source] += !there;
        if (other && contradictions++ < SHOWN) {
            buf_add(m->out, "%s: key %s, %s %s %s run %s: the same run with different bits:\n", first->name, first->key,
                    tsv_get(first->t, first->i, "dataset"), tsv_get(first->t, first->i, "model"),
                    tsv_get(first->t, first->i, "loss"), tsv_get(first->t, first->i, "run"));
            describe(m, first);
            describe(m, other);
        }
    }
    return contradictions;
}

/* Appends those of the rows [from, to), all of one file, that were chosen, under the union of their columns. */
static void append_rows(merge *m, const char *path, int from, int to)
{
    arena tmp = {0};
    size_t capacity = 1, n = 0;
    for (int i = from; i < to; i++)
        capacity += i == from || m->v[i].t != m->v[i - 1].t ? (size_t)m->v[i].t->cols : 0;
    const char **name = NEW(&tmp, const char *, capacity), **value = NEW(&tmp, const char *, capacity);
    for (int i = from; i < to; i++)
        for (int j = 0; j < m->v[i].t->cols && (i == from || m->v[i].t != m->v[i - 1].t); j++) {
            const char *c = m->v[i].t->name[j];
            size_t k = 0;
            while (k < n && strcmp(name[k], c))
                k++;
            if (k == n && strcmp(c, "status") && strcmp(c, "results") && strcmp(c, "check"))
                name[n++] = c;
        }
    name[n++] = "status";
    record_file *f = record_open(&tmp, path, name, (int)n);
    for (int i = from; i < to; i++) {
        for (size_t k = 0; k < n; k++)
            value[k] = tsv_get(m->v[i].t, m->v[i].i, name[k]);
        if (m->v[i].taken)
            record_append(f, value);
    }
    record_close(f);
    arena_free(&tmp);
}

static void write_rows(merge *m)
{
    for (int i = 0, j; i < m->n; i = j) {
        int taken = 0;
        for (j = i; j < m->n && !strcmp(m->v[i].name, m->v[j].name); j++)
            taken |= m->v[j].taken;
        if (taken)
            append_rows(m, arena_printf(m->a, "%s/%s", m->dir[0], m->v[i].name), i, j);
    }
}

/* Copies the curve of a run that was taken, if its source has one: curves/EXPERIMENT/KEY.tsv beside the records. */
static int copy_curve(merge *m, const row *r)
{
    int stem = (int)strlen(r->name) - 4;
    const char *file = arena_printf(m->a, "../curves/%.*s/%s.tsv", stem, r->name, r->key),
               *from = arena_printf(m->a, "%s/%s", m->dir[r->source], file);
    const char *to = arena_printf(m->a, "%s/%s", m->dir[0], file);
    if (!file_exists(from) || file_exists(to))
        return 0;
    arena tmp = {0};
    bytes b = file_read(&tmp, from, 0);
    file_write(to, b.p, b.n);
    arena_free(&tmp);
    return 1;
}

/* Decisions that were kept belong to the history of one directory (result/decisions.c). */
static void forget_decisions(const merge *m)
{
    const char *path = arena_printf(m->a, "%s/decisions.log", m->dir[0]);
    int added = 0;
    for (int i = 1; i < m->dirs; i++)
        added += m->kept[i];
    if (added && file_named(path) && remove(path) == 0)
        buf_add(m->out, "%s: removed, all comparisons are judged anew\n", path);
}

/* Whether the directory itself contains records, rather than a subdirectory records/. */
static int holds_records(arena *a, const char *dir)
{
    int n;
    record_files(a, dir, &n);
    return n > 0;
}

int merge_records(buf *out, const char *to, char *const *from, int n)
{
    arena *a = out->a;
    size_t dirs = (size_t)n + 1;
    merge m = {.a = a,
               .out = out,
               .dir = NEW(a, const char *, dirs),
               .dirs = n + 1,
               .kept = NEW(a, int, dirs),
               .there = NEW(a, int, dirs),
               .older = NEW(a, int, dirs),
               .torn = NEW(a, int, dirs)};
    m.dir[0] = arena_printf(a, "%s/records", to);
    if (file_is_directory(to) && !file_is_directory(m.dir[0]) && holds_records(a, to))
        m.dir[0] = to;
    for (int i = 0; i < n; i++) {
        if (!file_is_directory(from[i]))
            die("%s: no such directory", from[i]);
        m.dir[i + 1] = records_of(a, from[i]);
    }
    for (int i = 0; i <= n; i++) {
        int before = m.n;
        read_dir(&m, i);
        if (i && m.n == before && !m.older[i])
            die("%s: no records", from[i - 1]);
    }
    if (m.n)
        qsort(m.v, (size_t)m.n, sizeof *m.v, by_key);
    int contradictions = choose(&m), curves = 0;
    if (contradictions)
        return contradictions;
    for (int i = 0; i < m.n; i++) /* curves before records: a run is complete when both exist */
        curves += m.v[i].taken && copy_curve(&m, &m.v[i]);
    write_rows(&m);
    forget_decisions(&m);
    for (int i = 1; i <= n; i++) {
        buf_add(out, "%s: %d runs added, %d already present", from[i - 1], m.kept[i], m.there[i]);
        if (m.older[i])
            buf_add(out, "; %d rows of other results versions left out", m.older[i]);
        if (m.torn[i])
            buf_add(out, "; %d damaged rows left out", m.torn[i]);
        buf_put(out, "\n");
    }
    if (curves)
        buf_add(out, "%d curves\n", curves);
    return 0;
}
