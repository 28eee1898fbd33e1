#include "spec.h"
#include "../attack/variant.h"
#include "../base/err.h"
#include "backbone.h"
#include "batch.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { text, integer, number };

#define F(type, name, value, values, help) #name,
const char *const spec_name[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, values, help) help,
const char *const spec_help[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, values, help) values,
const char *const spec_values[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, values, help) {type, offsetof(spec, name)},
static const struct {
    enum type type;
    size_t at;
} field[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F

spec spec_default(void)
{
    return (spec){
#define F(type, name, value, values, help) .name = value,
        SPEC_FIELDS(F)
#undef F
    };
}

int spec_field(const char *name)
{
    for (int k = 0; k < SPEC_COUNT; k++)
        if (!strcmp(spec_name[k], name))
            return k;
    return -1;
}

void spec_set(spec *s, const char *name, const char *value)
{
    int k = spec_field(name);
    if (k < 0)
        die("unknown hyper-parameter '%s' (jcb train --help lists them)", name);
    char *end = (char *)value, *to = (char *)s + field[k].at;
    if (field[k].type == text) {
        *(spec_text *)to = value;
        return;
    }
    double x = strtod(value, &end);
    int whole = x >= -2147483647.0 && x <= 2147483647.0 && x == (double)(int)x;
    if (end == value || *end || !isfinite(x) || (field[k].type == integer && !whole))
        die("%s must be a %snumber, not '%s'", name, field[k].type == integer ? "whole " : "", value);
    if (field[k].type == integer)
        *(spec_integer *)to = (int)x;
    else
        *(spec_number *)to = x;
}

const char *spec_get(const spec *s, int k, char buf[32])
{
    const char *from = (const char *)s + field[k].at;
    if (field[k].type == text)
        return *(const spec_text *)from;
    if (field[k].type == integer)
        snprintf(buf, 32, "%d", *(const spec_integer *)from);
    else
        for (int digits = 6, same = 0; digits <= 17 && !same; digits++) {
            snprintf(buf, 32, "%.*g", digits, *(const spec_number *)from);
            same = strtod(buf, NULL) == *(const spec_number *)from;
        }
    return buf;
}

/* Dies unless lo <= x <= hi, values being "LO to HI". */
static void check_range(const char *name, double x, const char *values)
{
    char *end;
    double lo = strtod(values, &end), hi = strtod(end + 4, NULL);
    if (!(x >= lo && x <= hi))
        die("%s is %.10g; it must lie between %.10g and %.10g", name, x, lo, hi);
}

/* The number of the word in "WORD|WORD|...", from 0; dies when it is none of them. */
static int find_word(const char *name, const char *word, const char *values)
{
    char known[160] = "";
    int k = 0;
    for (const char *w = values; *w; k++) {
        size_t n = strcspn(w, "|"), used = strlen(known);
        if (strlen(word) == n && !strncmp(w, word, n))
            return k;
        const char *between = !used ? "" : w[n] ? ", " : " or ";
        snprintf(known + used, sizeof known - used, "%s%.*s", between, (int)n, w);
        w += n + (w[n] == '|');
    }
    die("%s is '%s'; it must be %s", name, word, known);
}

static void check_field(const spec *s, int k)
{
    const char *at = (const char *)s + field[k].at;
    if (field[k].type == integer)
        check_range(spec_name[k], *(const spec_integer *)at, spec_values[k]);
    else if (field[k].type == number)
        check_range(spec_name[k], *(const spec_number *)at, spec_values[k]);
    else {
        const char *word = *(const spec_text *)at;
        if (!*word || strpbrk(word, strcmp(spec_name[k], "dataset") ? " \t\r\n" : "\t\r\n"))
            die("%s: empty, or with %stabs or line breaks, which no name may have", spec_name[k],
                strcmp(spec_name[k], "dataset") ? "blanks, " : "");
        if (strncmp(spec_values[k], "such as ", 8))
            find_word(spec_name[k], word, spec_values[k]);
    }
}

enum spec_select spec_select(const spec *s)
{
    return (enum spec_select)find_word("select", s->select, spec_values[spec_field("select")]);
}

void spec_check(const spec *s)
{
    for (int k = 0; k < SPEC_COUNT; k++)
        check_field(s, k);
    backbone_check(s);
    if (s->evaluate_from > s->epochs)
        die("evaluate_from is %d, beyond the last epoch %d: no epoch could be chosen", s->evaluate_from, s->epochs);
    variant_check(s->attack);
    int full = batch_rule_read(s->batch).kind == BATCH_FULL, batch_clusters = !strcmp(s->partition, "batch");
    if (s->inductive && full)
        die("inductive=1 is for training in batches: give --batch, e.g. neighbour:512:15,10");
    if (full && batch_clusters)
        die("partition=batch makes clusters of each batch: give --batch, e.g. neighbour:512:15,10");
    if (!strcmp(s->inference, "release") && !batch_clusters)
        die("inference=release needs clusters that are made in each batch: give --partition batch");
}

spec spec_changed(const spec *s, int k)
{
    spec q = *s;
    const spec normal = spec_default();
    char *at = (char *)&q + field[k].at, *end;
    const char *values = spec_values[k];
    if (field[k].type == text) {
        const char *word = *(const spec_text *)((const char *)&normal + field[k].at), *last = strrchr(values, '|');
        *(spec_text *)at = strcmp(*(spec_text *)at, word) || !last ? word : last + 1;
        return q;
    }
    double lo = strtod(values, &end), hi = strtod(end + 4, NULL);
    if (field[k].type == integer)
        *(spec_integer *)at += *(spec_integer *)at < hi ? 1 : -1;
    else
        *(spec_number *)at = *(spec_number *)at < hi ? (*(spec_number *)at + hi) / 2 : lo;
    return q;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(spec_name[*(const int *)x], spec_name[*(const int *)y]);
}

const char *spec_identity(arena *a, const spec *s)
{
    const spec plain = spec_default();
    const char *all = "";
    char buf[32], was[32];
    int order[SPEC_COUNT];
    for (int k = 0; k < SPEC_COUNT; k++)
        order[k] = k;
    qsort(order, SPEC_COUNT, sizeof *order, by_name);
    for (int i = 0; i < SPEC_COUNT; i++) {
        int k = order[i];
        const char *now = spec_get(s, k, buf);
        if (strcmp(spec_name[k], "dataset") && strcmp(now, spec_get(&plain, k, was)))
            all = arena_printf(a, "%s%s%s=%s", all, *all ? " " : "", spec_name[k], now);
    }
    return all;
}
