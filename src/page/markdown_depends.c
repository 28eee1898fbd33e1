/* markdown_depends: what the comparison depends on besides the loss: partition, split, search of hyper-parameters,
 * duplicated nodes. */
#include "../base/err.h"
#include "../base/file.h"
#include "../data/catalog.h"
#include "../data/leak.h"
#include "markdown_parts.h"
#include "../paper/partitions.h"
#include "../paper/variance.h"
#include "../record/spec_file.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the partition ---- */

/* "+0.53 (-0.80 to +1.90, 32)": mean, smallest and largest gain, number of partitions. */
static const char *gain_text(arena *a, const partition_group *g)
{
    const char *mean = render_signed(a, g->mean, 2);
    if (g->partitions < 2)
        return mean;
    return arena_printf(a, "%s (%s to %s, %d)", mean, render_signed(a, g->gain[0], 2),
                        render_signed(a, g->gain[g->partitions - 1], 2), g->partitions);
}

static void partition_lines(arena *a, buf *out, const partition_group *g, int n)
{
    for (int i = 0, next; i < n; i = next) {
        const char *v[4 + PARTITION_KINDS] = {table_title_of(a, "dataset", g[i].at.dataset),
                                              table_title_of(a, "model", g[i].at.model)};
        span count = {0};
        for (next = i;
             next < n && !strcmp(g[i].at.dataset, g[next].at.dataset) && !strcmp(g[i].at.model, g[next].at.model);
             next++) {
            span_add(&count, g[next].runs);
            v[2 + g[next].kind] = gain_text(a, &g[next]);
            if (g[next].kind == METIS && !isnan(g[next].sd_partition))
                v[2 + PARTITION_KINDS] = arena_printf(a, "%.2f / %.2f", g[next].sd_partition, g[next].sd_run);
        }
        v[3 + PARTITION_KINDS] = span_text(a, count);
        markdown_row(out, v, 4 + PARTITION_KINDS);
    }
}

void markdown_partitions(arena *a, buf *out, const tables *all)
{
    int n;
    const partition_group *g = partitions_read(a, &all->runs, &n);
    const char *text = partitions_text(a, g, n);
    markdown_text(out, text ? text : "There are no runs of bench_partitions on comparable data.");
    if (!n)
        return;
    const char *head[4 + PARTITION_KINDS] = {"data set", "model"};
    memcpy(head + 2, partition_title, sizeof partition_title);
    head[2 + PARTITION_KINDS] = "sd by partition / by run";
    head[3 + PARTITION_KINDS] = "runs";
    markdown_head(out, head, 4 + PARTITION_KINDS);
    partition_lines(a, out, g, n);
    buf_put(out, "\n");
    markdown_text(out, "JC minus CE in percentage points, mean over runs; for several partitions of a kind, the mean "
                       "over them (smallest to largest, number of partitions).");
}

/* ---- split, partition and run ---- */

void markdown_variance(arena *a, buf *out, const tables *all)
{
    int n;
    const variance_row *r = variance_read(a, &all->runs, &n);
    const char *text = variance_text(a, r, n), *v[VARIANCE_COLUMNS];
    markdown_text(out, text ? text : "There are no runs of bench_variance on comparable data.");
    if (!n)
        return;
    markdown_head(out, variance_head, VARIANCE_COLUMNS);
    for (int i = 0; i < n; i++) {
        variance_line(v, a, &r[i]);
        markdown_row(out, v, VARIANCE_COLUMNS);
    }
    buf_put(out, "\n");
    markdown_text(out, variance_legend);
}

/* ---- tuning ---- */

/* Mean of x - y over the runs that both have; *n of them. NaN: none. */
static double paired_mean(const cell *x, const cell *y, int *n)
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

static int same_but(const cell *x, const cell *y, const char *extra)
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
static void tuning_line(arena *a, buf *out, const table *t, const cell *none, tuning_sum *sum)
{
    const cell *tuned = NULL, *other = NULL;
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
    markdown_row(out, v, 9);
    if (!n[1] || !n[2] || !origin_comparable(none->origin))
        return;
    sum->pairs++;
    sum->untuned += over_none > 0;
    sum->tuned += over_tuned > 0;
    sum->over_untuned += over_none;
    sum->over_tuned += over_tuned;
}

static void tuned_cells(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {"data set",
                                       "model",
                                       "loss",
                                       "untuned",
                                       "searched",
                                       "searched - untuned",
                                       "compared with",
                                       "its gain over untuned",
                                       "its gain over searched"};
    buf rows = {.a = a};
    tuning_sum sum = {0};
    for (int i = 0; i < all->n; i++)
        for (int j = 0, n; j < all->t[i].paper.n; j++) {
            const cell *c = &all->t[i].cell[j];
            const char *v = paper_value(c->paper, "tuning", &n);
            if (c->n && v && n == 4 && !strncmp(v, "none", 4))
                tuning_line(a, &rows, &all->t[i], c, &sum);
        }
    if (!rows.n) {
        markdown_text(out, "No cell was run both with default hyper-parameters and with searched ones.");
        return;
    }
    if (sum.pairs)
        buf_add(out,
                "In %d of %d pairs of data set and model JC is ahead of CE with default hyper-parameters (%s points on "
                "average), in %d of %d it is ahead of CE "
                "with searched hyper-parameters (%s points). Means over paired runs, without a test.\n\n",
                sum.untuned, sum.pairs, render_signed(a, sum.over_untuned / sum.pairs, 2), sum.tuned, sum.pairs,
                render_signed(a, sum.over_tuned / sum.pairs, 2));
    markdown_head(out, head, 9);
    buf_put(out, rows.s);
    buf_put(out, "\n");
}

static int by_text(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

/* The names of DIR/NAME.tsv, sorted. */
static const char **spec_names(arena *a, const char *dir, int *n)
{
    DIR *d = opendir(dir);
    if (!d && errno != ENOENT)
        die("%s: %s", dir, strerror(errno));
    const char **v = NEW(a, const char *, 256);
    *n = 0;
    for (struct dirent *e; d && *n < 256 && (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        if (len > 4 && !strcmp(e->d_name + len - 4, ".tsv"))
            v[(*n)++] = arena_printf(a, "%.*s", (int)len - 4, e->d_name);
    }
    if (d)
        closedir(d);
    qsort(v, (size_t)*n, sizeof *v, by_text);
    return v;
}

/* A line for each loss of a file: number of cells searched, and budgets. */
static void budget_lines(arena *a, buf *out, const char *name, const tsv *t)
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
        const char *v[] = {name, table_title_of(a, "loss", t->cell[i][SPEC_LOSS]), arena_printf(a, "%d", cells),
                           span_text(a, trials), span_text(a, seeds)};
        markdown_row(out, v, 5);
    }
}

void markdown_tuning(arena *a, buf *out, const tables *all, const char *specs)
{
    static const char *const head[] = {"experiment", "loss", "cells searched", "points tried for a cell",
                                       "runs of a point"};
    int n;
    const char **name = spec_names(a, specs, &n);
    tuned_cells(a, out, all);
    if (!n)
        return;
    markdown_text(out, "Searched on validation nodes (jcb tune); other cells have the paper's hyper-parameters, or "
                       "those of similar cells:");
    markdown_head(out, head, 5);
    for (int i = 0; i < n; i++) {
        spec_file f = spec_file_read(a, arena_printf(a, "%s/%s.tsv", specs, name[i]));
        budget_lines(a, out, name[i], &f.t);
    }
    buf_put(out, "\n");
}

/* ---- duplicated nodes ---- */

struct opening {
    arena *a;
    const data_dirs *dirs;
    const char *name;
    dataset *d;
};

static void open_it(void *arg)
{
    struct opening *o = arg;
    o->d = dataset_open(o->a, o->dirs, o->name);
}

/* A successful run on the data set's own graph, real or a substitute; NULL: none. */
static const record *run_on(const tables *all, const char *name)
{
    for (int i = 0; i < all->runs.n; i++) {
        const record *v = &all->runs.v[i];
        if (v->ok && !strcmp(v->dataset, name) && v->origin < ORIGIN_TWIN && !strcmp(v->s.attack, "none"))
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
    struct opening o = {&tmp, dirs, name, NULL};
    const char *message = err_try(open_it, &o), *why = NULL;
    if (message)
        why = arena_printf(a, "%s", message);
    else if (!o.d->nsplits)
        why = "";
    else if (o.d->hash != v->data_hash)
        why = "the data on this machine differ from those of the records";
    else {
        *out = leak_count(o.d);
        *splits = o.d->nsplits;
    }
    arena_free(&tmp);
    return why;
}

const char *markdown_missing(arena *a, const tables *all, const data_dirs *dirs)
{
    buf out = {.a = a};
    for (int i = 0; i < dirs->catalog.n; i++) {
        const catalog_entry *e = &dirs->catalog.entry[i];
        if (run_on(all, e->name) && dataset_missing(dirs, e->name))
            buf_add(&out, "%s%s", out.n ? ", " : "", e->name);
    }
    return out.s ? out.s : "";
}

static void leak_lines(arena *a, buf *out, const tables *all, const data_dirs *dirs)
{
    static const char *const head[] = {"data set", "published splits", "test nodes",
                                       "share with a copy among the training nodes",
                                       "share with such a copy of the same label"};
    const catalog *c = &dirs->catalog;
    catalog_need(c);
    buf unknown = {.a = a};
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        const record *v = run_on(all, c->entry[i].name);
        int splits = 0;
        leak k;
        const char *why = v ? count_leak(a, &k, &splits, dirs, v) : "";
        if (why && *why)
            buf_add(&unknown, "%s%s: %s", unknown.n ? "; " : "", c->entry[i].title, why);
        if (why)
            continue;
        if (!n++)
            markdown_head(out, head, 5);
        double test = k.test ? (double)k.test : 1;
        const char *row[] = {c->entry[i].title, arena_printf(a, "%d", splits), arena_printf(a, "%" PRId64, k.test),
                             arena_printf(a, "%.1f %%", 100 * (double)k.duplicated / test),
                             arena_printf(a, "%.1f %%", 100 * (double)k.same_label / test)};
        markdown_row(out, row, 5);
    }
    buf_put(out, n ? "\n" : "");
    if (unknown.n)
        markdown_text(out, arena_printf(a, "Not counted: %s.", unknown.s));
    else if (!n)
        markdown_text(out, "No data set of the records has published splits.");
}

/* Cells of a data set beside those of NAME-filtered, which has no copies. */
static void filtered_lines(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {"data set", "model", "loss", "with the copies", "without", "difference"};
    int lines = 0;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].paper.n; j++)
            for (int k = 0; k < all->t[i].paper.n; k++) {
                const cell *x = &all->t[i].cell[j], *y = &all->t[i].cell[k];
                size_t n = strlen(x->paper->dataset);
                if (!x->n || !y->n || strncmp(x->paper->dataset, y->paper->dataset, n) ||
                    strcmp(y->paper->dataset + n, "-filtered") || strcmp(x->paper->model, y->paper->model) ||
                    strcmp(x->paper->loss, y->paper->loss) || x->metric != y->metric ||
                    !paper_setting_equal(x->paper->setting, y->paper->setting, ""))
                    continue;
                if (!lines++) {
                    markdown_text(out, "The same networks on the graphs without copies:");
                    markdown_head(out, head, 6);
                }
                buf loss = {.a = a};
                buf_put(&loss, table_title_of(a, "loss", x->paper->loss));
                table_add_value(&loss, x->paper, "tuning", strlen("tuning"), ", ");
                const char *v[] = {table_title_of(a, "dataset", x->paper->dataset),
                                   table_title_of(a, "model", x->paper->model),
                                   loss.s,
                                   render_ours(a, x),
                                   render_ours(a, y),
                                   render_signed(a, y->mean - x->mean, x->digits)};
                markdown_row(out, v, 6);
            }
    buf_put(out, lines ? "\n" : "");
}

void markdown_leaks(arena *a, buf *out, const tables *all, const data_dirs *dirs)
{
    markdown_text(out, "A copy of a node has exactly the same neighbours. A test node with a copy among the training "
                       "nodes can be classified by lookup. Numbers are over all published splits together.");
    leak_lines(a, out, all, dirs);
    filtered_lines(a, out, all);
}
