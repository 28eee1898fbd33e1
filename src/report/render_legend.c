/* render_legend: what the words and numbers of a table mean, as far as the table has them. */
#include "table_parts.h"
#include <math.h>
#include <string.h>

static int any_kind(const table *t, int kind)
{
    for (int i = 0; i < t->paper.n; i++)
        if ((int)t->cell[i].metric->kind == kind)
            return 1;
    return 0;
}

static int any_origin(const table *t, const char *origin)
{
    for (int i = 0; i < t->paper.n; i++)
        if (!strcmp(t->cell[i].origin, origin))
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

static const char *const ours_text = "ours: mean ± sample standard deviation (number of runs); paper: as printed, ";
static const char *const deviation_text =
    "10 runs. The paper's small-graph tables print the population deviation for GCN, SGC and MLP (at 10 runs "
    "5 % smaller than the sample one) and the sample one for GAT and SAGE.";
static const char *const difference_text =
    "difference: ours minus the paper's, with its 95 % confidence interval (Welch, from both summaries; where the "
    "paper prints no deviation, from our runs alone). With a margin m (";
static const char *const verdict_text =
    "): agrees = the interval lies within ±m, or contains 0 and reaches to each side of the difference no further "
    "than m or twice the paper's deviation; higher, lower = it lies beyond 0 and not within ±m; undecided = it is too "
    "wide to tell, or there is one run.";
static const char *const ordering_text =
    "Orderings: each one that the paper's numbers state, tested on our runs paired by run and seed: mean difference "
    "with its 95 % interval, bootstrap interval (BCa), paired t, exact Wilcoxon signed-rank, and Holm's correction of "
    "the t test over the table. confirmed, contradicted = the paper's sign or the other one, with a Holm p below 0.05; "
    "undecided = neither. Bytes and links that are the same in every run are judged by their sign.";

const char **render_legend(arena *a, const table *t, int *n)
{
    int failed = 0, left_out = 0, deviations = 0;
    const char **all = NEW(a, const char *, 11);
    *n = 0;
    for (int i = 0; i < t->paper.n; i++) {
        failed |= t->cell[i].failed;
        left_out |= t->cell[i].left_out;
        deviations |= !isnan(t->paper.cell[i].sd);
    }
    all[(*n)++] = arena_printf(a, "%s%s", ours_text, deviations ? deviation_text : "without deviations.");
    if (any_kind(t, MEASURED))
        all[(*n)++] = arena_printf(a, "%s%s%s", difference_text, margins(a, t), verdict_text);
    if (any_kind(t, EXACT))
        all[(*n)++] = "Counts agree when they are equal; the notes name the ways of counting.";
    if (any_kind(t, MACHINE))
        all[(*n)++] = "Seconds and bytes belong to a computer and a program: shown beside the paper's, not judged by "
                      "them. 1 MB = 1048576 bytes.";
    if (t->contrasts)
        all[(*n)++] = ordering_text;
    if (any_origin(t, "rebuilt"))
        all[(*n)++] = arena_printf(a, "rebuilt: %s", origin_rebuilt_text);
    if (any_origin(t, "substitute"))
        all[(*n)++] = "substitute: real data of which a part, such as the features, is not the published one; not "
                      "comparable with the paper.";
    if (any_origin(t, "twin"))
        all[(*n)++] = "twin: a synthetic graph with the size and statistics of the real one; not comparable with the "
                      "paper.";
    if (left_out)
        all[(*n)++] = "Rows of earlier hyper-parameters, of stand-in data where there is better data, and of repeated "
                      "runs are left out of the cells (counted in the TSV).";
    if (failed)
        all[(*n)++] = "Some runs failed (counted in the TSV); their records give the reasons.";
    return all;
}
