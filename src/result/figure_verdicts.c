/* figure_verdicts: a line for each table of the paper: which share of its numbers agrees with ours, which share of its
 * comparisons is confirmed, and so on. */
#include "figure_parts.h"

typedef struct share {
    const char *name;
    int count;
} share;

/* One bar, from 0 to 100 %: x is where a share begins, mean its width, paper its count. */
static void add_bar(figure *f, int panel, const char *title, int row, const char *label, const share *v, int n)
{
    double sum = 0, at = 0;
    for (int i = 0; i < n; i++)
        sum += v[i].count;
    for (int i = 0; i < n; i++) {
        if (!v[i].count)
            continue;
        figure_row r = figure_line(panel, title, row, label, v[i].name);
        r.x = at, r.mean = 100 * v[i].count / sum, r.paper = v[i].count;
        figure_add(f, r);
        at += r.mean;
    }
}

const char *figure_verdicts(figure *f, const figure_source *in)
{
    int row = 0, runs = 0;
    for (int i = 0; i < in->tables; i++) {
        const table *t = &in->table[i];
        if (t->beyond)
            continue;
        const tally k = table_tally(t);
        const share cells[] = {{"agrees", k.cell[AGREES]},        {"higher", k.cell[HIGHER]},
                               {"lower", k.cell[LOWER]},          {"undecided", k.cell[UNDECIDED]},
                               {"other", k.cell[NOT_COMPARABLE]}, {"not_run", k.cell[NOT_RUN]}};
        const share claims[] = {
            {"agrees", k.claim[CONFIRMED]}, {"equal", k.claim[EQUAL]}, {"lower", k.claim[CONTRADICTED]},
            {"undecided", k.claim[OPEN]},   {"other", k.stand_in},     {"not_run", k.claim[CLAIM_NOT_RUN]}};
        row++;
        runs += k.run;
        add_bar(f, 1, "numbers", row, t->def->label, cells, 6);
        add_bar(f, 2, "comparisons", row, t->def->label, claims, 6);
    }
    return runs ? NULL : figure_missing(f);
}
