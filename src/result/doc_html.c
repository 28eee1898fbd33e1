/* doc_html: a document as the body of a page. The three lines of a cell stand below each other in it. */
#include "doc.h"
#include <string.h>

enum { TIGHT_TABLE = 12 }; /* from so many columns on, a plain table is set smaller */
enum { WIDE_GRID = 6 };    /* from so many columns on, lines of a cell may wrap and rows do not name them */

/* Escaped, with minus signs in front of numbers. */
static void plain(buf *out, const char *text)
{
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "-");
        buf_html(out, arena_printf(out->a, "%.*s", (int)n, s));
        s += n;
        if (!*s)
            break;
        int number = (s[1] >= '0' && s[1] <= '9') || !strncmp(s + 1, "∞", strlen("∞"));
        int minus = number && (s == text || strchr(" [(", s[-1])); /* not a hyphen */
        buf_put(out, minus ? "−" : "-");
        s++;
    }
}

static void mark(buf *out, char m, const char *address)
{
    switch (m) {
    case DOC_C_B: buf_put(out, "<b>"); break;
    case DOC_C_B_END: buf_put(out, "</b>"); break;
    case DOC_C_CODE: buf_put(out, "<code>"); break;
    case DOC_C_CODE_END: buf_put(out, "</code>"); break;
    case DOC_C_LINK:
        buf_put(out, "<a href=\"");
        buf_html(out, address);
        buf_put(out, "\">");
        break;
    default: buf_put(out, "</a>");
    }
}

static void text(buf *out, const char *s) { doc_marked(&(doc_writer){out, plain, mark}, s ? s : ""); }

static void element(buf *out, const char *tag, const char *s)
{
    buf_add(out, "<%s>", tag);
    text(out, s);
    buf_add(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

/* ---- grids ---- */

static int same_head(const doc_grid *g, int i, int j, int rows) /* whether the columns share their first heads */
{
    for (int k = 0; k < rows; k++)
        if (strcmp(g->head[k * g->cols + i], g->head[k * g->cols + j]))
            return 0;
    return 1;
}

/* The heads of a grid with keys: those of the keys in one cell, equal neighbours joined. */
static void keyed_head(buf *out, const doc_grid *g)
{
    int last = (g->head_rows - 1) * g->cols;
    for (int k = 0; k < g->head_rows; k++) {
        buf_put(out, "<tr>");
        if (!k) {
            buf_add(out, "<th class=\"key\" rowspan=\"%d\">", g->head_rows);
            for (int j = 0; j < g->keys; j++) {
                buf_put(out, j ? ", " : "");
                text(out, g->head[last + j]);
            }
            buf_put(out, "</th>");
            if (g->line_name)
                buf_add(out, "<td class=\"lines\" rowspan=\"%d\"></td>", g->head_rows);
        }
        for (int j = g->keys, next; j < g->cols; j = next) {
            for (next = j + 1; next < g->cols && same_head(g, j, next, k + 1);)
                next++;
            buf_add(out, "<th colspan=\"%d\" scope=\"col\">", next - j);
            text(out, g->head[k * g->cols + j]);
            buf_put(out, "</th>");
        }
        buf_put(out, "</tr>");
    }
}

static int is_number(const char *s)
{
    const char *const front[] = {"+", "-", "–", "<", "±", "∞", "·"};
    for (int i = 0; i < 7; i++)
        if (!strncmp(s, front[i], strlen(front[i])))
            return 1;
    return *s >= '0' && *s <= '9';
}

static void symbol(buf *out, const doc_cell *c)
{
    if (*doc_mark_symbol[c->mark])
        buf_add(out, "<i>%s</i> ", doc_mark_symbol[c->mark]);
}

static void one_line(buf *out, const doc_cell *c)
{
    const char *s = c->line[0] ? c->line[0] : "";
    buf_add(out, "<td class=\"%s%s%s\">", doc_mark_class[c->mark], c->mark ? " " : "",
            is_number(s) && strlen(s) < 12 ? "num"
            : strlen(s) < 16               ? "word"
            : strlen(s) > 30               ? "say"
                                           : "long");
    symbol(out, c);
    buf_put(out, c->bold == 0 ? "<b>" : "");
    text(out, s);
    buf_put(out, c->bold == 0 ? "</b>" : "");
    buf_put(out, "</td>");
}

static void some_lines(buf *out, const doc_cell *c)
{
    if (!c->line[0]) {
        buf_put(out, "<td></td>");
        return;
    }
    buf_add(out, "<td class=\"%s\"><b>", doc_mark_class[c->mark]);
    text(out, c->line[0]);
    buf_put(out, "</b>");
    if (c->line[1]) {
        buf_add(out, "<span class=\"paper%s\">", c->bold == 1 ? " best" : "");
        text(out, c->line[1]);
        if (c->note) {
            buf_put(out, "<abbr title=\"");
            buf_html(out, c->note);
            buf_put(out, "\">*</abbr>");
        }
        buf_put(out, "</span><span>");
        symbol(out, c);
        text(out, c->line[2]);
        buf_put(out, "</span>");
    }
    buf_put(out, "</td>");
}

static void keyed_row(buf *out, const doc_grid *g, const doc_cell *c, int first)
{
    int group = !first && g->keys > 1 && strcmp(c[0].line[0], c[-g->cols].line[0]);
    buf_add(out, "<tr%s><th class=\"key\" scope=\"row\">", group ? " class=\"group\"" : "");
    for (int j = 0; j < g->keys; j++)
        element(out, "span", c[j].line[0]);
    buf_put(out, "</th>");
    if (g->line_name) {
        buf_put(out, "<td class=\"lines\">");
        for (int k = 0; k < g->lines; k++)
            element(out, "span", g->line_name[k]);
        buf_put(out, "</td>");
    }
    for (int j = g->keys; j < g->cols; j++)
        some_lines(out, c + j);
    buf_put(out, "</tr>\n");
}

static void grid(buf *out, const doc_grid *g)
{
    buf_add(out, "<div class=\"box\"><table class=\"%s%s\"><thead>", g->keys ? "grid" : "sort",
            g->keys && g->cols - g->keys >= WIDE_GRID ? " many"
            : !g->keys && g->cols >= TIGHT_TABLE      ? " tight"
                                                      : "");
    if (g->keys) {
        keyed_head(out, g);
    } else {
        buf_put(out, "<tr>");
        for (int j = 0; j < g->cols; j++)
            element(out, "th", g->head[j]);
        buf_put(out, "</tr>");
    }
    buf_put(out, "</thead>\n<tbody>");
    for (int i = 0; i + g->cols <= g->count; i += g->cols) {
        if (g->keys) {
            keyed_row(out, g, g->cell + i, !i);
            continue;
        }
        buf_put(out, "<tr>");
        for (int j = 0; j < g->cols; j++)
            one_line(out, g->cell + i + j);
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}

static void tiles(buf *out, const doc_grid *g)
{
    buf_put(out, "<div class=\"tiles\">");
    for (int i = 0; i < g->count; i++) {
        const doc_cell *c = &g->cell[i];
        buf_add(out, "<div class=\"%s\"><b><i>%s</i> ", doc_mark_class[c->mark], doc_mark_symbol[c->mark]);
        text(out, c->line[0]);
        buf_put(out, "</b>");
        text(out, c->line[1]);
        buf_put(out, "</div>");
    }
    buf_put(out, "</div>\n");
}

/* ---- figures ---- */

static void base64(buf *out, const unsigned char *p, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char four[5] = "";
    for (size_t i = 0; i < n; i += 3) {
        unsigned long v = (unsigned long)p[i] << 16 | (unsigned long)(i + 1 < n ? p[i + 1] : 0) << 8 |
                          (unsigned long)(i + 2 < n ? p[i + 2] : 0);
        for (int k = 0; k < 4; k++)
            four[k] = i + (size_t)k > n ? '=' : digit[v >> (18 - 6 * k) & 63];
        buf_put(out, four);
    }
}

static void figure(buf *out, const doc_block *b)
{
    buf_add(out, "<figure id=\"%s\"><img alt=\"", b->id);
    buf_html(out, b->text);
    buf_put(out, "\" src=\"data:image/svg+xml;base64,");
    base64(out, (const unsigned char *)b->svg, b->size);
    buf_put(out, "\"/>\n<figcaption>");
    element(out, "b", b->text);
    buf_put(out, " ");
    text(out, b->more);
    buf_put(out, "</figcaption></figure>\n");
}

void doc_html(buf *out, const doc *d)
{
    enum doc_kind before = DOC_HEADING;
    for (const doc_block *b = d->first; b; before = b->kind, b = b->next) {
        switch (b->kind) {
        case DOC_HEADING:
            buf_add(out, b->id ? "<h%d id=\"%s\">" : "<h%d>", b->level, b->id);
            text(out, b->text);
            buf_add(out, "</h%d>", b->level);
            break;
        case DOC_TEXT: element(out, "p", b->text); break;
        case DOC_SMALL: element(out, "p class=\"small\"", b->text); break;
        case DOC_NOTE: element(out, "p class=\"note\"", b->text); break;
        case DOC_ITEM:
            buf_put(out, before != DOC_ITEM ? "<ul>\n" : "");
            element(out, "li", b->text);
            buf_put(out, !b->next || b->next->kind != DOC_ITEM ? "</ul>" : "");
            break;
        case DOC_COMMANDS:
            buf_put(out, "<pre><code>");
            buf_html(out, b->text);
            buf_put(out, "</code></pre>");
            break;
        case DOC_TILES: tiles(out, b->grid); break;
        case DOC_GRID: grid(out, b->grid); break;
        case DOC_FIGURE: figure(out, b); break;
        case DOC_FOLD:
            buf_add(out, "<details%s><summary>", b->level ? " open=\"open\"" : "");
            text(out, b->text);
            buf_put(out, "</summary>");
            break;
        case DOC_FOLD_END: buf_put(out, "</details>"); break;
        }
        buf_put(out, "\n");
    }
}
