/* figure_ranks: mean ranks of the ways of a table over its data sets, with the critical difference. */
#include "ranks.h"
#include "figure_parts.h"
#include <math.h>
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
        for (int k = 0; k < r.r.k; k++)
            figure_add(f, (figure_row){.panel = 1,
                                       .row = k + 1,
                                       .label = r.name[k],
                                       .series = strcmp(r.loss[k], "jc") ? "CE" : "JC",
                                       .x = r.r.mean[k],
                                       .mean = r.r.cd,
                                       .lo = NAN,
                                       .hi = NAN,
                                       .paper = NAN,
                                       .paper_sd = NAN});
        f->note =
            arena_printf(f->a, "%d data sets; Friedman's test: p = %.2g; critical difference at 5 %%: %.2f ranks.",
                         r.r.n, r.r.p, r.r.cd);
        return NULL;
    }
    return "too few data sets where every cell has two runs";
}
