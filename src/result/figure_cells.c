/* figure_cells: figures whose points are cells: printed ones, and further cells of an experiment. */
#include "anytime.h"
#include "figure_parts.h"
#include "stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *figure_words(arena *a, const paper_cell *c, const key_list *k)
{
    buf b = {.a = a};
    for (int i = 0; i < k->n; i++)
        table_add_value(&b, c, k->name[i], strlen(k->name[i]), ", ");
    return b.s ? b.s : "";
}

figure_row figure_point(const table_cell *c)
{
    stats_interval i = {NAN, NAN};
    if (c->metric->kind != EXACT)
        i = stats_mean_interval(c->value, c->n, 0.95);
    figure_row r = figure_line(1, NULL, 0, NULL, NULL);
    r.mean = c->mean, r.lo = i.lo, r.hi = i.hi, r.n = c->n;
    r.origin = c->origin, r.dataset = c->paper->dataset;
    r.paper = c->paper->value, r.paper_sd = c->paper->sd;
    return r;
}

/* ---- which cells ---- */

static int printed(const figure_source *in, const char *which, const record *v, const char *metric)
{
    for (const table *t = in->table; which && t < in->table + in->tables; t++)
        for (int i = 0; i < t->paper.n && figure_listed(which, t->def->label); i++)
            if (!strcmp(t->paper.cell[i].metric, metric) && cells_cover(t->def, &t->paper.cell[i], v))
                return 1;
    return 0;
}

table_cell *figure_found(const figure_source *in, const figure_def *f, const char *metric, int *n)
{
    const records *r = &in->runs;
    table_def d = {.label = f->name, .experiment = f->experiment, .extra = ""};
    paper p = {.name = f->name, .caption = "", .cell = NEW(in->a, paper_cell, (size_t)r->n + 1)};
    for (int i = 0; i < r->n; i++) {
        const record *v = &r->v[i];
        paper_cell c = {v->dataset, v->model, v->loss, v->setting, metric, "-", "-", "-", NAN, NAN, 0};
        int skip = !v->ok || strcmp(v->experiment, f->experiment) || (f->only && !paper_match(&c, f->only));
        for (int j = 0; j < p.n && !skip; j++)
            skip = cells_cover(&d, &p.cell[j], v);
        if (!skip && !printed(in, f->tables, v, metric))
            p.cell[p.n++] = c;
    }
    *n = p.n;
    return cells_make(in->a, &d, &p, r);
}

static const table_cell **gather(const figure *f, const figure_source *in, int *n)
{
    key_list metric = render_keys(in->a, f->def->experiment ? f->def->metrics : "");
    size_t capacity = (size_t)in->runs.n * (size_t)metric.n + 1;
    for (int k = 0; k < in->tables; k++)
        capacity += (size_t)in->table[k].paper.n;
    const table_cell **out = NEW(in->a, const table_cell *, capacity);
    *n = 0;
    for (const table *t = in->table; f->tables && t < in->table + in->tables; t++)
        for (int i = 0; i < t->paper.n && figure_listed(f->tables, t->def->label); i++)
            if (figure_listed(f->def->metrics, t->cell[i].metric->name))
                out[(*n)++] = &t->cell[i];
    for (int m = 0; m < metric.n; m++) {
        int found;
        table_cell *c = figure_found(in, f->def, metric.name[m], &found);
        for (int i = 0; i < found; i++)
            out[(*n)++] = &c[i];
    }
    return out;
}

/* ---- their order and names ---- */

static int compare(const table_cell *a, const table_cell *b, const key_list *k)
{
    return table_by_keys(a->paper, b->paper, k->name, k->n);
}

static void sort(const table_cell **c, int n, const key_list *k)
{
    for (int i = 1, j; i < n; i++) { /* by insertion, which is stable */
        const table_cell *v = c[i];
        for (j = i; j > 0 && compare(c[j - 1], v, k) > 0; j--)
            c[j] = c[j - 1];
        c[j] = v;
    }
}

/* The keys whose values differ between cells, or that only some cells have; the others would only take up space. */
static key_list varying(const table_cell **c, int n, const key_list *all)
{
    key_list out = {0};
    for (int k = 0; k < all->n; k++) {
        const table_cell *first = NULL;
        int differ = 0, without = 0, len;
        for (int i = 0; i < n; i++) {
            const char *v = paper_value(c[i]->paper, all->name[k], &len);
            if (!v || (len == 1 && *v == '-')) {
                without++;
                continue;
            }
            differ |= first && table_order(first->paper, c[i]->paper, all->name[k]);
            first = first ? first : c[i];
        }
        if (differ || (first && without))
            out.name[out.n++] = all->name[k];
    }
    return out;
}

static int has_key(const table_cell **c, int n, const char *key)
{
    int len;
    for (int i = 0; i < n; i++) {
        const char *v = paper_value(c[i]->paper, key, &len);
        if (v && !(len == 1 && *v == '-'))
            return 1;
    }
    return 0;
}

/* " (twin)", to be appended to a name that contains the data set. */
static const char *origin_mark(arena *a, const table_cell **c, int n, const char *dataset, const key_list *k)
{
    int named = 0;
    for (int i = 0; i < k->n; i++)
        named |= !strcmp(k->name[i], "dataset");
    for (int i = 0; i < n && named; i++)
        if (c[i]->n && *origin_label(c[i]->origin) && !strcmp(c[i]->paper->dataset, dataset))
            return arena_printf(a, " (%s)", origin_word(c[i]->origin));
    return "";
}

static key_list some_keys(arena *a, const char *list) { return render_keys(a, list ? list : ""); }

typedef struct layout {
    key_list panel, group, label, series, x;
} layout;

static layout lay_out(arena *a, const figure_def *d, const table_cell **c, int n)
{
    layout l = {.panel = some_keys(a, d->panel),
                .group = some_keys(a, d->group),
                .label = some_keys(a, d->label),
                .series = some_keys(a, d->series),
                .x = some_keys(a, d->x)};
    key_list label = varying(c, n, &l.label), series = varying(c, n, &l.series);
    if (label.n)
        l.label = label;
    if (series.n)
        l.series = series;
    else /* one series, named by the last key that cells have */
        for (int k = l.series.n - 1; k >= 0 && l.series.n > 1; k--)
            if (k == 0 || has_key(c, n, l.series.name[k]))
                l.series = (key_list){.name = {l.series.name[k]}, .n = 1};
    return l;
}

static double x_value(const table_cell *c, const key_list *x)
{
    int n;
    char *end;
    if (!strcmp(x->name[0], "paper"))
        return c->paper->value;
    const char *v = paper_value(c->paper, x->name[0], &n);
    double d = v ? strtod(v, &end) : NAN;
    return v && end == v + n && n ? d : NAN;
}

/* Removes cells that have nothing to show; returns the number of cells with runs. */
static int keep_shown(const table_cell **c, int *n, const figure_def *d, const key_list *x)
{
    int kept = 0, run = 0;
    for (int i = 0; i < *n; i++) {
        int ours = c[i]->n > 0, theirs = !isnan(c[i]->paper->value);
        if (figure_listed(d->panels, c[i]->paper->dataset) &&
            (x->n ? ours && !isnan(x_value(c[i], x)) : ours || theirs)) {
            c[kept++] = c[i];
            run += ours;
        }
    }
    *n = kept;
    return run;
}

/* The rows in the order of group, label, series and x; a group takes a line for its name. */
static void add_rows(figure *f, const table_cell **c, int n, const layout *l)
{
    for (int i = 0; i < n; i++) {
        figure_row r = figure_point(c[i]), *last = f->n ? &f->row[f->n - 1] : NULL;
        const paper_cell *p = c[i]->paper;
        const char *mark = origin_mark(f->a, c, n, p->dataset, &l->group);
        r.group = arena_printf(f->a, "%s%s", figure_words(f->a, p, &l->group), mark);
        r.label = arena_printf(f->a, "%s%s", figure_words(f->a, p, &l->label),
                               origin_mark(f->a, c, n, p->dataset, &l->label));
        if (!l->label.n && l->x.n) { /* lines along an axis: the label names the axis */
            r.label = l->x.name[0];
        } else if (!*r.label) {
            r.label = r.group;
            r.group = "";
        }
        r.title = arena_printf(f->a, "%s%s", figure_words(f->a, p, &l->panel),
                               origin_mark(f->a, c, n, p->dataset, &l->panel));
        r.series = figure_words(f->a, p, &l->series);
        if (strstr(r.series, ", start ")) /* all other METIS seeds are one series */
            r.series = "METIS, other starts";
        r.x = l->x.n ? x_value(c[i], &l->x) : NAN;
        if (f->def->sequence) {
            stats_interval s = anytime_interval(c[i]->value, c[i]->n, ANYTIME_ALPHA);
            r.lo = isfinite(s.lo) ? s.lo : NAN;
            r.hi = isfinite(s.hi) ? s.hi : NAN;
        }
        int new_group = *r.group && (!last || strcmp(last->group, r.group));
        int new_line = new_group || !last || strcmp(last->label, r.label);
        r.row = (last ? last->row : 0) + new_line + new_group;
        figure_add(f, r);
    }
}

/* Numbers the panels in the order of their keys; requested panels without cells get an empty row. */
static void add_panels(figure *f, const table_cell **c, int n, const layout *l)
{
    key_list want = some_keys(f->a, f->def->panels);
    const table_cell **order = NEW(f->a, const table_cell *, (size_t)n + 1);
    memcpy(order, c, (size_t)n * sizeof *c);
    sort(order, n, &l->panel);
    for (int i = 0; i < n; i++) { /* rows and c are in the same order */
        int panel = 0;
        for (int j = 0; j < n && !want.n; j++) {
            panel += !j || compare(order[j - 1], order[j], &l->panel);
            if (!compare(order[j], c[i], &l->panel))
                break;
        }
        for (int j = 0; j < want.n && !panel; j++)
            panel = strcmp(want.name[j], c[i]->paper->dataset) ? 0 : j + 1;
        f->row[i].panel = panel;
    }
    for (int j = 0; j < want.n; j++) {
        int there = 0;
        for (int i = 0; i < n; i++)
            there |= f->row[i].panel == j + 1;
        if (!there)
            figure_add(f, figure_empty(f, j + 1, want.name[j], ""));
    }
}

const char *figure_plain(figure *f, const figure_source *in)
{
    int n;
    const table_cell **c = gather(f, in, &n);
    key_list x = some_keys(f->a, f->def->x);
    if (!keep_shown(c, &n, f->def, &x))
        return figure_missing(f);
    layout l = lay_out(f->a, f->def, c, n);
    sort(c, n, &l.x);
    sort(c, n, &l.series);
    sort(c, n, &l.label);
    sort(c, n, &l.group);
    add_rows(f, c, n, &l);
    add_panels(f, c, n, &l);
    return NULL;
}
