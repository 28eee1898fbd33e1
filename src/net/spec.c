#include "spec.h"
#include "../base/err.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { TYPE_text, TYPE_integer, TYPE_number, TYPE_word, TYPE_batch, TYPE_partition, TYPE_attack, TYPE_split };

#define F(type, name, value, values, help) #name,
const char *const spec_name[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, values, help) help,
const char *const spec_help[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, values, help) values,
const char *const spec_values[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, values, help) {TYPE_##type, offsetof(spec, name), sizeof(spec_##type)},
static const struct {
    enum type type;
    size_t at, size;
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

int spec_word_find(const char *name, const char *word) { return find_word(name, word, spec_values[spec_field(name)]); }

static double parse_number(int k, const char *value)
{
    char *end;
    double x = strtod(value, &end);
    int is_integer = field[k].type == TYPE_integer,
        whole = x >= -2147483647.0 && x <= 2147483647.0 && x == (double)(int)x;
    if (end == value || *end || !isfinite(x) || (is_integer && !whole))
        die("%s must be a %snumber, not '%s'", spec_name[k], is_integer ? "whole " : "", value);
    return x;
}

static void check_text(int k, const char *value)
{
    int blanks = !strcmp(spec_name[k], "dataset"); /* may be a path */
    if (!*value || strpbrk(value, blanks ? "\t\r\n" : " \t\r\n"))
        die("%s: empty, or with %stabs or line breaks, which no name may have", spec_name[k], blanks ? "" : "blanks, ");
}

void spec_set(spec *s, const char *name, const char *value)
{
    int k = spec_field(name);
    if (k < 0)
        die("unknown hyper-parameter '%s' (jcb train --help lists them)", name);
    char *to = (char *)s + field[k].at;
    if (field[k].type > TYPE_number)
        check_text(k, value);
    switch (field[k].type) {
    case TYPE_text: *(spec_text *)to = value; break;
    case TYPE_integer: *(spec_integer *)to = (int)parse_number(k, value); break;
    case TYPE_number: *(spec_number *)to = parse_number(k, value); break;
    case TYPE_word: *(spec_word *)to = find_word(name, value, spec_values[k]); break;
    case TYPE_batch: *(spec_batch *)to = batch_rule_read(value); break;
    case TYPE_attack: *(spec_attack *)to = variant_rule_read(value); break;
    case TYPE_split: *(spec_split *)to = split_rule_read(value); break;
    case TYPE_partition:
        *(spec_partition *)to = strcmp(value, "batch") ? partition_rule_read(value)
                                                       : (partition_rule){.text = value, .kind = PARTITION_BATCH};
    }
}

/* Word number n of "WORD|WORD|...". */
static void put_word(char buf[32], const char *values, int n)
{
    for (; n; n--)
        values = strchr(values, '|') + 1;
    snprintf(buf, 32, "%.*s", (int)strcspn(values, "|"), values);
}

struct setting { /* the arguments of set */
    spec *s;
    const char *name, *value;
};

static void set(void *arg)
{
    const struct setting *o = arg;
    spec_set(o->s, o->name, o->value);
}

const char *spec_try(spec *s, const char *name, const char *value)
{
    return err_try(set, &(struct setting){s, name, value});
}

const char *spec_get(const spec *s, int k, char buf[32])
{
    const char *from = (const char *)s + field[k].at;
    switch (field[k].type) {
    case TYPE_text: return *(const spec_text *)from;
    case TYPE_batch: return ((const spec_batch *)from)->text;
    case TYPE_partition: return ((const spec_partition *)from)->text;
    case TYPE_attack: return ((const spec_attack *)from)->text;
    case TYPE_split: return ((const spec_split *)from)->text;
    case TYPE_word: put_word(buf, spec_values[k], *(const spec_word *)from); break;
    case TYPE_integer: snprintf(buf, 32, "%d", *(const spec_integer *)from); break;
    case TYPE_number:
        for (int digits = 6, same = 0; digits <= 17 && !same; digits++) {
            snprintf(buf, 32, "%.*g", digits, *(const spec_number *)from);
            same = strtod(buf, NULL) == *(const spec_number *)from;
        }
    }
    return buf;
}

void spec_take(spec *s, const spec *from, uint64_t fields)
{
    for (int k = 0; k < SPEC_COUNT; k++)
        if (fields >> k & 1)
            memcpy((char *)s + field[k].at, (const char *)from + field[k].at, field[k].size);
}

/* Dies unless lo <= x <= hi, values being "LO to HI". */
static void check_range(const char *name, double x, const char *values)
{
    char *end;
    double lo = strtod(values, &end), hi = strtod(end + 4, NULL);
    if (!(x >= lo && x <= hi))
        die("%s is %.10g; it must lie between %.10g and %.10g", name, x, lo, hi);
}

static void check_field(const spec *s, int k)
{
    const char *at = (const char *)s + field[k].at;
    if (field[k].type == TYPE_integer)
        check_range(spec_name[k], *(const spec_integer *)at, spec_values[k]);
    else if (field[k].type == TYPE_number)
        check_range(spec_name[k], *(const spec_number *)at, spec_values[k]);
    else if (field[k].type == TYPE_text)
        check_text(k, *(const spec_text *)at);
}

void spec_check(const spec *s)
{
    for (int k = 0; k < SPEC_COUNT; k++)
        check_field(s, k);
    if (s->evaluate_from > s->epochs)
        die("evaluate_from is %d, beyond the last epoch %d: no epoch could be chosen", s->evaluate_from, s->epochs);
    int full = s->batch.kind == BATCH_FULL, batch_clusters = s->partition.kind == PARTITION_BATCH;
    if (s->inductive && full)
        die("inductive=1 is for training in batches: give --batch, e.g. neighbour:512:15,10");
    if (full && batch_clusters)
        die("partition=batch makes clusters of each batch: give --batch, e.g. neighbour:512:15,10");
    if (s->inference == INFERENCE_RELEASE && !batch_clusters)
        die("inference=release needs clusters that are made in each batch: give --partition batch");
}

spec spec_changed(const spec *s, int k)
{
    spec q = *s;
    const spec normal = spec_default();
    char *at = (char *)&q + field[k].at, *end, now[32], usual[32];
    const char *values = spec_values[k], *last = strrchr(values, '|'), *word = spec_get(&normal, k, usual);
    double lo = strtod(values, &end), hi = end == values ? 0 : strtod(end + 4, NULL);
    switch (field[k].type) {
    case TYPE_integer: *(spec_integer *)at += *(spec_integer *)at < hi ? 1 : -1; break;
    case TYPE_number: *(spec_number *)at = *(spec_number *)at < hi ? (*(spec_number *)at + hi) / 2 : lo; break;
    default: spec_set(&q, spec_name[k], last && !strcmp(spec_get(s, k, now), word) ? last + 1 : word);
    }
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
