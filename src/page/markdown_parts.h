/* markdown_parts: types and functions shared by the files that write RESULTS.md. */
#ifndef JCB_MARKDOWN_PARTS_H
#define JCB_MARKDOWN_PARTS_H

#include "markdown.h"
#include "../paper/table_parts.h"

/* ---- markdown.c: elements ---- */

void markdown_head(buf *out, const char *const *title, int n);
void markdown_row(buf *out, const char *const *value, int n); /* escaped; NULL: empty */
void markdown_text(buf *out, const char *text);               /* an escaped paragraph */

typedef struct span { /* of counts above 0 */
    int least, most;
} span;

void span_add(span *s, int n);
const char *span_text(arena *a, span s); /* "3 to 10", "10"; "–": none */

/* ---- the sections ---- */

const char *markdown_headline(arena *a, const tables *all); /* three sentences, a line each, or one without records */
void markdown_tables(arena *a, buf *out, const tables *all);
void markdown_differences(arena *a, buf *out, const tables *all);
void markdown_not_run(arena *a, buf *out, const tables *all, const markdown *m);
void markdown_partitions(arena *a, buf *out, const tables *all);
void markdown_variance(arena *a, buf *out, const tables *all);
void markdown_explain(arena *a, buf *out, const tables *all);
void markdown_tuning(arena *a, buf *out, const tables *all, const char *specs);
const char *markdown_missing(arena *a, const tables *all, const data_dirs *dirs); /* data sets of the records, "a, b" */
void markdown_leaks(arena *a, buf *out, const tables *all, const data_dirs *dirs);
void markdown_environment(arena *a, buf *out, const tables *all, const markdown *m);

/* ---- markdown_figures.c ---- */

typedef struct shown_figure { /* a figure of figures.tsv that RESULTS.md shows and that has been drawn */
    const char *name, *title, *caption, *svg;
    size_t n; /* bytes of svg */
} shown_figure;

enum { SHOWN_FIGURES = 16, SHOWN_BYTES = 200 << 10 }; /* larger drawings are left out */

int markdown_figures(arena *a, shown_figure out[SHOWN_FIGURES], const char *dir); /* by rank; returns their number */
void markdown_figure(buf *out, const shown_figure *f, int caption);

/* The text with the part between the marks replaced by block; dies naming path when the marks are missing. */
const char *markdown_replace(arena *a, const char *path, const char *text, const char *block);

#endif
