/* figure_calibration: the ECE of CE and JC as predicted, at the fitted temperature and (JC) at tau, a panel for each
 * data set. */
#include "calibration_table.h"
#include "figure_parts.h"
#include <math.h>
#include <string.h>

/* The printed value for the data set, model and loss; NaN: none. */
static double printed(const figure *f, const figure_source *in, const cell *c)
{
    for (const table *t = in->table; t < in->table + in->tables; t++)
        for (int i = 0; i < t->paper.n && figure_listed(f->tables, t->def->label); i++)
            if (cells_cover(t->def, &t->paper.cell[i], c->run[0]))
                return t->paper.cell[i].value;
    return NAN;
}

const char *figure_calibration(figure *f, const figure_source *in)
{
    static const char *const place[CALIBRATION_WAYS] = {"as predicted", "at fitted T"}, *const loss[] = {"CE", "JC"};
    calibration_table t = calibration_table_read(f->a, &in->runs);
    int panel = 0;
    for (int i = 0; i < t.pairs; i++) {
        const calibration_pair *p = &t.pair[i];
        int before = f->n;
        for (int w = 0; w < CALIBRATION_WAYS; w++)
            for (int l = 0; l < 2; l++) {
                const cell *c = p->score[l][w][SCORE_ECE];
                if (!c->n)
                    continue;
                const key_list where = {{"dataset", "model"}, 2};
                const char *mark = origin_label(c->origin);
                figure_row r = figure_point(c);
                r.panel = panel + 1;
                r.row = w + 1;
                r.title = arena_printf(f->a, "%s, ECE (%%)%s%s%s", figure_words(f->a, c->paper, &where),
                                       *mark ? " (" : "", mark, *mark ? ")" : "");
                r.label = w == AT_TAU ? arena_printf(f->a, "at tau = %s", p->tau) : place[w];
                r.series = loss[l];
                r.paper = w == AS_PREDICTED ? printed(f, in, c) : NAN;
                figure_add(f, r);
            }
        panel += f->n > before;
    }
    f->note = calibration_table_text(f->a, &t);
    return panel ? NULL : figure_missing(f);
}
