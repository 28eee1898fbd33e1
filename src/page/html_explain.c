/* html_explain: the section on what explains the gain. */
#include "../paper/explain.h"
#include "html.h"

void html_explain(arena *a, buf *out, const tables *all)
{
    explain e = explain_read(a, &all->runs);
    const char *summary = explain_summary(a, &e), *text = explain_text(a, &e);
    static const char *const head[] = {"Row", "Gain over CE as published", "Pairs", "Against CE searched"};
    html_el(out, "p", summary ? summary : "No runs of bench_explain on comparable data yet.");
    if (!summary)
        return;
    html_el(out, "p", text);
    buf_put(out, "\n<div class=\"box\"><table class=\"sort\">");
    html_head(out, head, 4);
    buf_put(out, "<tbody>");
    for (int r = ROW_CE + 1; r < EXPLAIN_ROWS; r++) {
        explain_gain g = explain_pooled(a, &e, (enum explain_row)r, ROW_CE, NULL, NULL),
                     left = explain_pooled(a, &e, (enum explain_row)r, ROW_CE_TUNED, NULL, NULL);
        const char *v[] = {explain_title[r], explain_show(a, &g), arena_printf(a, "%d", g.places),
                           r == ROW_CE_TUNED ? "" : explain_show(a, &left)};
        if (!g.n)
            continue;
        html_line(out, v, 4);
    }
    buf_put(out, "</tbody></table></div>\n");
}
