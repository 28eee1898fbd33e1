/* table_overall: JC against CE over all tables together, on comparable data only, in accuracy (or F1-micro, which is
 * the same with one label a node). A cell is a data set, model and setting; if several tables have a cell, its runs
 * count once. */
#include "../stats/overall.h"
#include "../data/origin.h"
#include "table_parts.h"
#include <math.h>
#include <string.h>

enum { DRAWS = 2000, POSTERIOR_DRAWS = 20000, SEED = 1 };

static int wanted(const contrast *c)
{
    return c->n && origin_comparable(c->origin) && !strcmp(c->def->a, "loss=jc") && !strcmp(c->def->b, "loss=ce") &&
           !strcmp(c->a->metric->column, "test_acc");
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
    size_t room = 1;
    for (int k = 0; k < count; k++)
        room += (size_t)t[k].contrasts;
    o->cell = NEW(a, const contrast *, room);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t[k].contrasts; i++) {
            const contrast *c = &t[k].contrast[i];
            if (wanted(c) && !isnan(c->paper) && !known(o->cell, o->cells, c)) {
                o->cell[o->cells++] = c;
                o->runs += c->n;
            }
        }
}

/* The mean gain of each data set over its cells, which share splits and so are not independent. */
static double *by_dataset(arena *a, table_overall *o)
{
    double *z = NEW(a, double, (size_t)o->cells + 1);
    int *done = NEW(a, int, (size_t)o->cells + 1);
    for (int i = 0; i < o->cells; i++) {
        double sum = 0;
        int n = 0;
        for (int j = i; j < o->cells && !done[i]; j++)
            if (!strcmp(o->cell[i]->a->paper->dataset, o->cell[j]->a->paper->dataset)) {
                done[j] = j > i;
                sum += o->cell[j]->mean;
                n++;
            }
        if (n)
            z[o->datasets++] = sum / n;
    }
    return z;
}

/* Points from below the smallest gain to above the largest, ours or the paper's. */
static void lay_out(table_overall *o)
{
    double least = -1, most = 1;
    for (int i = 0; i < o->cells; i++) {
        least = fmin(least, fmin(o->cell[i]->mean, o->cell[i]->paper));
        most = fmax(most, fmax(o->cell[i]->mean, o->cell[i]->paper));
    }
    for (int k = 0; k < OVERALL_POINTS; k++)
        o->at[k] = least + (most - least) * (k - 1) / (OVERALL_POINTS - 3);
    o->at[OVERALL_POINTS] = 0;
    o->at[OVERALL_POINTS + 1] = OVERALL_ROPE;
}

table_overall table_overall_make(arena *a, const table *t, int count)
{
    table_overall o = {0};
    collect(a, &o, t, count);
    if (!o.cells)
        return o;
    overall_cell *c = NEW(a, overall_cell, (size_t)o.cells);
    for (int i = 0; i < o.cells; i++)
        c[i] = (overall_cell){o.cell[i]->x, o.cell[i]->n};
    double *z = by_dataset(a, &o);
    lay_out(&o);
    o.stat = overall_compute(a, c, o.cells, o.at, OVERALL_POINTS + 2, DRAWS, SEED);
    o.posterior = overall_signed_rank(z, o.datasets, OVERALL_ROPE, POSTERIOR_DRAWS, SEED);
    return o;
}

double table_overall_paper(const table_overall *o, double at)
{
    int n = 0;
    for (int i = 0; i < o->cells; i++)
        n += o->cell[i]->paper > at;
    return (double)n / o->cells;
}

const char *table_overall_text(arena *a, const table_overall *o)
{
    if (!o->cells)
        return "One look over all data sets: no paired runs of JC and CE on comparable data yet.";
    const overall_value *win = &o->stat.win, *iqm = &o->stat.iqm, *more = &o->stat.profile[OVERALL_POINTS];
    const overall_posterior *p = &o->posterior;
    buf b = {.a = a};
    buf_add(&b, "One look over all data sets, JC against CE: %d cell%s on %d data set%s, %d paired run%s, accuracy. ",
            o->cells, o->cells > 1 ? "s" : "", o->datasets, o->datasets > 1 ? "s" : "", o->runs,
            o->runs > 1 ? "s" : "");
    buf_add(&b, "In a run JC is ahead with probability %.2f [%.2f, %.2f] (0.75 and more is called meaningful). ",
            win->value, win->lo, win->hi);
    buf_add(&b, "The interquartile mean of the gains is %s points [%s, %s]. ", render_signed(a, iqm->value, 2),
            render_signed(a, iqm->lo, 2), render_signed(a, iqm->hi, 2));
    buf_add(&b,
            "%.0f %% of the cells gain more than 0 and %.0f %% more than %g points (the paper's: %.0f and %.0f %%). ",
            100 * more[0].value, 100 * more[1].value, OVERALL_ROPE, 100 * table_overall_paper(o, 0),
            100 * table_overall_paper(o, OVERALL_ROPE));
    buf_add(&b,
            "Bayesian signed-rank test over the data sets with ±%g points of practical equivalence: JC better with "
            "probability %.2f, equal %.2f, CE better %.2f. ",
            OVERALL_ROPE, p->above, p->within, p->below);
    buf_put(&b, "Intervals: 95 %, bootstrap of the runs within each cell; they hold for one look and decide nothing.");
    return b.s;
}
