/* explain_text: the table of explain.h in words. Every number is computed from the records; a sentence without runs
 * says so. */
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

/* "+1.20 points (95 % confidence sequence +0.31 to +2.09, 10 runs)", for sentences; brief: without the words. */
static const char *in_words(arena *a, const explain_gain *g, int brief)
{
    if (!g->n)
        return "not measured yet";
    const char *count = arena_printf(a, "%d run%s", g->n, g->n == 1 ? "" : "s");
    if (!isfinite(g->lo))
        return arena_printf(a, "%s points (%s)", render_signed(a, g->mean, 2), count);
    const char *range = arena_printf(a, "%s to %s", render_signed(a, g->lo, 2), render_signed(a, g->hi, 2));
    return brief ? arena_printf(a, "%s points (%s)", render_signed(a, g->mean, 2), range)
                 : arena_printf(a, "%s points (95 %% confidence sequence %s, %s)", render_signed(a, g->mean, 2), range,
                                count);
}

static const char *over(arena *a, const explain_gain *g)
{
    return arena_printf(a, "%d pair%s of data set and model", g->places, g->places == 1 ? "" : "s");
}

/* The number of comparable places where a row is ahead of another, on average and by verdict. */
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

/* The control without the joint loss that has the largest pooled gain over published CE, among those that were run at
 * all places of JC; -1: none. */
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
    buf_add(&t, "JC as published gains %s over CE as published, averaged over %s.", in_words(a, &jc, 0), over(a, &jc));
    if (tuned.n)
        buf_add(&t,
                " CE whose hyper-parameters are searched on validation nodes, with as many points and seeds as "
                "JC's, gains %s from the search alone.",
                in_words(a, &tuned, 1));
    if (left.n)
        buf_add(&t,
                " Against CE with that budget JC gains %s on the paper's partition with the authors' hyper-parameters",
                in_words(a, &left, 1));
    if (left.n && equal.n)
        buf_add(&t, ", %s when JC is searched with the same budget", in_words(a, &equal, 1));
    if (left.n && metis.n)
        buf_add(&t, ", and %s on average over %d%s other METIS partitions", in_words(a, &metis, 1), metis.least,
                metis.most > metis.least ? arena_printf(a, " to %d", metis.most) : "");
    buf_put(&t, left.n ? "." : " CE with JC's budget has not been measured yet.");
    return t.s;
}

/* ---- the five sentences ---- */

static void sentence_holds(arena *a, buf *t, const explain *e)
{
    explain_gain g = pooled(a, e, ROW_JC, ROW_CE);
    count k = count_places(a, e, ROW_JC, ROW_CE);
    buf_add(t, "The gain of JC over CE, both as published, %s: %s on average over %s; it is positive in %d of %d.",
            g.verdict == CONFIRMED      ? "holds"
            : g.verdict == CONTRADICTED ? "does not hold"
            : g.verdict == EQUAL        ? "is within 0.5 points of zero"
                                        : "is not decided",
            in_words(a, &g, 0), over(a, &g), k.above, k.places);
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
        buf_put(t, " No control has been run yet at all places of JC.");
        return;
    }
    explain_gain against = pooled(a, e, ROW_JC, (enum explain_row)which);
    buf_add(t,
            " Of the ways to train without the joint loss the best is \"%s\", %s over CE; JC is %s above that, and %s "
            "above CE whose hyper-parameters were searched with JC's budget%s.",
            explain_title[which], in_words(a, &best, 1), in_words(a, &against, 1), in_words(a, &left, 1),
            budget.n ? arena_printf(a, " (JC searched too: %s)", in_words(a, &budget, 1)) : "");
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
        " Part of it is due to the partition: on the paper's own METIS partition JC is %s above its mean over METIS "
        "partitions from other seeds, and %s above random clusters; on the former it gains over CE ",
        in_words(a, &metis, 1), in_words(a, &random, 1));
    list_gains(a, t, e, ROW_JC_METIS, 1);
    buf_put(t, ".");
}

/* The rule: CE searched if it is as good as both heads of JC searched; else the factorised head if it is less than 0.5
 * points behind; else the full head. */
static void sentence_use(arena *a, buf *t, const explain *e)
{
    explain_gain jcf = pooled(a, e, ROW_JCF, ROW_JC_TUNED), jc = pooled(a, e, ROW_JC_TUNED, ROW_CE_TUNED),
                 both = pooled(a, e, ROW_JCF, ROW_CE_TUNED);
    if (!jcf.n || !jc.n || !both.n) {
        buf_put(t, " A recommendation needs runs of the searched rows.");
        return;
    }
    int matches = jcf.mean > -OVERALL_ROPE, gains = fmax(jc.mean, both.mean) > OVERALL_ROPE;
    buf_add(t,
            " We would use %s: with all hyper-parameters searched, the factorised head (2c outputs instead of c x c) "
            "differs from the full one by %s, and the better of the two from CE by %s points.",
            !gains    ? "CE with its hyper-parameters searched"
            : matches ? "JC with the factorised head"
                      : "JC with the full joint head",
            in_words(a, &jcf, 1), render_signed(a, fmax(jc.mean, both.mean), 2));
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
    buf_add(&t, " on average over METIS partitions from %d other seeds", metis.most);
    if (pooled(a, e, ROW_IC, ROW_CE).n) {
        buf_put(&t, "; in-context learning, which has the cluster means but not the joint loss, gains ");
        list_gains(a, &t, e, ROW_IC, 1);
    }
    buf_add(&t, " (%d pairs of data set and model, %d runs each).", jc.places, jc.n);
    return t.s;
}
