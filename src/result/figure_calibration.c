/* figure_calibration: the ECE of CE and JC as predicted, at the fitted temperature and (JC) at tau, a panel for each
 * data set of a table beyond the paper; a table of the paper has the printed values. */
#include "figure_parts.h"
#include <math.h>
#include <string.h>

/* The printed value for the data set, model and loss; NaN: none. */
static double printed(const figure *f, const figure_source *in, const table_cell *c)
{
    for (const table *t = in->table; t < in->table + in->tables; t++)
        for (int i = 0; i < t->paper.n && !t->beyond && figure_listed(f->tables, t->def->label); i++)
            if (cells_cover(t->def, &t->paper.cell[i], c->run[0]))
                return t->paper.cell[i].value;
    return NAN;
}

static void add(figure *f, const figure_source *in, const table_cell *c, int panel, int way)
{
    static const char *const label[] = {"as predicted", "at fitted T"};
    const key_list where = {{"dataset", "model"}, 2};
    figure_row r = figure_point(c);
    r.panel = panel;
    r.row = way + 1;
    r.title = render_marked(f->a, arena_printf(f->a, "%s, ECE (%%)", figure_words(f->a, c->paper, &where)), c->origin);
    r.label = way < 2 ? label[way] : arena_printf(f->a, "at tau = %g", c->run[0]->s.tau);
    r.series = !strcmp(c->paper->loss, "jc") ? "JC" : "CE";
    r.paper = way ? NAN : printed(f, in, c);
    figure_add(f, r);
}

/* The panel of the cells of a data set and model; cell i of the table is the first of them. */
static void add_panel(figure *f, const figure_source *in, const table *t, int i, int panel)
{
    static const char *const metric[] = {"ece_plain", "ece_scaled", "ece_tau"};
    const paper_cell *first = t->cell[i].paper;
    for (int way = 0; way < 3; way++)
        for (int j = i; j < t->paper.n; j++) {
            const table_cell *c = &t->cell[j];
            if (c->n && !strcmp(c->paper->dataset, first->dataset) && !strcmp(c->paper->model, first->model) &&
                !strcmp(c->metric->name, metric[way]))
                add(f, in, c, panel, way);
        }
}

const char *figure_calibration(figure *f, const figure_source *in)
{
    int panel = 0;
    for (const table *t = in->table; t < in->table + in->tables; t++)
        for (int i = 0; i < t->paper.n && t->beyond && figure_listed(f->tables, t->def->label); i++) {
            const paper_cell *p = t->cell[i].paper, *last = i ? t->cell[i - 1].paper : NULL;
            int before = f->n;
            if (!last || strcmp(p->dataset, last->dataset) || strcmp(p->model, last->model))
                add_panel(f, in, t, i, panel + 1);
            panel += f->n > before;
        }
    return panel ? NULL : figure_missing(f);
}
