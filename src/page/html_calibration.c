/* html_calibration: the section on calibration. */
#include "calibration_render.h"
#include "html.h"

static void grid_html(buf *out, const text_grid *g)
{
    buf_put(out, "<div class=\"box\"><table>");
    html_head(out, g->head, g->cols);
    buf_put(out, "<tbody>");
    for (int i = 0; i < g->rows; i++) {
        buf_put(out, "<tr>");
        for (int j = 0; j < g->cols; j++) {
            buf_put(out, "<td>");
            html_number(out, g->cell[i * g->cols + j]);
            buf_put(out, "</td>");
        }
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}

void html_calibration(arena *a, buf *out, const tables *all)
{
    calibration_table t = calibration_table_read(a, &all->runs);
    text_grid scores = calibration_scores_grid(a, &t), orderings = calibration_orderings_grid(a, &t);
    html_el(out, "p", calibration_table_text(a, &t));
    buf_put(out, "\n");
    grid_html(out, &scores);
    html_el(out, "p", "Is JC better calibrated than CE?");
    buf_put(out, "\n");
    grid_html(out, &orderings);
    html_el(out, "p class=\"small\"", calibration_legend);
    buf_put(out, "\n");
}
