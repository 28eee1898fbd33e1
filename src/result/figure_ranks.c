/* figure_ranks: mean ranks of the ways of a table over its data sets, with the critical difference. */
#include "ranks.h"
#include "figure_parts.h"
#include <string.h>

const char *figure_ranks(figure *f, const figure_source *in)
{
    for (int i = 0; i < in->tables; i++) {
        const table *t = &in->table[i];
        if (strcmp(t->def->label, f->tables))
            continue;
        const table_ranks r = ranks_of_table(f->a, t);
        if (!r.r.n)
            break;
        for (int k = 0; k < r.r.k; k++) {
            figure_row line = figure_line(1, NULL, k + 1, r.name[k], strcmp(r.loss[k], "jc") ? "CE" : "JC");
            line.x = r.r.mean[k], line.mean = r.r.cd;
            figure_add(f, line);
        }
        f->note =
            arena_printf(f->a, "%d data sets; Friedman's test: p = %.2g; critical difference at 5 %%: %.2f ranks.",
                         r.r.n, r.r.p, r.r.cd);
        return NULL;
    }
    return "too few data sets where every cell has two runs";
}
