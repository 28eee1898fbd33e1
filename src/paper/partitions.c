#include "partitions.h"
#include "../stats/components.h"
#include "../stats/stats.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const partition_title[PARTITION_KINDS] = {"METIS, the paper's", "METIS, other seeds", "K-Means", "Random"};

/* ---- from records to groups ---- */

static enum partition_kind kind_of(const cell *c)
{
    int n;
    const char *v = paper_value(c->paper, "partition", &n);
    if (!v)
        return PARTITION_KINDS;
    return n == 5 && !strncmp(v, "metis", 5) ? PAPERS
           : !strncmp(v, "metis:", 6)        ? METIS
           : !strncmp(v, "kmeans", 6)        ? KMEANS
           : !strncmp(v, "random", 6)        ? RANDOM
                                             : PARTITION_KINDS;
}

static partition_group group_make(arena *a, const cell *ce, const cell **jc, int n, enum partition_kind kind)
{
    partition_group g = {.at = table_place_of(ce),
                         .kind = kind,
                         .partitions = n,
                         .runs = cells_whole_runs(ce),
                         .gain = NEW(a, double, (size_t)n + 1)};
    for (int p = 0; p < n; p++)
        g.runs = cells_whole_runs(jc[p]) < g.runs ? cells_whole_runs(jc[p]) : g.runs;
    double *acc = NEW(a, double, (size_t)n *(size_t)g.runs + 1);
    g.ce = stats_mean(ce->value, g.runs);
    for (int p = 0; p < n; p++) {
        memcpy(acc + p * g.runs, jc[p]->value, (size_t)g.runs * sizeof *acc);
        g.gain[p] = stats_mean(jc[p]->value, g.runs) - g.ce;
        g.share += (g.gain[p] > 0) / (double)n;
    }
    g.mean = stats_mean(g.gain, n);
    g.sd = stats_sd(g.gain, n);
    components_two(&g.sd_partition, &g.sd_run, acc, n, g.runs);
    gsl_sort(g.gain, 1, (size_t)n);
    return g;
}

static int by_place(const void *x, const void *y)
{
    const partition_group *a = x, *b = y;
    int order = table_place_order(&a->at, &b->at);
    return order ? order : (int)a->kind - (int)b->kind;
}

partition_group *partitions_read(arena *a, const records *r, int *n)
{
    const figure_source in = {.a = a, .runs = *r};
    static const figure_def def = {.name = "partitions", .experiment = "partitions"};
    int cells;
    const cell *c = figure_found(&in, &def, "acc", &cells);
    const cell **jc = NEW(a, const cell *, (size_t)cells + 1);
    partition_group *g = NEW(a, partition_group, (size_t)cells * PARTITION_KINDS + 1);
    *n = 0;
    for (int i = 0; i < cells; i++)
        for (int k = 0; k < PARTITION_KINDS && !strcmp(c[i].paper->loss, "ce"); k++) {
            int found = 0;
            const table_place at = table_place_of(&c[i]);
            for (int j = 0; j < cells; j++) {
                const table_place other = table_place_of(&c[j]);
                if (table_place_equal(&at, &other) && kind_of(&c[j]) == (enum partition_kind)k)
                    jc[found++] = &c[j];
            }
            if (found)
                g[*n] = group_make(a, &c[i], jc, found, (enum partition_kind)k);
            *n += found && g[*n].runs > 0;
        }
    qsort(g, (size_t)*n, sizeof *g, by_place);
    return g;
}

/* ---- in words ---- */

/* Over the groups of one kind: the number that gain on average, and the mean gain. */
static int gaining(double *mean, int *all, const partition_group *g, int n, enum partition_kind kind)
{
    int up = 0;
    *mean = 0;
    *all = 0;
    for (int i = 0; i < n; i++)
        if (g[i].kind == kind) {
            up += g[i].mean > 0;
            *mean += g[i].mean;
            ++*all;
        }
    *mean = *all ? *mean / *all : NAN;
    return up;
}

/* Numbers of groups in which the paper's partition is better than all, and than half, of the other METIS partitions. */
static void paper_place(int *best, int *upper, int *all, const partition_group *g, int n)
{
    *best = *upper = *all = 0;
    for (int i = 0; i + 1 < n; i++)
        if (g[i].kind == PAPERS && g[i + 1].kind == METIS && g[i + 1].partitions > 1) {
            const partition_group *m = &g[i + 1];
            double half = gsl_stats_median_from_sorted_data(m->gain, 1, (size_t)m->partitions);
            *best += g[i].mean > m->gain[m->partitions - 1];
            *upper += g[i].mean > half;
            ++*all;
        }
}

const char *partitions_sentence(arena *a, const partition_group *all_groups, int n)
{
    static const char *const where[PARTITION_KINDS] = {"on the paper's own METIS partition",
                                                       "over METIS partitions from other seeds", "on k-means clusters",
                                                       "on random clusters"};
    const partition_group *g = table_place_comparable(a, all_groups, sizeof *g, &n);
    buf t = {.a = a};
    int all, least = 0, most = 0;
    double mean;
    for (int i = 0; i < n; i++) {
        least = !i || g[i].runs < least ? g[i].runs : least;
        most = g[i].runs > most ? g[i].runs : most;
    }
    for (int k = 0; k < PARTITION_KINDS; k++) {
        gaining(&mean, &all, g, n, (enum partition_kind)k);
        if (all)
            buf_add(&t, "%s%s points %s (%d%s)", t.n ? ", " : "", render_signed(a, mean, 2), where[k], all,
                    t.n ? "" : " pairs of data set and model");
    }
    if (!t.n)
        return NULL;
    return arena_printf(a, "By kind of clusters, the mean gain of JC over CE is %s; %s runs for each partition.", t.s,
                        render_span(a, least, most));
}

const char *partitions_text(arena *a, const partition_group *all_groups, int n)
{
    static const char *const where[PARTITION_KINDS] = {"on the paper's own METIS partition",
                                                       "averaged over METIS partitions from other seeds",
                                                       "on k-means clusters", "on random clusters of equal size"};
    const partition_group *g = table_place_comparable(a, all_groups, sizeof *g, &n);
    buf t = {.a = a};
    int all, best, upper, places;
    double mean;
    for (int k = 0; k < PARTITION_KINDS; k++) {
        int up = gaining(&mean, &all, g, n, (enum partition_kind)k);
        if (all)
            buf_add(&t, "%s%s JC gains over CE in %d of %d pairs of data set and model (%s points on average)",
                    t.n ? "; " : "", where[k], up, all, render_signed(a, mean, 2));
    }
    if (!t.n)
        return NULL;
    t.s[0] = (char)(t.s[0] - 'a' + 'A');
    buf_put(&t, ".");
    paper_place(&best, &upper, &places, g, n);
    if (places)
        buf_add(&t, " Among the METIS partitions the paper's is above the median in %d and the best in %d of %d pairs.",
                upper, best, places);
    double lo = NAN, hi = NAN, run_lo = NAN, run_hi = NAN;
    for (int i = 0; i < n; i++)
        if (g[i].kind == METIS && !isnan(g[i].sd_partition)) {
            lo = fmin(lo, g[i].sd_partition), hi = fmax(hi, g[i].sd_partition);
            run_lo = fmin(run_lo, g[i].sd_run), run_hi = fmax(run_hi, g[i].sd_run);
        }
    if (!isnan(lo))
        buf_add(&t,
                " The accuracy has a standard deviation of %.2f to %.2f points between METIS partitions, and of %.2f "
                "to %.2f between runs on one partition: the deviations that the paper prints, of runs on one "
                "partition, do not include the former.",
                lo, hi, run_lo, run_hi);
    return t.s;
}

/* ---- as tables ---- */

const char *const partitions_head[PARTITION_COLUMNS] = {
    "Data set", "Model", "Partitions",       "Number",
    "Runs",     "CE",    "Mean gain",        "sd",
    "Least",    "Most",  "Share that gains", "sd by partition / by run"};

void partitions_line(const char *v[PARTITION_COLUMNS], arena *a, const partition_group *g)
{
    v[0] = table_place_dataset(a, &g->at);
    v[1] = table_place_model(a, &g->at);
    v[2] = partition_title[g->kind];
    v[3] = arena_printf(a, "%d", g->partitions);
    v[4] = arena_printf(a, "%d", g->runs);
    v[5] = arena_printf(a, "%.2f", g->ce);
    v[6] = render_signed(a, g->mean, 2);
    v[7] = isnan(g->sd) ? "-" : arena_printf(a, "%.2f", g->sd);
    v[8] = render_signed(a, g->gain[0], 2);
    v[9] = render_signed(a, g->gain[g->partitions - 1], 2);
    v[10] = arena_printf(a, "%.0f %%", 100 * g->share);
    v[11] = isnan(g->sd_partition) ? "-" : arena_printf(a, "%.2f / %.2f", g->sd_partition, g->sd_run);
}

const char partitions_legend[] = "Gain: accuracy of JC minus that of CE in the same runs, in percentage points, a mean "
                                 "over runs for each partition; mean, sample sd, least and most "
                                 "over the partitions. sd by partition / by run: square roots of the variance "
                                 "components of JC's accuracy (crossed random effects): between partitions of the "
                                 "kind, and between runs on one partition.";

void partitions_md(buf *out, arena *a, const partition_group *g, int n)
{
    const char *text = partitions_text(a, g, n), *v[PARTITION_COLUMNS];
    buf_add(out, "# How much of the gain depends on the partition\n\nExperiment: partitions (not in the paper). %s\n\n",
            text ? text : "No runs yet.");
    render_head_md(out, partitions_head, PARTITION_COLUMNS);
    for (int i = 0; i < n; i++) {
        partitions_line(v, a, &g[i]);
        render_line_md(out, v, PARTITION_COLUMNS);
    }
    buf_add(out, "\n%s\n", partitions_legend);
}

void partitions_tsv(buf *out, const partition_group *g, int n)
{
    buf_put(out,
            "dataset\tmodel\tkind\tpartitions\truns\torigin\tce\tmean\tsd\tleast\tmost\tshare\tsd_partition\tsd_run\n");
    for (int i = 0; i < n; i++)
        buf_add(out, "%s\t%s\t%s\t%d\t%d\t%s\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", g[i].at.dataset,
                g[i].at.model, partition_title[g[i].kind], g[i].partitions, g[i].runs, origin_word(g[i].at.origin),
                g[i].ce, g[i].mean, g[i].sd, g[i].gain[0], g[i].gain[g[i].partitions - 1], g[i].share,
                g[i].sd_partition, g[i].sd_run);
}

/* ---- as a figure: a dot for each partition, a bar from quartile to quartile ---- */

const char *figure_partitions(figure *f, const figure_source *in)
{
    int n;
    const partition_group *g = partitions_read(f->a, &in->runs, &n);
    figure_row r = {0};
    if (!n)
        return figure_missing(f);
    for (int i = 0; i < n; i++) {
        r = table_place_point(f, &g[i].at, g[i].runs, &r);
        r.series = partition_title[g[i].kind];
        table_place_strip(f, r, g[i].gain, g[i].partitions, 2);
    }
    return NULL;
}
