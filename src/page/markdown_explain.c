/* markdown_explain: the section on what explains the gain. */
#include "../paper/explain.h"
#include "markdown_parts.h"

void markdown_explain(arena *a, buf *out, const tables *all)
{
    explain e = explain_read(a, &all->runs);
    const char *summary = explain_summary(a, &e), *text = explain_text(a, &e);
    static const char *const head[] = {"Row", "Gain over CE as published", "Pairs", "Against CE searched"};
    if (!summary) {
        markdown_text(out, "There are no runs of bench_explain on comparable data.");
        return;
    }
    markdown_text(out, summary);
    markdown_text(out, text);
    markdown_head(out, head, 4);
    for (int r = ROW_CE + 1; r < EXPLAIN_ROWS; r++) {
        explain_gain g = explain_pooled(a, &e, (enum explain_row)r, ROW_CE, NULL, NULL),
                     left = explain_pooled(a, &e, (enum explain_row)r, ROW_CE_TUNED, NULL, NULL);
        if (g.n)
            markdown_row(out,
                         (const char *[]){explain_title[r], explain_show(a, &g), arena_printf(a, "%d", g.places),
                                          r == ROW_CE_TUNED ? "" : explain_show(a, &left)},
                         4);
    }
    markdown_text(out, "\nMeans over pairs of data set and model, in percentage points of accuracy over paired runs, "
                       "with the 95 % confidence sequence (none below six runs).");
}
