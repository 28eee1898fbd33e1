#include "compare.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Warn if more than this share of the runs chose an epoch in the last twentieth, or if the mean ECE exceeds
 * WILD_ECE percent. */
#define LATE_SHARE 0.5
#define WILD_ECE 40
/* Points of validation accuracy below a linear model from which on a network was plainly not trained; for one whose
 * best epochs are its last, any are enough. */
#define FAR_BELOW 5

static double *differences(arena *a, const compare_pairs *v)
{
    double *x = NEW(a, double, (size_t)v->n + 1);
    for (int i = 0; i < v->n; i++)
        x[i] = v->run[1][i].score - v->run[0][i].score;
    return x;
}

double compare_level(const compare_pairs *v) { return ANYTIME_ALPHA / (v->models > 1 ? v->models : 1); }

static int chose_late(const compare_run *run, int n)
{
    int late = 0;
    for (int i = 0; i < n; i++)
        late += run[i].best_epoch > 0.95 * run[i].epochs;
    return late;
}

static double mean_val(const compare_run *run, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += run[i].val;
    return sum / n;
}

/* Whether side k is below what a linear model reaches without a search. */
static int untrained(const compare_pairs *v, int k)
{
    double below = v->linear - mean_val(v->run[k], v->n);
    return v->n && (below > FAR_BELOW || (below > 0 && chose_late(v->run[k], v->n) > LATE_SHARE * v->n));
}

/* Runs until a decision if the mean is `gain`. */
static double until_decided(const compare_pairs *v, const compare_verdict *d, double gain, double sd)
{
    double decide = anytime_runs_to_decide(d->log_e, log(1 / compare_level(v)), gain, sd, v->n);
    return fmin(decide, anytime_runs_to_equal(gain, sd, v->n, v->margin, compare_level(v)));
}

static void estimate(compare_verdict *d, const compare_pairs *v, const double *x)
{
    double sd = stats_sd(x, v->n), se = sd / sqrt(v->n);
    double more = until_decided(v, d, d->gain + (d->gain < 0 ? -se : se), sd),
           less = fabs(d->gain) > se ? until_decided(v, d, d->gain + (d->gain < 0 ? se : -se), sd) : INFINITY,
           equal = anytime_runs_to_equal(0, sd, v->n, v->margin, compare_level(v));
    d->needed[0] = fmin(more, fmin(less, equal));
    d->needed[1] = fmax(more, less);
}

compare_verdict compare_decide(const compare_pairs *v)
{
    arena a = {0};
    compare_verdict d = {.needed = {INFINITY, INFINITY}, .se_splits = NAN};
    double *x = differences(&a, v), *log_e = NEW(&a, double, (size_t)v->n + 1),
           *score = NEW(&a, double, (size_t)v->n + 1);
    double goal = log(1 / compare_level(v));
    anytime_t(log_e, x, v->n);
    for (int k = 1; k <= v->n && !d.at; k++) {
        double mean = stats_mean(x, k);
        if (log_e[k - 1] >= goal)
            d.word = mean > 0 ? COMPARE_SECOND : COMPARE_FIRST, d.at = k;
        else if (anytime_equal(anytime_interval(x, k, compare_level(v)), v->margin))
            d.word = COMPARE_EQUAL, d.at = k;
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < v->n; i++)
            score[i] = v->run[side][i].score;
        d.mean[side] = stats_mean(score, v->n), d.sd[side] = stats_sd(score, v->n);
    }
    if (v->n) {
        d.gain = stats_mean(x, v->n), d.log_e = log_e[v->n - 1];
        d.interval = anytime_interval(x, v->n, compare_level(v));
        estimate(&d, v, x);
        if (v->splits && v->n > 1)
            d.se_splits = stats_sd(x, v->n) * sqrt(1.0 / v->n + v->test_train);
    }
    if (untrained(v, 0) || untrained(v, 1))
        d.word = COMPARE_UNTRAINED, d.at = 0;
    arena_free(&a);
    return d;
}

/* ---- words ---- */

static int has_interval(stats_interval i) { return !isinf(i.lo) && !isnan(i.lo); }

static void put_scores(buf *out, const compare_pairs *v, const compare_verdict *d)
{
    buf_add(out, " Test %s: %s %.2f %%, %s %.2f %%, difference %+.2f points", v->score, v->name[0], d->mean[0],
            v->name[1], d->mean[1], d->gain);
    if (has_interval(d->interval))
        buf_add(out, " (%g %% confidence sequence %+.2f to %+.2f)", 100 * (1 - compare_level(v)), d->interval.lo,
                d->interval.hi);
    buf_add(out, ", %d pair%s of runs.", v->n, v->n == 1 ? "" : "s");
}

static void put_needed(buf *out, const compare_pairs *v, const compare_verdict *d)
{
    if (v->n < 2)
        buf_put(out, " One pair of runs cannot be tested.");
    else if (isinf(d->needed[0]) || v->n < 3)
        return;
    else if (isinf(d->needed[1]))
        buf_add(out, " A decision needs about %.0f more pairs at the least.", d->needed[0]);
    else
        buf_add(out, " A decision needs about %.0f to %.0f more pairs.", d->needed[0], d->needed[1]);
}

static void put_untrained(buf *out, const compare_pairs *v)
{
    const char *join = "";
    buf_add(out, "Not trained enough to compare %s and %s on %s: on validation nodes ", v->name[0], v->name[1],
            v->about);
    for (int k = 0; k < 2; k++)
        if (untrained(v, k)) {
            buf_add(out, "%s%s has %.1f %%", join, v->name[k], mean_val(v->run[k], v->n));
            join = " and ";
        }
    buf_add(out,
            ", a linear model on the%s features %.1f %%. More --time or a larger --tune searches more; --base "
            "'epochs=1000 patience=100' trains longer.",
            v->linear_hops ? " propagated" : "", v->linear);
}

void compare_sentence(buf *out, const compare_pairs *v, const compare_verdict *d)
{
    const char *a = v->name[0], *b = v->name[1];
    int second = d->word == COMPARE_SECOND;
    switch (d->word) {
    case COMPARE_UNTRAINED: put_untrained(out, v); return;
    case COMPARE_FIRST:
    case COMPARE_SECOND: buf_add(out, "%s is better than %s", second ? b : a, second ? a : b); break;
    case COMPARE_EQUAL: buf_add(out, "%s and %s are practically equal (within %g points)", a, b, v->margin); break;
    default: buf_add(out, "Undecided between %s and %s", a, b);
    }
    buf_add(out, " on %s", v->about);
    if (d->at)
        buf_add(out, ", decided after %d pairs of runs", d->at);
    buf_put(out, ".");
    put_scores(out, v, d);
    if (!d->at)
        put_needed(out, v, d);
}

void compare_doubts_of(buf *out, const char *name, const compare_run *run, int n)
{
    int late = chose_late(run, n);
    double ece = 0;
    for (int i = 0; i < n; i++)
        ece += run[i].ece / n;
    if (late > LATE_SHARE * n)
        buf_add(out,
                "%s chose one of its last epochs in %d of %d runs: it may not have been trained long enough (epochs=%d "
                "patience=100)\n",
                name, late, n, 5 * run[0].epochs);
    if (ece > WILD_ECE)
        buf_add(out,
                "%s is badly calibrated, ECE %.1f %%: its probabilities are unreliable (features on an unsuitable "
                "scale: --norm; too few epochs; an unsuitable temperature: --tau)\n",
                name, ece);
}

void compare_doubts(buf *out, const compare_pairs *v)
{
    for (int k = 0; k < 2; k++)
        compare_doubts_of(out, v->name[k], v->run[k], v->n);
}

void compare_print_line(const compare_pairs *v, const compare_verdict *d)
{
    printf("%4d pairs  %s %.2f  %s %.2f", v->n, v->name[0], d->mean[0], v->name[1], d->mean[1]);
    if (d->word == COMPARE_UNTRAINED)
        printf("  not trained enough");
    else {
        printf("  difference %+.2f", d->gain);
        if (has_interval(d->interval))
            printf("  (%+.2f to %+.2f)", d->interval.lo, d->interval.hi);
        printf("  e-value %.3g", exp(d->log_e));
    }
    printf("\n");
    fflush(stdout);
}

void compare_print(const compare_pairs *v, const compare_verdict *d)
{
    arena a = {0};
    buf out = {.a = &a};
    for (int k = 0; k < 2; k++) {
        buf_add(&out, "%s: %.2f", v->name[k], d->mean[k]);
        if (v->n > 1)
            buf_add(&out, " +- %.2f (sample sd, n = %d)", d->sd[k], v->n);
        buf_add(&out, "%s  %s\n", v->n > 1 ? "" : " (n = 1)", *v->spec[k] ? v->spec[k] : "defaults");
    }
    compare_sentence(&out, v, d);
    buf_put(&out, "\n");
    buf doubts = {.a = &a};
    compare_doubts(&doubts, v);
    printf("%s", out.s);
    for (char *rest = doubts.s, *line; rest && (line = strtok_r(rest, "\n", &rest));)
        printf("warning: %s\n", line);
    arena_free(&a);
}
