/* render_tex: a table in LaTeX, to be \input into a document that uses booktabs (nothing else is needed). */
#include "render_parts.h"
#include <string.h>

static void begin(buf *out, const char *size, int keys, int cols)
{
    buf_add(out, "\\begin{table*}[tbp]\n\\centering\n%s\n\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}{", size);
    for (int j = 0; j < keys; j++)
        buf_put(out, "l");
    for (int j = 0; j < cols; j++)
        buf_put(out, "c");
    buf_put(out, "}\n\\toprule\n");
}

static void end(buf *out, const char *label, const char *suffix)
{
    buf_add(out, "\\label{jcb:%s%s}\n\\end{table*}\n", label, suffix);
}

static void grid_head(buf *out, const table_grid *g)
{
    for (int k = 0; k < g->col_keys; k++) { /* one line for each key of the columns */
        for (int j = 0; j < g->row_keys; j++) {
            buf_tex(out, k + 1 == g->col_keys ? g->row_head[j] : "");
            buf_put(out, " & ");
        }
        for (int j = 0; j < g->cols; j++) {
            buf_put(out, " & ");
            buf_tex(out, g->col_title[j * g->col_keys + k]);
        }
        buf_put(out, " \\\\\n");
    }
    buf_put(out, "\\midrule\n");
}

static void grid_line(arena *a, buf *out, const table_grid *g, int row, int line)
{
    static const char *const name[] = {"ours", "paper", "difference"};
    for (int j = 0; j < g->row_keys; j++) {
        buf_tex(out, line ? "" : g->row_title[row * g->row_keys + j]);
        buf_put(out, " & ");
    }
    buf_put(out, name[line]);
    for (int j = 0; j < g->cols; j++) {
        const cell *c = g->at[row * g->cols + j];
        int bold = c && line == 1 && c->paper->bold;
        buf_put(out, bold ? " & \\textbf{" : " & ");
        buf_tex(out, !c ? "" : line == 0 ? render_ours(a, c) : line == 1 ? render_paper(a, c) : render_diff(a, c));
        buf_put(out, bold ? "}" : "");
    }
    buf_put(out, " \\\\\n");
}

/* The orderings: the columns that decide, or those of tests for one look. */
static void claims(arena *a, buf *out, const table *t, int look)
{
    int columns = look ? RENDER_LOOK_COLUMNS : RENDER_ONE_LOOK, words = look ? 2 : 3;
    begin(out, "\\tiny", words, columns - words);
    for (int j = 0; j < columns; j++) {
        buf_put(out, j ? " & " : "");
        buf_tex(out, look ? render_look_head(j) : render_head[j]);
    }
    buf_put(out, " \\\\\n\\midrule\n");
    for (int i = 0; i < t->contrasts; i++) {
        const char *v[RENDER_COLUMNS];
        render_contrast(a, v, &t->contrast[i]);
        for (int j = 0; j < columns; j++) {
            buf_put(out, j ? " & " : "");
            buf_tex(out, v[look ? render_look[j] : j]);
        }
        buf_put(out, " \\\\\n");
    }
    buf_put(out, "\\bottomrule\n\\end{tabular}\n\\caption{");
    buf_put(out, t->beyond ? "Orderings in " : "The paper's orderings in ");
    buf_tex(out, t->def->label);
    buf_put(out, look ? ", tested for one look at a number of runs fixed in advance.}\n"
                      : ", tested on our runs paired by run and seed; e-Holm is over the table.}\n");
    end(out, t->def->label, look ? ":look" : ":claims");
}

void render_tex(arena *a, buf *out, const table *t)
{
    table_grid g = render_grid(a, t);
    int lines;
    const char **line = render_legend(a, t, &lines);
    buf_put(out, "% \\usepackage{booktabs}\n");
    begin(out, g.rows > 15 || g.cols > 5 ? "\\tiny" : "\\scriptsize", g.row_keys + 1, g.cols);
    grid_head(out, &g);
    for (int i = 0; i < g.rows; i++)
        for (int k = 0; k < (t->beyond ? 1 : 3); k++) {
            if (i && k == 0)
                buf_put(out, "\\addlinespace\n");
            grid_line(a, out, &g, i, k);
        }
    buf_put(out, "\\bottomrule\n\\end{tabular}\n\\caption{");
    buf_tex(out, t->paper.caption);
    buf_put(out,
            t->beyond ? "}\n" : " Ours, the paper's, and the difference with its 95\\,\\% confidence interval.}\n");
    end(out, t->def->label, "");
    for (int look = 0; look < 2 && t->contrasts; look++)
        claims(a, out, t, look);
    for (int i = 0; i < lines; i++) { /* the legend and the notes, as a paragraph after the floats */
        buf_put(out, i ? "" : "{\\footnotesize\n");
        buf_tex(out, line[i]);
        buf_put(out, "\n");
    }
    for (int i = 0; i < t->paper.n; i++)
        if (strcmp(t->cell[i].paper->note, "-")) {
            buf_tex(out, render_cell_name(a, &t->cell[i]));
            buf_put(out, ": ");
            buf_tex(out, t->cell[i].paper->note);
            buf_put(out, ".\n");
        }
    buf_put(out, "\\par}\n");
}
