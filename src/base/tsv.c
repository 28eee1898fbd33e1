#include "tsv.h"
#include "err.h"
#include "file.h"
#include "list.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cuts s at tabs; returns the number of pieces, storing the first max. */
static int cut(char *s, char **piece, int max)
{
    int n = 0;
    for (;;) {
        if (n < max)
            piece[n] = s;
        n++;
        s = strchr(s, '\t');
        if (!s)
            return n;
        *s++ = 0;
    }
}

tsv tsv_read(arena *a, const char *path)
{
    bytes b = file_read(a, path, 0);
    return tsv_parse(a, path, (char *)b.p, b.n);
}

tsv tsv_parse(arena *a, const char *path, char *s, size_t n)
{
    tsv t = {.path = arena_printf(a, "%s", path)};
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += s[i] == '\n';
    t.cell = NEW(a, char **, (size_t)lines + 1);
    char *end = s + n;
    for (int line = 1; s < end; line++) {
        char *nl = memchr(s, '\n', (size_t)(end - s));
        if (!nl) {
            t.torn = 1;
            break;
        }
        *nl = 0;
        if (nl > s && nl[-1] == '\r')
            nl[-1] = 0;
        if (*s && (*s != '#' || t.name)) {
            if (!t.name) {
                int cols = 1;
                for (char *q = s; *q; q++)
                    cols += *q == '\t';
                t.name = NEW(a, char *, (size_t)cols);
                t.cols = cut(s, t.name, cols);
            } else {
                char **row = t.cell[t.rows++] = NEW(a, char *, (size_t)t.cols);
                int cells = cut(s, row, t.cols);
                if (cells > t.cols)
                    die("%s:%d: %d cells under %d column names", path, line, cells, t.cols);
                for (; cells < t.cols; cells++)
                    row[cells] = "";
            }
        }
        s = nl + 1;
    }
    return t;
}

int tsv_col(const tsv *t, const char *name)
{
    for (int j = 0; j < t->cols; j++)
        if (!strcmp(t->name[j], name))
            return j;
    return -1;
}

int tsv_need(const tsv *t, const char *name)
{
    int j = tsv_col(t, name);
    if (j < 0)
        die("%s: no column '%s'", t->path, name);
    return j;
}

const char *tsv_get(const tsv *t, int row, const char *name)
{
    int j = tsv_col(t, name);
    return j < 0 ? "" : t->cell[row][j];
}

double tsv_number(const tsv *t, int row, const char *name)
{
    const char *s = tsv_get(t, row, name);
    if (!*s || !strcmp(s, "-"))
        return NAN;
    char *end;
    double x = strtod(s, &end);
    if (*end)
        die("%s: row %d: %s is '%s', not a number", t->path, row + 1, name, s);
    return x;
}

const char *tsv_comment(arena *a, const char *path, const char *tag)
{
    bytes b = file_read(a, path, 0);
    size_t len = strlen(tag);
    for (const char *s = (const char *)b.p; s; s = strchr(s, '\n')) {
        s += *s == '\n';
        if (s[0] == '#' && s[1] == ' ' && !strncmp(s + 2, tag, len))
            return arena_printf(a, "%.*s", (int)strcspn(s + 2 + len, "\r\n"), s + 2 + len);
    }
    return "";
}

int tsv_lists(const char *list, const char *word)
{
    for (list_item i = list_first(list); i.s; i = list_next(i))
        if (list_is(i, word))
            return 1;
    return 0;
}
