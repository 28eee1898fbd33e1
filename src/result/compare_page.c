/* The page of a comparison: verdict, differences run by run, scores, search, data, how to go on; and the list of all
 * comparisons of a directory. */
#include "../base/err.h"
#include "../base/tsv.h"
#include "compare.h"
#include "page.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 860, HIGH = 380, LEFT = 60, RIGHT = 20, TOP = 30, BOTTOM = 46 };

static const char *const verdict_word[] = {[COMPARE_OPEN] = "undecided",
                                           [COMPARE_FIRST] = "first",
                                           [COMPARE_SECOND] = "second",
                                           [COMPARE_EQUAL] = "equal",
                                           [COMPARE_UNTRAINED] = "not trained enough"};

static double difference(const compare_pairs *v, int i) { return v->run[1][i].score - v->run[0][i].score; }

/* ---- the picture: difference of each run, their running mean, the confidence sequence, the margin ---- */

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

static const char style[] =
    "<style>.grid{stroke:#e4e4e4}.zero{stroke:#555}.margin{stroke:#999;stroke-dasharray:5 4}.band{fill:#0072b2;opacity:"
    ".18}.mean{fill:none;stroke:#0072b2;stroke-width:2}circle{fill:#0072b2}text{font:13px sans-serif;fill:#444}.y{"
    "text-anchor:end}.x{text-anchor:middle}</style>";

static void draw_axes(buf *out, const compare_pairs *v, const axes *f)
{
    double step = tick_step(f->hi - f->lo);
    for (double t = ceil(f->lo / step) * step; t <= f->hi; t += step) {
        int zero = fabs(t) < step / 2;
        buf_add(out,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"%s\"/><text x=\"%d\" y=\"%.1f\" "
                "class=\"y\">%s</text>\n",
                LEFT, WIDE - RIGHT, at_y(f, t), at_y(f, t), zero ? "zero" : "grid", LEFT - 8, at_y(f, t) + 4,
                zero ? "0" : arena_printf(out->a, "%+.4g", t));
    }
    int every = v->n > 20 ? 5 : 1; /* runs with a number below */
    for (int k = every; k <= v->n; k += every)
        buf_add(out, "<text x=\"%.1f\" y=\"%d\" class=\"x\">%d</text>\n", at_x(f, k), HIGH - BOTTOM + 16, k);
    buf_add(out, "<text x=\"%d\" y=\"%d\">", LEFT + 4, TOP - 6);
    buf_html(out, v->name[1]);
    buf_put(out, " - ");
    buf_html(out, v->name[0]);
    buf_add(out, ", test %s, points</text>\n", v->score);
    for (int s = -1; s <= 1; s += 2)
        buf_add(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"margin\"/>\n", LEFT, WIDE - RIGHT,
                at_y(f, s * v->margin), at_y(f, s * v->margin));
}

static void draw_interval(buf *out, const double *x, const axes *f, double alpha)
{
    buf band = {.a = out->a}, back = {.a = out->a}, mean = {.a = out->a};
    for (int k = 1; k <= f->n; k++) {
        stats_interval c = anytime_interval(x, k, alpha);
        buf_add(&mean, "%.1f,%.1f ", at_x(f, k), at_y(f, stats_mean(x, k)));
        if (!isinf(c.lo) && !isnan(c.lo))
            buf_add(&band, "%.1f,%.1f ", at_x(f, k), at_y(f, c.hi));
    }
    for (int k = f->n; k >= 1; k--) {
        stats_interval c = anytime_interval(x, k, alpha);
        if (!isinf(c.lo) && !isnan(c.lo))
            buf_add(&back, "%.1f,%.1f ", at_x(f, k), at_y(f, c.lo));
    }
    if (band.s)
        buf_add(out, "<polygon class=\"band\" points=\"%s%s\"/>\n", band.s, back.s);
    buf_add(out, "<polyline class=\"mean\" points=\"%s\"/>\n", mean.s);
}

static void picture(doc *d, const compare_pairs *v)
{
    buf out = {.a = d->a};
    double *x = NEW(d->a, double, (size_t)v->n + 1);
    for (int i = 0; i < v->n; i++)
        x[i] = difference(v, i);
    axes f = fit(v, x);
    buf_add(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">%s\n",
            WIDE, HIGH, WIDE, HIGH, style);
    draw_axes(&out, v, &f);
    draw_interval(&out, x, &f, compare_level(v));
    for (int i = 0; i < v->n; i++)
        buf_add(&out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>run %d: %+.2f</title></circle>\n",
                at_x(&f, i + 1), at_y(&f, x[i]), i, x[i]);
    buf_add(&out, "<text x=\"%d\" y=\"%d\" class=\"x\">pair of runs</text>\n</svg>\n", (LEFT + WIDE - RIGHT) / 2,
            HIGH - 8);
    doc_block figure = {.kind = DOC_FIGURE, .level = 1, .id = "differences", .svg = out.s, .size = out.n};
    figure.text =
        arena_printf(d->a, "Difference of test %s, %s - %s, by pair of runs.", v->score, v->name[1], v->name[0]);
    figure.more = arena_printf(
        d->a,
        "Dots: both runs of a pair have the same split and seed. Line: running mean. Band: %g %% confidence sequence, "
        "valid at all n at once, so that one may stop at any time; it begins with the sixth pair or later. Dashed: the "
        "margin of practical equality, %g points.",
        100 * (1 - compare_level(v)), v->margin);
    doc_figure(d, &figure);
}

/* ---- tables ---- */

static void put_number(doc_grid *g, const char *format, double x)
{
    doc_cell_put(g, isnan(x) ? "-" : arena_printf(g->a, format, x));
}

static double mean_of_val(const compare_run *run, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += run[i].val;
    return sum / n;
}

static void scores(doc *d, const compare_pairs *v, const compare_verdict *t)
{
    const char **head = NEW(d->a, const char *, 6);
    memcpy(head, (const char *[]){"loss", "", "sd", "validation accuracy, %", "runs", "hyper-parameters"},
           6 * sizeof *head);
    head[1] = arena_printf(d->a, "test %s, %%", v->score);
    doc_heading(d, 2, "scores", "Scores");
    doc_grid *g = doc_table(d, head, 6);
    for (int k = 0; k < 2; k++) {
        doc_cell_put(g, v->name[k]);
        put_number(g, "%.2f", t->mean[k]);
        put_number(g, "%.2f", v->n > 1 ? t->sd[k] : NAN);
        put_number(g, "%.2f", mean_of_val(v->run[k], v->n));
        doc_cell_say(g, "%d", v->n);
        doc_cell_say(g, DOC_CODE "%s" DOC_CODE_END, *v->spec[k] ? v->spec[k] : "defaults");
    }
    if (!isnan(v->linear))
        doc_say(d, DOC_SMALL,
                "A linear model on the%s features has %.2f %% on the validation nodes of the first split.",
                v->linear_hops ? " propagated" : "", v->linear);
    if (v->splits)
        doc_say(d, DOC_SMALL,
                "The %d published splits overlap, so runs on them are not independent and end with the last of them. "
                "%s--base split=redraw draws a split of the same sizes for each run.",
                v->splits,
                isnan(t->se_splits) ? ""
                                    : arena_printf(d->a,
                                                   "The standard error of the difference for overlapping splits "
                                                   "(Nadeau and Bengio) is %.2f points. ",
                                                   t->se_splits));
}

static void search(doc *d, const compare_pairs *v)
{
    static const char *const head[] = {"loss", "point", "validation accuracy, %", "sd", "runs"};
    doc_heading(d, 2, "search", "Search for hyper-parameters");
    doc_put(d, DOC_TEXT, v->search);
    if (!v->points[0] || !v->points[1])
        return;
    doc_fold(d, 0, "All points, the best first");
    doc_grid *g = doc_table(d, head, 5);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < v->points[k]; i++) {
            const compare_point *p = v->point[k] + i;
            doc_cell_put(g, v->name[k]);
            doc_cell_say(g, DOC_CODE "%s" DOC_CODE_END, p->text);
            doc_cell_put(g, isnan(p->val) ? "failed" : arena_printf(d->a, "%.2f", p->val));
            put_number(g, "%.2f", p->sd);
            doc_cell_say(g, "%d", p->runs);
        }
    doc_fold_end(d);
}

static void facts(doc *d, const compare_pairs *v)
{
    doc_heading(d, 2, "data", "Data and program");
    for (int i = 0; i < v->facts; i++)
        doc_say(d, DOC_ITEM, "%s: %s", v->fact[i].name, v->fact[i].text);
}

/* ---- the row ---- */

static void write_row(const compare_pairs *v, const compare_verdict *t, const char *dir, const char *name)
{
    arena a = {0};
    buf out = {.a = &a};
    buf_put(&out,
            "about\tfirst\tsecond\tscore\tpairs\tverdict\tdecided_at\tfirst_mean\tsecond_mean\tdifference\tlo\thi\t"
            "e_value\tlevel\tlinear_val\tfirst_spec\tsecond_spec");
    for (int i = 0; i < v->facts; i++)
        buf_add(&out, "\t%s", v->fact[i].name);
    buf_add(&out, "\n%s\t%s\t%s\t%s\t%d\t%s\t%d", v->about, v->name[0], v->name[1], v->score, v->n,
            verdict_word[t->word], t->at);
    const double number[] = {t->mean[0],
                             t->mean[1],
                             t->gain,
                             isinf(t->interval.lo) ? NAN : t->interval.lo,
                             isinf(t->interval.hi) ? NAN : t->interval.hi,
                             exp(t->log_e),
                             compare_level(v),
                             v->linear};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        buf_number(&out, number[i]);
    buf_add(&out, "\t%s\t%s", v->spec[0], v->spec[1]);
    for (int i = 0; i < v->facts; i++)
        buf_add(&out, "\t%s", v->fact[i].text);
    buf_put(&out, "\n");
    buf_save(&out, dir, name, ".tsv");
    arena_free(&a);
}

void compare_page(arena *a, const compare_pairs *v, const compare_verdict *t, const char *dir, const char *name)
{
    buf text = {.a = a};
    doc d = {.a = a};
    const char *title = arena_printf(a, "%s against %s on %s", v->name[0], v->name[1], v->about);
    compare_sentence(&text, v, t);
    doc_heading(&d, 1, "verdict", title);
    doc_say(&d, t->word == COMPARE_UNTRAINED ? DOC_NOTE : DOC_TEXT, t->at ? DOC_B "%s" DOC_B_END : "%s", text.s);
    text = (buf){.a = a};
    compare_doubts(&text, v);
    for (char *rest = text.s, *line; rest && (line = strtok_r(rest, "\n", &rest));)
        doc_put(&d, DOC_NOTE, line);
    picture(&d, v);
    scores(&d, v, t);
    search(&d, v);
    facts(&d, v);
    doc_heading(&d, 2, "more", "How to go on");
    doc_put(&d, DOC_TEXT,
            "The same command again adds pairs to these, up to --runs; finished runs are kept. More --time searches "
            "more points and takes the search up again; --until runs goes on after a verdict.");
    doc_put(&d, DOC_COMMANDS, v->command);
    page_write(arena_printf(a, "%s/%s.html", dir, name), title, &d, 0);
    write_row(v, t, dir, name);
}

/* ---- the list ---- */

static int by_text(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

/* The names of DIR/NAME.tsv, sorted. */
static char **names(arena *a, const char *dir, int *n)
{
    DIR *d = opendir(dir);
    int capacity = 0;
    if (!d)
        die("%s: cannot be read", dir);
    while (readdir(d))
        capacity++;
    rewinddir(d);
    char **name = NEW(a, char *, (size_t)capacity + 1);
    *n = 0;
    for (struct dirent *e; (e = readdir(d)) && *n < capacity;) {
        size_t size = strlen(e->d_name);
        if (size > 4 && !strcmp(e->d_name + size - 4, ".tsv"))
            name[(*n)++] = arena_printf(a, "%.*s", (int)(size - 4), e->d_name);
    }
    closedir(d);
    qsort(name, (size_t)*n, sizeof *name, by_text);
    return name;
}

static void list(doc_grid *g, const tsv *t, const char *name)
{
    const char *word = tsv_get(t, 0, "verdict"), *first = tsv_get(t, 0, "first"), *second = tsv_get(t, 0, "second");
    int untrained = !strcmp(word, verdict_word[COMPARE_UNTRAINED]);
    doc_cell_say(g, DOC_LINK "%s.html" DOC_LINK_TEXT "%s" DOC_LINK_END, name, tsv_get(t, 0, "about"));
    doc_cell_say(g, "%s, %s", first, second);
    if (!strcmp(word, verdict_word[COMPARE_FIRST]) || !strcmp(word, verdict_word[COMPARE_SECOND]))
        doc_cell_say(g, "%s is better", strcmp(word, verdict_word[COMPARE_FIRST]) ? second : first);
    else
        doc_cell_put(g, word);
    put_number(g, "%+.2f", untrained ? NAN : tsv_number(t, 0, "difference"));
    double lo = tsv_number(t, 0, "lo");
    doc_cell_put(g, isnan(lo) || untrained ? "-" : arena_printf(g->a, "%+.2f to %+.2f", lo, tsv_number(t, 0, "hi")));
    doc_cell_put(g, tsv_get(t, 0, "score"));
    doc_cell_put(g, tsv_get(t, 0, "pairs"));
}

void compare_index(arena *a, const char *dir)
{
    static const char *const head[] = {"data set, model",     "losses", "verdict", "difference, points",
                                       "confidence sequence", "score",  "pairs"};
    int n;
    char **name = names(a, dir, &n);
    doc d = {.a = a};
    doc_heading(&d, 1, "comparisons", "Comparisons of losses");
    doc_put(&d, DOC_SMALL, "Differences: second loss minus first, mean over pairs of runs.");
    doc_grid *g = doc_table(&d, head, 7);
    for (int i = 0; i < n; i++) {
        tsv t = tsv_read(a, arena_printf(a, "%s/%s.tsv", dir, name[i]));
        if (t.rows == 1 && tsv_col(&t, "decided_at") >= 0)
            list(g, &t, name[i]);
    }
    page_write(arena_printf(a, "%s/index.html", dir), "jcb compare", &d, 0);
}
