#include "table_place.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#define GOLDEN_RATIO 0.6180339887 /* its multiples, modulo 1, spread evenly for any number of dots */

table_place table_place_of(const cell *c) { return (table_place){c->paper->dataset, c->paper->model, c->origin}; }

int table_place_equal(const table_place *x, const table_place *y)
{
    return !strcmp(x->dataset, y->dataset) && !strcmp(x->model, y->model) && x->origin == y->origin;
}

int table_place_order(const table_place *x, const table_place *y)
{
    const paper_cell p = {.dataset = x->dataset, .model = x->model}, q = {.dataset = y->dataset, .model = y->model};
    int order = table_order(&p, &q, "dataset");
    return order ? order : table_order(&p, &q, "model");
}

const char *table_place_dataset(arena *a, const table_place *p) { return table_title_of(a, "dataset", p->dataset); }
const char *table_place_model(arena *a, const table_place *p) { return table_title_of(a, "model", p->model); }

void *table_place_comparable(arena *a, const void *lines, size_t size, int *n)
{
    char *out = arena_alloc(a, (size_t)*n + 1, size);
    int kept = 0;
    for (int i = 0; i < *n; i++) {
        const char *line = (const char *)lines + (size_t)i * size;
        if (origin_comparable(((const table_place *)line)->origin))
            memcpy(out + (size_t)kept++ * size, line, size);
    }
    *n = kept;
    return out;
}

figure_row table_place_point(figure *f, const table_place *p, int n, const figure_row *last)
{
    figure_row r = {.panel = last->panel, .row = last->row, .n = n, .origin = p->origin, .dataset = p->dataset};
    r.lo = r.hi = r.paper = r.paper_sd = NAN;
    r.title = table_place_dataset(f->a, p);
    r.label = table_place_model(f->a, p);
    if (!last->panel || strcmp(p->dataset, last->dataset)) {
        r.panel++;
        r.row = 1;
    } else {
        r.row += strcmp(r.label, last->label) || p->origin != last->origin;
    }
    return r;
}

void table_place_strip(figure *f, figure_row r, const double *value, int n, int least)
{
    size_t count = (size_t)n;
    for (int i = 0; i < n; i++) {
        r.x = fmod(0.5 + i * GOLDEN_RATIO, 1);
        r.mean = value[i];
        figure_add(f, r);
    }
    if (n <= least)
        return;
    r.x = NAN;
    r.mean = gsl_stats_median_from_sorted_data(value, 1, count);
    r.lo = gsl_stats_quantile_from_sorted_data(value, 1, count, 0.25);
    r.hi = gsl_stats_quantile_from_sorted_data(value, 1, count, 0.75);
    figure_add(f, r);
}
