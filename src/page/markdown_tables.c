/* markdown_tables: the headline, one line for each table, differences from the paper, cells that were not run. */
#include "markdown_parts.h"
#include "../paper/explain.h"
#include "../paper/partitions.h"
#include <math.h>
#include <string.h>

static int compared(const cell *c) { return c->verdict <= UNDECIDED; }

static int tested(const contrast *c) { return c->n && origin_comparable(c->origin); }

static span cell_runs(const table *t)
{
    span s = {0};
    for (int i = 0; i < t->paper.n; i++)
        if (compared(&t->cell[i]) && t->cell[i].metric->kind != EXACT) /* exact counts need one run only */
            span_add(&s, t->cell[i].n);
    return s;
}

static span pair_runs(const table *t)
{
    span s = {0};
    for (int i = 0; i < t->contrasts; i++)
        if (tested(&t->contrast[i]))
            span_add(&s, t->contrast[i].n);
    return s;
}

const char *markdown_headline(arena *a, const tables *all)
{
    const tables_summary *s = &all->sum;
    if (!s->rows)
        return "No runs are recorded yet: `make reproduce` runs the experiments, `make results` writes the results "
               "here.";
    span cells = {0}, pairs = {0};
    for (int i = 0; i < all->n; i++) {
        if (all->t[i].beyond)
            continue;
        span c = cell_runs(&all->t[i]), p = pair_runs(&all->t[i]);
        span_add(&cells, c.least), span_add(&cells, c.most), span_add(&pairs, p.least), span_add(&pairs, p.most);
    }
    int n, cells_compared = s->agrees + s->lower + s->higher + s->undecided,
           orderings = s->confirmed + s->equal + s->contradicted + s->open;
    const partition_group *g = partitions_read(a, &all->runs, &n);
    explain e = explain_read(a, &all->runs);
    const char *depends = explain_sentence(a, &e);
    depends = depends ? depends : partitions_sentence(a, g, n);
    buf b = {.a = a};
    buf_add(&b,
            "Of the %d numbers in the paper's tables, %d were measured again on comparable data (%s runs each): "
            "**%d agree** with the printed number, %d are lower, %d higher, %d undecided.\n",
            s->cells, cells_compared, span_text(a, cells), s->agrees, s->lower, s->higher, s->undecided);
    buf_add(&b,
            "Of the %d orderings that the tables state (such as JC above CE), %d were tested on such data (%s paired "
            "runs each): **%d confirmed**, %d practically equal (within ±%g points), %d contradicted, %d undecided.\n",
            s->orderings, orderings, span_text(a, pairs), s->confirmed, s->equal, OVERALL_ROPE, s->contradicted,
            s->open);
    buf_put(&b, depends ? depends : "How much of the gain depends on the partition has not been measured yet.");
    return b.s;
}

/* ---- a line for each table ---- */

static void put_line(arena *a, buf *out, const char *label, const char *experiment, const tally *k, const char *printed,
                     span cells, span pairs)
{
    static const int order[] = {CONFIRMED, EQUAL, CONTRADICTED, OPEN};
    const int count[] = {k->cell[AGREES], k->cell[LOWER], k->cell[HIGHER], k->cell[UNDECIDED], k->cell[NOT_COMPARABLE]};
    const char *v[14] = {label, experiment, arena_printf(a, "%d of %s", k->run, printed)};
    int n = 3;
    for (int i = 0; i < 5; i++)
        v[n++] = arena_printf(a, "%d", count[i]);
    v[n++] = span_text(a, cells);
    for (int i = 0; i < 4; i++)
        v[n++] = arena_printf(a, "%d", k->claim[order[i]]);
    v[n++] = span_text(a, pairs);
    markdown_row(out, v, n);
}

void markdown_tables(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {
        "table",          "experiment",     "cells run",           "agree", "lower",        "higher",    "undecided",
        "not comparable", "runs of a cell", "orderings confirmed", "equal", "contradicted", "undecided", "paired runs"};
    const tables_summary *s = &all->sum;
    span cells = {0}, pairs = {0};
    markdown_text(
        out,
        "Cells: our mean against the printed number. Orderings: what the printed numbers state, tested on paired runs "
        "by a t e-process with e-Holm "
        "over the table, valid under repeated looks. A cell that several tables print counts in each.");
    markdown_head(out, head, 14);
    for (int i = 0; i < all->n; i++) {
        const table *t = &all->t[i];
        if (t->beyond)
            continue;
        tally k = table_tally(t);
        span c = cell_runs(t), p = pair_runs(t);
        span_add(&cells, c.least), span_add(&cells, c.most), span_add(&pairs, p.least), span_add(&pairs, p.most);
        if (k.run)
            put_line(a, out, t->def->label, t->def->experiment, &k, arena_printf(a, "%d", t->printed), c, p);
    }
    tally sum = {.run = s->cells_run};
    sum.cell[AGREES] = s->agrees, sum.cell[LOWER] = s->lower, sum.cell[HIGHER] = s->higher,
    sum.cell[UNDECIDED] = s->undecided;
    sum.cell[NOT_COMPARABLE] = s->not_comparable;
    sum.claim[CONFIRMED] = s->confirmed, sum.claim[EQUAL] = s->equal, sum.claim[CONTRADICTED] = s->contradicted,
    sum.claim[OPEN] = s->open;
    put_line(a, out, "all", "", &sum, arena_printf(a, "%d", s->cells), cells, pairs);
    for (int i = 0; i < all->n; i++) {
        const table *t = &all->t[i];
        tally k = table_tally(t);
        if (t->beyond && k.run)
            put_line(a, out, arena_printf(a, "%s (beyond the paper)", t->def->label), t->def->experiment, &k,
                     arena_printf(a, "%d", t->printed), cell_runs(t), pair_runs(t));
    }
    buf_add(
        out,
        "\nAgree: the 95 %% interval of the difference lies within the table's margin, or contains 0 and is narrow. "
        "Not comparable: data that are not the published ones, or seconds and bytes of another machine. %d "
        "orderings were tested on such data only, %d were not run. Of %d statements of the paper's text about its "
        "tables, %d differ from the printed cells.\n\n",
        s->stand_in, s->not_run, s->statements, s->statements_differ);
}

/* ---- what differs ---- */

static int same_cell(const cell *x, const cell *y)
{
    return x->run[0] == y->run[0] && x->n == y->n && x->metric == y->metric && x->paper->value == y->paper->value;
}

static int differs(const cell *c) { return c->verdict == LOWER || c->verdict == HIGHER; }

/* The tables that print the cell, comma-joined; NULL if a table before t does, since the cell is listed there. */
static const char *printed_in(arena *a, const tables *all, int t, const cell *c)
{
    buf b = {.a = a};
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].paper.n; j++) {
            const cell *d = &all->t[i].cell[j];
            if (!differs(d) || !same_cell(c, d))
                continue;
            if (i < t)
                return NULL;
            buf_add(&b, "%s%s", b.n ? ", " : "", all->t[i].def->label);
        }
    return b.s;
}

static int put_cells(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {
        "table", "cell", "metric", "ours ± sd (runs)", "paper", "difference [95 % interval]", "verdict"};
    int n = 0;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].paper.n; j++) {
            const cell *c = &all->t[i].cell[j];
            const char *where = differs(c) ? printed_in(a, all, i, c) : NULL;
            if (!where)
                continue;
            if (!n++) {
                markdown_text(out, "Cells whose mean differs from the printed one:");
                markdown_head(out, head, 7);
            }
            const char *v[] = {where,
                               render_cell_name(a, c),
                               c->metric->title,
                               render_ours(a, c),
                               render_paper(a, c),
                               render_interval(a, c),
                               verdict_word[c->verdict]};
            markdown_row(out, v, 7);
        }
    buf_put(out, n ? "\n" : "");
    return n;
}

static int put_contradicted(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {
        "table", "where", "statement", "metric", "paper", "ours [95 % confidence sequence]", "paired runs"};
    int n = 0;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].contrasts; j++) {
            const contrast *c = &all->t[i].contrast[j];
            const char *r[RENDER_COLUMNS];
            if (c->verdict != CONTRADICTED || !tested(c))
                continue;
            if (!n++) {
                markdown_text(out, "Orderings that are contradicted:");
                markdown_head(out, head, 7);
            }
            render_contrast(a, r, c);
            const char *v[] = {
                all->t[i].def->label,       r[0], r[1], c->a->metric->title, r[RENDER_OURS - 1], r[RENDER_OURS],
                arena_printf(a, "%d", c->n)};
            markdown_row(out, v, 7);
        }
    buf_put(out, n ? "\n" : "");
    return n;
}

void markdown_differences(arena *a, buf *out, const tables *all)
{
    int n = put_cells(a, out, all);
    n += put_contradicted(a, out, all);
    if (!n)
        markdown_text(out, "No cell is higher or lower than printed, and no ordering is contradicted.");
    for (int i = n = 0; i < all->n; i++)
        for (int k = 0; k < all->t[i].warnings; k++) {
            buf_put(out, n++ ? "- " : "Caveats:\n\n- ");
            buf_md(out, arena_printf(a, "%s: %s", all->t[i].def->label, all->t[i].warning[k]));
            buf_put(out, "\n");
        }
    buf_put(out, n ? "\n" : "");
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

static int has_program(const markdown *m, const char *name, size_t len)
{
    for (const char *const *p = m->programs; p && *p; p++)
        if (strlen(*p) == len && !strncmp(*p, name, len))
            return 1;
    return 0;
}

static const char *why(arena *a, const tables *all, const table *t, const markdown *m)
{
    buf b = {.a = a};
    int failed = 0;
    for (const char *e = t->def->experiment; *e; e += *e == ',') {
        size_t len = strcspn(e, ",");
        int started = 0;
        for (int i = 0; i < all->runs.n; i++)
            started += !strncmp(all->runs.v[i].experiment, e, len) && !all->runs.v[i].experiment[len];
        const char *reason = !has_program(m, e, len) ? "has no program yet" : !started ? "was not started" : NULL;
        if (reason)
            buf_add(&b, "%s%.*s %s", b.n ? "; " : "", (int)len, e, reason);
        e += len;
    }
    for (int i = 0; i < t->printed; i++)
        failed += t->cell[i].n ? 0 : t->cell[i].failed;
    if (failed)
        buf_add(&b, "%s%d runs failed", b.n ? "; " : "", failed);
    return b.s ? b.s : "out of time, or not a cell of the program";
}

void markdown_not_run(arena *a, buf *out, const tables *all, const markdown *m)
{
    static const char *const head[] = {"table", "cells without runs", "data sets", "models", "why"};
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        const table *t = &all->t[i];
        int missing = t->printed - table_tally(t).run;
        if (!missing || t->beyond)
            continue;
        if (!n++)
            markdown_head(out, head, 5);
        const char *v[] = {t->def->label, arena_printf(a, "%d of %d", missing, t->printed),
                           without_runs(a, t, "dataset"), without_runs(a, t, "model"), why(a, all, t, m)};
        markdown_row(out, v, 5);
    }
    buf_put(out, n ? "\n" : "Every printed cell has runs.\n\n");
}
