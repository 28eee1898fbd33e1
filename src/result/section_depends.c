/* section_depends: what the comparison depends on besides the loss: search of hyper-parameters, duplicated nodes. */
#include "../base/err.h"
#include "../base/file.h"
#include "../data/catalog.h"
#include "../data/leak.h"
#include "../run/spec_file.h"
#include "sections.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tuning ---- */

/* Mean of x - y over the runs that both have; *n of them. NaN: none. */
static double paired_mean(const table_cell *x, const table_cell *y, int *n)
{
    double sum = 0;
    *n = 0;
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n; j++)
            if (x->run[i]->run == y->run[j]->run && x->run[i]->seed == y->run[j]->seed) {
                sum += x->value[i] - y->value[j];
                ++*n;
            }
    return *n ? sum / *n : NAN;
}

static int same_but(const table_cell *x, const table_cell *y, const char *extra)
{
    return x->n && y->n && !strcmp(x->paper->dataset, y->paper->dataset) && !strcmp(x->paper->model, y->paper->model) &&
           x->metric == y->metric && x->origin == y->origin &&
           paper_setting_equal(x->paper->setting, y->paper->setting, extra);
}

typedef struct tuning_sum {
    int pairs, untuned, tuned; /* comparisons; gains > 0 over the untuned cell, and over the tuned one */
    double over_untuned, over_tuned;
} tuning_sum;

static const char *difference(arena *a, double mean, int n)
{
    return n ? arena_printf(a, "%s (%d)", render_signed(a, mean, 2), n) : "–";
}

/* A line for an untuned cell: the same loss after the search, and the loss that the table compares it with. */
static void tuning_line(doc_grid *g, const table *t, const table_cell *none, tuning_sum *sum)
{
    const table_cell *tuned = NULL, *other = NULL;
    arena *a = g->a;
    int n[3] = {0};
    for (int i = 0; i < t->paper.n && !tuned; i++)
        if (&t->cell[i] != none && same_but(none, &t->cell[i], "tuning=none") &&
            !strcmp(none->paper->loss, t->cell[i].paper->loss))
            tuned = &t->cell[i];
    for (int i = 0; i < t->paper.n && tuned && !other; i++)
        for (const contrast_def *k = t->def->contrast; k->a && !other; k++)
            if (paper_match(tuned->paper, k->b) && paper_match(t->cell[i].paper, k->a) &&
                same_but(tuned, &t->cell[i], ""))
                other = &t->cell[i];
    double by_search = tuned ? paired_mean(tuned, none, &n[0]) : NAN,
           over_none = other ? paired_mean(other, none, &n[1]) : NAN,
           over_tuned = other ? paired_mean(other, tuned, &n[2]) : NAN;
    const char *v[] = {
        table_title_of(a, "dataset", none->paper->dataset),
        table_title_of(a, "model", none->paper->model),
        table_title_of(a, "loss", none->paper->loss),
        render_ours(a, none),
        tuned ? render_ours(a, tuned) : "–",
        difference(a, by_search, n[0]),
        other ? arena_printf(a, "%s %s", table_title_of(a, "loss", other->paper->loss), render_ours(a, other)) : "–",
        difference(a, over_none, n[1]),
        difference(a, over_tuned, n[2])};
    for (int i = 0; i < 9; i++)
        doc_cell_put(g, v[i]);
    if (!n[1] || !n[2] || !origin_comparable(none->origin))
        return;
    sum->pairs++;
    sum->untuned += over_none > 0;
    sum->tuned += over_tuned > 0;
    sum->over_untuned += over_none;
    sum->over_tuned += over_tuned;
}

static void tuned_cells(doc *d, const tables *all)
{
    doc_grid *g = NULL;
    tuning_sum sum = {0};
    for (int i = 0; i < all->n; i++)
        for (int j = 0, n; j < all->t[i].paper.n; j++) {
            const table_cell *c = &all->t[i].cell[j];
            const char *v = paper_value(c->paper, "tuning", &n);
            if (!c->n || !v || n != 4 || strncmp(v, "none", 4))
                continue;
            g = g ? g
                  : doc_columns(d, "data set\tmodel\tloss\tuntuned\tsearched\tsearched - untuned\tcompared with\tits "
                                   "gain over untuned\tits gain over searched");
            tuning_line(g, &all->t[i], c, &sum);
        }
    if (!g)
        doc_put(d, DOC_TEXT, "No cell was run both with default hyper-parameters and with searched ones.");
    if (sum.pairs)
        doc_say(d, DOC_TEXT,
                "In %d of %d pairs of data set and model JC is ahead of CE with default hyper-parameters (%s points on "
                "average), in %d of %d it is ahead of CE with searched hyper-parameters (%s points). Means over paired "
                "runs, without a test.",
                sum.untuned, sum.pairs, render_signed(d->a, sum.over_untuned / sum.pairs, 2), sum.tuned, sum.pairs,
                render_signed(d->a, sum.over_tuned / sum.pairs, 2));
}

/* A line for each loss of a file: number of cells searched, and budgets. */
static void budget_lines(doc_grid *g, const char *name, const tsv *t)
{
    for (int i = 0; i < t->rows; i++) {
        span trials = {0}, seeds = {0};
        int cells = 0, seen = 0;
        for (int j = 0; j < t->rows; j++) {
            if (strcmp(t->cell[i][SPEC_LOSS], t->cell[j][SPEC_LOSS]))
                continue;
            seen |= j < i;
            cells++;
            span_add(&trials, atoi(t->cell[j][SPEC_TRIALS]));
            span_add(&seeds, atoi(t->cell[j][SPEC_SEEDS]));
        }
        if (seen)
            continue;
        doc_cells(g, "%s\t%s\t%d\t%s\t%s", name, table_title_of(g->a, "loss", t->cell[i][SPEC_LOSS]), cells,
                  span_text(g->a, trials), span_text(g->a, seeds));
    }
}

void section_tuning(doc *d, const tables *all, const char *specs)
{
    int n;
    char **name = file_list(d->a, specs, ".tsv", &n);
    tuned_cells(d, all);
    if (!n)
        return;
    doc_put(d, DOC_TEXT,
            "Searched on validation nodes (jcb tune); other cells have the paper's hyper-parameters, or those of "
            "similar cells:");
    doc_grid *g = doc_columns(d, "experiment\tloss\tcells searched\tpoints tried for a cell\truns of a point");
    for (int i = 0; i < n; i++) {
        spec_file f = spec_file_read(d->a, arena_printf(d->a, "%s/%s.tsv", specs, name[i]));
        budget_lines(g, name[i], &f.t);
    }
}

/* ---- duplicated nodes ---- */

/* A successful run on the data set's own graph, real or a substitute; NULL: none. */
static const record *run_on(const tables *all, const char *name)
{
    for (int i = 0; i < all->runs.n; i++) {
        const record *v = &all->runs.v[i];
        if (v->ok && !strcmp(v->dataset, name) && v->origin < ORIGIN_TWIN && v->s.attack.kind == VARIANT_NONE)
            return v;
    }
    return NULL;
}

/* The leak of a data set with published splits; NULL, or why it cannot be counted ("": no published splits). */
static const char *count_leak(arena *a, leak *out, int *splits, const data_dirs *dirs, const record *v)
{
    const char *name = v->dataset;
    if (dataset_missing(dirs, name))
        return "its files are missing";
    arena tmp = {0};
    dataset *d;
    const char *message = dataset_try(&d, &tmp, dirs, name), *why = NULL;
    if (message)
        why = arena_printf(a, "%s", message);
    else if (!d->nsplits)
        why = "";
    else if (d->hash != v->data_hash)
        why = "the data on this machine differ from those of the records";
    else {
        *out = leak_count(d);
        *splits = d->nsplits;
    }
    arena_free(&tmp);
    return why;
}

const char *section_missing_data(arena *a, const tables *all, const data_dirs *dirs)
{
    buf out = {.a = a};
    for (int i = 0; i < dirs->catalog.n; i++) {
        const catalog_entry *e = &dirs->catalog.entry[i];
        if (run_on(all, e->name) && dataset_missing(dirs, e->name))
            buf_add(&out, "%s%s", out.n ? ", " : "", e->name);
    }
    return out.s ? out.s : "";
}

static void leak_lines(doc *d, const tables *all, const data_dirs *dirs)
{
    const catalog *c = &dirs->catalog;
    catalog_need(c);
    buf unknown = {.a = d->a};
    doc_grid *g = NULL;
    for (int i = 0; i < c->n; i++) {
        const record *v = run_on(all, c->entry[i].name);
        int splits = 0;
        leak k;
        const char *why = v ? count_leak(d->a, &k, &splits, dirs, v) : "";
        if (why && *why)
            buf_add(&unknown, "%s%s: %s", unknown.n ? "; " : "", c->entry[i].title, why);
        if (why)
            continue;
        g = g ? g
              : doc_columns(d, "data set\tpublished splits\ttest nodes\tshare with a copy among the training "
                               "nodes\tshare with such a copy of the same label");
        double test = k.test ? (double)k.test : 1;
        doc_cells(g, "%s\t%d\t%" PRId64 "\t%.1f %%\t%.1f %%", c->entry[i].title, splits, k.test,
                  100 * (double)k.duplicated / test, 100 * (double)k.same_label / test);
    }
    if (unknown.n)
        doc_say(d, DOC_TEXT, "Not counted: %s.", unknown.s);
    else if (!g)
        doc_put(d, DOC_TEXT, "No data set of the records has published splits.");
}

/* Whether y is the cell of NAME-filtered, which has no copies, that belongs to x of NAME. */
static int is_filtered(const table_cell *x, const table_cell *y)
{
    size_t n = strlen(x->paper->dataset);
    return x->n && y->n && !strncmp(x->paper->dataset, y->paper->dataset, n) &&
           !strcmp(y->paper->dataset + n, "-filtered") && !strcmp(x->paper->model, y->paper->model) &&
           !strcmp(x->paper->loss, y->paper->loss) && x->metric == y->metric &&
           paper_setting_equal(x->paper->setting, y->paper->setting, "");
}

static void filtered_lines(doc *d, const tables *all)
{
    doc_grid *g = NULL;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].paper.n; j++)
            for (int k = 0; k < all->t[i].paper.n; k++) {
                const table_cell *x = &all->t[i].cell[j], *y = &all->t[i].cell[k];
                if (!is_filtered(x, y))
                    continue;
                if (!g) {
                    doc_put(d, DOC_TEXT, "The same networks on the graphs without copies:");
                    g = doc_columns(d, "data set\tmodel\tloss\twith the copies\twithout\tdifference");
                }
                buf loss = {.a = d->a};
                buf_put(&loss, table_title_of(d->a, "loss", x->paper->loss));
                table_add_value(&loss, x->paper, "tuning", strlen("tuning"), ", ");
                doc_cell_put(g, table_title_of(d->a, "dataset", x->paper->dataset));
                doc_cell_put(g, table_title_of(d->a, "model", x->paper->model));
                doc_cell_put(g, loss.s);
                doc_cell_put(g, render_ours(d->a, x));
                doc_cell_put(g, render_ours(d->a, y));
                doc_cell_put(g, render_signed(d->a, y->mean - x->mean, x->digits));
            }
}

void section_leaks(doc *d, const tables *all, const data_dirs *dirs)
{
    doc_put(d, DOC_TEXT,
            "A copy of a node has exactly the same neighbours. A test node with a copy among the training nodes can be "
            "classified by lookup. Numbers are over all published splits together.");
    leak_lines(d, all, dirs);
    filtered_lines(d, all);
}
