/* table: reads everything once and fills all tables. */
#include "../base/err.h"
#include "definitions.h"
#include <math.h>
#include <string.h>

tally table_tally(const table *t)
{
    tally k = {0};
    for (int i = 0; i < t->paper.n; i++) {
        k.run += i < t->printed && t->cell[i].n > 0;
        k.cell[t->cell[i].verdict]++;
    }
    for (int i = 0; i < t->contrasts; i++) {
        const contrast *c = &t->contrast[i];
        if (c->n && !origin_comparable(c->origin))
            k.stand_in++;
        else
            k.claim[c->verdict]++;
    }
    return k;
}

/* Tables beyond the paper are not counted. */
static void sum_up(tables_summary *s, const table *t, const tally *k)
{
    if (t->beyond)
        return;
    s->tables++;
    s->cells += t->printed;
    s->orderings += t->contrasts;
    s->all.run += k->run;
    s->all.stand_in += k->stand_in;
    for (int i = 0; i < VERDICTS; i++)
        s->all.cell[i] += k->cell[i];
    for (int i = 0; i < CLAIM_VERDICTS; i++)
        s->all.claim[i] += k->claim[i];
}

/* Sorts by the layout, rows first. */
static void sort_cells(arena *a, paper_cell *c, int n, const table_def *d)
{
    key_list key[] = {render_keys(a, d->rows), render_keys(a, d->cols)};
    for (int i = 1, j; i < n; i++) { /* by insertion, which is stable */
        paper_cell v = c[i];
        for (j = i; j > 0; j--) {
            int order = table_by_keys(&c[j - 1], &v, key[0].name, key[0].n);
            if ((order ? order : table_by_keys(&c[j - 1], &v, key[1].name, key[1].n)) <= 0)
                break;
            c[j] = c[j - 1];
        }
        c[j] = v;
    }
}

/* Whether the run belongs to a cell of the list. */
static int covered(const table_def *d, const paper *p, const record *v)
{
    for (int i = 0; i < p->n; i++)
        if (cells_cover(d, &p->cell[i], v))
            return 1;
    return 0;
}

static int has_place(arena *a, const table_def *d, const paper *p, const paper_cell *c)
{
    for (int i = 0; i < p->n; i++)
        if (render_same_place(a, d, &p->cell[i], c))
            return 0;
    return 1;
}

/* Appends further cells of the experiment as cells without a printed number, if the experiment fills no other table and
 * the metric is accuracy. Cells whose setting the layout does not show are left out, since they would have the place of
 * another cell. */
static void add_cells(arena *a, table *t, const records *r)
{
    const table_def *d = t->def;
    paper *p = &t->paper, *out = &t->unplaced;
    int fits = !strchr(d->experiment, ',') && !*d->extra;
    for (int i = 0; i < p->n; i++)
        fits &= !strcmp(p->cell[i].metric, "acc");
    if (!fits)
        return;
    paper_cell *all = NEW(a, paper_cell, (size_t)(p->n + r->n));
    memcpy(all, p->cell, (size_t)p->n * sizeof *all);
    p->cell = all;
    out->cell = NEW(a, paper_cell, (size_t)r->n + 1);
    for (int i = 0; i < r->n; i++) {
        const record *v = &r->v[i];
        if (strcmp(v->experiment, d->experiment) || covered(d, p, v) || covered(d, out, v))
            continue;
        paper_cell c = {v->dataset, v->model, v->loss, v->setting, "acc", "-", "-", "-", NAN, NAN, 0};
        paper *to = has_place(a, d, p, &c) ? p : out;
        to->cell[to->n++] = c;
    }
    sort_cells(a, all + t->printed, p->n - t->printed, d);
}

static table make(arena *a, const table_def *d, const char *paper_dir, const records *r, const decisions *kept)
{
    table t = {.def = d, .paper = paper_read(a, paper_dir, d->label)};
    t.printed = t.paper.n;
    t.beyond = !paper_prints(&t.paper);
    add_cells(a, &t, r);
    t.cell = cells_make(a, d, &t.paper, r);
    t.contrast = contrasts_make(a, d, t.cell, t.paper.n, kept, &t.contrasts);
    t.trend = trends_make(a, &t, &t.trends);
    t.warning = warnings_make(a, &t, &t.warnings);
    return t;
}

/* The printed cells with the means of our runs of comparable data in place of the paper's numbers. */
static paper our_paper(arena *a, const table *t)
{
    paper p = t->paper;
    p.n = t->printed;
    p.cell = NEW(a, paper_cell, (size_t)p.n + 1);
    for (int i = 0; i < p.n; i++) {
        p.cell[i] = t->paper.cell[i];
        p.cell[i].value = origin_comparable(t->cell[i].origin) ? t->cell[i].mean : NAN;
    }
    return p;
}

void tables_need(const char *records_dir)
{
    arena tmp = {0};
    records r = records_read(&tmp, records_dir);
    records_drop_trials(&r);
    if (!r.n)
        die("%s: no records%s: run an experiment first (jcb reproduce, jcb bench NAME), or take ours (make published)",
            records_dir, r.trials ? " but those of --short" : "");
    arena_free(&tmp);
}

tables *tables_read(arena *a, const char *records_dir, const char *paper_dir)
{
    tables *all = NEW(a, tables, 1);
    tables_summary *s = &all->sum;
    definitions_read(paper_dir);
    all->n = definitions.tables;
    all->runs = records_read(a, records_dir);
    all->kept = decisions_read(a, records_dir);
    records_drop_trials(&all->runs);
    all->t = NEW(a, table, (size_t)all->n + 1);
    *s = (tables_summary){.rows = all->runs.n, .malformed = all->runs.malformed};
    for (int i = 0; i < all->runs.n; i++)
        s->failed += !all->runs.v[i].ok;
    paper *ours = NEW(a, paper, (size_t)all->n + 1);
    for (int i = 0; i < all->n; i++) {
        table *t = &all->t[i];
        *t = make(a, &definitions.table[i], paper_dir, &all->runs, all->kept);
        for (int k = 0; k < t->unplaced.n && k < t->warnings; k++)
            warn("%s: %s", t->def->label, t->warning[k]);
        tally k = table_tally(t);
        sum_up(s, t, &k);
        ours[i] = our_paper(a, t);
    }
    all->claim = claims_check(a, paper_dir, &s->statements);
    for (int i = 0; i < s->statements; i++)
        s->statements_differ += all->claim[i].result == CLAIM_DIFFERS;
    all->overall = table_overall_make(a, all->t, all->n);
    all->gains_count = definitions.gain_tables;
    all->gain = NEW(a, gains, (size_t)all->gains_count + 1);
    for (int i = 0; i < all->gains_count; i++)
        all->gain[i] = gains_read(a, &definitions.gain[i], &all->runs);
    claims_ours(a, all->claim, s->statements, ours, all->n);
    return all;
}
