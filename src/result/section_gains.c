/* section_gains: tables of gains, and our own poisoned graphs. */
#include "sections.h"
#include <math.h>

static const enum doc_mark mark_of[CLAIM_VERDICTS] = {MARK_AGREES, MARK_AGAINST, MARK_SAME, MARK_OPEN, MARK_NONE};

/* "+1.20 [+0.31, +2.09]"; an accuracy: "81.52". */
static const char *show(arena *a, const gain *g)
{
    if (!g->places)
        return "–";
    if (!g->row->against)
        return arena_printf(a, "%.2f", g->mean);
    if (!isfinite(g->lo))
        return render_signed(a, g->mean, 2);
    return arena_printf(a, "%s %s", render_signed(a, g->mean, 2), render_between(a, g->lo, g->hi, 2));
}

static void put_gain(doc_grid *to, const gain *g)
{
    int decided = g->places && (g->verdict == CONFIRMED || g->verdict == CONTRADICTED || g->verdict == EQUAL);
    const char *text = show(to->a, g);
    if (decided)
        doc_cell_mark(to, mark_of[g->verdict], arena_printf(to->a, "%s %s", text, gain_word[g->verdict]));
    else
        doc_cell_put(to, text);
}

static void pooled(doc *d, const gains *t)
{
    enum { FRONT = 4 };
    int cols = FRONT + t->models;
    const char **head = NEW(d->a, const char *, (size_t)cols + 1);
    head[0] = "row", head[1] = "pairs", head[2] = "runs", head[3] = "all of them";
    for (int k = 0; k < t->models; k++)
        head[FRONT + k] = table_title_of(d->a, "model", t->model[k]);
    doc_grid *g = doc_table(d, head, cols);
    for (int i = 0; i < t->def->rows; i++) {
        if (!t->all[i].places)
            continue;
        doc_cells(g, "%s\t%d\t%d", t->def->row[i].title, t->all[i].places, t->all[i].n);
        put_gain(g, &t->all[i]);
        for (int k = 0; k < t->models; k++)
            put_gain(g, &t->by_model[k][i]);
    }
    doc_put(
        d, DOC_SMALL,
        "Gains in percentage points of accuracy, means over pairs of data set and model on comparable data (real or "
        "rebuilt), "
        "with the 95 % confidence sequence, none below six runs. Ahead, behind: decided by the paired t e-process with "
        "e-Holm over the rows; equal: within 0.5 points; otherwise undecided.");
}

static const char *root(arena *a, double variance)
{
    return render_number(a, isnan(variance) ? NAN : sqrt(fmax(0, variance)), 2);
}

static void put_place(doc_grid *to, const gain_place *p, const gain *g)
{
    arena *a = to->a;
    doc_cells(to, "%s\t%s\t%s\t%d\t%s", render_marked(a, table_title_of(a, "dataset", p->dataset), p->origin),
              table_title_of(a, "model", p->model), g->row->title, g->n, render_number(a, g->base, 2));
    put_gain(to, g);
    doc_cells(to, "%d\t%s", g->units, render_number(a, g->sd, 2));
    doc_cell_put(to, g->dots < 2 ? "–"
                                 : arena_printf(a, g->row->against ? "%+.2f to %+.2f" : "%.2f to %.2f", g->unit[0],
                                                g->unit[g->dots - 1]));
    doc_cell_put(to, g->dots < 2 || isnan(g->above) ? "–" : arena_printf(a, "%.0f %%", 100 * g->above));
    const double *v = g->variance;
    doc_cell_put(to, isnan(v[COMPONENT_A]) ? "–"
                     : isnan(v[COMPONENT_B])
                         ? arena_printf(a, "%s / %s", root(a, v[COMPONENT_A]), root(a, v[COMPONENT_REPEAT]))
                         : arena_printf(a, "%s / %s / %s / %s", root(a, v[COMPONENT_A]), root(a, v[COMPONENT_B]),
                                        root(a, v[COMPONENT_AB]), root(a, v[COMPONENT_REPEAT])));
}

static void by_place(doc *d, const gains *t)
{
    doc_fold(d, 0, "Every data set and model");
    doc_grid *g = doc_columns(d, "data set\tmodel\trow\truns\tbaseline\tgain\tunits\tsd over units\trange\tunits that "
                                 "gain\tsd by unit / by run");
    for (int i = 0; i < t->places; i++)
        for (int k = 0; k < t->def->rows; k++)
            if (t->place[i].row[k].places)
                put_place(g, &t->place[i], &t->place[i].row[k]);
    doc_put(d, DOC_SMALL,
            "Units: partitions, splits, or both crossed; the gain is a mean over them in each run, e-Holm is over the "
            "table. The last column: square roots of variance components (crossed random effects, negative estimates "
            "as 0); with two kinds of units: first kind / second / both / run.");
    doc_fold_end(d);
}

static int has_runs(const gains *g)
{
    int any = 0;
    for (int i = 0; i < g->def->rows; i++)
        any += g->all[i].places > 0;
    return any;
}

void section_gains(doc *d, const gains *g, int level, int places)
{
    doc_heading(d, level, g->def->label, g->def->title);
    doc_put(d, DOC_TEXT, g->def->text);
    if (has_runs(g))
        pooled(d, g);
    else
        doc_say(d, DOC_TEXT, "No runs of bench_%s on comparable data yet.", g->def->experiment);
    if (places && g->places)
        by_place(d, g);
}

void section_all_gains(doc *d, const tables *all, int level, int places)
{
    buf waiting = {.a = d->a};
    for (int i = 0; i < all->gains_count; i++) {
        const gains *g = &all->gain[i];
        if (has_runs(g))
            section_gains(d, g, level, places);
        else
            buf_add(&waiting, "%s%s (bench_%s)", waiting.n ? "; " : "", g->def->title, g->def->experiment);
    }
    if (waiting.n)
        doc_say(d, DOC_TEXT, "No runs on comparable data yet: %s.", waiting.s);
}

const char *section_gains_sentence(arena *a, const tables *all)
{
    buf b = {.a = a};
    for (int t = 0; t < all->gains_count; t++)
        for (int i = 0; i < all->gain[t].def->rows; i++) {
            const gains *g = &all->gain[t];
            const gain_row_def *row = &g->def->row[i];
            if (!row->headline || !g->all[i].places || g->all[i].n < 2)
                continue;
            buf_add(&b, "%s%s against %s, points:", b.n ? "\n" : "", row->title, g->def->baseline);
            for (int k = 0, n = 0; k < g->models; k++) {
                const gain *one = &g->by_model[k][i];
                if (!one->places)
                    continue;
                buf_add(&b, "%s %s %s", n++ ? "," : "", table_title_of(a, "model", g->model[k]),
                        render_signed(a, one->mean, 2));
                if (one->verdict != OPEN)
                    buf_add(&b, " (%s)", gain_word[one->verdict]);
            }
            buf_add(&b, "; %d runs of %d pairs of data set and model.", g->all[i].n, g->all[i].places);
        }
    return b.s;
}

void section_metattack(doc *d, const metattack_graph *v, int n)
{
    doc_heading(d, 1, "metattack", "Our metattack beside the published graphs");
    doc_put(
        d, DOC_TEXT,
        n ? "Experiment: metattack (not in the paper). Flips, properties of the added links, and mean test accuracy "
            "(%) of each network on the poisoned graph (runs)."
          : "Experiment: metattack (not in the paper). No runs yet.");
    if (!n)
        return;
    doc_grid *g = doc_columns(d, "data set\t%\tgraph\tadded\tdeleted\tadded: same class\tadded: touch a training "
                                 "node\tGCN, CE\tGCN, JC\tSGC, CE\tSGC, JC\tGAT, CE\tGAT, JC");
    for (int i = 0; i < n; i++) {
        doc_cells(g, "%s\t%d\t%s", table_title_of(d->a, "dataset", v[i].dataset), v[i].rate, v[i].graph);
        const double flips[] = {v[i].added, v[i].deleted, 100 * v[i].same, 100 * v[i].touch};
        for (int k = 0; k < 4; k++)
            doc_cell_put(g, isnan(flips[k]) ? "–" : arena_printf(d->a, k < 2 ? "%.0f" : "%.1f %%", flips[k]));
        for (int k = 0; k < METATTACK_NETWORKS; k++)
            doc_cell_put(g, v[i].n[k] ? arena_printf(d->a, "%.1f (%d)", v[i].mean[k], v[i].n[k]) : "–");
    }
    doc_put(d, DOC_SMALL,
            "published: Pro-GNN's graphs, one attack for each rate. metaself: exact Meta-Self, new initial weights for "
            "every flip; fixed-25: fixed initial weights, 25 instead of 100 steps of inner training; ameta: "
            "A-Meta-Self; seed 1, or NAME:SEED. The flips of a smaller rate are the first flips of a larger one.");
}
