/* section_legend: explains the words and numbers that a table uses. */
#include "sections.h"
#include <math.h>

static int any_kind(const table *t, int kind)
{
    for (int i = 0; i < t->paper.n; i++)
        if ((int)t->cell[i].metric->kind == kind)
            return 1;
    return 0;
}

static int any_origin(const table *t, enum origin origin)
{
    for (int i = 0; i < t->paper.n; i++)
        if (t->cell[i].origin == origin)
            return 1;
    return 0;
}

static int any_splits(const table *t)
{
    for (int i = 0; i < t->contrasts; i++)
        if (table_splits(t->contrast[i].a->paper->dataset))
            return 1;
    return 0;
}

static int any_untuned(const table *t)
{
    for (int i = t->printed; i < t->paper.n; i++)
        if (t->cell[i].n && paper_match(t->cell[i].paper, "tuning=none"))
            return 1;
    return 0;
}

static const char *margins(arena *a, const table *t)
{
    buf b = {.a = a};
    for (int i = 0; i < t->paper.n; i++) {
        const metric_def *m = t->cell[i].metric;
        int seen = 0;
        for (int j = 0; j < i; j++)
            seen |= t->cell[j].metric == m;
        if (seen || m->kind != MEASURED)
            continue;
        const char *sep = b.n ? ", " : "";
        if (m->margin_rel > 0)
            buf_add(&b, "%s%g %% of the paper's value for %s", sep, 100 * m->margin_rel, m->title);
        else
            buf_add(&b, "%s%g for %s", sep, m->margin, m->title);
    }
    return b.s ? b.s : "";
}

static const char *const ours_text = "ours: mean ± sample standard deviation (number of runs)";
static const char *const deviation_text =
    "10 runs. The paper's small-graph tables print the population deviation for GCN, SGC and MLP (at 10 runs "
    "5 % smaller than the sample one) and the sample one for GAT and SAGE.";
static const char *const difference_text =
    "difference: ours minus the paper's, with its 95 % confidence interval (Welch, from both summaries; where the "
    "paper prints no deviation, from our runs alone). With a margin m (";
static const char *const verdict_text =
    "): agrees = the interval lies within ±m, or contains 0 and extends on each side of the difference no further "
    "than m or twice the paper's deviation; higher, lower = it excludes 0 and is not within ±m; undecided = it is too "
    "wide, or there is only one run.";
static const char *const ordering_text = "Comparisons: each one that the paper's numbers state, tested on the "
                                         "differences of our runs 0, 1, 2, ..., paired by run and seed, up to the "
                                         "first run that is missing on a side. n: pairs used; left out: pairs after "
                                         "a missing run, of another seed or of a repeated split.";
static const char *const anytime_text =
    "Interval: 95 % confidence sequence, valid simultaneously for all n; infinite below six pairs. anytime p: the "
    "smallest 1 / E so far of the paired t e-process, valid under repeated looks; e-Holm p: the same "
    "corrected for all comparisons of the table, run or not. The probability of any false \"confirmed\" or "
    "\"contradicted\" in the table, at any time, is at most 5 % if the differences are about normal: see their "
    "skewness, and symmetry p, which only assumes a symmetric distribution.";
static const char *const claim_text =
    "confirmed, contradicted = the paper's sign or the opposite one, with an e-Holm "
    "p of at most 0.05; equal = neither, and the confidence "
    "sequence lies within ±0.5 points (accuracy and F1 only); undecided = none of "
    "these, with an estimate of how many more runs a verdict "
    "needs. Bytes and links that are the same in every run are judged by their sign. \"At n = 5\": "
    "decided when there were five pairs, and kept (doc/statistics.md).";
static const char *const one_look_text = "For one look: paired t test, exact Wilcoxon signed-rank test, Holm's "
                                         "correction of the t test over the table, bootstrap interval (BCa). "
                                         "They are valid for one look at a number of runs fixed in advance, are given "
                                         "because papers print them, and decide nothing here.";
static const char *const splits_text = "The published splits overlap and run 10 would repeat the split of run 0, so n "
                                       "is at most ten unless splits are redrawn (--split). The standard error over "
                                       "splits is that of Nadeau and Bengio, sd * sqrt(1/n + test nodes / training "
                                       "nodes): 2.27 times the plain one at n = 10.";

const char *const *section_legend(arena *a, const table *t, int *n)
{
    int failed = 0, left_out = 0, deviations = 0;
    const char **all = NEW(a, const char *, 16 + (size_t)t->warnings);
    *n = 0;
    for (int i = 0; i < t->warnings; i++)
        all[(*n)++] = arena_printf(a, "Warning: %s", t->warning[i]);
    for (int i = 0; i < t->paper.n; i++) {
        failed |= t->cell[i].failed;
        left_out |= t->cell[i].left_out;
        deviations |= !isnan(t->paper.cell[i].sd);
    }
    const char *printed = deviations ? deviation_text : "without deviations.";
    all[(*n)++] = t->beyond ? arena_printf(a, "%s.", ours_text)
                            : arena_printf(a, "%s; paper: as printed, %s", ours_text, printed);
    if (any_kind(t, MEASURED) && !t->beyond)
        all[(*n)++] = arena_printf(a, "%s%s%s", difference_text, margins(a, t), verdict_text);
    if (any_kind(t, EXACT))
        all[(*n)++] = "Counts agree if they are equal; the notes say how they are counted.";
    if (any_kind(t, MACHINE))
        all[(*n)++] = "Seconds and bytes depend on machine and program: shown beside the paper's, not judged by "
                      "them. 1 MB = 1048576 bytes.";
    if (t->contrasts) {
        const char *const text[] = {ordering_text, anytime_text, claim_text, one_look_text};
        for (int i = 0; i < 4; i++)
            all[(*n)++] = text[i];
    }
    if (any_splits(t))
        all[(*n)++] = splits_text;
    if (any_untuned(t))
        all[(*n)++] = "untuned: CE with the defaults of the authors' release (200 epochs, learning rate 0.01, weight "
                      "decay 0.0005, width 64, dropout 0.5), not searched. The other rows of CE and JC were "
                      "searched with equal budgets. The paper does not say how its CE was "
                      "tuned.";
    if (any_origin(t, ORIGIN_REBUILT))
        all[(*n)++] = arena_printf(a, "rebuilt: %s", origin_rebuilt_text);
    if (any_origin(t, ORIGIN_SUBSTITUTE))
        all[(*n)++] = "substitute: real data of which a part, such as the features, is not the published one; not "
                      "comparable with the paper.";
    if (any_origin(t, ORIGIN_TWIN))
        all[(*n)++] = "twin: a synthetic graph with the size and statistics of the real one; not comparable with the "
                      "paper.";
    if (left_out)
        all[(*n)++] = "Rows with earlier hyper-parameters, on stand-in data where better data exist, and of repeated "
                      "runs are left out of the cells (counted in the TSV).";
    if (failed)
        all[(*n)++] = "Some runs failed (counted in the TSV); their records give the reasons.";
    return all;
}
