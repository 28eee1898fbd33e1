/* section_figures: DIR/NAME.svg as drawn by gnuplot, with the caption DIR/NAME.txt (its first line is the title). */
#include "../base/file.h"
#include "definitions.h"
#include "sections.h"
#include <stdlib.h>
#include <string.h>

enum { FIGURE_MAX = 64 << 20, CAPTION_MAX = 1 << 16 };

static int place_of(const char *id)
{
    int i = 0;
    while (i < definitions.figures && strcmp(definitions.figure[i].name, id))
        i++;
    return i;
}

/* In the order of figures.tsv; those of single tables ("dots-LABEL") last, by name. */
static int by_place(const void *x, const void *y)
{
    const char *a = ((const doc_block *)x)->id, *b = ((const doc_block *)y)->id;
    int first = place_of(a), second = place_of(b);
    return first != second ? first - second : strcmp(a, b);
}

static void load(arena *a, figures *f, doc_block *v, const char *dir)
{
    static const char mark[] = "Produced by GNUPLOT ";
    const char *caption = arena_printf(a, "%s/%s.txt", dir, v->id);
    bytes b = file_read(a, arena_printf(a, "%s/%s.svg", dir, v->id), FIGURE_MAX);
    const char *text = file_exists(caption) ? (const char *)file_read(a, caption, CAPTION_MAX).p : v->id;
    size_t title = strcspn(text, "\n");
    v->kind = DOC_FIGURE;
    v->text = arena_printf(a, "%.*s", (int)title, text);
    v->more = text + title + (text[title] != 0);
    v->path = arena_printf(a, "doc/%s.svg", v->id);
    v->svg = (const char *)b.p;
    v->size = b.n;
    const char *version = strstr(v->svg, mark);
    if (version && !f->gnuplot)
        f->gnuplot = arena_printf(a, "%.*s", (int)strcspn(version + strlen(mark), "<\n"), version + strlen(mark));
}

figures section_figures_read(arena *a, const char *dir)
{
    figures f = {0};
    int n;
    char **name = file_list(a, dir, ".svg", &n);
    f.v = NEW(a, doc_block, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        if (file_exists(arena_printf(a, "%s/%s.svg", dir, name[i])))
            f.v[f.n++].id = name[i];
    qsort(f.v, (size_t)f.n, sizeof *f.v, by_place);
    for (int i = 0; i < f.n; i++)
        load(a, &f, &f.v[i], dir);
    return f;
}

const doc_block *section_figures_find(const figures *f, const char *name)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->v[i].id, name))
            return &f->v[i];
    return NULL;
}
