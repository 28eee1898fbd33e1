#include "compare.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Warn if more than this share of the runs chose an epoch in the last twentieth, or if the mean ECE exceeds
 * WILD_ECE percent. */
#define LATE_SHARE 0.5
#define WILD_ECE 40

static double *differences(arena *a, const compare_pairs *v)
{
    double *x = NEW(a, double, (size_t)v->n + 1);
    for (int i = 0; i < v->n; i++)
        x[i] = v->run[1][i].acc - v->run[0][i].acc;
    return x;
}

compare_verdict compare_decide(const compare_pairs *v)
{
    arena a = {0};
    compare_verdict d = {.needed = INFINITY};
    double *x = differences(&a, v), *log_e = NEW(&a, double, (size_t)v->n + 1),
           *acc = NEW(&a, double, (size_t)v->n + 1);
    double goal = log(1 / ANYTIME_ALPHA);
    anytime_t(log_e, x, v->n);
    for (int k = 1; k <= v->n && !d.at; k++) {
        double mean = stats_mean(x, k);
        if (log_e[k - 1] >= goal)
            d.word = mean > 0 ? COMPARE_SECOND : COMPARE_FIRST, d.at = k;
        else if (anytime_equal(anytime_interval(x, k, ANYTIME_ALPHA), v->margin))
            d.word = COMPARE_EQUAL, d.at = k;
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < v->n; i++)
            acc[i] = v->run[side][i].acc;
        d.mean[side] = stats_mean(acc, v->n), d.sd[side] = stats_sd(acc, v->n);
    }
    if (v->n) {
        double sd = stats_sd(x, v->n);
        d.gain = stats_mean(x, v->n), d.log_e = log_e[v->n - 1];
        d.interval = anytime_interval(x, v->n, ANYTIME_ALPHA);
        d.needed = fmin(anytime_runs_to_decide(d.log_e, goal, d.gain, sd, v->n),
                        anytime_runs_to_equal(d.gain, sd, v->n, v->margin, ANYTIME_ALPHA));
    }
    arena_free(&a);
    return d;
}

static void put_interval(buf *out, stats_interval i)
{
    if (isinf(i.lo) || isnan(i.lo))
        buf_put(out, "no interval: it needs six runs");
    else
        buf_add(out, "95 %% confidence sequence %+.2f to %+.2f", i.lo, i.hi);
}

void compare_sentence(buf *out, const compare_pairs *v, const compare_verdict *d)
{
    const char *a = v->name[0], *b = v->name[1];
    switch (d->word) {
    case COMPARE_FIRST:
    case COMPARE_SECOND: {
        int second = d->word == COMPARE_SECOND;
        buf_add(out, "%s is better than %s", second ? b : a, second ? a : b);
        break;
    }
    case COMPARE_EQUAL: buf_add(out, "%s and %s are practically equal (within %g points)", a, b, v->margin); break;
    default: buf_add(out, "Undecided between %s and %s", a, b);
    }
    buf_add(out, " on %s: %s %.2f %%, %s %.2f %% (test %s), difference %+.2f points (", v->about, a, d->mean[0], b,
            d->mean[1], v->score, d->gain);
    put_interval(out, d->interval);
    if (v->n < 2)
        buf_put(out, "), one pair of runs, which cannot be tested.");
    else if (d->at)
        buf_add(out, "), decided after %d pairs of runs.", d->at);
    else if (isinf(d->needed) || isnan(d->needed))
        buf_add(out, "), %d pairs of runs.", v->n);
    else
        buf_add(out, "), %d pairs of runs; about %.0f more are needed.", v->n, d->needed);
}

void compare_doubts_of(buf *out, const char *name, const compare_run *run, int n)
{
    int late = 0;
    double ece = 0;
    for (int i = 0; i < n; i++) {
        late += run[i].best_epoch > 0.95 * run[i].epochs;
        ece += run[i].ece / n;
    }
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
    printf("%4d pairs  %s %.2f  %s %.2f  difference %+.2f", v->n, v->name[0], d->mean[0], v->name[1], d->mean[1],
           d->gain);
    if (!isinf(d->interval.lo) && !isnan(d->interval.lo))
        printf("  (%+.2f to %+.2f)", d->interval.lo, d->interval.hi);
    printf("  e-value %.3g", exp(d->log_e));
    if (!d->at && !isinf(d->needed) && !isnan(d->needed))
        printf("  about %.0f more to decide", d->needed);
    printf("\n");
    fflush(stdout);
}

void compare_print(const compare_pairs *v, const compare_verdict *d)
{
    arena a = {0};
    buf out = {.a = &a};
    for (int k = 0; k < 2; k++)
        if (v->n > 1)
            buf_add(&out, "%s: %.2f +- %.2f (sample sd, n = %d)  %s\n", v->name[k], d->mean[k], d->sd[k], v->n,
                    v->spec[k]);
        else
            buf_add(&out, "%s: %.2f (n = 1)  %s\n", v->name[k], d->mean[k], v->spec[k]);
    compare_sentence(&out, v, d);
    buf_put(&out, "\n");
    buf doubts = {.a = &a};
    compare_doubts(&doubts, v);
    printf("%s", out.s);
    for (char *rest = doubts.s, *line; rest && (line = strtok_r(rest, "\n", &rest));)
        printf("warning: %s\n", line);
    arena_free(&a);
}

/* --- The page --- */

enum { WIDE = 860, HIGH = 380, LEFT = 60, RIGHT = 20, TOP = 30, BOTTOM = 46 };

typedef struct axes {
    double lo, hi;
    int n;
} axes;

static double at_x(const axes *x, double run) { return LEFT + (WIDE - LEFT - RIGHT) * (run - 0.5) / x->n; }

static double at_y(const axes *x, double value)
{
    double v = fmin(fmax(value, x->lo), x->hi);
    return TOP + (HIGH - TOP - BOTTOM) * (x->hi - v) / (x->hi - x->lo);
}

static axes fit(const compare_pairs *v, const double *x)
{
    axes f = {-v->margin, v->margin, v->n};
    for (int i = 0; i < v->n; i++)
        f.lo = fmin(f.lo, x[i]), f.hi = fmax(f.hi, x[i]);
    double gap = 0.15 * (f.hi - f.lo) + 0.1;
    return (axes){f.lo - gap, f.hi + gap, f.n};
}

static double tick_step(double range)
{
    double step = pow(10, floor(log10(range / 4)));
    return range / step > 20 ? 5 * step : range / step > 8 ? 2 * step : step;
}

/* Draws the difference of each run, their running mean, the confidence sequence as a band and the margin as dashed
 * lines. */
static void draw(buf *out, arena *a, const compare_pairs *v)
{
    double *x = differences(a, v);
    axes f = fit(v, x);
    double step = tick_step(f.hi - f.lo);
    buf_add(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"difference by run\">\n", WIDE, HIGH);
    for (double t = ceil(f.lo / step) * step; t <= f.hi; t += step) {
        int zero = fabs(t) < step / 2;
        buf_add(out,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"%s\"/><text x=\"%d\" y=\"%.1f\" "
                "class=\"y\">%s</text>\n",
                LEFT, WIDE - RIGHT, at_y(&f, t), at_y(&f, t), zero ? "zero" : "grid", LEFT - 8, at_y(&f, t) + 4,
                zero ? "0" : arena_printf(a, "%+.4g", t));
    }
    int every = v->n > 20 ? 5 : 1; /* runs with a number below */
    for (int k = every; k <= v->n; k += every)
        buf_add(out, "<text x=\"%.1f\" y=\"%d\" class=\"x\">%d</text>\n", at_x(&f, k), HIGH - BOTTOM + 16, k);
    buf_add(out, "<text x=\"%d\" y=\"%d\">", LEFT + 4, TOP - 6);
    buf_html(out, v->name[1]);
    buf_put(out, " - ");
    buf_html(out, v->name[0]);
    buf_add(out, ", test %s, points</text>\n", v->score);
    for (int s = -1; s <= 1; s += 2)
        buf_add(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"margin\"/>\n", LEFT, WIDE - RIGHT,
                at_y(&f, s * v->margin), at_y(&f, s * v->margin));
    buf band = {.a = a}, back = {.a = a}, mean = {.a = a};
    for (int k = 1; k <= v->n; k++) {
        stats_interval c = anytime_interval(x, k, ANYTIME_ALPHA);
        buf_add(&mean, "%.1f,%.1f ", at_x(&f, k), at_y(&f, stats_mean(x, k)));
        if (!isinf(c.lo) && !isnan(c.lo))
            buf_add(&band, "%.1f,%.1f ", at_x(&f, k), at_y(&f, c.hi));
    }
    for (int k = v->n; k >= 1; k--) {
        stats_interval c = anytime_interval(x, k, ANYTIME_ALPHA);
        if (!isinf(c.lo) && !isnan(c.lo))
            buf_add(&back, "%.1f,%.1f ", at_x(&f, k), at_y(&f, c.lo));
    }
    if (band.s)
        buf_add(out, "<polygon class=\"band\" points=\"%s%s\"/>\n", band.s, back.s);
    buf_add(out, "<polyline class=\"mean\" points=\"%s\"/>\n", mean.s);
    for (int i = 0; i < v->n; i++)
        buf_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>run %d: %+.2f</title></circle>\n", at_x(&f, i + 1),
                at_y(&f, x[i]), i, x[i]);
    buf_add(out, "<text x=\"%d\" y=\"%d\" class=\"x\">pair of runs</text>\n</svg>\n", (LEFT + WIDE - RIGHT) / 2,
            HIGH - 8);
}

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:900px;margin:2rem auto;padding:0 "
    "1rem;color:#222}h1{font-size:1.4rem}.figure{overflow-x:auto}svg{width:100%;min-width:560px;height:auto}.grid{"
    "stroke:#e4e4e4}.zero{stroke:#555}.margin{stroke:#999;stroke-dasharray:5 "
    "4}.band{fill:#0072b2;opacity:.18}.mean{fill:none;stroke:#0072b2;stroke-width:2}circle{fill:#0072b2}text{font-size:"
    "13px;fill:#444}.y{text-anchor:end}.x{text-anchor:middle}table{border-collapse:collapse;width:100%}td,th{padding:."
    "25rem .6rem;text-align:left;border-bottom:1px solid "
    "#ddd}code{font-size:.85rem;overflow-wrap:anywhere}.doubt{color:#a33}";

void compare_page(arena *a, const compare_pairs *v, const compare_verdict *d, const char *dir, const char *name)
{
    buf out = {.a = a}, text = {.a = a};
    compare_sentence(&text, v, d);
    buf_add(&out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" "
            "content=\"width=device-width\"/><title>jcb compare</title><style>%s</style></head>\n<body>\n<h1>",
            style);
    buf_html(&out, v->name[0]);
    buf_put(&out, " against ");
    buf_html(&out, v->name[1]);
    buf_put(&out, "</h1>\n<p><strong>");
    buf_html(&out, text.s);
    buf_put(&out, "</strong></p>\n");
    text = (buf){.a = a};
    compare_doubts(&text, v);
    for (char *rest = text.s, *line; rest && (line = strtok_r(rest, "\n", &rest));) {
        buf_put(&out, "<p class=\"doubt\">");
        buf_html(&out, line);
        buf_put(&out, "</p>\n");
    }
    buf_put(&out, "<div class=\"figure\">\n");
    draw(&out, a, v);
    buf_put(&out, "</div>\n");
    buf_add(
        &out,
        "<p>Dots: difference of test %s in points, %s - %s, on the same split and seed, n = %d. Line: their running "
        "mean. Band: 95 %% confidence sequence, from the sixth run on, valid simultaneously for all n, so that one may "
        "stop at any time. Dashed: the margin of practical equality, %g points.</p>\n<p>",
        v->score, v->name[1], v->name[0], v->n, v->margin);
    buf_html(&out, v->search);
    buf_add(&out,
            "</p>\n<div class=\"figure\"><table><tr><th>loss</th><th>test "
            "%s</th><th>sd</th><th>n</th><th>hyper-parameters</th></tr>\n",
            v->score);
    for (int k = 0; k < 2; k++) {
        buf_put(&out, "<tr><td>");
        buf_html(&out, v->name[k]);
        buf_add(&out, "</td><td>%.2f %%</td><td>", d->mean[k]);
        buf_add(&out, v->n > 1 ? "%.2f" : "-", d->sd[k]);
        buf_add(&out, "</td><td>%d</td><td><code>", v->n);
        buf_html(&out, *v->spec[k] ? v->spec[k] : "the defaults");
        buf_put(&out, "</code></td></tr>\n");
    }
    buf_put(&out, "</table></div>\n</body></html>\n");
    buf_save(&out, dir, name, ".html");
}
