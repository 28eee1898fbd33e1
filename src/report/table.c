/* table: reads everything once, writes every table that is defined, then the overview. */
#include "table.h"
#include "../base/err.h"
#include "calibration_table.h"
#include "metattack.h"
#include "partitions.h"
#include "table_parts.h"
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

static void overview_head(buf *out)
{
    buf_put(out,
            "# The paper's tables\n\n"
            "Cells: ours against the printed number. Orderings: what the printed numbers state (such as JC above CE), "
            "tested on our paired runs of real or rebuilt data; those on a substitute or a twin are counted apart. A cell that "
            "several tables print counts in each. Each table explains its words.\n\n"
            "| table | experiment | cells run | agrees | higher | lower | undecided | not comparable "
            "| orderings confirmed | contradicted | equal | undecided | not run | on stand-ins |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void overview_row(buf *out, const table *t, const tally *k)
{
    buf_add(out, "| [%s](%s.md) | %s | %d of %d ", t->def->label, t->def->label, t->def->experiment, k->run,
            t->printed);
    for (int i = AGREES; i <= NOT_COMPARABLE; i++)
        buf_add(out, "| %d ", k->cell[i]);
    for (int i = 0; i < CLAIM_VERDICTS; i++)
        buf_add(out, "| %d ", k->claim[i]);
    buf_add(out, "| %d |\n", k->stand_in);
}

static void overview_end(buf *out, const tables_summary *s, const records *r, const char *overall)
{
    buf_add(out, "| all | | %d of %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", s->cells_run,
            s->cells, s->agrees, s->higher, s->lower, s->undecided, s->not_comparable, s->confirmed, s->contradicted,
            s->equal, s->open, s->not_run, s->stand_in);
    buf_add(out, "\n%s\n", overall);
    buf_add(out,
            "\n[How much of the gain depends on the partition](partitions.md): not in the paper.\n"
            "\n[Our metattack beside the published graphs](metattack.md): not in the paper.\n"
            "\n[Calibration before and after temperature scaling](calibration.md): not in the paper.\n"
            "\n[The paper's text against its own tables](paper_claims.md): %d of %d statements differ from the "
            "printed cells.\n\n",
            s->statements_differ, s->statements);
    buf_add(out,
            "Records: %d rows from %d files, %d of them failed runs; %d rows replaced by later ones, %d malformed "
            "lines skipped.\n",
            s->rows, r->files, s->failed, r->superseded, r->malformed);
}

static void overview_warnings(buf *out, const tables *all)
{
    int n = 0;
    for (int i = 0; i < all->n; i++)
        for (int k = 0; k < all->t[i].warnings; k++)
            buf_add(out, "%s- %s: %s\n", n++ ? "" : "\nWarnings:\n\n", all->t[i].def->label, all->t[i].warning[k]);
}

static void sum_up(tables_summary *s, const table *t, const tally *k)
{
    s->tables++;
    s->cells += t->printed;
    s->cells_run += k->run;
    s->agrees += k->cell[AGREES];
    s->higher += k->cell[HIGHER];
    s->lower += k->cell[LOWER];
    s->undecided += k->cell[UNDECIDED];
    s->not_comparable += k->cell[NOT_COMPARABLE];
    s->orderings += t->contrasts;
    s->confirmed += k->claim[CONFIRMED];
    s->contradicted += k->claim[CONTRADICTED];
    s->equal += k->claim[EQUAL];
    s->open += k->claim[OPEN];
    s->not_run += k->claim[CLAIM_NOT_RUN];
    s->stand_in += k->stand_in;
}

static void save(arena *a, const table *t, const char *out_dir)
{
    buf md = {.a = a}, tex = {.a = a}, tab = {.a = a}, tab_claims = {.a = a};
    render_md(a, &md, t);
    render_tex(a, &tex, t);
    render_tsv(&tab, t);
    render_claims_tsv(a, &tab_claims, t);
    buf_save(&md, out_dir, t->def->label, ".md");
    buf_save(&tex, out_dir, t->def->label, ".tex");
    buf_save(&tab, out_dir, t->def->label, ".tsv");
    buf_save(&tab_claims, out_dir, t->def->label, ".claims.tsv");
}

/* In the order of the layout, rows first: that in which runs were recorded is no order to read. */
static void sort_cells(arena *a, paper_cell *c, int n, const table_def *d)
{
    key_list key[] = {render_keys(a, d->rows), render_keys(a, d->cols)};
    for (int i = 1, j; i < n; i++) { /* by insertion, which is stable */
        paper_cell v = c[i];
        for (j = i; j > 0; j--) {
            int order = 0;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < key[k].n && !order; l++)
                    order = table_order(&c[j - 1], &v, key[k].name[l]);
            if (order <= 0)
                break;
            c[j] = c[j - 1];
        }
        c[j] = v;
    }
}

/* Whether a cell of the list may hold the run. */
static int covered(const table_def *d, const paper *p, const run_row *v)
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

/* Appends what the experiment ran beyond the printed cells, as cells without a printed number: where it fills this table alone, with accuracies.
 * A setting that the layout does not show would give a second cell in one place: such cells are left out. */
static void add_cells(arena *a, table *t, const runs *r)
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
        const run_row *v = &r->v[i];
        if (strcmp(v->experiment, d->experiment) || covered(d, p, v) || covered(d, out, v))
            continue;
        paper_cell c = {v->dataset, v->model, v->loss, v->setting, "acc", "-", "-", "-", NAN, NAN, 0};
        paper *to = has_place(a, d, p, &c) ? p : out;
        to->cell[to->n++] = c;
    }
    sort_cells(a, all + t->printed, p->n - t->printed, d);
}

static table make(arena *a, const table_def *d, const char *paper_dir, const runs *r)
{
    table t = {.def = d, .paper = paper_read(a, paper_dir, d->label)};
    t.printed = t.paper.n;
    add_cells(a, &t, r);
    t.cell = cells_make(a, d, &t.paper, r);
    t.contrast = contrasts_make(a, d, t.cell, t.paper.n, r, &t.contrasts);
    t.trend = trends_make(a, &t, &t.trends);
    t.warning = warnings_make(a, &t, r->r, &t.warnings);
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

tables *tables_read(arena *a, const char *records_dir, const char *paper_dir)
{
    tables *all = NEW(a, tables, 1);
    tables_summary *s = &all->sum;
    while (table_defs[all->n].label)
        all->n++;
    all->rec = records_read(a, records_dir);
    all->runs = cells_runs(a, &all->rec);
    all->t = NEW(a, table, (size_t)all->n + 1);
    *s = (tables_summary){.rows = all->rec.t.rows, .malformed = all->rec.malformed};
    for (int i = 0; i < all->runs.n; i++)
        s->failed += !all->runs.v[i].ok;
    paper *ours = NEW(a, paper, (size_t)all->n + 1);
    for (int i = 0; i < all->n; i++) {
        table *t = &all->t[i];
        *t = make(a, &table_defs[i], paper_dir, &all->runs);
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
    claims_ours(a, all->claim, s->statements, ours, all->n);
    return all;
}

static void save_partitions(arena *a, const tables *all, const char *out_dir)
{
    buf md = {.a = a}, tab = {.a = a};
    int n;
    const partition_group *g = partitions_read(a, &all->runs, &n);
    partitions_md(&md, a, g, n);
    partitions_tsv(&tab, g, n);
    buf_save(&md, out_dir, "partitions", ".md");
    buf_save(&tab, out_dir, "partitions", ".tsv");
}

static void save_metattack(arena *a, const tables *all, const char *records_dir, const char *out_dir)
{
    buf md = {.a = a}, tab = {.a = a};
    int n;
    const metattack_graph *g = metattack_read(a, &all->runs, arena_printf(a, "%s/../curves", records_dir), &n);
    metattack_md(&md, g, n);
    metattack_tsv(&tab, g, n);
    buf_save(&md, out_dir, "metattack", ".md");
    buf_save(&tab, out_dir, "metattack", ".tsv");
}

static void save_calibration(arena *a, const tables *all, const char *out_dir)
{
    buf md = {.a = a}, tex = {.a = a}, tab = {.a = a}, claims = {.a = a};
    calibration_table t = calibration_table_read(a, &all->runs);
    calibration_md(a, &md, &t);
    calibration_tex(a, &tex, &t);
    calibration_tsv(a, &tab, &t);
    calibration_claims_tsv(&claims, &t);
    buf_save(&md, out_dir, "calibration", ".md");
    buf_save(&tex, out_dir, "calibration", ".tex");
    buf_save(&tab, out_dir, "calibration", ".tsv");
    buf_save(&claims, out_dir, "calibration", ".claims.tsv");
}

tables_summary tables_write(arena *a, const char *records_dir, const char *paper_dir, const char *out_dir)
{
    const tables *all = tables_read(a, records_dir, paper_dir);
    buf readme = {.a = a};
    overview_head(&readme);
    for (int i = 0; i < all->n; i++) {
        save(a, &all->t[i], out_dir);
        tally k = table_tally(&all->t[i]);
        overview_row(&readme, &all->t[i], &k);
    }
    save_partitions(a, all, out_dir);
    save_calibration(a, all, out_dir);
    save_metattack(a, all, records_dir, out_dir);
    claims_write(a, out_dir, all->claim, all->sum.statements);
    overview_end(&readme, &all->sum, &all->rec, table_overall_text(a, &all->overall));
    overview_warnings(&readme, all);
    buf_save(&readme, out_dir, "README", ".md");
    return all->sum;
}
