/* record_rows: the tolerant reader of records, and their union over a directory. */
#include "record_rows.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../model/spec.h"
#include "record.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int record_key(const char *s, uint64_t *key)
{
    uint64_t k = 0;
    int n = 0;
    for (; n < 16; n++) {
        const char *digits = "0123456789abcdef", *d = s[n] ? strchr(digits, s[n]) : NULL;
        if (!d)
            return 0;
        k = k << 4 | (uint64_t)(d - digits);
    }
    *key = k;
    return !s[16];
}

int record_cells(const char *s)
{
    int n = 1;
    while ((s = strchr(s, '\t'))) {
        n++;
        s++;
    }
    return n;
}

static void cut(char *s, char **cell, int n)
{
    for (int j = 0; j < n; j++) {
        cell[j] = s;
        s += strcspn(s, "\t");
        if (*s)
            *s++ = 0;
    }
}

static int known_status(const char *s) { return !strcmp(s, "ok") || !strncmp(s, "failed:", 7); }

int record_checked(const char *s)
{
    const char *tab = strrchr(s, '\t');
    uint64_t want;
    return tab && record_key(tab + 1, &want) && hash_bytes(HASH_INIT, s, (size_t)(tab - s)) == want;
}

int record_header(const tsv *t)
{
    return t->name && t->cols <= RECORD_COLUMNS_MAX && !strcmp(t->name[0], "key") && tsv_col(t, "status") >= 0;
}

tsv record_rows(arena *a, const char *path, int *malformed)
{
    bytes b = file_read(a, path, 0);
    tsv t = {.path = arena_printf(a, "%s", path)};
    size_t lines = 0;
    int status = 0, check = 0;
    for (size_t i = 0; i < b.n; i++)
        lines += b.p[i] == '\n';
    t.cell = NEW(a, char **, lines + 1);
    char *s = (char *)b.p, *end = s + b.n;
    for (char *nl; s < end && (nl = memchr(s, '\n', (size_t)(end - s))); s = nl + 1) {
        *nl = 0;
        if (strlen(s) != (size_t)(nl - s)) { /* zero bytes: a block left empty by a power failure */
            ++*malformed;
        } else if (!t.name) {
            t.cols = record_cells(s);
            t.name = NEW(a, char *, (size_t)t.cols);
            cut(s, t.name, t.cols);
            check = !strcmp(t.name[t.cols - 1], "check");
            status = tsv_col(&t, "status");
        } else if (*s) {
            uint64_t key;
            int whole = (!check || record_checked(s)) && record_cells(s) == t.cols && status >= 0;
            char **row = whole ? NEW(a, char *, (size_t)t.cols) : NULL;
            if (row)
                cut(s, row, t.cols);
            if (row && record_key(row[0], &key) && known_status(row[status]))
                t.cell[t.rows++] = row;
            else
                ++*malformed;
        }
    }
    t.torn = s < end;
    if (t.name && !record_header(&t)) {
        warn("%s: not a file of records (its columns should run from key to status): left out", path);
        t.rows = 0;
    }
    return t;
}

static int by_name(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

char **record_files(arena *a, const char *path, int *n)
{
    struct stat st;
    *n = 0;
    if (stat(path, &st) != 0) {
        if (errno == ENOENT)
            return NULL;
        die("%s: %s", path, strerror(errno));
    }
    char **file = NULL;
    int room = 1;
    if (!S_ISDIR(st.st_mode)) {
        file = NEW(a, char *, 1);
        file[(*n)++] = arena_printf(a, "%s", path);
        return file;
    }
    DIR *dir = opendir(path);
    if (!dir)
        die("%s: %s", path, strerror(errno));
    while (readdir(dir))
        room++;
    rewinddir(dir);
    file = NEW(a, char *, (size_t)room);
    for (struct dirent *e; (e = readdir(dir)) && *n < room;) {
        size_t len = strlen(e->d_name);
        if (len <= 4 || strcmp(e->d_name + len - 4, ".tsv") || strstr(e->d_name, ".old-") || e->d_name[0] == '.')
            continue;
        file[*n] = arena_printf(a, "%s/%s", path, e->d_name);
        if (stat(file[*n], &st) == 0 && !S_ISREG(st.st_mode)) /* a directory, a FIFO */
            warn("%s: not a regular file: left out", file[*n]);
        else
            ++*n;
    }
    closedir(dir);
    qsort(file, (size_t)*n, sizeof *file, by_name);
    return file;
}

/* The column of hyper-parameter k; the column `epochs` is the number of epochs trained. */
static char *param_name(int k) { return strcmp(spec_name[k], "epochs") ? (char *)spec_name[k] : "max_epochs"; }

enum { PARAMS = 3 }; /* dataset, model and loss have columns of their own */

static void merge_names(tsv *all, const tsv *t)
{
    for (int j = 0; j < t->cols; j++)
        if (tsv_col(all, t->name[j]) < 0)
            all->name[all->cols++] = t->name[j];
    for (int k = PARAMS; k < SPEC_COUNT && tsv_col(t, "spec") >= 0; k++)
        if (tsv_col(all, param_name(k)) < 0)
            all->name[all->cols++] = param_name(k);
}

typedef struct params {
    int at[SPEC_COUNT]; /* column of each */
    char *defaults[SPEC_COUNT];
} params;

static params params_of(arena *a, const tsv *all)
{
    params p;
    spec s = spec_default();
    char buf[32];
    for (int k = 0; k < SPEC_COUNT; k++) {
        p.at[k] = tsv_col(all, param_name(k));
        p.defaults[k] = arena_printf(a, "%s", spec_get(&s, k, buf));
    }
    return p;
}

/* Fills in the hyper-parameters of a row: those of its spec, defaults for the others. Unknown keys are ignored. */
static void put_params(arena *a, char **row, const params *p, const char *text)
{
    for (int k = PARAMS; k < SPEC_COUNT; k++)
        row[p->at[k]] = p->defaults[k];
    char *save = NULL, *copy = arena_printf(a, "%s", text);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *eq = strchr(w, '=');
        if (eq)
            *eq = 0;
        int k = eq ? spec_field(w) : -1;
        if (k >= PARAMS)
            row[p->at[k]] = eq + 1;
    }
}

/* Appends the rows of a file under the union of the columns. r->spec: hash of the spec, or, in rows without one, of the
 * cells between param_hash and status. */
static void merge_rows(arena *a, records *r, const tsv *t)
{
    int hyper = tsv_col(t, "param_hash"), status = tsv_col(t, "status"), text = tsv_col(t, "spec");
    int *to = NEW(a, int, (size_t)t->cols + 1);
    char version[16];
    params p = params_of(a, &r->t);
    snprintf(version, sizeof version, "%d", RESULTS_VERSION);
    for (int j = 0; j < t->cols; j++)
        to[j] = tsv_col(&r->t, t->name[j]);
    for (int i = 0; i < t->rows; i++) {
        char **row = NEW(a, char *, (size_t)r->t.cols);
        uint64_t h = HASH_INIT;
        if (strcmp(tsv_get(t, i, "results"), version)) {
            r->older++;
            continue;
        }
        for (int j = 0; j < r->t.cols; j++)
            row[j] = "";
        if (text >= 0)
            put_params(a, row, &p, t->cell[i][text]);
        for (int j = 0; j < t->cols; j++) {
            if (tsv_col(t, t->name[j]) == j &&
                (*t->cell[i][j] || !*row[to[j]])) /* of columns with one name the first counts */
                row[to[j]] = t->cell[i][j];
            if (text < 0 && hyper >= 0 && j > hyper && j < status)
                h = hash_text(hash_text(h, t->name[j]), t->cell[i][j]);
        }
        r->spec[r->t.rows] = text >= 0 ? hash_text(h, t->cell[i][text]) : h;
        r->t.cell[r->t.rows++] = row;
    }
}

/* Keeps the last row of each (experiment, key), successes before failures, in their order. */
static void drop_superseded(arena *a, records *r)
{
    tsv *t = &r->t;
    size_t size = 64;
    while (size < 2 * (size_t)t->rows)
        size *= 2;
    int *slot = NEW(a, int, size), kept = 0; /* 1 + row */
    char *drop = NEW(a, char, (size_t)t->rows + 1);
    int key = tsv_col(t, "key"), experiment = tsv_col(t, "experiment"), status = tsv_col(t, "status");
    for (int i = 0; i < t->rows; i++) {
        char **row = t->cell[i], *ex = experiment < 0 ? "" : row[experiment];
        size_t at = hash_text(hash_text(HASH_INIT, row[key]), ex) & (size - 1);
        for (; slot[at]; at = (at + 1) & (size - 1)) {
            char **old = t->cell[slot[at] - 1];
            if (!strcmp(old[key], row[key]) && (experiment < 0 || !strcmp(old[experiment], ex)))
                break;
        }
        int old = slot[at] - 1;
        if (old >= 0 && !strcmp(t->cell[old][status], "ok") && strcmp(row[status], "ok")) {
            drop[i] = 1;
        } else {
            if (old >= 0)
                drop[old] = 1;
            slot[at] = i + 1;
        }
    }
    for (int i = 0; i < t->rows; i++)
        if (!drop[i]) {
            r->spec[kept] = r->spec[i];
            t->cell[kept++] = t->cell[i];
        }
    r->superseded = t->rows - kept;
    t->rows = kept;
}

records records_read(arena *a, const char *path)
{
    records r = {.t.path = arena_printf(a, "%s", path)};
    char **file = record_files(a, path, &r.files);
    tsv *part = NEW(a, tsv, (size_t)r.files + 1);
    size_t rows = 0, cols = 0;
    for (int i = 0; i < r.files; i++) {
        part[i] = record_rows(a, file[i], &r.malformed);
        rows += (size_t)part[i].rows;
        cols += (size_t)part[i].cols;
    }
    r.t.name = NEW(a, char *, cols + SPEC_COUNT + 1);
    r.t.cell = NEW(a, char **, rows + 1);
    r.spec = NEW(a, uint64_t, rows + 1);
    for (int i = 0; i < r.files; i++)
        if (part[i].rows)
            merge_names(&r.t, &part[i]);
    for (int i = 0; i < r.files; i++)
        merge_rows(a, &r, &part[i]);
    if (r.t.rows)
        drop_superseded(a, &r);
    return r;
}
