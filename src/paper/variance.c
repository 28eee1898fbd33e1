#include "variance.h"
#include "../stats/stats.h"
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from records to rows ---- */

/* All cells of the experiment, and the data set, model and origin to look for. */
typedef struct source {
    arena *a;
    const cell *c;
    int n;
    table_place at;
} source;

/* Runs of a loss on a split ("public", "3") and partition ("metis:1"; NULL for CE); NULL: no whole run. */
static const cell *find(const source *in, const char *split, const char *partition)
{
    const char *loss = partition ? "jc" : "ce",
               *setting = partition ? arena_printf(in->a, "split=%s,partition=%s", split, partition)
                                    : arena_printf(in->a, "split=%s", split);
    for (int i = 0; i < in->n; i++) {
        const paper_cell *p = in->c[i].paper;
        const table_place at = table_place_of(&in->c[i]);
        if (!strcmp(p->loss, loss) && table_place_equal(&at, &in->at) && paper_setting_equal(p->setting, setting, ""))
            return cells_whole_runs(&in->c[i]) ? &in->c[i] : NULL;
    }
    return NULL;
}

static const char *split_name(arena *a, int s) { return s ? arena_printf(a, "%d", s) : "public"; }
static const char *partition_name(arena *a, int p) { return p ? arena_printf(a, "metis:%d", p) : "metis"; }

/* The number of runs that CE, and JC on each of the partitions 0 .. partitions, have on split s; split and partition 0
 * are the paper's. */
static int common_runs(const source *in, int s, int partitions)
{
    const char *split = split_name(in->a, s);
    const cell *c = find(in, split, NULL);
    int nr = c ? cells_whole_runs(c) : 0;
    for (int p = 0; p <= partitions && nr; p++) {
        c = find(in, split, partition_name(in->a, p));
        nr = !c ? 0 : cells_whole_runs(c) < nr ? cells_whole_runs(c) : nr;
    }
    return nr;
}

static void measure_size(variance_row *v, const source *in)
{
    while (find(in, "1", partition_name(in->a, v->partitions + 1)))
        v->partitions++;
    v->runs = common_runs(in, 0, v->partitions);
    for (int nr; (nr = common_runs(in, v->splits + 1, v->partitions)) > 0; v->splits++)
        v->runs = nr < v->runs ? nr : v->runs;
}

/* g(s, p, r) for all r, of split s and partition p. */
static void put_gain(double *g, const source *in, int s, int p, int nr)
{
    const char *split = split_name(in->a, s);
    const cell *ce = find(in, split, NULL), *jc = find(in, split, partition_name(in->a, p));
    for (int r = 0; r < nr; r++)
        g[r] = jc->value[r] - ce->value[r];
}

static void measure_ce(variance_row *v, const source *in)
{
    size_t nr = (size_t)v->runs;
    double *acc = NEW(in->a, double, (size_t)v->splits *nr + 1);
    for (int s = 0; s < v->splits; s++)
        memcpy(acc + (size_t)s * nr, find(in, split_name(in->a, s + 1), NULL)->value, nr * sizeof *acc);
    v->ce_public = stats_mean(find(in, "public", NULL)->value, v->runs);
    v->ce_random = stats_mean(acc, v->splits * v->runs);
    components_two(&v->ce_sd_split, &v->ce_sd_run, acc, v->splits, v->runs);
}

/* Mean gains; g: S x P x R, those of random splits and other partitions. */
static void measure_gains(variance_row *v, const source *in, double *g)
{
    size_t nr = (size_t)v->runs, parts = (size_t)v->partitions, per_split = parts * nr;
    double *one = NEW(in->a, double, per_split + nr);
    for (int k = 0; k < 2; k++)
        v->by_split[k] = NEW(in->a, double, (size_t)v->splits + 1);
    for (int s = 0; s <= v->splits; s++) {
        for (int p = 0; p <= v->partitions; p++)
            put_gain(one + (size_t)p * nr, in, s, p, v->runs);
        double papers = stats_mean(one, v->runs), others = stats_mean(one + nr, v->partitions * v->runs);
        if (!s) {
            v->gain[PUBLIC_SPLIT][PAPERS_PARTITION] = papers;
            v->gain[PUBLIC_SPLIT][OTHER_PARTITIONS] = others;
            continue;
        }
        v->by_split[PAPERS_PARTITION][s - 1] = papers;
        v->by_split[OTHER_PARTITIONS][s - 1] = others;
        v->share += (papers > 0) / (double)v->splits;
        memcpy(g + (size_t)(s - 1) * per_split, one + nr, per_split * sizeof *g);
    }
    for (int k = 0; k < 2; k++) {
        v->gain[RANDOM_SPLITS][k] = stats_mean(v->by_split[k], v->splits);
        gsl_sort(v->by_split[k], 1, (size_t)v->splits);
    }
}

static variance_row row_make(const source *in)
{
    variance_row v = {.at = in->at};
    measure_size(&v, in);
    if (!v.runs || v.splits < 2 || !v.partitions)
        return (variance_row){0};
    double *g = NEW(in->a, double, (size_t)v.splits *(size_t)v.partitions *(size_t)v.runs);
    measure_ce(&v, in);
    measure_gains(&v, in, g);
    v.sd_splits = stats_sd(v.by_split[PAPERS_PARTITION], v.splits);
    double away = v.gain[PUBLIC_SPLIT][PAPERS_PARTITION] - v.gain[RANDOM_SPLITS][PAPERS_PARTITION];
    v.distance = v.sd_splits > 0 ? away / v.sd_splits : NAN;
    components_three(v.var, g, v.splits, v.partitions, v.runs);
    return v;
}

static int by_place(const void *x, const void *y)
{
    const variance_row *a = x, *b = y;
    return table_place_order(&a->at, &b->at);
}

variance_row *variance_read(arena *a, const records *r, int *n)
{
    const figure_source in = {.a = a, .runs = *r};
    static const figure_def def = {.name = "variance", .experiment = "variance"};
    int cells;
    const cell *c = figure_found(&in, &def, "acc", &cells);
    variance_row *out = NEW(a, variance_row, (size_t)cells + 1);
    *n = 0;
    for (int i = 0; i < cells; i++)
        if (!strcmp(c[i].paper->loss, "ce") && paper_setting_equal(c[i].paper->setting, "split=public", "")) {
            out[*n] = row_make(&(source){a, c, cells, table_place_of(&c[i])});
            *n += out[*n].runs > 0;
        }
    qsort(out, (size_t)*n, sizeof *out, by_place);
    return out;
}

/* ---- as a figure: a dot for each random split, a bar from quartile to quartile, a star for the public one ---- */

const char *figure_variance(figure *f, const figure_source *in)
{
    int n;
    const variance_row *v = variance_read(f->a, &in->runs, &n);
    figure_row r = {0};
    if (!n)
        return figure_missing(f);
    for (int i = 0; i < n; i++) {
        r = table_place_point(f, &v[i].at, v[i].runs, &r);
        r.series = "Public split";
        r.x = 0.5;
        r.mean = v[i].gain[PUBLIC_SPLIT][PAPERS_PARTITION];
        figure_add(f, r);
        r.series = "Random splits";
        table_place_strip(f, r, v[i].by_split[PAPERS_PARTITION], v[i].splits, 1);
        r.series = "Random splits, other METIS partitions";
        table_place_strip(f, r, v[i].by_split[OTHER_PARTITIONS], v[i].splits, 1);
    }
    return NULL;
}
