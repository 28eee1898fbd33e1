/* table_overall: JC against CE over all tables together, on comparable data only, in accuracy (or F1-micro, which is
 * the same with one label a node). A cell is a data set, model and setting; if several tables have a cell, its runs
 * count once. Cells with a single run tell nothing about the variation between runs and are left out. */
#include "overall.h"
#include "../data/origin.h"
#include "table_parts.h"
#include <math.h>
#include <string.h>

enum { DRAWS = 2000, POSTERIOR_DRAWS = 20000, SEED = 1 };

static int wanted(const contrast *c)
{
    return c->n && origin_comparable(c->origin) && !strcmp(c->def->a, "loss=jc") && !strcmp(c->def->b, "loss=ce") &&
           c->a->metric->column == RUN_test_acc;
}

static int known(const contrast *const *v, int n, const contrast *c)
{
    for (int i = 0; i < n; i++)
        if (v[i]->a->run[0] == c->a->run[0] && v[i]->b->run[0] == c->b->run[0])
            return 1;
    return 0;
}

static void collect(arena *a, table_overall *o, const table *t, int count)
{
    size_t capacity = 1;
    for (int k = 0; k < count; k++)
        capacity += (size_t)t[k].contrasts;
    o->cell = NEW(a, const contrast *, capacity);
    const contrast **single = NEW(a, const contrast *, capacity);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].contrasts; i++) {
            const contrast *c = &t[k].contrast[i];
            if (!wanted(c) || isnan(c->paper))
                continue;
            if (c->n > 1 && !known(o->cell, o->cells, c)) {
                o->cell[o->cells++] = c;
                o->runs += c->n;
            } else if (c->n == 1 && !known(single, o->single, c))
                single[o->single++] = c;
        }
}

/* Cora and Cora LCC are nearly the same graph, and so are a graph and its filtered form. */
static size_t graph_name(const char *dataset)
{
    size_t n = strlen(dataset);
    const char *const less[] = {"-lcc", "-filtered"};
    for (int i = 0; i < 2; i++)
        if (n > strlen(less[i]) && !strcmp(dataset + n - strlen(less[i]), less[i]))
            return n - strlen(less[i]);
    return n;
}

static int same_graph(const contrast *x, const contrast *y)
{
    const char *p = x->a->paper->dataset, *q = y->a->paper->dataset;
    size_t n = graph_name(p);
    return n == graph_name(q) && !strncmp(p, q, n);
}

/* The cells of a model (NULL: all), their statistics, and the posterior over the mean gains of their data sets, whose
 * cells share splits and so are not independent. */
static overall_group group_of(arena *a, const table_overall *o, const char *model)
{
    overall_group g = {.model = model};
    overall_cell *c = NEW(a, overall_cell, (size_t)o->cells + 1);
    const contrast **of = NEW(a, const contrast *, (size_t)o->cells + 1);
    double *z = NEW(a, double, (size_t)o->cells + 1);
    int *n = NEW(a, int, (size_t)o->cells + 1);
    for (int i = 0; i < o->cells; i++) {
        if (model && strcmp(o->cell[i]->a->paper->model, model))
            continue;
        int k = 0;
        while (k < g.datasets && !same_graph(of[k], o->cell[i]))
            k++;
        of[k] = o->cell[i];
        g.datasets += k == g.datasets;
        z[k] += o->cell[i]->mean, n[k]++;
        c[g.cells++] = (overall_cell){o->cell[i]->x, o->cell[i]->n, k};
    }
    for (int k = 0; k < g.datasets; k++)
        z[k] /= n[k];
    if (g.datasets < OVERALL_DATASETS)
        return g;
    g.stat = overall_compute(a, c, g.cells, o->at, model ? 0 : OVERALL_POINTS + 2, DRAWS, SEED);
    g.posterior = overall_signed_rank(z, g.datasets, OVERALL_ROPE, POSTERIOR_DRAWS, SEED);
    return g;
}

/* One group for each model, in the order in which they occur. */
static void by_model(arena *a, table_overall *o)
{
    o->model = NEW(a, overall_group, (size_t)o->cells + 1);
    for (int i = 0; i < o->cells; i++) {
        const char *model = o->cell[i]->a->paper->model;
        int k = 0;
        while (k < o->models && strcmp(o->model[k].model, model))
            k++;
        if (k == o->models)
            o->model[o->models++] = group_of(a, o, model);
    }
}

/* Points from below the smallest gain to above the largest, ours or the paper's. */
static void lay_out(table_overall *o)
{
    double min = -1, max = 1;
    for (int i = 0; i < o->cells; i++) {
        min = fmin(min, fmin(o->cell[i]->mean, o->cell[i]->paper));
        max = fmax(max, fmax(o->cell[i]->mean, o->cell[i]->paper));
    }
    for (int k = 0; k < OVERALL_POINTS; k++)
        o->at[k] = min + (max - min) * (k - 1) / (OVERALL_POINTS - 3);
    o->at[OVERALL_POINTS] = 0;
    o->at[OVERALL_POINTS + 1] = OVERALL_ROPE;
}

table_overall table_overall_make(arena *a, const table *t, int count)
{
    table_overall o = {0};
    collect(a, &o, t, count);
    lay_out(&o);
    o.all = group_of(a, &o, NULL);
    o.enough = o.cells >= o.single && o.all.datasets >= OVERALL_DATASETS;
    if (o.enough)
        by_model(a, &o);
    return o;
}

double table_overall_paper(const table_overall *o, double at)
{
    int n = 0;
    for (int i = 0; i < o->cells; i++)
        n += o->cell[i]->paper > at;
    return (double)n / o->cells;
}
