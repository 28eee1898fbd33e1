/* variance_text: the rows of variance.h in words and as tables. */
#include "../stats/stats.h"
#include "variance.h"
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

static const char *const component_name[COMPONENTS] = {"the split", "the partition", "split x partition", "the run"};

/* ---- in words ---- */

static const char *sizes(arena *a, const variance_row *v, int n)
{
    int lo[3] = {v->splits, v->partitions, v->runs}, hi[3] = {0};
    for (int i = 0; i < n; i++) {
        const int size[3] = {v[i].splits, v[i].partitions, v[i].runs};
        for (int k = 0; k < 3; k++) {
            lo[k] = size[k] < lo[k] ? size[k] : lo[k];
            hi[k] = size[k] > hi[k] ? size[k] : hi[k];
        }
    }
    return arena_printf(a, "%s random splits, %s METIS partitions from other seeds, %s runs",
                        render_span(a, lo[0], hi[0]), render_span(a, lo[1], hi[1]), render_span(a, lo[2], hi[2]));
}

/* "+1.90 points (above 0 in 8 of 9 pairs)". */
static const char *mean_gain(arena *a, const variance_row *v, int n, int split, int partition)
{
    double mean = 0;
    int up = 0;
    for (int i = 0; i < n; i++) {
        mean += v[i].gain[split][partition] / n;
        up += v[i].gain[split][partition] > 0;
    }
    return arena_printf(a, "%s points (above 0 in %d of %d pairs)", render_signed(a, mean, 2), up, n);
}

static void distance_text(buf *t, const variance_row *v, int n)
{
    double *d = NEW(t->a, double, (size_t)n + 1);
    int known = 0, above = 0, far = 0;
    for (int i = 0; i < n; i++)
        if (!isnan(v[i].distance)) {
            above += v[i].distance > 0;
            far += fabs(v[i].distance) > 2;
            d[known++] = v[i].distance;
        }
    if (!known)
        return;
    gsl_sort(d, 1, (size_t)known);
    buf_add(t,
            " On the paper's partition the public split's gain is above the mean over random splits in %d of %d pairs, "
            "by %s standard deviations over splits in the median (%s to %s), and more than two away in %d.",
            above, known, render_signed(t->a, gsl_stats_median_from_sorted_data(d, 1, (size_t)known), 1),
            render_signed(t->a, d[0], 1), render_signed(t->a, d[known - 1], 1), far);
}

static void component_text(buf *t, const variance_row *v, int n)
{
    double var[COMPONENTS] = {0}, all = 0;
    int known = 0, largest = 0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < COMPONENTS && !isnan(v[i].var[0]); c++) {
            known += !c;
            var[c] += v[i].var[c];
        }
    for (int c = 0; c < COMPONENTS; c++) { /* truncated at 0 after the sum: truncating each would bias it upwards */
        var[c] = known ? fmax(0, var[c] / known) : 0;
        all += var[c];
        largest = var[c] > var[largest] ? c : largest;
    }
    if (!(all > 0))
        return;
    buf_add(t, " Of the variance of the gain, averaged over the %d pairs with two runs or more,", known);
    for (int c = 0; c < COMPONENTS; c++)
        buf_add(t, "%s %.0f %% are due to %s", c ? "," : "", 100 * var[c] / all, component_name[c]);
    buf_add(t, "; the largest component is %s.", component_name[largest]);
    buf_add(t,
            " The standard deviation of the gain over seeds, on one split and one partition, is %.2f points; over "
            "splits and partitions as well it is %.2f. Reporting only the first omits %.0f %% of the variance.",
            sqrt(var[COMPONENT_REPEAT]), sqrt(all), 100 * (1 - var[COMPONENT_REPEAT] / all));
}

static void ce_text(buf *t, const variance_row *v, int n)
{
    double lo = NAN, hi = NAN, run_lo = NAN, run_hi = NAN, away = 0;
    for (int i = 0; i < n; i++) {
        lo = fmin(lo, v[i].ce_sd_split), hi = fmax(hi, v[i].ce_sd_split);
        run_lo = fmin(run_lo, v[i].ce_sd_run), run_hi = fmax(run_hi, v[i].ce_sd_run);
        away += (v[i].ce_random - v[i].ce_public) / n;
    }
    buf_add(t, " CE's accuracy on random splits is %s points from that on the public one",
            render_signed(t->a, away, 2));
    if (!isnan(lo))
        buf_add(t, "; it has a standard deviation of %.2f to %.2f points by split and %.2f to %.2f by run", lo, hi,
                run_lo, run_hi);
    buf_put(t, ".");
}

const char *variance_text(arena *a, const variance_row *all, int n)
{
    const variance_row *v = table_place_comparable(a, all, sizeof *v, &n);
    buf t = {.a = a};
    if (!n)
        return NULL;
    buf_add(&t, "Over %d pairs of data set and model (%s), the mean gain of JC over CE is %s on the public split and ",
            n, sizes(a, v, n), mean_gain(a, v, n, PUBLIC_SPLIT, PAPERS_PARTITION));
    buf_add(&t, "the paper's partition, %s on that split over other METIS partitions, ",
            mean_gain(a, v, n, PUBLIC_SPLIT, OTHER_PARTITIONS));
    buf_add(&t, "%s over random splits on the paper's partition, ",
            mean_gain(a, v, n, RANDOM_SPLITS, PAPERS_PARTITION));
    buf_add(&t, "and %s over random splits and other METIS partitions.",
            mean_gain(a, v, n, RANDOM_SPLITS, OTHER_PARTITIONS));
    distance_text(&t, v, n);
    component_text(&t, v, n);
    ce_text(&t, v, n);
    return t.s;
}

/* ---- as tables ---- */

const char *const variance_head[VARIANCE_COLUMNS] = {"Data set",
                                                     "Model",
                                                     "Splits x partitions x runs",
                                                     "CE, public split",
                                                     "CE, random splits",
                                                     "CE: sd by split / by run",
                                                     "Gain, public split, paper's partition",
                                                     "public, other partitions",
                                                     "random, paper's partition",
                                                     "random, other partitions",
                                                     "Public split's distance",
                                                     "Share of splits that gain",
                                                     "sd by split / partition / both / run"};

const char variance_legend[] =
    "Gain: accuracy of JC minus that of CE on the same split in the same run, in percentage points, mean over runs "
    "(and "
    "splits, partitions). Random splits have 20 training and 30 validation nodes of each class and test on all others, "
    "the public one has 500 validation and 1000 test nodes; other partitions are METIS partitions from other seeds. "
    "Distance: (gain on the public split - mean over random splits) / sample sd over random splits; distance and share "
    "are on the paper's partition. The last column has square roots of the variance components of the gain over random "
    "splits x other partitions x runs (crossed random effects), negative estimates as 0: split, partition, their "
    "interaction, and run on the same split and partition.";

static double sd_of(double var) { return sqrt(fmax(0, var)); }

void variance_line(const char *v[VARIANCE_COLUMNS], arena *a, const variance_row *r)
{
    v[0] = table_place_dataset(a, &r->at);
    v[1] = table_place_model(a, &r->at);
    v[2] = arena_printf(a, "%d x %d x %d", r->splits, r->partitions, r->runs);
    v[3] = arena_printf(a, "%.2f", r->ce_public);
    v[4] = arena_printf(a, "%.2f", r->ce_random);
    v[5] = isnan(r->ce_sd_split) ? "-" : arena_printf(a, "%.2f / %.2f", r->ce_sd_split, r->ce_sd_run);
    for (int k = 0; k < 4; k++)
        v[6 + k] = render_signed(a, r->gain[k / 2][k % 2], 2);
    v[10] = isnan(r->distance) ? "-" : render_signed(a, r->distance, 1);
    v[11] = arena_printf(a, "%.0f %%", 100 * r->share);
    v[12] = isnan(r->var[0])
                ? "-"
                : arena_printf(a, "%.2f / %.2f / %.2f / %.2f", sd_of(r->var[COMPONENT_A]), sd_of(r->var[COMPONENT_B]),
                               sd_of(r->var[COMPONENT_AB]), sd_of(r->var[COMPONENT_REPEAT]));
}

void variance_md(buf *out, arena *a, const variance_row *r, int n)
{
    const char *text = variance_text(a, r, n), *v[VARIANCE_COLUMNS];
    buf_add(out,
            "# How much of the gain depends on split, partition and run\n\nExperiment: variance (not in the paper). ");
    buf_add(out, "%s\n\n", text ? text : n ? "No runs on comparable data yet." : "No runs yet.");
    render_head_md(out, variance_head, VARIANCE_COLUMNS);
    for (int i = 0; i < n; i++) {
        variance_line(v, a, &r[i]);
        render_line_md(out, v, VARIANCE_COLUMNS);
    }
    buf_add(out, "\n%s\n", variance_legend);
}

void variance_tsv(buf *out, const variance_row *v, int n)
{
    buf_put(out, "dataset\tmodel\torigin\tsplits\tpartitions\truns\tce_public\tce_random\tce_sd_split\tce_sd_run\t"
                 "gain_public_papers\tgain_public_others\tgain_random_papers\tgain_random_others\tsd_splits\tdistance\t"
                 "share\tvar_split\tvar_partition\tvar_split_partition\tvar_run\n");
    for (int i = 0; i < n; i++) {
        buf_add(out, "%s\t%s\t%s\t%d\t%d\t%d\t%.6g\t%.6g\t%.6g\t%.6g", v[i].at.dataset, v[i].at.model,
                origin_word(v[i].at.origin), v[i].splits, v[i].partitions, v[i].runs, v[i].ce_public, v[i].ce_random,
                v[i].ce_sd_split, v[i].ce_sd_run);
        for (int k = 0; k < 4; k++)
            buf_add(out, "\t%.6g", v[i].gain[k / 2][k % 2]);
        buf_add(out, "\t%.6g\t%.6g\t%.6g", v[i].sd_splits, v[i].distance, v[i].share);
        for (int c = 0; c < COMPONENTS; c++)
            buf_add(out, "\t%.6g", v[i].var[c]);
        buf_put(out, "\n");
    }
}
