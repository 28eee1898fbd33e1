/* warnings: cells that a table has no place for, runs without a number, and runs of one cell, or sides of an ordering,
 * with different data or clusters. */
#include "table_parts.h"
#include <string.h>

enum { SHOWN = 12 }; /* of one table; the others are counted */

typedef struct list {
    arena *a;
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

static int differ(uint64_t x, uint64_t y) { return x && y && x != y; } /* 0: not recorded, or no clusters */

static void check_cell(list *l, const table_cell *c)
{
    if (c->not_finite)
        add(l, arena_printf(l->a, "%s: %d successful run%s without a finite value (%s), left out.",
                            render_cell_name(l->a, c), c->not_finite, c->not_finite > 1 ? "s" : "", c->metric->title));
    for (int i = 1; i < c->n; i++) {
        const char *what = differ(c->run[0]->data_hash, c->run[i]->data_hash)   ? "data"
                           : differ(c->run[0]->part_hash, c->run[i]->part_hash) ? "partitions"
                                                                                : NULL;
        if (what) {
            add(l, arena_printf(l->a, "%s: its runs had different %s (runs %d and %d).", render_cell_name(l->a, c),
                                what, c->run[0]->run, c->run[i]->run));
            return;
        }
    }
    if (c->n && c->run[0]->part_hash && c->run[0]->s.partition.kind == PARTITION_METIS && c->run[0]->metis_bits == 32)
        add(l, arena_printf(l->a, "%s: METIS used the random numbers of its 32-bit build: not the paper's clusters.",
                            render_cell_name(l->a, c)));
}

/* Orderings between partitions, or that name one, are meant to differ there. */
static void check_contrast(list *l, const contrast *c)
{
    if (!c->n)
        return;
    const record *x = c->a->run[0], *y = c->b->run[0];
    const char *where = contrasts_where(l->a, c), *what = contrasts_what(l->a, c);
    if (differ(x->data_hash, y->data_hash))
        add(l, arena_printf(l->a, "%s, %s: the two sides had different data.", where, what));
    else if (differ(x->part_hash, y->part_hash) && !strstr(c->def->a, "partition="))
        add(l, arena_printf(l->a, "%s, %s: the two sides had different clusters (%s, %d of them; %s, %d of them).",
                            where, what, x->s.partition.text, x->s.clusters, y->s.partition.text, y->s.clusters));
}

static void check_place(list *l, const table *t, const paper_cell *c)
{
    add(l, arena_printf(l->a, "%s %s %s, setting %s: left out: the layout (%s by %s) has another cell in its place.",
                        c->dataset, c->model, c->loss, c->setting, t->def->rows, t->def->cols));
}

const char **warnings_make(arena *a, const table *t, int *n)
{
    list l = {.a = a, .v = NEW(a, const char *, SHOWN + 1)};
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
