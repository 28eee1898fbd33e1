/* figure_overall: share of cells whose gain is larger than x, ours and the paper's, over the gains themselves; and the
 * probability that JC is ahead in a run, over all and by model. */
#include "figure_parts.h"

static void add(figure *f, figure_row r, overall_value v)
{
    r.mean = v.value, r.lo = v.lo, r.hi = v.hi;
    figure_add(f, r);
}

static void add_profile(figure *f, const table_overall *o)
{
    static const char title[] = "JC - CE (percentage points)";
    for (int k = 0; k < OVERALL_POINTS; k++) {
        figure_row r = figure_line(1, title, 1, "share of cells", "JC");
        r.x = o->at[k], r.paper = table_overall_paper(o, o->at[k]);
        add(f, r, o->all.stat.profile[k]);
    }
    for (int i = 0; i < o->cells; i++) {
        const contrast *c = o->cell[i];
        figure_row r = figure_line(1, title, 2, contrasts_where(f->a, c), "gain");
        r.x = c->mean, r.n = c->n;
        r.origin = c->origin, r.dataset = c->a->paper->dataset;
        figure_add(f, r);
    }
}

const char *figure_overall(figure *f, const figure_source *in)
{
    const table_overall *o = in->overall;
    if (!o->enough)
        return "too few paired runs of JC and CE on comparable data";
    add_profile(f, o);
    add(f, figure_line(2, "probability", 1, "all models", "JC"), o->all.stat.win);
    for (int k = 0, row = 2; k < o->models; k++)
        if (o->model[k].datasets >= OVERALL_DATASETS)
            add(f, figure_line(2, "probability", row++, table_title_of(f->a, "model", o->model[k].model), "JC"),
                o->model[k].stat.win);
    return NULL;
}
