#include "gains.h"
#include "../base/err.h"
#include "anytime.h"
#include "stats.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gain_word[CLAIM_VERDICTS] = {"ahead", "behind", "equal", "undecided", "not run"};

/* ---- the cells of a row ---- */

typedef struct source {
    arena *a;
    const table_cell *c; /* all of the experiment */
    int n;
} source;

static int at_place(const table_cell *c, const gain_place *p)
{
    return !strcmp(c->paper->dataset, p->dataset) && !strcmp(c->paper->model, p->model) && c->origin == p->origin &&
           cells_whole_runs(c);
}

/* Whether the cells agree in the keys of the units that y has, unless the filter of y says what they are. */
static int same_units(const table_cell *x, const table_cell *y, const gain_row_def *d)
{
    for (int i = 0, n; i < d->units.n; i++) {
        const char *key = d->units.name[i];
        if (!paper_filter_names(d->against, key) && paper_value(y->paper, key, &n) &&
            table_order(x->paper, y->paper, key))
            return 0;
    }
    return 1;
}

static const table_cell *other_side(const source *in, const gain_place *p, const gain_row_def *d, const table_cell *c)
{
    for (int i = 0; i < in->n; i++)
        if (at_place(&in->c[i], p) && paper_match(in->c[i].paper, d->against) && same_units(c, &in->c[i], d))
            return &in->c[i];
    return NULL;
}

typedef struct unit {
    const table_cell *of, *against;
} unit;

static int by_keys(const unit *x, const unit *y, const key_list *k)
{
    return table_by_keys(x->of->paper, y->of->paper, k->name, k->n);
}

/* Sorted by the keys. */
static unit *units_of(const source *in, const gain_place *p, const gain_row_def *d, int *n)
{
    unit *u = NEW(in->a, unit, (size_t)in->n + 1);
    *n = 0;
    for (int i = 0; i < in->n; i++) {
        const table_cell *c = &in->c[i];
        if (!at_place(c, p) || !paper_match(c->paper, d->of))
            continue;
        unit one = {c, d->against ? other_side(in, p, d, c) : NULL};
        if (d->against && !one.against)
            continue;
        int j = (*n)++;
        for (; j > 0 && by_keys(&u[j - 1], &one, &d->units) > 0; j--)
            u[j] = u[j - 1];
        u[j] = one;
    }
    return u;
}

/* ---- one gain ---- */

static gain nothing(const gain_row_def *d)
{
    gain g = {.row = d, .base = NAN, .mean = NAN, .lo = NAN, .hi = NAN, .e = NAN, .sd = NAN, .above = NAN};
    for (int k = 0; k < COMPONENTS; k++)
        g.variance[k] = NAN;
    g.verdict = CLAIM_NOT_RUN;
    return g;
}

static void test(arena *a, gain *g)
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

/* e-Holm over m gains. */
static void adjust(arena *a, gain *const *g, int m)
{
    double *e = NEW(a, double, (size_t)m + 1);
    for (int k = 0; k < m; k++)
        e[k] = g[k]->e;
    anytime_holm(e, e, m);
    for (int k = 0; k < m; k++) {
        g[k]->e = e[k];
        if ((g[k]->verdict == CONFIRMED || g[k]->verdict == CONTRADICTED) && !(e[k] >= 1 / ANYTIME_ALPHA))
            g[k]->verdict = OPEN;
    }
}

/* The number of units that share the first key's first value; 0: the units are no complete product. */
static int second_count(const unit *u, int n, const key_list *k)
{
    const key_list first = {{k->name[0]}, 1};
    int m = 1;
    while (m < n && !by_keys(&u[0], &u[m], &first))
        m++;
    for (int i = 0; i < n; i++)
        if (n % m || by_keys(&u[i], &u[i - i % m], &first) ||
            table_order(u[i].of->paper, u[i % m].of->paper, k->name[1]))
            return 0;
    return m;
}

/* Accuracies or gains as rows of n, one for each unit. */
static double *values(arena *a, const unit *u, int units, int n, int as_gain)
{
    double *v = NEW(a, double, (size_t)units *(size_t)n + 1);
    for (int i = 0; i < units; i++)
        for (int r = 0; r < n; r++)
            v[i * n + r] = u[i].of->value[r] - (as_gain ? u[i].against->value[r] : 0);
    return v;
}

static void spread(arena *a, gain *g, const unit *u)
{
    const gain_row_def *d = g->row;
    if (d->spread == SPREAD_ACCURACY) {
        double units, runs;
        components_two(&units, &runs, values(a, u, g->units, g->n, 0), g->units, g->n);
        g->variance[COMPONENT_A] = units * units;
        g->variance[COMPONENT_REPEAT] = runs * runs;
    } else if (d->spread == SPREAD_GAIN) {
        int m = second_count(u, g->units, &d->units);
        if (m)
            components_three(g->variance, values(a, u, g->units, g->n, 1), g->units / m, m, g->n);
    }
}

static gain measure(const source *in, const gain_place *p, const gain_row_def *d)
{
    gain g = nothing(d);
    unit *u = units_of(in, p, d, &g.units);
    if (!g.units)
        return g;
    for (int i = 0; i < g.units; i++) {
        int n = cells_whole_runs(u[i].of), m = u[i].against ? cells_whole_runs(u[i].against) : n;
        g.n = !i || n < g.n ? n : g.n;
        g.n = m < g.n ? m : g.n;
    }
    g.places = 1;
    g.x = NEW(in->a, double, (size_t)g.n + 1);
    g.unit = NEW(in->a, double, (size_t)g.units + 1);
    g.base = 0;
    int second = d->units.n == 2 ? second_count(u, g.units, &d->units) : 1;
    g.dots = g.units / (second ? second : 1);
    double *x = values(in->a, u, g.units, g.n, d->against != NULL);
    for (int i = 0, block = g.units / g.dots * g.n; i < g.dots; i++)
        g.unit[i] = stats_mean(x + i * block, block);
    for (int i = 0; i < g.units && d->against; i++)
        g.base += stats_mean(u[i].against->value, g.n) / g.units;
    for (int r = 0; r < g.n; r++)
        for (int i = 0; i < g.units; i++)
            g.x[r] += (x[i * g.n + r] - g.x[r]) / (i + 1);
    test(in->a, &g);
    spread(in->a, &g, u);
    g.sd = stats_sd(g.unit, g.dots);
    g.above = 0;
    for (int i = 0; i < g.dots; i++)
        g.above += (g.unit[i] > 0) / (double)g.dots;
    gsl_sort(g.unit, 1, (size_t)g.dots);
    if (!d->against) { /* an accuracy: nothing to test */
        g.base = g.lo = g.hi = g.e = g.above = NAN;
        g.verdict = CLAIM_NOT_RUN;
    }
    return g;
}

/* ---- pooled ---- */

gain gains_pooled(arena *a, const gains *t, int i, const char *dataset, const char *model)
{
    gain g = nothing(&t->def->row[i]);
    for (int k = 0; k < t->places; k++) {
        const gain_place *p = &t->place[k];
        const gain *one = &p->row[i];
        if (!one->places || !origin_comparable(p->origin) || (dataset && strcmp(p->dataset, dataset)) ||
            (model && strcmp(p->model, model)))
            continue;
        if (!g.places++)
            g.x = NEW(a, double, (size_t)one->n + 1), g.n = one->n;
        g.n = one->n < g.n ? one->n : g.n;
        g.units = one->units > g.units ? one->units : g.units;
        for (int r = 0; r < g.n; r++)
            g.x[r] += (one->x[r] - g.x[r]) / g.places;
    }
    if (g.places)
        test(a, &g);
    if (g.places && !g.row->against)
        g.lo = g.hi = g.e = NAN, g.verdict = CLAIM_NOT_RUN;
    return g;
}

/* Every row over the comparable places of a data set and model (NULL: all). */
static gain *pool(arena *a, const gains *t, const char *dataset_name, const char *model)
{
    gain *g = NEW(a, gain, (size_t)t->def->rows + 1), **of = NEW(a, gain *, (size_t)t->def->rows + 1);
    for (int i = 0; i < t->def->rows; i++) {
        g[i] = gains_pooled(a, t, i, dataset_name, model);
        of[i] = &g[i];
    }
    adjust(a, of, t->def->rows);
    return g;
}

/* ---- a table ---- */

static int by_place(const void *x, const void *y)
{
    const gain_place *a = x, *b = y;
    const paper_cell p = {.dataset = a->dataset, .model = a->model}, q = {.dataset = b->dataset, .model = b->model};
    static const char *const key[] = {"dataset", "model"};
    return table_by_keys(&p, &q, key, 2);
}

static void find_places(gains *t, const source *in)
{
    for (int i = 0; i < in->n; i++) {
        const paper_cell *p = in->c[i].paper;
        int k = 0;
        while (k < t->places && !at_place(&in->c[i], &t->place[k]))
            k++;
        if (k == t->places && cells_whole_runs(&in->c[i]))
            t->place[t->places++] = (gain_place){p->dataset, p->model, in->c[i].origin, NULL};
    }
    qsort(t->place, (size_t)t->places, sizeof *t->place, by_place);
}

static void find_models(arena *a, gains *t)
{
    t->model = NEW(a, const char *, (size_t)t->places + 1);
    t->by_model = NEW(a, gain *, (size_t)t->places + 1);
    for (int i = 0; i < t->places; i++) {
        int k = 0;
        while (k < t->models && strcmp(t->model[k], t->place[i].model))
            k++;
        if (k == t->models && origin_comparable(t->place[i].origin)) {
            t->model[t->models] = t->place[i].model;
            t->by_model[t->models++] = pool(a, t, NULL, t->place[i].model);
        }
    }
}

gains gains_read(arena *a, const gain_table_def *d, const records *r)
{
    const figure_source all = {.a = a, .runs = *r};
    const figure_def def = {.name = d->label, .experiment = d->experiment};
    source in = {.a = a};
    in.c = figure_found(&all, &def, "acc", &in.n);
    gains t = {.def = d, .place = NEW(a, gain_place, (size_t)in.n + 1)};
    gain **every = NEW(a, gain *, (size_t)(in.n * d->rows) + 1);
    int m = 0;
    find_places(&t, &in);
    for (int i = 0; i < t.places; i++) {
        t.place[i].row = NEW(a, gain, (size_t)d->rows + 1);
        for (int k = 0; k < d->rows; k++) {
            t.place[i].row[k] = measure(&in, &t.place[i], &d->row[k]);
            every[m++] = &t.place[i].row[k];
        }
    }
    adjust(a, every, m);
    t.all = pool(a, &t, NULL, NULL);
    find_models(a, &t);
    return t;
}

void gains_tsv(buf *out, const gains *t)
{
    buf_put(out, "dataset\tmodel\torigin\trow\tunits\tn\tbaseline\tmean\tlo\thi\te_holm\tverdict\tsd\tleast\tmost\t"
                 "share_above\tvar_unit\tvar_second_unit\tvar_both\tvar_run\n");
    for (int i = 0; i < t->places; i++)
        for (int k = 0; k < t->def->rows; k++) {
            const gain_place *p = &t->place[i];
            const gain *g = &p->row[k];
            if (!g->places)
                continue;
            buf_add(out, "%s\t%s\t%s\t%s\t%d\t%d", p->dataset, p->model, origin_word(p->origin), g->row->title,
                    g->units, g->n);
            const double front[] = {g->base, g->mean, g->lo, g->hi, g->e}, back[] = {g->sd,
                                                                                     g->unit[0],
                                                                                     g->unit[g->dots - 1],
                                                                                     g->above,
                                                                                     g->variance[COMPONENT_A],
                                                                                     g->variance[COMPONENT_B],
                                                                                     g->variance[COMPONENT_AB],
                                                                                     g->variance[COMPONENT_REPEAT]};
            for (int j = 0; j < 5; j++)
                buf_number(out, front[j]);
            buf_add(out, "\t%s", g->row->against ? gain_word[g->verdict] : "-");
            for (int j = 0; j < 8; j++)
                buf_number(out, back[j]);
            buf_put(out, "\n");
        }
}

/* ---- as figures ---- */

static const gains *named(const figure *f, const figure_source *in)
{
    for (int i = 0; i < in->gains_count; i++)
        if (!strcmp(in->gain[i].def->label, f->def->name))
            return &in->gain[i];
    die("figures.tsv: %s: gains.tsv has no table of this name", f->def->name);
}

static figure_row row_of(const gain_place *p, int panel, const char *title, int line, const char *label)
{
    figure_row r = figure_line(panel, title, line, label, NULL);
    r.origin = p->origin, r.dataset = p->dataset;
    return r;
}

/* p: of the data set; all: of all data sets, p is the first. */
static void add_panel(figure *f, const gains *t, int panel, const gain_place *p, int all)
{
    const gain *row = all ? t->all : pool(f->a, t, p->dataset, NULL);
    for (int k = 0, line = 0; k < t->def->rows; k++) {
        if (!t->all[k].places || !t->def->row[k].against)
            continue;
        gain g = row[k];
        figure_row r =
            row_of(p, panel, all ? "All" : table_title_of(f->a, "dataset", p->dataset), ++line, t->def->row[k].title);
        r.mean = g.mean, r.lo = g.lo, r.hi = g.hi, r.n = g.n;
        r.series = g.verdict == CONFIRMED ? "JC" : g.verdict == CONTRADICTED ? "CE" : g.verdict == EQUAL ? "equal" : "";
        figure_add(f, r);
    }
}

const char *figure_pooled(figure *f, const figure_source *in)
{
    const gains *t = named(f, in);
    int panel = 1;
    if (t->places)
        add_panel(f, t, panel, &t->place[0], 1);
    for (int i = 0; i < t->places; i++)
        if ((!i || strcmp(t->place[i].dataset, t->place[i - 1].dataset)) && origin_comparable(t->place[i].origin))
            add_panel(f, t, ++panel, &t->place[i], 0);
    return f->n ? NULL : figure_missing(f);
}

#define GOLDEN_RATIO 0.6180339887 /* its multiples, modulo 1, spread evenly for any number of dots */

/* A dot for each unit, and a bar from quartile to quartile with the median where there are more than two. */
static void add_strip(figure *f, figure_row r, const gain *g)
{
    size_t n = (size_t)g->dots;
    r.n = g->n;
    r.series = g->row->series;
    for (int i = 0; i < g->dots; i++) {
        r.x = fmod(0.5 + i * GOLDEN_RATIO, 1);
        r.mean = g->unit[i];
        figure_add(f, r);
    }
    if (n < 3)
        return;
    r.x = NAN;
    r.mean = gsl_stats_median_from_sorted_data(g->unit, 1, n);
    r.lo = gsl_stats_quantile_from_sorted_data(g->unit, 1, n, 0.25);
    r.hi = gsl_stats_quantile_from_sorted_data(g->unit, 1, n, 0.75);
    figure_add(f, r);
}

const char *figure_units(figure *f, const figure_source *in)
{
    const gains *t = named(f, in);
    const gain_place *last = NULL; /* with a strip */
    int panel = 0, line = 0;
    for (int i = 0; i < t->places; i++) {
        const gain_place *p = &t->place[i];
        int fresh = !last || strcmp(p->dataset, last->dataset), before = f->n;
        for (int k = 0; k < t->def->rows; k++)
            if (p->row[k].places && t->def->row[k].series)
                add_strip(f,
                          row_of(p, panel + fresh, table_title_of(f->a, "dataset", p->dataset), fresh ? 1 : line + 1,
                                 table_title_of(f->a, "model", p->model)),
                          &p->row[k]);
        if (f->n == before)
            continue;
        panel += fresh;
        line = fresh ? 1 : line + 1;
        last = p;
    }
    return f->n ? NULL : figure_missing(f);
}
