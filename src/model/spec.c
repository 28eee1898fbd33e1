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

#define F(type, name, value, help) #name,
const char *const spec_name[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, help) help,
const char *const spec_help[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F
#define F(type, name, value, help) {type, offsetof(spec, name)},
static const struct {
    enum type type;
    size_t at;
} field[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F

spec spec_default(void)
{
    return (spec){
#define F(type, name, value, help) .name = value,
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

static void range(const char *name, double x, double lo, double hi)
{
    if (!(x >= lo && x <= hi))
        die("%s is %g; it must lie between %g and %g", name, x, lo, hi);
}

void spec_check(const spec *s)
{
    range("hidden", s->hidden, 1, 65536);
    range("layers", s->layers, 1, 128);
    range("dropout", s->dropout, 0, 0.99);
    range("lr", s->lr, 0, 100);
    range("wd", s->wd, 0, 100);
    range("epochs", s->epochs, 1, 1e6);
    range("patience", s->patience, 0, 1e6);
    range("validate_every", s->validate_every, 1, 1e6);
    range("clusters", s->clusters, 1, 1e6);
    range("tau", s->tau, 1e-3, 1e3);
    range("eps", s->eps, 0, 1);
    range("hops", s->hops, 0, 128);
    range("beta", s->beta, 0, 1e6);
    range("heads", s->heads, 1, 256);
    range("out_heads", s->out_heads, 1, 256);
    range("in_dropout", s->in_dropout, 0, 0.99);
    range("att_dropout", s->att_dropout, 0, 0.99);
    range("att_dropout2", s->att_dropout2, 0, 0.99);
    range("order", s->order, 1, 16);
    range("alpha", s->alpha, 0, 1);
    range("lambda", s->lambda, 0, 100);
    range("wd2", s->wd2, 0, 100);
    range("mean_self", s->mean_self, 0, 1);
    range("norm_batch", s->norm_batch, 0, 1);
    backbone_check(s);
    range("evaluate_from", s->evaluate_from, 1, s->epochs);
    range("inductive", s->inductive, 0, 1);
    if (s->inductive && batch_rule_read(s->batch).kind == BATCH_FULL)
        die("inductive=1 is for training in batches: give --batch, e.g. neighbour:512:15,10");
    if (strcmp(s->init, "auto") && strcmp(s->init, "glorot"))
        die("init is '%s'; it must be auto or glorot", s->init);
    const char *const words[] = {s->model,  s->loss, s->select, s->partition, s->init,   s->split,
                                 s->attack, s->norm, s->batch,  s->inference, s->method, s->optimiser};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!*words[i] || strpbrk(words[i], " \t\r\n"))
            die("'%s': the value of a hyper-parameter may not be empty or have blanks", words[i]);
    static const char *const norms[] = {"auto", "row", "none", "standard", "pyg"};
    int known = 0;
    for (size_t k = 0; k < sizeof norms / sizeof *norms; k++)
        known |= !strcmp(s->norm, norms[k]);
    if (!known)
        die("norm is '%s'; it must be auto, row, none, standard or pyg", s->norm);
    if (strcmp(s->optimiser, "adam") && strcmp(s->optimiser, "rmsprop"))
        die("optimiser is '%s'; it must be adam or rmsprop", s->optimiser);
    variant_check(s->attack);
    if (batch_rule_read(s->batch).kind == BATCH_FULL && !strcmp(s->partition, "batch"))
        die("partition=batch makes clusters of each batch: give --batch, e.g. neighbour:512:15,10");
    if (strcmp(s->inference, "training") && strcmp(s->inference, "release"))
        die("inference is '%s'; it must be training or release", s->inference);
    if (!strcmp(s->inference, "release") && strcmp(s->partition, "batch"))
        die("inference=release needs clusters that are made in each batch: give --partition batch");
    static const char *const how[] = {"acc", "macro_f1", "weighted_f1", "loss", "objective", "acc_or_loss", "each"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        if (!strcmp(s->select, how[i]))
            return;
    die("select is '%s'; it must be acc, macro_f1, weighted_f1, loss, objective, acc_or_loss or each", s->select);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(spec_name[*(const int *)x], spec_name[*(const int *)y]);
}

const char *spec_identity(arena *a, const spec *s)
{
    const spec usual = spec_default();
    const char *all = "";
    char buf[32], was[32];
    int order[SPEC_COUNT];
    for (int k = 0; k < SPEC_COUNT; k++)
        order[k] = k;
    qsort(order, SPEC_COUNT, sizeof *order, by_name);
    for (int i = 0; i < SPEC_COUNT; i++) {
        int k = order[i];
        const char *now = spec_get(s, k, buf);
        if (strcmp(spec_name[k], "dataset") && strcmp(now, spec_get(&usual, k, was)))
            all = arena_printf(a, "%s%s%s=%s", all, *all ? " " : "", spec_name[k], now);
    }
    return all;
}
