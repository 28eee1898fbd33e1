/* render_parts: a table in each format. */
#ifndef JCB_RENDER_PARTS_H
#define JCB_RENDER_PARTS_H

#include "../paper/table_parts.h"

const char **render_legend(arena *a, const table *t, int *n); /* the notes under a table, line by line */
void render_md(arena *a, buf *out, const table *t);
void render_tex(arena *a, buf *out, const table *t);
void render_html(arena *a, buf *out, const table *t);
void render_tsv(buf *out, const table *t);
void render_claims_tsv(arena *a, buf *out, const table *t);

#endif
