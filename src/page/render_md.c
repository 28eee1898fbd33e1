/* render_md: a table in Markdown. Each row of the paper's table is three lines: ours, the paper's, the difference; only
 * the first in a table beyond the paper. */
#include "render_parts.h"
#include <string.h>

static void grid_head(buf *out, const table_grid *g)
{
    for (int j = 0; j < g->row_keys; j++)
        buf_add(out, "| %s ", g->row_head[j]);
    buf_put(out, "| ");
    for (int j = 0; j < g->cols; j++) {
        buf_put(out, "|");
        for (int k = 0; k < g->col_keys; k++) {
            buf_put(out, " ");
            buf_md(out, g->col_title[j * g->col_keys + k]);
        }
        buf_put(out, " ");
    }
    buf_put(out, "|\n");
    for (int j = 0; j < g->row_keys + 1 + g->cols; j++)
        buf_put(out, "|---");
    buf_put(out, "|\n");
}

static void grid_line(arena *a, buf *out, const table_grid *g, int row, int line)
{
    static const char *const name[] = {"ours", "paper", "difference"};
    for (int j = 0; j < g->row_keys; j++) {
        buf_put(out, "| ");
        buf_md(out, line ? "" : g->row_title[row * g->row_keys + j]);
        buf_put(out, line ? "" : " ");
    }
    buf_add(out, "| %s ", name[line]);
    for (int j = 0; j < g->cols; j++) {
        const cell *c = g->at[row * g->cols + j];
        const char *bold = c && line == 1 && c->paper->bold ? "**" : "";
        const char *s = !c ? "" : line == 0 ? render_ours(a, c) : line == 1 ? render_paper(a, c) : render_diff(a, c);
        buf_add(out, "| %s%s%s ", bold, s, bold);
    }
    buf_put(out, "|\n");
}

static void claims(arena *a, buf *out, const table *t)
{
    buf_add(out, "\n## %s on our runs\n\n", t->beyond ? "Orderings" : "The paper's orderings");
    render_head_md(out, render_head, RENDER_COLUMNS);
    for (int i = 0; i < t->contrasts; i++) {
        const char *v[RENDER_COLUMNS];
        render_contrast(a, v, &t->contrast[i]);
        render_line_md(out, v, RENDER_COLUMNS);
    }
}

void render_md(arena *a, buf *out, const table *t)
{
    table_grid g = render_grid(a, t);
    int lines, run = 0, notes = 0;
    const char **line = render_legend(a, t, &lines);
    for (int i = 0; i < t->paper.n; i++)
        run += t->cell[i].n > 0;
    buf_add(out, "# %s\n\n", t->def->label);
    buf_md(out, t->paper.caption);
    buf_add(out, "\n\nExperiment: %s. %d of %d cells have runs.\n\n", t->def->experiment, run, t->paper.n);
    grid_head(out, &g);
    for (int i = 0; i < g.rows; i++)
        for (int k = 0; k < (t->beyond ? 1 : 3); k++)
            grid_line(a, out, &g, i, k);
    if (t->contrasts)
        claims(a, out, t);
    trends_md(a, out, t);
    buf_put(out, "\n## Legend\n\n");
    for (int i = 0; i < lines; i++) {
        buf_put(out, "- ");
        buf_md(out, line[i]);
        buf_put(out, "\n");
    }
    for (int i = 0; i < t->paper.n; i++) {
        const cell *c = &t->cell[i];
        if (!strcmp(c->paper->note, "-"))
            continue;
        if (!notes++)
            buf_put(out, "\n## Notes on the printed cells\n\n");
        buf_add(out, "- %s, %s: ", render_cell_name(a, c), c->metric->title);
        buf_md(out, c->paper->note);
        buf_put(out, "\n");
    }
}
