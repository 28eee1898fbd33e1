/* section_differences: what differs from the paper, and what was not run. */
#include "../base/list.h"
#include "definitions.h"
#include "sections.h"
#include <string.h>

/* ---- what differs ---- */

static int same_cell(const table_cell *x, const table_cell *y)
{
    return x->run[0] == y->run[0] && x->n == y->n && x->metric == y->metric && x->paper->value == y->paper->value;
}

static int differs(const table_cell *c) { return c->verdict == LOWER || c->verdict == HIGHER; }

/* The tables that print the cell, comma-joined; NULL if a table before t does, since the cell is listed there. */
static const char *printed_in(arena *a, const tables *all, int t, const table_cell *c)
{
    buf b = {.a = a};
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].paper.n; j++) {
            const table_cell *d = &all->t[i].cell[j];
            if (!differs(d) || !same_cell(c, d))
                continue;
            if (i < t)
                return NULL;
            buf_add(&b, "%s%s", b.n ? ", " : "", all->t[i].def->label);
        }
    return b.s;
}

static void differing_cells(doc *d, const tables *all)
{
    doc_grid *g = NULL;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].paper.n; j++) {
            const table_cell *c = &all->t[i].cell[j];
            const char *where = differs(c) ? printed_in(d->a, all, i, c) : NULL;
            if (!where)
                continue;
            if (!g) {
                doc_fold(d, 0, "Cells whose mean differs from the printed one");
                g = doc_columns(d, "table\tcell\tmetric\tours ± sd (runs)\tpaper\tdifference [95 % interval]\tverdict");
            }
            doc_cells(g, "%s\t%s\t%s\t%s\t%s\t%s", where, render_cell_name(d->a, c), c->metric->title,
                      render_ours(d->a, c), render_paper(d->a, c), render_interval(d->a, c));
            doc_cell_mark(g, section_mark[c->verdict], verdict_word[c->verdict]);
        }
    if (g)
        doc_fold_end(d);
    else
        doc_put(d, DOC_TEXT, "No cell is higher or lower than printed.");
}

static void contradicted(doc *d, const tables *all)
{
    doc_grid *g = NULL;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].contrasts && !all->t[i].beyond; j++) {
            const contrast *c = &all->t[i].contrast[j];
            if (c->verdict != CONTRADICTED || !c->n || !origin_comparable(c->origin))
                continue;
            if (!g) {
                doc_put(d, DOC_TEXT, "Comparisons of the paper that are contradicted:");
                g = doc_columns(d,
                                "table\twhere\tstatement\tmetric\tpaper\tours [95 % confidence sequence]\tpaired runs");
            }
            const contrast_text v = render_contrast(d->a, c);
            doc_cells(g, "%s\t%s\t%s\t%s\t%s", all->t[i].def->label, v.where, v.what, v.metric, v.paper);
            doc_cell_mark(g, MARK_AGAINST, v.ours);
            doc_cell_say(g, "%d", c->n);
        }
    if (!g)
        doc_put(d, DOC_TEXT, "No comparison of the paper is contradicted.");
}

/* Each table that differs, and why we think so. */
void section_reasons(doc *d, const tables *all)
{
    doc_grid *g = NULL;
    for (int i = 0; i < all->n; i++) {
        const table *t = &all->t[i];
        const tally k = table_tally(t);
        int rows = 0;
        if (t->beyond || !(k.cell[HIGHER] + k.cell[LOWER] + k.claim[CONTRADICTED]))
            continue;
        if (!g)
            g = doc_columns(d, "table\thigher, lower\tcontradicted\twhy we think so\tevidence");
        for (int r = 0; r <= definitions.reasons; r++) {
            const reason_def *why = r < definitions.reasons ? &definitions.reason[r] : NULL;
            if (why ? strcmp(why->label, t->def->label) != 0 : rows > 0)
                continue;
            doc_cell_put(g, rows ? "" : t->def->label);
            doc_cell_put(g, rows ? "" : arena_printf(d->a, "%d, %d", k.cell[HIGHER], k.cell[LOWER]));
            doc_cell_put(g, rows ? "" : arena_printf(d->a, "%d", k.claim[CONTRADICTED]));
            doc_cell_put(g, why ? why->text : "Not looked into.");
            doc_cell_put(g, why ? why->evidence : "open");
            rows++;
        }
    }
    if (g)
        doc_put(
            d, DOC_SMALL,
            "Proven: exact. Strong: one setting explains eight cells or more and was chosen without looking at most "
            "of them. Plausible: it fits, but few cells, or it was chosen by test accuracy. Not found: what was "
            "tried does not fit. Open: not looked into. None of these settings replaces a number here.");
}

void section_differences(doc *d, const tables *all)
{
    int n = 0;
    contradicted(d, all);
    differing_cells(d, all);
    for (int i = 0; i < all->n; i++)
        n += all->t[i].warnings;
    if (!n)
        return;
    doc_fold(d, 0, "Caveats");
    for (int i = 0; i < all->n; i++)
        for (int k = 0; k < all->t[i].warnings; k++)
            doc_say(d, DOC_ITEM, "%s: %s", all->t[i].def->label, all->t[i].warning[k]);
    doc_fold_end(d);
}

/* ---- what was not run ---- */

/* The titles of the values under key among printed cells without runs, each once. */
static const char *without_runs(arena *a, const table *t, const char *key)
{
    buf b = {.a = a};
    for (int i = 0; i < t->printed; i++) {
        int n = 0, m = 0, seen = t->cell[i].n > 0;
        const char *v = paper_value(t->cell[i].paper, key, &n);
        seen |= !v || (n == 1 && *v == '-');
        for (int j = 0; j < i && !seen; j++) {
            const char *w = t->cell[j].n ? NULL : paper_value(t->cell[j].paper, key, &m);
            seen = w && m == n && !strncmp(v, w, (size_t)n);
        }
        char title[64];
        if (!seen)
            buf_add(&b, "%s%s", b.n ? ", " : "", table_title(key, v, n, title));
    }
    return b.s ? b.s : "–";
}

static int has_program(const char *const *programs, list_item name)
{
    for (const char *const *p = programs; p && *p; p++)
        if (list_is(name, *p))
            return 1;
    return 0;
}

static int was_started(const tables *all, list_item experiment)
{
    for (int i = 0; i < all->runs.n; i++)
        if (list_is(experiment, all->runs.v[i].experiment))
            return 1;
    return 0;
}

static const char *why(arena *a, const tables *all, const table *t, const char *const *programs)
{
    buf b = {.a = a};
    int failed = 0;
    for (list_item e = list_first(t->def->experiment); e.s; e = list_next(e)) {
        const char *reason = !has_program(programs, e) ? "has no program yet"
                             : !was_started(all, e)    ? "was not started"
                                                       : NULL;
        if (reason)
            buf_add(&b, "%s%.*s %s", b.n ? "; " : "", (int)e.n, e.s, reason);
    }
    for (int i = 0; i < t->printed; i++)
        failed += t->cell[i].n ? 0 : t->cell[i].failed;
    if (failed)
        buf_add(&b, "%s%d runs failed", b.n ? "; " : "", failed);
    return b.s ? b.s : "out of time, or not a cell of the program";
}

void section_not_run(doc *d, const tables *all, const char *const *programs)
{
    doc_grid *g = NULL;
    for (int i = 0; i < all->n; i++) {
        const table *t = &all->t[i];
        int missing = t->printed - table_tally(t).run;
        if (!missing || t->beyond)
            continue;
        g = g ? g : doc_columns(d, "table\tcells without runs\tdata sets\tmodels\twhy");
        doc_cells(g, "%s\t%d of %d\t%s\t%s\t%s", t->def->label, missing, t->printed, without_runs(d->a, t, "dataset"),
                  without_runs(d->a, t, "model"), why(d->a, all, t, programs));
    }
    if (!g)
        doc_put(d, DOC_TEXT, "Every printed cell has runs.");
}
