/* section_table: a table of the paper, or beyond it, with our numbers: cells of three lines (ours, the paper's, the
 * difference), the orderings, trends, notes, legend. */
#include "sections.h"
#include <math.h>
#include <string.h>

const enum doc_mark section_mark[VERDICTS] = {MARK_AGREES, MARK_HIGHER, MARK_LOWER,  MARK_OPEN,
                                              MARK_APART,  MARK_BARE,   MARK_MISSING};
const enum doc_mark section_claim_mark[CLAIM_VERDICTS + 1] = {MARK_AGREES, MARK_AGAINST, MARK_SAME,
                                                              MARK_OPEN,   MARK_MISSING, MARK_APART};

const char *section_claim_word(int i) { return i < CLAIM_VERDICTS ? claim_verdict_word[i] : "on stand-ins"; }

/* ---- cells ---- */

static void put_cell(doc_grid *g, const table_cell *c, int beyond)
{
    doc_cell *to = doc_cell_add(g);
    if (!c)
        return;
    to->mark = section_mark[c->verdict];
    to->line[0] = render_ours(g->a, c);
    if (beyond)
        return;
    to->line[1] = render_paper(g->a, c);
    to->line[2] = render_diff(g->a, c);
    to->bold = c->paper->bold ? 1 : -1;
    if (strcmp(c->paper->note, "-"))
        to->note = arena_printf(g->a, "%s, %s: %s", render_cell_name(g->a, c), c->metric->title, c->paper->note);
}

static void put_cells(doc *d, const table *t)
{
    static const char *const lines[] = {"ours", "paper", "difference"}, *const ours[] = {"ours"};
    table_grid g = render_grid(d->a, t);
    int cols = g.row_keys + g.cols, heads = g.col_keys ? g.col_keys : 1;
    const char **head = NEW(d->a, const char *, (size_t)(heads * cols) + 1);
    for (int k = 0; k < heads; k++)
        for (int j = 0; j < cols; j++)
            head[k * cols + j] = j >= g.row_keys  ? (g.col_keys ? g.col_title[(j - g.row_keys) * g.col_keys + k] : "")
                                 : k + 1 == heads ? g.row_head[j]
                                                  : "";
    doc_grid *to = doc_table(d, head, cols);
    to->head_rows = heads;
    to->keys = g.row_keys;
    to->lines = t->beyond ? 1 : DOC_LINES;
    to->line_name = t->beyond ? ours : lines;
    to->caption = t->beyond ? t->paper.caption
                            : arena_printf(d->a,
                                           "%s Ours, the paper's, and the difference with its 95 %% confidence "
                                           "interval.",
                                           t->paper.caption);
    to->label = t->def->label;
    for (int i = 0; i < g.rows; i++) {
        for (int j = 0; j < g.row_keys; j++)
            doc_cell_put(to, g.row_title[i * g.row_keys + j]);
        for (int j = 0; j < g.cols; j++)
            put_cell(to, g.at[i * g.cols + j], t->beyond);
    }
}

/* ---- orderings ---- */

static void put_orderings(doc *d, const table *t, const tally *k)
{
    buf text = {.a = d->a};
    int run = t->contrasts - k->claim[CLAIM_NOT_RUN];
    buf_add(&text, "%d comparisons", t->contrasts);
    for (int i = 0, n = 0; i <= CLAIM_VERDICTS; i++) {
        int count = i < CLAIM_VERDICTS ? k->claim[i] : k->stand_in;
        if (count)
            buf_add(&text, "%s %d %s", n++ ? "," : ":", count, section_claim_word(i));
    }
    doc_fold(d, run > 0, text.s);
    doc_grid *g =
        doc_columns(d, "where\tstatement\tverdict\tmore runs\tmetric\tpaper\tours [95 % confidence sequence]\tn\t"
                       "skewness\tanytime p\te-Holm p\tsymmetry p");
    g->caption = arena_printf(d->a, "%s in %s, tested on our runs paired by run and seed; e-Holm is over the table.",
                              t->beyond ? "Comparisons" : "The paper's comparisons", t->def->label);
    g->label = arena_printf(d->a, "%s:claims", t->def->label);
    for (int i = 0; i < t->contrasts; i++) {
        const contrast *c = &t->contrast[i];
        const contrast_text v = render_contrast(d->a, c);
        int stand_in = c->n && !origin_comparable(c->origin);
        doc_cells(g, "%s\t%s", v.where, v.what);
        doc_cell_mark(g, section_claim_mark[stand_in ? CLAIM_VERDICTS : (int)c->verdict], v.verdict);
        doc_cells(g, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", v.more, v.metric, v.paper, v.ours, v.n, v.skew, v.anytime_p,
                  v.e_holm_p, v.symmetry_p);
    }
    doc_fold_end(d);
}

/* The tests for one look: a table of their own, so that the main one fits the page. */
static void look_once(doc *d, const table *t)
{
    doc_fold(d, 0, "The same for one look at a number of runs fixed in advance");
    doc_grid *g = doc_columns(d, "where\tstatement\tn\tt test p\tWilcoxon p\tHolm p\tbootstrap");
    g->caption = arena_printf(d->a, "Comparisons in %s, tested for one look at a number of runs fixed in advance.",
                              t->def->label);
    g->label = arena_printf(d->a, "%s:look", t->def->label);
    for (int i = 0; i < t->contrasts; i++) {
        const contrast_text v = render_contrast(d->a, &t->contrast[i]);
        doc_cells(g, "%s\t%s\t%s\t%s\t%s\t%s\t%s", v.where, v.what, v.n, v.t_p, v.wilcoxon_p, v.holm_p, v.bootstrap);
    }
    doc_fold_end(d);
}

static void put_trends(doc *d, const table *t)
{
    arena *a = d->a;
    doc_fold(d, t->trend[0].n > 0, arena_printf(a, "Does the gain grow with %s?", t->def->trend));
    doc_grid *g = doc_columns(d, "gain against the rate\tverdict\tpaper's slope\tours\t95 % sequence\truns\te-value");
    g->caption = arena_printf(a, "Slopes of the gains in %s.", t->def->label);
    g->label = arena_printf(a, "%s:trends", t->def->label);
    for (int i = 0; i < t->trends; i++) {
        const trend *q = &t->trend[i];
        doc_cell_put(g, q->where);
        doc_cell_mark(g, section_claim_mark[q->verdict], claim_verdict_word[q->verdict]);
        doc_cell_put(g, render_signed(a, q->paper, 2));
        doc_cell_put(g, q->n ? render_signed(a, q->mean, 2) : "–");
        doc_cell_put(g, q->n && isfinite(q->lo) ? render_between(a, q->lo, q->hi, 2) : "–");
        doc_cell_say(g, "%d", q->n);
        doc_cell_put(g, q->n ? arena_printf(a, "%.3g", q->e) : "–");
    }
    doc_say(d, DOC_SMALL,
            "Slope of the gain, percentage points per ten of %s, one for each run; no sequence below six runs. "
            "E-value of a line: e-Holm over the lines; 20 decides. The paper's text says that the gain grows.",
            t->def->trend);
    doc_fold_end(d);
}

void section_table(doc *d, const table *t, int level)
{
    tally k = table_tally(t);
    int lines, run = 0;
    const char *const *line = section_legend(d->a, t, &lines);
    for (int i = 0; i < t->paper.n; i++)
        run += t->cell[i].n > 0;
    doc_heading(d, level, arena_printf(d->a, "t-%s", t->def->label),
                level > 1 ? arena_printf(d->a, "Table %d: %s", t->def->number, t->def->label) : t->def->label);
    doc_put(d, DOC_TEXT, t->paper.caption);
    buf b = {.a = d->a};
    buf_add(&b, "Experiment: %s. %d of %d cells have runs", t->def->experiment, run, t->paper.n);
    for (int i = 0; i < VERDICTS; i++)
        if (k.cell[i])
            buf_add(&b, ", %d %s", k.cell[i], verdict_word[i]);
    buf_put(&b, ".");
    doc_put(d, DOC_SMALL, b.s);
    put_cells(d, t);
    if (t->contrasts)
        put_orderings(d, t, &k);
    if (t->contrasts > k.claim[CLAIM_NOT_RUN])
        look_once(d, t);
    if (t->trends)
        put_trends(d, t);
    doc_fold(d, 0, "Legend");
    for (int i = 0; i < lines; i++)
        doc_put(d, DOC_ITEM, line[i]);
    doc_fold_end(d);
}
