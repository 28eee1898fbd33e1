#include "doc.h"
#include <stdarg.h>
#include <string.h>

const char *const doc_mark_symbol[MARKS] = {"", "✓", "▲", "▼", "✗", "≈", "?", "◇", "·", "–"};
const char *const doc_mark_class[MARKS] = {"", "yes", "no", "no", "no", "same", "open", "apart", "apart", "none"};

static doc_block *add(doc *d, doc_block b)
{
    doc_block *to = NEW(d->a, doc_block, 1);
    *to = b;
    if (d->last)
        d->last->next = to;
    else
        d->first = to;
    return d->last = to;
}

void doc_heading(doc *d, int level, const char *id, const char *text)
{
    add(d, (doc_block){.kind = DOC_HEADING, .level = level, .id = id, .text = text});
}

void doc_put(doc *d, enum doc_kind kind, const char *text) { add(d, (doc_block){.kind = kind, .text = text}); }

void doc_say(doc *d, enum doc_kind kind, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    doc_put(d, kind, arena_vprintf(d->a, format, ap));
    va_end(ap);
}

void doc_fold(doc *d, int open, const char *text)
{
    add(d, (doc_block){.kind = DOC_FOLD, .level = open, .text = text});
}

void doc_fold_end(doc *d) { add(d, (doc_block){.kind = DOC_FOLD_END}); }

void doc_figure(doc *d, const doc_block *figure) { add(d, *figure)->kind = DOC_FIGURE; }

doc_grid *doc_table(doc *d, const char *const *head, int cols)
{
    doc_grid *g = NEW(d->a, doc_grid, 1);
    *g = (doc_grid){.a = d->a, .head = head, .cols = cols, .head_rows = 1, .lines = 1};
    add(d, (doc_block){.kind = DOC_GRID, .grid = g});
    return g;
}

doc_grid *doc_columns(doc *d, const char *heads)
{
    char *rest = arena_printf(d->a, "%s", heads);
    const char **head = NEW(d->a, const char *, strlen(heads) + 1);
    int n = 0;
    while (rest)
        head[n++] = strsep(&rest, "\t");
    return doc_table(d, head, n);
}

doc_grid *doc_tiles(doc *d)
{
    doc_grid *g = NEW(d->a, doc_grid, 1);
    *g = (doc_grid){.a = d->a, .cols = 1, .lines = 2};
    add(d, (doc_block){.kind = DOC_TILES, .grid = g});
    return g;
}

doc_cell *doc_cell_add(doc_grid *g)
{
    GROW(g->a, g->cell, g->count, g->capacity, 32);
    doc_cell *c = &g->cell[g->count++];
    *c = (doc_cell){.bold = -1};
    return c;
}

void doc_cell_put(doc_grid *g, const char *text) { doc_cell_add(g)->line[0] = text; }

void doc_cell_say(doc_grid *g, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    doc_cell_add(g)->line[0] = arena_vprintf(g->a, format, ap);
    va_end(ap);
}

void doc_cells(doc_grid *g, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    char *rest = arena_vprintf(g->a, format, ap);
    va_end(ap);
    while (rest)
        doc_cell_put(g, strsep(&rest, "\t"));
}

void doc_cell_mark(doc_grid *g, enum doc_mark mark, const char *text)
{
    doc_cell *c = doc_cell_add(g);
    c->mark = mark;
    c->line[0] = text;
}

static int closes(char open, char c) { return open ? c == open + 1 || (open == DOC_C_LINK && c == DOC_C_LINK_END) : 0; }

void doc_marked(const doc_writer *w, const char *text)
{
    static const char any[] = DOC_B DOC_B_END DOC_CODE DOC_CODE_END DOC_LINK DOC_LINK_TEXT DOC_LINK_END;
    arena *a = w->out->a;
    const char *address = NULL;
    char open = 0; /* the mark that is open: marks are not nested */
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, any);
        w->put(w->out, arena_printf(a, "%.*s", (int)n, s));
        s += n;
        if (!*s)
            break;
        char c = *s++;
        if (!open && c == DOC_C_LINK) {
            size_t len = strcspn(s, DOC_LINK_TEXT);
            address = arena_printf(a, "%.*s", (int)len, s);
            s += len + (s[len] != 0);
        }
        if ((!open && (c == DOC_C_B || c == DOC_C_CODE || c == DOC_C_LINK)) || closes(open, c)) {
            w->mark(w->out, c, address);
            open = open ? 0 : c;
        }
    }
    if (open)
        w->mark(w->out, open == DOC_C_LINK ? DOC_C_LINK_END : (char)(open + 1), address);
}
