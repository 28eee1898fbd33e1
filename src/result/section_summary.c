/* section_summary: what came out, over all tables. */
#include "sections.h"
#include <string.h>

void span_add(span *s, int n)
{
    if (n < 1)
        return;
    s->min = s->min && s->min < n ? s->min : n;
    s->max = s->max > n ? s->max : n;
}

const char *span_text(arena *a, span s) { return s.max ? render_span(a, s.min, s.max) : "–"; }

static int tested(const contrast *c) { return c->n && origin_comparable(c->origin); }

static void add_cell_runs(span *s, const table *t)
{
    for (int i = 0; i < t->paper.n; i++)
        if (t->cell[i].verdict <= UNDECIDED && t->cell[i].metric->kind != EXACT) /* exact counts need one run only */
            span_add(s, t->cell[i].n);
}

static void add_pairs(span *s, const table *t)
{
    for (int i = 0; i < t->contrasts; i++)
        if (tested(&t->contrast[i]))
            span_add(s, t->contrast[i].n);
}

/* ---- while runs go on ---- */

void section_progress(doc *d, const tables *all, const char *line)
{
    enum { LAST = 8 };
    const tsv *t = all->kept ? &all->kept->rows : NULL;
    if (!line)
        return;
    doc_say(d, DOC_NOTE, DOC_B "Runs go on" DOC_B_END ": %s. This page reloads itself every half minute.", line);
    if (!t || !t->rows)
        return;
    doc_grid *g = doc_columns(d, "decided last\ttable\tverdict\tpairs of runs\tat (UTC)");
    for (int i = t->rows - 1; i >= 0 && i >= t->rows - LAST; i--) {
        doc_cell_put(g, tsv_get(t, i, "comparison"));
        doc_cell_say(g, DOC_LINK "#t-%s" DOC_LINK_TEXT "%s" DOC_LINK_END, tsv_get(t, i, "table"),
                     tsv_get(t, i, "table"));
        for (int v = CONFIRMED; v <= EQUAL; v++)
            if (!strcmp(tsv_get(t, i, "verdict"), claim_verdict_word[v]))
                doc_cell_mark(g, section_claim_mark[v], claim_verdict_word[v]);
        doc_cell_put(g, tsv_get(t, i, "pairs"));
        const char *when = strchr(tsv_get(t, i, "time"), 'T');
        doc_cell_say(g, "%.8s", when ? when + 1 : "?");
    }
}

/* ---- in sentences ---- */

void section_headline(doc *d, const tables *all)
{
    const tables_summary *s = &all->sum;
    const int *cell = s->all.cell, *claims = s->all.claim;
    arena *a = d->a;
    if (!s->rows) {
        doc_put(d, DOC_TEXT,
                "No runs are recorded yet: " DOC_CODE "make reproduce" DOC_CODE_END " runs the experiments, " DOC_CODE
                "make results" DOC_CODE_END " writes the results here.");
        return;
    }
    span cells = {0}, pairs = {0};
    int measured = cell[AGREES] + cell[LOWER] + cell[HIGHER] + cell[UNDECIDED],
        tested = claims[CONFIRMED] + claims[EQUAL] + claims[CONTRADICTED] + claims[OPEN];
    for (int i = 0; i < all->n; i++)
        if (!all->t[i].beyond)
            add_cell_runs(&cells, &all->t[i]), add_pairs(&pairs, &all->t[i]);
    if (!measured)
        doc_put(d, DOC_NOTE,
                DOC_B "Nothing comparable yet" DOC_B_END
                      ": no run here measures a printed number on the data of the paper. " DOC_CODE
                      "jcb fetch" DOC_CODE_END " gets the data; in the source tree, " DOC_CODE
                      "make published" DOC_CODE_END " copies the published runs.");
    if (measured)
        doc_say(d, DOC_ITEM,
                "Numbers: %d of the %d in the paper's tables measured again on comparable data (%s run%s each): " DOC_B
                "%d agree" DOC_B_END " with the printed number, %d lower, %d higher, %d undecided.",
                measured, s->cells, span_text(a, cells), cells.max == 1 ? "" : "s", cell[AGREES], cell[LOWER],
                cell[HIGHER], cell[UNDECIDED]);
    if (tested)
        doc_say(d, DOC_ITEM,
                "Comparisons, such as JC > CE: %d of the paper's %d tested on such data (%s paired run%s each): " DOC_B
                "%d confirmed" DOC_B_END ", %d practically equal (within ±%g points), %d contradicted, %d undecided.",
                tested, s->orderings, span_text(a, pairs), pairs.max == 1 ? "" : "s", claims[CONFIRMED], claims[EQUAL],
                OVERALL_ROPE, claims[CONTRADICTED], claims[OPEN]);
    const char *sentences = section_gains_sentence(a, all);
    for (char *line = sentences ? arena_printf(a, "%s", sentences) : NULL, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        doc_put(d, DOC_ITEM, line);
    }
    if (pairs.max == 1)
        doc_put(d, DOC_NOTE, "Every comparison has only one paired run (n = 1), which cannot be tested.");
}

void section_tiles(doc *d, const tables *all)
{
    const tally *k = &all->sum.all;
    doc_grid *g = doc_tiles(d);
    for (int i = 0; i <= CLAIM_VERDICTS; i++) {
        doc_cell *c = doc_cell_add(g);
        c->mark = section_claim_mark[i];
        c->line[0] = arena_printf(d->a, "%d", i < CLAIM_VERDICTS ? k->claim[i] : k->stand_in);
        c->line[1] = section_claim_word(i);
    }
}

/* ---- table by table ---- */

static void put_count(doc_grid *g, int n, enum doc_mark mark)
{
    doc_cell_mark(g, n ? mark : MARK_NONE, n ? arena_printf(g->a, "%d", n) : "·");
}

static void put_counts(doc_grid *g, const tally *k, const char *cells, const char *pairs)
{
    static const int order[] = {CONFIRMED, EQUAL, CONTRADICTED, OPEN};
    for (int i = AGREES; i <= NOT_COMPARABLE; i++)
        put_count(g, k->cell[i], section_mark[i]);
    doc_cell_put(g, cells);
    for (int i = 0; i < 4; i++)
        put_count(g, k->claim[order[i]], section_claim_mark[order[i]]);
    put_count(g, k->stand_in, MARK_APART);
    put_count(g, k->claim[CLAIM_NOT_RUN], MARK_NONE);
    doc_cell_put(g, pairs);
}

void section_tables(doc *d, const tables *all, const char *suffix)
{
    const tables_summary *s = &all->sum;
    arena *a = d->a;
    doc_put(d, DOC_TEXT,
            "Cells: our mean against the printed number. Comparisons: what the printed numbers state, tested on paired "
            "runs by a t e-process with e-Holm over the table, valid under repeated looks. A cell that several tables "
            "print counts in each.");
    doc_grid *g = doc_columns(
        d, "table\tcells run\tagree\thigher\tlower\tundecided\tnot "
           "comparable\truns\tconfirmed\tequal\tcontradicted\tundecided\ton stand-ins\tnot run\tpaired runs");
    span cells = {0}, pairs = {0};
    for (int beyond = 0; beyond < 2; beyond++) { /* tables beyond the paper are last and not in the sums */
        for (int i = 0; i < all->n; i++) {
            const table *t = &all->t[i];
            tally k = table_tally(t);
            span c = {0}, p = {0};
            if (t->beyond != beyond)
                continue;
            add_cell_runs(&c, t), add_pairs(&p, t);
            if (!beyond)
                add_cell_runs(&cells, t), add_pairs(&pairs, t);
            doc_cell_say(g, DOC_LINK "%s%s%s" DOC_LINK_TEXT "%s" DOC_LINK_END "%s", suffix ? "" : "#t-", t->def->label,
                         suffix ? suffix : "", t->def->label, beyond ? " (beyond the paper)" : "");
            doc_cell_say(g, "%d of %d", k.run, t->printed);
            put_counts(g, &k, span_text(a, c), span_text(a, p));
        }
        if (beyond)
            continue;
        doc_cell_put(g, "all of the paper");
        doc_cell_say(g, "%d of %d", s->all.run, s->cells);
        put_counts(g, &s->all, span_text(a, cells), span_text(a, pairs));
    }
    doc_say(d, DOC_SMALL,
            "Agree: the 95 %% interval of the difference lies within the table's margin, or contains 0 and is narrow. "
            "Not comparable: data that are not the published ones, or seconds and bytes of another machine. Stand-in "
            "data: a substitute has a part that is not the published one, a twin is a synthetic graph of the same "
            "size. Rebuilt data count as real: %s Records: %d runs, %d of them failed, from %d files; left out: %d "
            "rows replaced by later ones, %d of trial runs (--short), %d malformed lines.",
            origin_rebuilt_text, s->rows, s->failed, all->runs.files, all->runs.superseded, all->runs.trials,
            s->malformed);
}

/* ---- one look over all ---- */

static void put_value(doc_grid *g, const overall_value *v, int with_sign)
{
    if (with_sign)
        doc_cell_say(g, "%s %s", render_signed(g->a, v->value, 2), render_between(g->a, v->lo, v->hi, 2));
    else
        doc_cell_say(g, "%.2f [%.2f, %.2f]", v->value, v->lo, v->hi);
}

void section_overall(doc *d, const tables *all)
{
    const table_overall *o = &all->overall;
    if (!o->cells && !o->single) {
        doc_put(d, DOC_TEXT, "No paired runs of JC and CE on comparable data yet.");
        return;
    }
    doc_say(d, DOC_TEXT,
            "JC against CE in accuracy: %d cells with two or more paired runs (%d runs in all) on %d data sets; %d "
            "cells with a single pair left out.%s",
            o->cells, o->runs, o->all.datasets, o->single,
            o->enough ? "" : " Too few runs for more: most cells need two, on four data sets or more.");
    if (!o->enough)
        return;
    doc_grid *g = doc_columns(d, "models\tcells\tdata sets\tinterquartile mean of the gains, points\tP(JC is ahead in "
                                 "a run)\tP(JC better)\tP(equal)\tP(CE better)");
    for (int k = -1; k < o->models; k++) {
        const overall_group *one = k < 0 ? &o->all : &o->model[k];
        if (one->datasets < OVERALL_DATASETS)
            continue;
        doc_cells(g, "%s\t%d\t%d", one->model ? table_title_of(d->a, "model", one->model) : "all", one->cells,
                  one->datasets);
        put_value(g, &one->stat.iqm, 1);
        put_value(g, &one->stat.win, 0);
        doc_cells(g, "%.2f\t%.2f\t%.2f", one->posterior.above, one->posterior.within, one->posterior.below);
    }
    const overall_value *more = &o->all.stat.profile[OVERALL_POINTS];
    doc_say(d, DOC_TEXT,
            "%.0f %% of the cells gain more than 0 and %.0f %% more than %g points (the paper's: %.0f and %.0f %%).",
            100 * more[0].value, 100 * more[1].value, OVERALL_ROPE, 100 * table_overall_paper(o, 0),
            100 * table_overall_paper(o, OVERALL_ROPE));
    doc_say(d, DOC_SMALL,
            "For one look; decides nothing. Intervals: 95 %%, bootstrap of data sets, of their cells and of the runs "
            "of each. The last three columns: Bayesian signed-rank test over the data sets, ±%g points counting as "
            "equal. Models on fewer than %d data sets are counted in \"all\" only.",
            OVERALL_ROPE, OVERALL_DATASETS);
}

/* ---- statements of the text ---- */

void section_statements(doc *d, const tables *all)
{
    static const enum doc_mark mark[] = {MARK_AGREES, MARK_AGAINST, MARK_BARE, MARK_MISSING};
    int count[4] = {0}, n = all->sum.statements;
    for (int i = 0; i < n; i++)
        count[all->claim[i].result]++;
    doc_say(d, DOC_TEXT,
            "Recomputed from the paper's printed cells: of %d statements %d match to the digits given, %d differ, %d "
            "give no number and %d are not about a table. The last column is the same computation on our means of "
            "real or rebuilt data, without a verdict: the comparisons are tested table by table.",
            n, count[CLAIM_MATCHES], count[CLAIM_DIFFERS], count[CLAIM_REPORTED], count[CLAIM_EXTERNAL]);
    doc_fold(d, 0, "Every statement");
    doc_grid *g = doc_columns(d, "statement\ttable\ttext says\tprinted cells give\t\tour means give");
    for (int i = 0; i < n; i++) {
        const claim *c = &all->claim[i];
        const char *cells[] = {c->claimed, c->computed_text, c->ours_text};
        for (int j = 0; j < 3; j++)
            cells[j] = strcmp(cells[j], "-") ? cells[j] : "–";
        doc_cells(g, "%s\t%s\t%s\t%s", c->text, c->table, cells[0], cells[1]);
        doc_cell_mark(g, mark[c->result], claims_word(c->result));
        doc_cell_put(g, cells[2]);
    }
    doc_fold_end(d);
}
