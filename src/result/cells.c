/* cells: which runs belong to a printed cell, and how they compare with it.
 *
 * All runs of a cell have the same experiment, origin of the data (the best available) and hyper-parameters (those of
 * the last row); there is one row for each (run, seed), in the order of (run, seed). */
#include "../base/list.h"
#include "stats.h"
#include "table_parts.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAPER_RUNS = 10 };

const char *const verdict_word[VERDICTS] = {"agrees",         "higher",      "lower",  "undecided",
                                            "not comparable", "not printed", "not run"};

static int named(const char *want, const char *have) /* "-" in the paper's table: not a property of the cell */
{
    return !strcmp(want, "-") || !strcmp(want, have);
}

static int by_run(const void *x, const void *y)
{
    const record *a = *(const record *const *)x, *b = *(const record *const *)y;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    if (a->seed != b->seed)
        return a->seed < b->seed ? -1 : 1;
    return (a > b) - (a < b); /* in the order of the rows */
}

typedef struct choice {
    const record **v;
    int n, failed, left_out;
} choice;

/* Keeps the runs for which keep() holds. */
static int filter(choice *c, int (*keep)(const record *, const void *), const void *arg)
{
    int n = 0, before = c->n;
    for (int i = 0; i < c->n; i++)
        if (keep(c->v[i], arg))
            c->v[n++] = c->v[i];
    c->n = n;
    return before - n;
}

static int has_select(const record *v, const void *arg)
{
    const metric_def *m = arg;
    return v->s.select == m->select || v->s.select == SELECT_EACH; /* every F1 comes from an epoch of its own */
}

static int has_origin_and_spec(const record *v, const void *arg)
{
    const record *like = arg;
    return v->spec_hash == like->spec_hash && v->origin == like->origin;
}

static void narrow(choice *c, const metric_def *m)
{
    const record *best = NULL;
    int selects = 0;
    for (int i = 0; i < c->n && m->select >= 0; i++)
        selects |= has_select(c->v[i], m);
    if (selects) /* the epoch was chosen by the metric that the table reports */
        filter(c, has_select, m);
    for (int i = 0; i < c->n; i++)
        if (!best || c->v[i]->origin <= best->origin)
            best = c->v[i];
    c->left_out = best ? filter(c, has_origin_and_spec, best) : 0;
    qsort(c->v, (size_t)c->n, sizeof *c->v, by_run);
    int n = 0;
    for (int i = 0; i < c->n; i++) /* keeps the last row of each run */
        if (i + 1 == c->n || c->v[i]->run != c->v[i + 1]->run || c->v[i]->seed != c->v[i + 1]->seed)
            c->v[n++] = c->v[i];
    c->left_out += c->n - n;
    c->n = n;
}

int cells_cover(const table_def *d, const paper_cell *p, const record *v)
{
    return !strcmp(v->dataset, p->dataset) && named(p->model, v->model) && named(p->loss, v->loss) &&
           paper_setting_equal(v->setting, p->setting, d->extra);
}

static const char machine_experiments[] = "efficiency,crf"; /* those that measure time and memory */

int cells_rank(const table_def *d, const metric_def *m, const paper_cell *p, const record *v)
{
    const char *list = m->kind == MACHINE ? machine_experiments : d->experiment;
    int rank = 0;
    for (list_item i = list_first(list); i.s; i = list_next(i), rank++)
        if (list_is(i, v->experiment))
            return cells_cover(d, p, v) ? rank : -1;
    return -1;
}

int cells_may_fill(const table_def *d, const char *experiment)
{
    return tsv_lists(d->experiment, experiment) || tsv_lists(machine_experiments, experiment);
}

/* The runs of the preferred experiment that has successful ones; failed ones of those before it are counted, too. */
static choice choose(arena *a, const table_def *d, const metric_def *m, const paper_cell *p, const records *r)
{
    choice c = {0};
    arena tmp = {0};
    int *rank = NEW(&tmp, int, (size_t)r->n + 1), best = INT_MAX;
    size_t ok = 0;
    for (int i = 0; i < r->n; i++) {
        rank[i] = cells_rank(d, m, p, &r->v[i]);
        if (rank[i] >= 0 && rank[i] < best && r->v[i].ok)
            best = rank[i];
    }
    for (int i = 0; i < r->n; i++) {
        c.failed += rank[i] >= 0 && rank[i] <= best && !r->v[i].ok;
        ok += rank[i] == best && r->v[i].ok;
    }
    c.v = NEW(a, const record *, ok + 1);
    for (int i = 0; i < r->n; i++)
        if (rank[i] == best && r->v[i].ok)
            c.v[c.n++] = &r->v[i];
    arena_free(&tmp);
    narrow(&c, m);
    return c;
}

static double measured(const record *v, const metric_def *m)
{
    double x = v->number[m->column] * m->scale;
    return m->per < 0 ? x : x / v->number[m->per];
}

static void fill(arena *a, table_cell *c, const table_def *d, const records *r)
{
    choice mine = choose(a, d, c->metric, c->paper, r), ce = {0};
    if (c->metric->over_ce) {
        paper_cell other = *c->paper;
        other.loss = "ce";
        ce = choose(a, d, c->metric, &other, r);
    }
    c->value = NEW(a, double, (size_t)mine.n + 1);
    c->run = mine.v;
    c->failed = mine.failed;
    c->left_out = mine.left_out;
    for (int i = 0, j = 0; i < mine.n; i++) {
        double x = measured(mine.v[i], c->metric);
        if (c->metric->over_ce) {
            while (j < ce.n && (ce.v[j]->run < mine.v[i]->run ||
                                (ce.v[j]->run == mine.v[i]->run && ce.v[j]->seed < mine.v[i]->seed)))
                j++;
            int same = j < ce.n && ce.v[j]->run == mine.v[i]->run && ce.v[j]->seed == mine.v[i]->seed;
            x = same ? x / measured(ce.v[j], c->metric) : NAN;
        }
        if (isfinite(x)) {
            c->value[c->n] = x;
            c->run[c->n++] = mine.v[i];
        } else
            c->not_finite += !c->metric->over_ce;
    }
    c->origin = c->n ? c->run[0]->origin : ORIGINS;
}

static enum verdict judge(const table_cell *c)
{
    if (!c->n)
        return NOT_RUN;
    if (isnan(c->paper->value))
        return NOT_PRINTED;
    if (!origin_comparable(c->origin) || c->metric->kind == MACHINE)
        return NOT_COMPARABLE;
    if (isnan(c->lo))
        return UNDECIDED;
    double margin = fmax(c->metric->margin, c->metric->margin_rel * fabs(c->paper->value));
    margin = fmax(margin, 0.5 * pow(10, -c->digits)); /* the paper's rounding */
    if (c->lo >= -margin && c->hi <= margin)
        return AGREES;
    if (c->lo > 0 || c->hi < 0)
        return c->lo > 0 ? HIGHER : LOWER;
    double wide = isnan(c->paper->sd) ? margin : fmax(margin, 2 * c->paper->sd);
    return (c->hi - c->lo) / 2 <= wide ? AGREES : UNDECIDED;
}

static void compare(table_cell *c)
{
    const paper_cell *p = c->paper;
    c->mean = stats_mean(c->value, c->n);
    c->sd = stats_sd(c->value, c->n);
    c->diff = c->mean - p->value;
    c->lo = c->hi = c->metric->kind == EXACT ? c->diff : NAN;
    if (c->metric->kind != EXACT && !isnan(p->sd)) {
        stats_test t = stats_welch(c->mean, c->sd, c->n, p->value, p->sd, PAPER_RUNS, 0.95);
        c->lo = t.lo;
        c->hi = t.hi;
    } else if (c->metric->kind != EXACT) {
        stats_interval i = stats_mean_interval(c->value, c->n, 0.95);
        c->lo = i.lo - p->value;
        c->hi = i.hi - p->value;
    }
    c->verdict = judge(c);
}

table_cell *cells_make(arena *a, const table_def *d, const paper *p, const records *r)
{
    table_cell *out = NEW(a, table_cell, (size_t)p->n + 1);
    for (int i = 0; i < p->n; i++) {
        table_cell *c = &out[i];
        c->paper = &p->cell[i];
        c->metric = table_metric(c->paper->metric);
        int printed = 0;
        for (int j = 0; j < p->n; j++) { /* a printed dash: as many digits as cells of the same metric */
            int like = !strcmp(p->cell[j].metric, c->paper->metric);
            printed |= like && !isnan(p->cell[j].value);
            if (i == j || (isnan(c->paper->value) && like))
                c->digits = (int)fmax(c->digits, paper_decimals(p->cell[j].value_text));
        }
        if (!printed && c->metric->kind == MEASURED) /* a table beyond the paper */
            c->digits = c->metric->scale > 1 ? 2 : 4;
        c->sd_digits = isnan(c->paper->sd) ? c->digits : paper_decimals(c->paper->sd_text);
        fill(a, c, d, r);
        compare(c);
        if (c->metric->kind == MACHINE && c->n && c->mean > 0) /* at least three significant digits */
            c->digits = c->sd_digits = (int)fmax(c->digits, 2 - floor(log10(c->mean)));
    }
    return out;
}

int cells_whole_runs(const table_cell *c)
{
    int r = 0;
    while (r < c->n && c->run[r]->run == r && c->run[r]->seed == c->run[0]->seed)
        r++;
    return r;
}
