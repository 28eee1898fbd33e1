/* paper: reads the transcribed tables, selects and pairs their cells. */
#include "paper.h"
#include "../base/err.h"
#include "../base/list.h"
#include "../base/tsv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const char *path, int row, const char *name, const char *s)
{
    if (!strcmp(s, "-"))
        return NAN;
    char *end;
    double x = strtod(s, &end);
    if (end == s || *end || !isfinite(x))
        die("%s: cell %d: %s is '%s', not a number or -", path, row + 1, name, s);
    return x;
}

paper paper_read(arena *a, const char *dir, const char *name)
{
    static const char *const need[] = {"dataset", "model", "loss", "setting", "metric", "value", "sd", "bold", "note"};
    const char *path = arena_printf(a, "%s/%s.tsv", dir, name);
    paper p = {.name = arena_printf(a, "%s", name), .caption = tsv_comment(a, path, "caption: ")};
    tsv t = tsv_read(a, path);
    if (!t.name)
        die("%s: no header line", path);
    int col[9];
    for (int j = 0; j < 9; j++)
        col[j] = tsv_need(&t, need[j]);
    p.cell = NEW(a, paper_cell, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++) {
        char **v = t.cell[i];
        for (int j = 0; j < 9; j++)
            if (!*v[col[j]])
                die("%s: cell %d: %s is empty (write - for none)", path, i + 1, need[j]);
        p.cell[p.n++] = (paper_cell){.dataset = v[col[0]],
                                     .model = v[col[1]],
                                     .loss = v[col[2]],
                                     .setting = v[col[3]],
                                     .metric = v[col[4]],
                                     .value_text = v[col[5]],
                                     .sd_text = v[col[6]],
                                     .note = v[col[8]],
                                     .value = number(path, i, "value", v[col[5]]),
                                     .sd = number(path, i, "sd", v[col[6]]),
                                     .bold = !strcmp(v[col[7]], "1")};
    }
    return p;
}

/* The value of the key in a comma-joined list of key=value, its length in *n; NULL: no such key. */
static const char *lookup(const char *list, const char *key, size_t len, int *n)
{
    for (list_item i = list_first(list); i.s; i = list_next(i))
        if (i.key == len && i.key < i.n && !strncmp(i.s, key, len)) {
            *n = (int)(i.n - len - 1);
            return i.s + len + 1;
        }
    return NULL;
}

static const char *column(const paper_cell *c, const char *key, size_t len)
{
    const struct {
        const char *name, *value;
    } map[] = {{"dataset", c->dataset}, {"model", c->model}, {"loss", c->loss}, {"metric", c->metric}};
    for (int i = 0; i < 4; i++)
        if (strlen(map[i].name) == len && !strncmp(map[i].name, key, len))
            return map[i].value;
    return NULL;
}

static const char *value_of(const paper_cell *c, const char *key, size_t len, int *n)
{
    const char *v = column(c, key, len);
    if (v)
        *n = (int)strlen(v);
    return v ? v : lookup(c->setting, key, len, n);
}

const char *paper_value(const paper_cell *c, const char *key, int *n) { return value_of(c, key, strlen(key), n); }

int paper_match(const paper_cell *c, const char *filter)
{
    if (!strcmp(filter, "-"))
        return 1;
    for (list_item i = list_first(filter); i.s; i = list_next(i)) {
        int n, found = 0;
        if (i.key == i.n)
            die("filter '%s' is not key=value[|value][,...]", filter);
        const char *v = value_of(c, i.s, i.key, &n);
        for (const char *w = i.s + i.key + 1, *end = i.s + i.n; v && w <= end && !found; w++) {
            size_t k = strcspn(w, "|,"), not = *w == '!';
            if (not ) {
                found = k - 1 != (size_t)n || strncmp(w + 1, v, k - 1);
                w += k;
                continue;
            }
            found = k && w[k - 1] == '*' ? (size_t)n >= k - 1 && !strncmp(w, v, k - 1)
                                         : k == (size_t)n && !strncmp(w, v, k);
            w += k;
        }
        if (!found)
            return 0;
    }
    return 1;
}

int paper_filter_names(const char *filter, const char *key)
{
    int n;
    return lookup(filter, key, strlen(key), &n) != NULL;
}

/* Whether both filters name the key, with different values. */
static int contrasted(const char *key, size_t len, const char *fa, const char *fb)
{
    int na, nb;
    const char *a = lookup(fa, key, len, &na), *b = lookup(fb, key, len, &nb);
    return a && b && (na != nb || strncmp(a, b, (size_t)na));
}

static int equal_in(const paper_cell *a, const paper_cell *b, const char *key, size_t len)
{
    int na, nb;
    const char *x = value_of(a, key, len, &na), *y = value_of(b, key, len, &nb);
    return !x || !y ? x == y : na == nb && !strncmp(x, y, (size_t)na);
}

int paper_partner(const paper_cell *a, const char *fa, const paper_cell *b, const char *fb)
{
    static const char *const columns[] = {"dataset", "model", "loss", "metric"};
    for (int i = 0; i < 4; i++)
        if (!contrasted(columns[i], strlen(columns[i]), fa, fb) && !equal_in(a, b, columns[i], strlen(columns[i])))
            return 0;
    const char *settings[] = {a->setting, b->setting};
    for (int k = 0; k < 2; k++)
        for (list_item i = list_first(settings[k]); i.s; i = list_next(i))
            if (i.key < i.n && !contrasted(i.s, i.key, fa, fb) && !equal_in(a, b, i.s, i.key))
                return 0;
    return 1;
}

/* Whether every pair of x is in y or in extra. */
static int within(const char *x, const char *y, const char *extra)
{
    for (list_item i = list_first(x); i.s; i = list_next(i)) {
        int n = -1;
        const char *v = lookup(y, i.s, i.key, &n);
        if (!v)
            v = lookup(extra, i.s, i.key, &n);
        if (i.key < i.n && (!v || (size_t)n != i.n - i.key - 1 || strncmp(v, i.s + i.key + 1, (size_t)n)))
            return 0;
    }
    return 1;
}

int paper_setting_equal(const char *x, const char *y, const char *extra)
{
    return within(x, y, extra) && within(y, x, "");
}

int paper_prints(const paper *p)
{
    for (int i = 0; i < p->n; i++)
        if (!isnan(p->cell[i].value))
            return 1;
    return 0;
}

int paper_decimals(const char *number_text)
{
    const char *point = strchr(number_text, '.');
    return point ? (int)strspn(point + 1, "0123456789") : 0;
}
