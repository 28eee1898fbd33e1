/* markdown_figures: DIR/NAME.svg as drawn by gnuplot; the number of runs and the data are taken from the captions
 * DIR/NAME.txt. */
#include "../base/file.h"
#include "../paper/definitions.h"
#include "markdown_parts.h"
#include <stdio.h>
#include <string.h>

/* The figure of the next higher rank; NULL: none. */
static const figure_def *next_rank(int rank)
{
    const figure_def *best = NULL;
    for (const figure_def *d = definitions.figure; d && d->name; d++)
        if (d->rank > rank && (!best || d->rank < best->rank))
            best = d;
    return best;
}

/* "Runs a point: 3 to 10. Data, real: Cora.", which figure.c writes after the text; "": not found. */
static const char *caption_runs(arena *a, const char *caption)
{
    const char *s = strstr(caption, "\nRuns a point: "), *end = s ? strstr(s, ". ") : NULL;
    end = end ? strpbrk(end + 2, ".\n") : NULL;
    return end ? arena_printf(a, " %.*s.", (int)(end - s - 1), s + 1) : "";
}

int markdown_figures(arena *a, shown_figure out[SHOWN_FIGURES], const char *dir)
{
    int n = 0;
    for (const figure_def *d = next_rank(0); d && n < SHOWN_FIGURES; d = next_rank(d->rank)) {
        const char *svg = arena_printf(a, "%s/%s.svg", dir, d->name), *txt = arena_printf(a, "%s/%s.txt", dir, d->name);
        if (!file_exists(svg) || !file_exists(txt)) {
            printf("%s: not drawn, left out\n", d->name);
            continue;
        }
        bytes b = file_read(a, svg, 0);
        if (b.n > SHOWN_BYTES) {
            printf("%s: left out: %zu KiB, more than %d\n", svg, b.n >> 10, SHOWN_BYTES >> 10);
            continue;
        }
        const char *text = (const char *)file_read(a, txt, 1 << 16).p;
        out[n++] = (shown_figure){d->name, d->title, arena_printf(a, "%s%s", d->text, caption_runs(a, text)),
                                  (const char *)b.p, b.n};
    }
    return n;
}

void markdown_figure(buf *out, const shown_figure *f, int caption)
{
    buf_put(out, "![");
    buf_md(out, f->title);
    buf_add(out, "](doc/%s.svg)\n\n", f->name);
    if (!caption)
        return;
    buf_put(out, "**");
    buf_md(out, f->title);
    buf_put(out, ".** ");
    markdown_text(out, f->caption);
}
