/* explain_render: the table of explain.h as text and as a figure. */
#include "explain.h"
#include "figure_parts.h"
#include <math.h>
#include <string.h>

static const char legend[] =
    "Accuracy minus that of CE as published, in percentage points over paired runs, with the "
    "95 % confidence sequence (none below six runs). Pooled: of each run the "
    "mean over the places that have it. Verdicts (ahead, behind, equal: within 0.5 points): paired "
    "t e-process with e-Holm over the column All, or over all gains of the lower table, where "
    "only decided gains have a word. Searched rows have the same "
    "number of points and "
    "seeds of `jcb tune` on validation nodes (bench/specs/explain.tsv).";

static const char *place_name(arena *a, const explain_place *p)
{
    const char *origin = origin_label(p->at.origin);
    const char *name = arena_printf(a, "%s, %s", table_place_dataset(a, &p->at), table_place_model(a, &p->at));
    return *origin ? arena_printf(a, "%s (%s)", name, origin) : name;
}

static const char *word_of(const explain_gain *g)
{
    return !g->n                        ? "–"
           : g->verdict == CONFIRMED    ? "ahead"
           : g->verdict == CONTRADICTED ? "behind"
           : g->verdict == EQUAL        ? "equal"
                                        : "undecided";
}

/* A line for each row: pooled over all places, then over the data sets of each model. */
static void pooled_md(buf *out, arena *a, const explain *e)
{
    const char *model[16];
    int models = 0;
    for (int i = 0; i < e->places; i++) {
        int known = 0;
        for (int k = 0; k < models; k++)
            known |= !strcmp(model[k], e->place[i].at.model);
        if (!known && models < 16)
            model[models++] = e->place[i].at.model;
    }
    char title[64];
    buf_put(out, "| Row | All | Pairs |");
    for (int k = 0; k < models; k++)
        buf_add(out, " %s |", table_title("model", model[k], (int)strlen(model[k]), title));
    buf_put(out, "\n|---|---|---|");
    for (int k = 0; k < models; k++)
        buf_put(out, "---|");
    const explain_gain *g = explain_rows(a, e);
    for (int r = 0; r < EXPLAIN_ROWS; r++) {
        if (!g[r].n || r == ROW_CE)
            continue;
        buf_add(out, "\n| %s | %s, %s | %d |", explain_title[r], explain_show(a, &g[r]), word_of(&g[r]), g[r].places);
        for (int k = 0; k < models; k++) {
            explain_gain one = explain_pooled(a, e, (enum explain_row)r, ROW_CE, NULL, model[k]);
            buf_add(out, " %s |", explain_show(a, &one));
        }
    }
    buf_put(out, "\n\n");
}

static void places_md(buf *out, arena *a, const explain *e)
{
    const explain_gain *g = explain_table(a, e);
    buf_put(out, "| Row |");
    for (int i = 0; i < e->places; i++)
        buf_add(out, " %s |", place_name(a, &e->place[i]));
    buf_put(out, "\n|---|");
    for (int i = 0; i < e->places; i++)
        buf_put(out, "---|");
    for (int r = 0; r < EXPLAIN_ROWS; r++) {
        int any = 0;
        for (int i = 0; i < e->places; i++)
            any |= g[i * EXPLAIN_ROWS + r].n > 0;
        if (!any)
            continue;
        buf_add(out, "\n| %s |", r == ROW_CE ? "CE as published (accuracy)" : explain_title[r]);
        for (int i = 0; i < e->places; i++) {
            const explain_gain *one = &g[i * EXPLAIN_ROWS + r];
            const explain_cell *ce = &e->place[i].row[ROW_CE];
            double sum = 0;
            for (int k = 0; k < ce->n; k++)
                sum += ce->acc[k] / ce->n;
            if (r == ROW_CE)
                buf_add(out, " %.2f, n %d |", sum, ce->n);
            else
                buf_add(out, one->n && one->verdict != OPEN ? " %s, %s |" : " %s |", explain_show(a, one),
                        word_of(one));
        }
    }
    buf_put(out, "\n\n");
}

void explain_md(buf *out, arena *a, const explain *e)
{
    const char *text = explain_text(a, e), *summary = explain_summary(a, e);
    buf_add(out, "# What explains the gain\n\nExperiment: explain (not in the paper). %s\n\n%s\n\n",
            summary ? summary : "No runs on comparable data yet.", text ? text : "");
    if (!e->places)
        return;
    pooled_md(out, a, e);
    places_md(out, a, e);
    buf_add(out, "%s\n", legend);
}

void explain_tsv(buf *out, arena *a, const explain *e)
{
    const explain_gain *g = explain_table(a, e);
    buf_put(out, "dataset\tmodel\torigin\trow\tpartitions\tn\tmean\tlo\thi\te_holm\tverdict\n");
    for (int i = 0; i < e->places; i++)
        for (int r = 0; r < EXPLAIN_ROWS; r++) {
            const explain_gain *k = &g[i * EXPLAIN_ROWS + r];
            if (k->n && r != ROW_CE)
                buf_add(out, "%s\t%s\t%s\t%s\t%d\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%s\n", e->place[i].at.dataset,
                        e->place[i].at.model, origin_word(e->place[i].at.origin), explain_title[r], k->most, k->n,
                        k->mean, k->lo, k->hi, k->e, word_of(k));
        }
}

/* ---- as a figure: a panel for all data sets, then one for each; a line for each row ---- */

/* at: of the data set, or, with all of them, of the first. */
static void add_panel(figure *f, const explain *e, int panel, const char *title, const table_place *at, int all)
{
    int line = 0;
    for (int r = ROW_CE + 1; r < EXPLAIN_ROWS; r++) {
        explain_gain g = explain_pooled(f->a, e, (enum explain_row)r, ROW_CE, NULL, NULL);
        if (!g.n)
            continue;
        line++;
        if (!all)
            g = explain_pooled(f->a, e, (enum explain_row)r, ROW_CE, at->dataset, NULL);
        figure_add(f, (figure_row){.panel = panel,
                                   .title = title,
                                   .row = line,
                                   .group = "",
                                   .label = explain_title[r],
                                   .x = NAN,
                                   .mean = g.mean,
                                   .lo = g.lo,
                                   .hi = g.hi,
                                   .n = g.n,
                                   .origin = at->origin,
                                   .dataset = at->dataset,
                                   .paper = NAN,
                                   .paper_sd = NAN,
                                   .series = g.verdict == CONFIRMED      ? "JC"
                                             : g.verdict == CONTRADICTED ? "CE"
                                             : g.verdict == EQUAL        ? "equal"
                                                                         : ""});
    }
}

const char *figure_explain(figure *f, const figure_source *in)
{
    explain e = explain_read(f->a, &in->runs);
    int panel = 1;
    if (e.places)
        add_panel(f, &e, panel, "All", &e.place[0].at, 1);
    for (int i = 0; i < e.places; i++) {
        const char *d = e.place[i].at.dataset;
        if ((i && !strcmp(d, e.place[i - 1].at.dataset)) || !origin_comparable(e.place[i].at.origin))
            continue;
        add_panel(f, &e, ++panel, table_place_dataset(f->a, &e.place[i].at), &e.place[i].at, 0);
    }
    return f->n ? NULL : figure_missing(f);
}
