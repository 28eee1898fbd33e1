/* table_defs: looks up metrics, splits and display names in the definitions. */
#include "../base/err.h"
#include "definitions.h"
#include "table_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const metric_def *table_metric(const char *name)
{
    for (int i = 0; i < definitions.metrics; i++)
        if (!strcmp(definitions.metric[i].name, name))
            return &definitions.metric[i];
    die("%s/metrics.tsv: no metric '%s'", definitions.dir, name);
}

const split_def *table_splits(const char *dataset)
{
    for (int i = 0; i < definitions.splits; i++)
        if (!strcmp(definitions.split[i].dataset, dataset))
            return &definitions.split[i];
    return NULL;
}

/* The index of a name in titles.tsv; the number of titles if it is not there. */
static int rank(const char *v, int n)
{
    const title_def *t = definitions.title;
    int i = 0;
    while (i < definitions.titles && (strncmp(t[i].name, v, (size_t)n) || t[i].name[n]))
        i++;
    return i;
}

const char *table_title(const char *key, const char *value, int n, char out[64])
{
    snprintf(out, 64, "%.*s", n, value);
    if (!strcmp(key, "metric"))
        return table_metric(out)->title;
    int i = rank(value, n);
    if (i < definitions.titles)
        return definitions.title[i].title;
    const char *colon = !strcmp(key, "partition") ? memchr(value, ':', (size_t)n) : NULL;
    char name[64];
    if (colon)
        snprintf(out, 64, "%s, start %.*s", table_title(key, value, (int)(colon - value), name),
                 (int)(value + n - colon - 1), colon + 1);
    return out;
}

const char *table_title_of(arena *a, const char *key, const char *value)
{
    char out[64];
    return arena_printf(a, "%s", table_title(key, value, (int)strlen(value), out));
}

int table_order(const paper_cell *x, const paper_cell *y, const char *key)
{
    int nx = 0, ny = 0;
    const char *vx = paper_value(x, key, &nx), *vy = paper_value(y, key, &ny);
    if (!vx || !vy)
        return !vy - !vx;
    if (!strcmp(key, "metric")) {
        const metric_def *a = table_metric(vx), *b = table_metric(vy);
        return (a > b) - (a < b);
    }
    char *ex, *ey;
    double a = strtod(vx, &ex), b = strtod(vy, &ey);
    if (ex != vx + nx || ey != vy + ny || !nx || !ny) { /* not numbers */
        a = rank(vx, nx);
        b = rank(vy, ny);
    }
    if (a != b)
        return a < b ? -1 : 1;
    int c = strncmp(vx, vy, (size_t)(nx < ny ? nx : ny));
    return c ? c : nx - ny;
}

int table_by_keys(const paper_cell *x, const paper_cell *y, const char *const *key, int n)
{
    int order = 0;
    for (int i = 0; i < n && !order; i++)
        order = table_order(x, y, key[i]);
    return order;
}

void table_add_value(buf *t, const paper_cell *c, const char *key, size_t len, const char *between)
{
    char name[64], out[64];
    int n;
    if (len >= sizeof name)
        return;
    memcpy(name, key, len);
    name[len] = 0;
    const char *v = paper_value(c, name, &n);
    if (!v || (n == 1 && *v == '-'))
        return;
    const char *unit = !strcmp(name, "ptb")        ? " % perturbed"
                       : !strcmp(name, "labels")   ? " labels"
                       : !strcmp(name, "clusters") ? " clusters"
                       : !strcmp(name, "layers")   ? " layers"
                                                   : "";
    buf_add(t, "%s%s%s", t->n ? between : "", table_title(name, v, n, out), unit);
}
