/* explain_text: what the table of explain.h says, in words. Every number is computed from the records; a sentence whose
 * runs are not there says so. */
#include "explain.h"
#include <math.h>
#include <string.h>

const char *explain_show(arena *a, const explain_gain *g)
{
    if (!g->n)
        return "–";
    if (!isfinite(g->lo))
        return arena_printf(a, "%s, n %d", render_signed(a, g->mean, 2), g->n);
    return arena_printf(a, "%s (%s, %s), n %d", render_signed(a, g->mean, 2), render_signed(a, g->lo, 2),
                        render_signed(a, g->hi, 2), g->n);
}

static explain_gain pooled(arena *a, const explain *e, enum explain_row row, enum explain_row against)
{
    return explain_pooled(a, e, row, against, NULL, NULL);
}

/* "+1.20 (+0.31, +2.09), n 10 points over 15 pairs" */
static const char *over(arena *a, const explain_gain *g)
{
    return g->n ? arena_printf(a, "%s points over %d pair%s of data set and model", explain_show(a, g), g->places,
                               g->places == 1 ? "" : "s")
                : "not measured yet";
}

/* At how many comparable places row is ahead of against, on average and by the verdict. */
typedef struct count {
    int places, above, ahead, behind, equal;
} count;

static count count_places(arena *a, const explain *e, enum explain_row row, enum explain_row against)
{
    count k = {0};
    for (int i = 0; i < e->places; i++) {
        explain_gain g = explain_at(a, &e->place[i], row, against);
        if (!g.n || !origin_comparable(e->place[i].at.origin))
            continue;
        k.places++, k.above += g.mean > 0;
        k.ahead += g.verdict == CONFIRMED, k.behind += g.verdict == CONTRADICTED, k.equal += g.verdict == EQUAL;
    }
    return k;
}

/* The control on the side of CE with the largest pooled gain over published CE, of those that are at all places where
 * JC is; -1: none. */
static int best_control(arena *a, const explain *e, explain_gain *best)
{
    int which = -1, places = pooled(a, e, ROW_JC, ROW_CE).places;
    *best = (explain_gain){0};
    for (int k = ROW_CE + 1; k <= ROW_IC; k++) {
        explain_gain g = pooled(a, e, (enum explain_row)k, ROW_CE);
        if (g.n && g.places >= places && (which < 0 || g.mean > best->mean))
            which = k, *best = g;
    }
    return which;
}

const char *explain_text(arena *a, const explain *e)
{
    explain_gain jc = pooled(a, e, ROW_JC, ROW_CE), tuned = pooled(a, e, ROW_CE_TUNED, ROW_CE),
                 left = pooled(a, e, ROW_JC, ROW_CE_TUNED), equal = pooled(a, e, ROW_JC_TUNED, ROW_CE_TUNED),
                 metis = pooled(a, e, ROW_JC_METIS, ROW_CE_TUNED);
    if (!jc.n)
        return NULL;
    buf t = {.a = a};
    buf_add(&t, "JC as published gains %s over CE as published.", over(a, &jc));
    if (tuned.n)
        buf_add(&t, " CE searched on validation nodes, with as many points and seeds as JC, gains %s by that alone.",
                over(a, &tuned));
    if (left.n)
        buf_add(&t,
                " What is left of JC's gain once CE has that budget: %s on the paper's partition with the authors' "
                "hyper-parameters",
                over(a, &left));
    if (left.n && equal.n)
        buf_add(&t, ", %s with JC searched by the same budget", over(a, &equal));
    if (left.n && metis.n)
        buf_add(&t, ", %s as a mean over %d%s other METIS partitions", over(a, &metis), metis.least,
                metis.most > metis.least ? arena_printf(a, " to %d", metis.most) : "");
    buf_put(&t, left.n ? "." : " CE with JC's budget has not been measured yet.");
    return t.s;
}

/* ---- the five sentences ---- */

static void sentence_holds(arena *a, buf *t, const explain *e)
{
    explain_gain g = pooled(a, e, ROW_JC, ROW_CE);
    count k = count_places(a, e, ROW_JC, ROW_CE);
    buf_add(t, "JC's published gain over published CE %s: %s, ahead on average in %d of %d pairs.",
            g.verdict == CONFIRMED      ? "holds"
            : g.verdict == CONTRADICTED ? "does not hold"
            : g.verdict == EQUAL        ? "is within 0.5 points of nothing"
                                        : "is not decided",
            over(a, &g), k.above, k.places);
}

/* "+0.78 for GCN, +1.05 for SGC": the pooled gain of each data set, or of each model, in the order of the places. */
static void list_gains(arena *a, buf *t, const explain *e, enum explain_row row, int by_model)
{
    for (int i = 0, n = 0; i < e->places; i++) {
        char out[64];
        const char *name = by_model ? e->place[i].at.model : e->place[i].at.dataset;
        explain_gain g =
            by_model ? explain_pooled(a, e, row, ROW_CE, NULL, name) : explain_pooled(a, e, row, ROW_CE, name, NULL);
        int seen = 0;
        for (int j = 0; j < i; j++)
            seen |= !strcmp(name, by_model ? e->place[j].at.model : e->place[j].at.dataset);
        if (seen || !g.n)
            continue;
        buf_add(t, "%s%s %s %s", n++ ? ", " : "", render_signed(a, g.mean, 2), by_model ? "for" : "on",
                table_title(by_model ? "model" : "dataset", name, (int)strlen(name), out));
    }
}

static void sentence_where(arena *a, buf *t, const explain *e)
{
    buf_put(t, " By data set the gain is ");
    list_gains(a, t, e, ROW_JC, 0);
    buf_put(t, "; by model it is ");
    list_gains(a, t, e, ROW_JC, 1);
    buf_put(t, ".");
}

static void sentence_control(arena *a, buf *t, const explain *e)
{
    explain_gain best, left = pooled(a, e, ROW_JC, ROW_CE_TUNED), budget = pooled(a, e, ROW_JC_TUNED, ROW_CE_TUNED);
    int which = best_control(a, e, &best);
    if (which < 0 || !left.n) {
        buf_put(t, " No control has been run yet wherever JC has.");
        return;
    }
    explain_gain against = pooled(a, e, ROW_JC, (enum explain_row)which);
    buf_add(t,
            " The strongest control without the joint loss is \"%s\" (%s), against which JC keeps %s; against CE "
            "searched with JC's budget it keeps %s%s.",
            explain_title[which], explain_show(a, &best), explain_show(a, &against), explain_show(a, &left),
            budget.n ? arena_printf(a, ", searched itself %s", explain_show(a, &budget)) : "");
}

static void sentence_partition(arena *a, buf *t, const explain *e)
{
    explain_gain metis = pooled(a, e, ROW_JC, ROW_JC_METIS), random = pooled(a, e, ROW_JC, ROW_JC_RANDOM);
    if (!metis.n || !random.n) {
        buf_put(t, " How much of it is the partition has not been measured yet.");
        return;
    }
    buf_add(
        t,
        " On the paper's own METIS answer JC is %s points above its mean over other METIS starts, and %s above random "
        "clusters: so much is the partition. As a mean over the other starts JC gains over CE ",
        explain_show(a, &metis), explain_show(a, &random));
    list_gains(a, t, e, ROW_JC_METIS, 1);
    buf_put(t, ".");
}

/* The rule: the factorised head when it is not behind JC searched by 0.5 points or more; unless CE searched is as good
 * as both. */
static void sentence_use(arena *a, buf *t, const explain *e)
{
    explain_gain jcf = pooled(a, e, ROW_JCF, ROW_JC_TUNED), jc = pooled(a, e, ROW_JC_TUNED, ROW_CE_TUNED),
                 both = pooled(a, e, ROW_JCF, ROW_CE_TUNED);
    if (!jcf.n || !jc.n || !both.n) {
        buf_put(t, " What we would use is not decided before the searched rows have runs.");
        return;
    }
    int matches = jcf.mean > -OVERALL_ROPE, gains = fmax(jc.mean, both.mean) > OVERALL_ROPE;
    buf_add(t,
            " We would use %s: the factorised head, with O(c) outputs, is %s points from JC searched, and the better "
            "of the two %s points from CE searched.",
            !gains    ? "CE with its hyper-parameters searched"
            : matches ? "JC with the factorised head"
                      : "JC with the full joint head",
            explain_show(a, &jcf), render_signed(a, fmax(jc.mean, both.mean), 2));
}

const char *explain_summary(arena *a, const explain *e)
{
    buf t = {.a = a};
    if (!pooled(a, e, ROW_JC, ROW_CE).n)
        return NULL;
    sentence_holds(a, &t, e);
    sentence_where(a, &t, e);
    sentence_control(a, &t, e);
    sentence_partition(a, &t, e);
    sentence_use(a, &t, e);
    return t.s;
}

const char *explain_sentence(arena *a, const explain *e)
{
    explain_gain jc = pooled(a, e, ROW_JC, ROW_CE), metis = pooled(a, e, ROW_JC_METIS, ROW_CE);
    if (!jc.n || !metis.n)
        return NULL;
    buf t = {.a = a};
    buf_put(&t, "By model, the gain of JC over CE is ");
    list_gains(a, &t, e, ROW_JC, 1);
    buf_put(&t, " (points) on the paper's own METIS partition, and ");
    list_gains(a, &t, e, ROW_JC_METIS, 1);
    buf_add(&t, " as a mean over %d other METIS starts", metis.most);
    if (pooled(a, e, ROW_IC, ROW_CE).n) {
        buf_put(&t, "; in-context learning, which has the cluster means but not the joint loss, gains ");
        list_gains(a, &t, e, ROW_IC, 1);
    }
    buf_add(&t, " (%d pairs of data set and model, %d runs each).", jc.places, jc.n);
    return t.s;
}
