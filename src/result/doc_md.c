/* doc_md: a document in Markdown. A cell of several lines takes as many rows. Folds are open. */
#include "doc.h"

static void mark(buf *out, char m, const char *address)
{
    int page = address && *address == '#'; /* headings of the HTML page have no such names here */
    switch (m) {
    case DOC_C_B:
    case DOC_C_B_END: buf_put(out, "**"); break;
    case DOC_C_CODE:
    case DOC_C_CODE_END: buf_put(out, "`"); break;
    case DOC_C_LINK: buf_put(out, page ? "" : "["); break;
    default: buf_add(out, page ? "" : "](%s)", address);
    }
}

static void text(buf *out, const char *s) { doc_marked(&(doc_writer){out, buf_md, mark}, s ? s : ""); }

static const char *line_of(const doc_cell *c, int line) { return c->line[line] ? c->line[line] : ""; }

static void head(buf *out, const doc_grid *g)
{
    int named = g->line_name != NULL;
    for (int j = 0; j < g->cols; j++) {
        buf_put(out, j == g->keys && named ? "| | " : "| ");
        for (int k = 0; k < g->head_rows; k++) {
            const char *s = g->head[k * g->cols + j];
            buf_put(out, k && *s ? " " : "");
            text(out, s);
        }
        buf_put(out, " ");
    }
    buf_put(out, "|\n");
    for (int j = 0; j < g->cols + named; j++)
        buf_put(out, "|---");
    buf_put(out, "|\n");
}

static void row(buf *out, const doc_grid *g, const doc_cell *c, int line)
{
    for (int j = 0; j < g->cols; j++) {
        if (j == g->keys && g->line_name)
            buf_add(out, "| %s ", g->line_name[line]);
        const char *s = line_of(&c[j], line), *bold = c[j].bold == line && *s ? "**" : "";
        buf_add(out, "|%s%s", *s ? " " : "", bold);
        text(out, s);
        buf_add(out, "%s ", bold);
    }
    buf_put(out, "|\n");
}

static void grid(buf *out, const doc_grid *g)
{
    head(out, g);
    for (int i = 0; i + g->cols <= g->count; i += g->cols)
        for (int line = 0; line < g->lines; line++)
            row(out, g, g->cell + i, line);
    buf_put(out, "\n");
    for (int i = 0, n = 0; i < g->count; i++)
        if (g->cell[i].note) {
            buf_put(out, n++ ? "" : "Notes on the printed cells:\n\n");
            buf_put(out, "- ");
            text(out, g->cell[i].note);
            buf_put(out, "\n");
        }
}

static void blank_line(buf *out) /* unless there is one */
{
    size_t n = out->n;
    if (n > 1 && !(out->s[n - 1] == '\n' && out->s[n - 2] == '\n'))
        buf_put(out, "\n");
}

void doc_md(buf *out, const doc *d)
{
    for (const doc_block *b = d->first; b; b = b->next) {
        switch (b->kind) {
        case DOC_HEADING:
            buf_add(out, "%.*s ", b->level, "######");
            text(out, b->text);
            buf_put(out, "\n\n");
            break;
        case DOC_NOTE: buf_put(out, "> "); /* fall through */
        case DOC_TEXT:
        case DOC_SMALL:
            text(out, b->text);
            buf_put(out, "\n\n");
            break;
        case DOC_FOLD:
            text(out, b->text);
            buf_put(out, ":\n\n");
            break;
        case DOC_ITEM:
            buf_put(out, "- ");
            text(out, b->text);
            buf_put(out, b->next && b->next->kind == DOC_ITEM ? "\n" : "\n\n");
            break;
        case DOC_COMMANDS: buf_add(out, "```\n%s```\n\n", b->text); break;
        case DOC_GRID:
            grid(out, b->grid);
            blank_line(out);
            break;
        case DOC_FIGURE:
            buf_put(out, "![");
            buf_md(out, b->text);
            buf_add(out, "](%s)\n\n", b->path);
            if (b->more) {
                buf_put(out, "**");
                buf_md(out, b->text);
                buf_put(out, ".** ");
                text(out, b->more);
                buf_put(out, "\n\n");
            }
            break;
        case DOC_TILES:
        case DOC_FOLD_END: break;
        }
    }
}
