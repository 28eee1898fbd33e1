/* warnings: cells that a table has no place for, runs without a number, and runs of one cell, or sides of an ordering,
 * with different data or clusters. */
#include "table_parts.h"
#include <string.h>

enum { SHOWN = 12 }; /* of one table; the others are counted */

typedef struct list {
    arena *a;
    const tsv *t;
    const char **v;
    int n, more;
} list;

static void add(list *l, const char *text)
{
    for (int i = 0; i < l->n; i++)
        if (!strcmp(l->v[i], text))
            return;
    if (l->n < SHOWN)
        l->v[l->n++] = text;
    else
        l->more++;
}

static const char *get(const list *l, const run_row *r, const char *column) { return tsv_get(l->t, r->row, column); }

static int differ(const list *l, const run_row *x, const run_row *y, const char *column)
{
    const char *p = get(l, x, column), *q = get(l, y, column);
    return *p && *q && strcmp(p, q) != 0; /* "": the row was written before the column existed */
}

static int has_clusters(const list *l, const run_row *r)
{
    const char *hash = get(l, r, "part_hash");
    return hash[strspn(hash, "0-")] != 0;
}

static void check_cell(list *l, const cell *c)
{
    if (c->not_finite)
        add(l, arena_printf(l->a, "%s: %d successful run%s without a finite value (%s), left out.",
                            render_cell_name(l->a, c), c->not_finite, c->not_finite > 1 ? "s" : "", c->metric->title));
    for (int i = 1; i < c->n; i++) {
        const char *what = differ(l, c->run[0], c->run[i], "data_hash")   ? "data"
                           : differ(l, c->run[0], c->run[i], "part_hash") ? "partitions"
                                                                          : NULL;
        if (what) {
            add(l, arena_printf(l->a, "%s: its runs had different %s (runs %llu and %llu).", render_cell_name(l->a, c),
                                what, (unsigned long long)c->run[0]->run, (unsigned long long)c->run[i]->run));
            return;
        }
    }
    const char *method = c->n ? get(l, c->run[0], "partition") : "";
    if (c->n && has_clusters(l, c->run[0]) && !strncmp(method, "metis", 5) && method[5] != '3' &&
        !strcmp(get(l, c->run[0], "metis_bits"), "32"))
        add(l, arena_printf(l->a, "%s: METIS used the random numbers of its 32-bit build: not the paper's clusters.",
                            render_cell_name(l->a, c)));
}

/* Orderings between partitions, or that name one, are meant to differ there. */
static void check_contrast(list *l, const contrast *c)
{
    if (!c->n)
        return;
    const run_row *x = c->a->run[0], *y = c->b->run[0];
    const char *where = contrasts_where(l->a, c), *what = contrasts_what(l->a, c);
    if (differ(l, x, y, "data_hash"))
        add(l, arena_printf(l->a, "%s, %s: the two sides had different data.", where, what));
    else if (has_clusters(l, x) && has_clusters(l, y) && differ(l, x, y, "part_hash") &&
             !strstr(c->def->a, "partition="))
        add(l, arena_printf(l->a, "%s, %s: the two sides had different clusters (%s, %s of them; %s, %s of them).",
                            where, what, get(l, x, "partition"), get(l, x, "clusters"), get(l, y, "partition"),
                            get(l, y, "clusters")));
}

static void check_place(list *l, const table *t, const paper_cell *c)
{
    add(l, arena_printf(l->a, "%s %s %s, setting %s: left out: the layout (%s by %s) has another cell in its place.",
                        c->dataset, c->model, c->loss, c->setting, t->def->rows, t->def->cols));
}

const char **warnings_make(arena *a, const table *t, const records *r, int *n)
{
    list l = {.a = a, .t = &r->t, .v = NEW(a, const char *, SHOWN + 1)};
    for (int i = 0; i < t->unplaced.n; i++)
        check_place(&l, t, &t->unplaced.cell[i]);
    for (int i = 0; i < t->paper.n; i++)
        check_cell(&l, &t->cell[i]);
    for (int i = 0; i < t->contrasts; i++)
        check_contrast(&l, &t->contrast[i]);
    if (l.more)
        l.v[l.n++] = arena_printf(a, "%d more of this kind.", l.more);
    *n = l.n;
    return l.v;
}
