/* doc_tex: a document in LaTeX, to be \input into one that uses booktabs (nothing else is needed). Grids are floats;
 * text is a paragraph of small print behind them; headings are left out, captions say what a grid is. */
#include "doc.h"

static void mark(buf *out, char m, const char *address)
{
    (void)address;
    buf_put(out, m == DOC_C_B                             ? "\\textbf{"
                 : m == DOC_C_CODE                        ? "\\texttt{"
                 : m == DOC_C_LINK || m == DOC_C_LINK_END ? ""
                                                          : "}");
}

static void text(buf *out, const char *s) { doc_marked(&(doc_writer){out, buf_tex, mark}, s ? s : ""); }

static void head(buf *out, const doc_grid *g)
{
    for (int k = 0; k < g->head_rows; k++) {
        for (int j = 0; j < g->cols; j++) {
            buf_put(out, j ? " & " : "");
            buf_put(out, j == g->keys && g->line_name ? " & " : "");
            text(out, g->head[k * g->cols + j]);
        }
        buf_put(out, " \\\\\n");
    }
    buf_put(out, "\\midrule\n");
}

static void row(buf *out, const doc_grid *g, const doc_cell *c, int line)
{
    for (int j = 0; j < g->cols; j++) {
        buf_put(out, j ? " & " : "");
        if (j == g->keys && g->line_name)
            buf_add(out, "%s & ", g->line_name[line]);
        buf_put(out, c[j].bold == line ? "\\textbf{" : "");
        text(out, c[j].line[line]);
        buf_put(out, c[j].bold == line ? "}" : "");
    }
    buf_put(out, " \\\\\n");
}

static void grid(buf *out, const doc_grid *g)
{
    int rows = g->count / g->cols, words = g->keys + (g->line_name != NULL);
    buf_add(out, "\\begin{table*}[tbp]\n\\centering\n%s\n\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}{",
            g->keys && rows <= 15 && g->cols <= 6 ? "\\scriptsize" : "\\tiny");
    for (int j = 0; j < g->cols + (g->line_name != NULL); j++)
        buf_put(out, g->keys && j >= words ? "c" : "l");
    buf_put(out, "}\n\\toprule\n");
    head(out, g);
    for (int i = 0; i < rows; i++)
        for (int line = 0; line < g->lines; line++) {
            buf_put(out, i && !line && g->lines > 1 ? "\\addlinespace\n" : "");
            row(out, g, g->cell + i * g->cols, line);
        }
    buf_put(out, "\\bottomrule\n\\end{tabular}\n\\caption{");
    text(out, g->caption);
    buf_put(out, "}\n");
    if (g->label)
        buf_add(out, "\\label{jcb:%s}\n", g->label);
    buf_put(out, "\\end{table*}\n");
}

void doc_tex(buf *out, const doc *d)
{
    buf_put(out, "% \\usepackage{booktabs}\n");
    for (const doc_block *b = d->first; b; b = b->next)
        if (b->kind == DOC_GRID)
            grid(out, b->grid);
    int n = 0;
    for (const doc_block *b = d->first; b; b = b->next) {
        if (b->kind == DOC_TEXT || b->kind == DOC_SMALL || b->kind == DOC_NOTE || b->kind == DOC_ITEM) {
            buf_put(out, n++ ? "" : "{\\footnotesize\n");
            text(out, b->text);
            buf_put(out, "\n");
        }
        for (int i = 0; b->kind == DOC_GRID && i < b->grid->count; i++)
            if (b->grid->cell[i].note) {
                buf_put(out, n++ ? "" : "{\\footnotesize\n");
                text(out, b->grid->cell[i].note);
                buf_put(out, "\n");
            }
    }
    buf_put(out, n ? "\\par}\n" : "");
}
