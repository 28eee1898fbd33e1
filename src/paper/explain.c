#include "explain.h"
#include "../stats/anytime.h"
#include "figure_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const explain_title[EXPLAIN_ROWS] = {"CE as published",
                                                 "CE at JC's lr, width, epochs",
                                                 "CE searched",
                                                 "CE at a temperature, searched",
                                                 "Label smoothing",
                                                 "Smoothing to the cluster's label",
                                                 "Smoothing to neighbours' labels",
                                                 "Two CE runs averaged",
                                                 "In-context (IC)",
                                                 "JC, random clusters",
                                                 "JC, other METIS starts",
                                                 "JC as published",
                                                 "JC searched",
                                                 "JC, factorised head (2c)",
                                                 "JC, trainable statistics"};

static const char *const name[EXPLAIN_ROWS] = {"ce",        "ce-jc",  "ce-tuned", "ce-tau", "smooth",
                                               "csmooth",   "postel", "ensemble", "ic",     "jc-random",
                                               "jc-metis:", "jc",     "jc-tuned", "jcf",    "jct"};

/* ---- from records to rows ---- */

static int row_of(const cell *c)
{
    int n;
    const char *v = paper_value(c->paper, "row", &n);
    for (int k = 0; v && k < EXPLAIN_ROWS; k++) {
        size_t len = strlen(name[k]);
        if (!strncmp(v, name[k], len) && (n == (int)len || (k == ROW_JC_METIS && n > (int)len)))
            return k;
    }
    return -1;
}

/* Adds the runs of one more partition, as far as all partitions have them. */
static void add_cell(arena *a, explain_cell *to, const cell *c)
{
    int n = cells_whole_runs(c);
    if (!to->partitions)
        to->acc = NEW(a, double, (size_t)n + 1);
    to->n = to->partitions && to->n < n ? to->n : n;
    to->partitions++;
    for (int r = 0; r < to->n; r++)
        to->acc[r] += (c->value[r] - to->acc[r]) / to->partitions;
}

static explain_place *place_of(explain *e, const cell *c)
{
    const table_place at = table_place_of(c);
    for (int i = 0; i < e->places; i++)
        if (table_place_equal(&e->place[i].at, &at))
            return &e->place[i];
    e->place[e->places] = (explain_place){.at = at};
    return &e->place[e->places++];
}

static int by_place(const void *x, const void *y)
{
    const explain_place *a = x, *b = y;
    return table_place_order(&a->at, &b->at);
}

explain explain_read(arena *a, const records *r)
{
    const figure_source in = {.a = a, .runs = *r};
    static const figure_def def = {.name = "explain", .experiment = "explain"};
    int cells;
    const cell *c = figure_found(&in, &def, "acc", &cells);
    explain e = {.place = NEW(a, explain_place, (size_t)cells + 1)};
    for (int i = 0; i < cells; i++) {
        int k = row_of(&c[i]);
        if (k >= 0 && cells_whole_runs(&c[i]))
            add_cell(a, &place_of(&e, &c[i])->row[k], &c[i]);
    }
    qsort(e.place, (size_t)e.places, sizeof *e.place, by_place);
    return e;
}

/* ---- gains ---- */

static void judge(explain_gain *g, arena *a)
{
    double *log_e = NEW(a, double, (size_t)g->n + 1);
    stats_interval i = anytime_interval(g->x, g->n, ANYTIME_ALPHA);
    anytime_t(log_e, g->x, g->n);
    g->mean = stats_mean(g->x, g->n);
    g->lo = i.lo, g->hi = i.hi;
    g->e = g->n ? exp(log_e[g->n - 1]) : NAN;
    g->verdict = g->e >= 1 / ANYTIME_ALPHA        ? (g->mean > 0 ? CONFIRMED : CONTRADICTED)
                 : anytime_equal(i, OVERALL_ROPE) ? EQUAL
                                                  : OPEN;
}

explain_gain explain_at(arena *a, const explain_place *p, enum explain_row row, enum explain_row against)
{
    const explain_cell *x = &p->row[row], *y = &p->row[against];
    explain_gain g = {
        .n = x->n < y->n ? x->n : y->n, .places = 1, .least = x->partitions, .most = x->partitions, .verdict = OPEN};
    if (!g.n)
        return (explain_gain){.mean = NAN, .lo = NAN, .hi = NAN, .e = NAN, .verdict = OPEN};
    g.x = NEW(a, double, (size_t)g.n);
    for (int r = 0; r < g.n; r++)
        g.x[r] = x->acc[r] - y->acc[r];
    judge(&g, a);
    return g;
}

explain_gain explain_pooled(arena *a, const explain *e, enum explain_row row, enum explain_row against,
                            const char *dataset, const char *model)
{
    explain_gain g = {.mean = NAN, .lo = NAN, .hi = NAN, .e = NAN, .verdict = OPEN};
    for (int i = 0; i < e->places; i++) {
        const explain_place *p = &e->place[i];
        if (!origin_comparable(p->at.origin) || (dataset && strcmp(p->at.dataset, dataset)) ||
            (model && strcmp(p->at.model, model)))
            continue;
        explain_gain one = explain_at(a, p, row, against);
        if (!one.n)
            continue;
        if (!g.places)
            g.x = NEW(a, double, (size_t)one.n), g.n = one.n, g.least = g.most = one.least;
        g.n = one.n < g.n ? one.n : g.n;
        g.least = one.least < g.least ? one.least : g.least;
        g.most = one.most > g.most ? one.most : g.most;
        g.places++;
        for (int r = 0; r < g.n; r++)
            g.x[r] += (one.x[r] - g.x[r]) / g.places;
    }
    if (g.places)
        judge(&g, a);
    return g;
}

/* e-Holm over m gains, EXPLAIN_ROWS for each place, without those of CE itself. */
static void adjust(arena *a, explain_gain *g, size_t m)
{
    double *value = NEW(a, double, m + 1);
    for (size_t k = 0; k < m; k++)
        value[k] = k % EXPLAIN_ROWS == ROW_CE ? NAN : g[k].e;
    anytime_holm(value, value, (int)m);
    for (size_t k = 0; k < m; k++) {
        g[k].e = value[k];
        if (g[k].verdict == CONFIRMED || g[k].verdict == CONTRADICTED)
            g[k].verdict = value[k] >= 1 / ANYTIME_ALPHA ? g[k].verdict : OPEN;
    }
}

explain_gain *explain_table(arena *a, const explain *e)
{
    size_t m = (size_t)e->places * EXPLAIN_ROWS;
    explain_gain *g = NEW(a, explain_gain, m + 1);
    for (size_t k = 0; k < m; k++)
        g[k] = explain_at(a, &e->place[k / EXPLAIN_ROWS], (enum explain_row)(k % EXPLAIN_ROWS), ROW_CE);
    adjust(a, g, m);
    return g;
}

explain_gain *explain_rows(arena *a, const explain *e)
{
    explain_gain *g = NEW(a, explain_gain, EXPLAIN_ROWS);
    for (int r = 0; r < EXPLAIN_ROWS; r++)
        g[r] = explain_pooled(a, e, (enum explain_row)r, ROW_CE, NULL, NULL);
    adjust(a, g, EXPLAIN_ROWS);
    return g;
}
