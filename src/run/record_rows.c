/* record_rows: the tolerant reader of records. */
#include "record_rows.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "record.h"
#include <errno.h>
#include <stdio.h>
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

char **record_files(arena *a, const char *path, int *n)
{
    struct stat st;
    int names;
    *n = 0;
    if (stat(path, &st) != 0) {
        if (errno == ENOENT)
            return NULL;
        die("%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(st.st_mode)) {
        char **file = NEW(a, char *, 1);
        file[(*n)++] = arena_printf(a, "%s", path);
        return file;
    }
    char **file = file_list(a, path, ".tsv", &names);
    for (int i = 0; i < names; i++) {
        if (strstr(file[i], ".old-"))
            continue;
        file[*n] = arena_printf(a, "%s/%s.tsv", path, file[i]);
        if (stat(file[*n], &st) == 0 && !S_ISREG(st.st_mode)) /* a directory, a FIFO */
            warn("%s: not a regular file: left out", file[*n]);
        else
            ++*n;
    }
    return file;
}

int record_is_current(const tsv *t, int row)
{
    char version[16];
    snprintf(version, sizeof version, "%d", RESULTS_VERSION);
    return !strcmp(tsv_get(t, row, "results"), version);
}

tsv record_measurements(arena *a, const char *dir, const char *experiment)
{
    const char *path = arena_printf(a, "%s/%s.tsv", dir, experiment);
    tsv t = {.path = path};
    int malformed = 0, n = 0;
    if (!file_named(path))
        return t;
    t = record_rows(a, path, &malformed);
    for (int i = 0; i < t.rows; i++) {
        int repeated = 0;
        for (int k = i + 1; k < t.rows && !repeated; k++)
            repeated = !strcmp(t.cell[i][0], t.cell[k][0]);
        if (!repeated && record_is_current(&t, i) && !strcmp(tsv_get(&t, i, "status"), "ok"))
            t.cell[n++] = t.cell[i];
    }
    t.rows = n;
    return t;
}
