/* figure_overall: share of cells whose gain is larger than x, ours and the paper's, over the gains themselves; and the
 * probability that JC is ahead in a run, over all and by model. */
#include "figure_parts.h"
#include <math.h>

static void add_profile(figure *f, const table_overall *o)
{
    for (int k = 0; k < OVERALL_POINTS; k++) {
        const overall_value *v = &o->all.stat.profile[k];
        figure_add(f, (figure_row){.panel = 1,
                                   .title = "JC - CE (percentage points)",
                                   .row = 1,
                                   .label = "share of cells",
                                   .series = "JC",
                                   .x = o->at[k],
                                   .mean = v->value,
                                   .lo = v->lo,
                                   .hi = v->hi,
                                   .paper = table_overall_paper(o, o->at[k]),
                                   .paper_sd = NAN});
    }
    for (int i = 0; i < o->cells; i++) {
        const contrast *c = o->cell[i];
        figure_add(f, (figure_row){.panel = 1,
                                   .title = "JC - CE (percentage points)",
                                   .row = 2,
                                   .label = contrasts_where(f->a, c),
                                   .series = "gain",
                                   .x = c->mean,
                                   .mean = NAN,
                                   .lo = NAN,
                                   .hi = NAN,
                                   .n = c->n,
                                   .origin = c->origin,
                                   .dataset = c->a->paper->dataset,
                                   .paper = NAN,
                                   .paper_sd = NAN});
    }
}

static void add_probability(figure *f, int row, const char *label, overall_value v)
{
    figure_add(f, (figure_row){.panel = 2,
                               .title = "probability",
                               .row = row,
                               .label = label,
                               .series = "JC",
                               .x = NAN,
                               .mean = v.value,
                               .lo = v.lo,
                               .hi = v.hi,
                               .paper = NAN,
                               .paper_sd = NAN});
}

const char *figure_overall(figure *f, const figure_source *in)
{
    const table_overall *o = in->overall;
    if (!o->enough)
        return "too few paired runs of JC and CE on comparable data";
    add_profile(f, o);
    add_probability(f, 1, "all models", o->all.stat.win);
    for (int k = 0, row = 2; k < o->models; k++)
        if (o->model[k].datasets >= OVERALL_DATASETS)
            add_probability(f, row++, table_title_of(f->a, "model", o->model[k].model), o->model[k].stat.win);
    return NULL;
}
