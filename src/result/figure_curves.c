/* figure_curves: figures from the curves that runs write beside their records, CURVES/EXPERIMENT/KEY.tsv.
 *
 *   tsne      node class x y, "# silhouette S"     loss_gap  epoch train_loss test_loss
 *   ece       lo hi count confidence accuracy, 10 bins
 *
 * A run whose file is missing or damaged is left out and reported; one that cannot be read is an error. */
#include "../base/err.h"
#include "../base/file.h"
#include "figure_parts.h"
#include "stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 10 };

typedef struct curve_kind {
    const char *experiment, *columns[6];
    int rows; /* required number of rows; 0: any */
} curve_kind;

static const curve_kind tsne_kind = {"tsne", {"class", "x", "y"}, 0};
static const curve_kind gap_kind = {"loss_gap", {"epoch", "train_loss", "test_loss"}, 0};
static const curve_kind ece_kind = {"ece", {"lo", "hi", "count", "confidence", "accuracy"}, BINS};

/* ---- reading ---- */

typedef struct reading {
    arena *a;
    const curve_kind *kind;
    bytes text;
    tsv t;
} reading;

static void read_curve(void *arg)
{
    reading *r = arg;
    const char *path = r->text.path;
    if (!r->text.p)
        die("%s: not found", path);
    r->t = tsv_parse(r->a, path, (char *)r->text.p, r->text.n);
    if (r->t.torn || !r->t.rows || (r->kind->rows && r->t.rows != r->kind->rows))
        die("%s: %d complete rows%s, not the curve of a run", path, r->t.rows, r->t.torn ? " and a torn one" : "");
    for (const char *const *c = r->kind->columns; *c; c++) {
        tsv_need(&r->t, *c);
        for (int i = 0; i < r->t.rows; i++) {
            int empty = tsv_col(&r->t, "count") >= 0 && tsv_number(&r->t, i, "count") == 0; /* a bin without nodes */
            if (!isfinite(tsv_number(&r->t, i, *c)) && !empty)
                die("%s: row %d: %s is no number", path, i + 1, *c);
        }
    }
}

typedef struct curves {
    const table_cell *cell;
    tsv *t;
    int n;
} curves;

static curves curves_read(figure *f, const figure_source *in, const table_cell *c, const curve_kind *kind)
{
    curves out = {.cell = c, .t = NEW(f->a, tsv, (size_t)c->n + 1)};
    for (int i = 0; i < c->n; i++) {
        char key[17];
        const char *path =
            arena_printf(f->a, "%s/%s/%s.tsv", in->curves, kind->experiment, run_key_text(key, c->run[i]->key));
        reading r = {f->a, kind, {.path = path}, {0}};
        if (file_named(path)) /* a file that is there but cannot be read ends the program: it may hold a good curve */
            r.text = file_read(f->a, path, 0);
        const char *why = err_try(read_curve, &r);
        if (why && err_is_memory(why))
            die("%s", why);
        if (!why)
            out.t[out.n++] = r.t;
        else if (!f->bad++)
            f->bad_first = arena_printf(f->a, "%s", why);
    }
    return out;
}

static int by_name(const void *x, const void *y)
{
    static const char *const key[] = {"dataset", "model", "loss"};
    return table_by_keys(((const table_cell *)x)->paper, ((const table_cell *)y)->paper, key, 3);
}

/* The cells of the experiment that have runs, in the order of the tables. */
static table_cell *ran(const figure *f, const figure_source *in, const char *experiment, int *n)
{
    figure_def d = {.name = f->name, .experiment = experiment};
    table_cell *c = figure_found(in, &d, f->def->metrics, n);
    qsort(c, (size_t)*n, sizeof *c, by_name);
    return c;
}

static const char *nothing(const figure *f)
{
    return f->bad ? arena_printf(f->a, "no curve can be read (%s)", f->bad_first) : figure_missing(f);
}

static figure_row mean_of(const table_cell *c, const double *v, int n)
{
    stats_interval i = stats_mean_interval(v, n, 0.95);
    figure_row r = figure_line(0, NULL, 0, NULL, NULL);
    r.mean = stats_mean(v, n), r.lo = i.lo, r.hi = i.hi, r.n = n;
    r.origin = c->origin, r.dataset = c->paper->dataset;
    return r;
}

static const char *words_of(arena *a, const table_cell *c, const char *list)
{
    key_list k = render_keys(a, list);
    return figure_words(a, c->paper, &k);
}

static const char *name_of(arena *a, const table_cell *c, const char *list)
{
    return render_marked(a, words_of(a, c, list), c->origin);
}

/* ---- t-sne: the picture of the first run of CE and of JC; the loss gap over all runs ---- */

static const char *silhouette(figure *f, const curves *c)
{
    double sum = 0;
    const char *first = "";
    for (int i = 0; i < c->n; i++) {
        const char *s = tsv_comment(f->a, c->t[i].path, "silhouette ");
        sum += strtod(s, NULL);
        if (!i)
            first = *s ? arena_printf(f->a, ", silhouette %.2f", strtod(s, NULL)) : "";
    }
    if (*first)
        f->note = arena_printf(f->a, "%s%s%s: mean silhouette %.3f over %d run%s.", f->note ? f->note : "",
                               f->note ? " " : "", name_of(f->a, c->cell, "dataset,loss"), sum / c->n, c->n,
                               c->n > 1 ? "s" : "");
    return first;
}

static void add_picture(figure *f, const curves *c, int panel)
{
    const char *title = arena_printf(f->a, "%s%s", name_of(f->a, c->cell, "loss,dataset"), silhouette(f, c));
    for (int i = 0; i < c->t[0].rows; i++) {
        double y = tsv_number(&c->t[0], i, "y");
        figure_row r = mean_of(c->cell, &y, 1);
        r.panel = panel;
        r.title = title;
        r.series = tsv_get(&c->t[0], i, "class");
        r.x = tsv_number(&c->t[0], i, "x");
        figure_add(f, r);
    }
}

static void add_gap(figure *f, const curves *c, int panel)
{
    int epochs = 0, first = f->n;
    double max = 0, *v = NEW(f->a, double, (size_t)c->n);
    for (int i = 0; i < c->n; i++)
        epochs = c->t[i].rows > epochs ? c->t[i].rows : epochs;
    for (int e = 0; e < epochs; e++) {
        int n = 0, with = 0;
        for (int i = 0; i < c->n; i++)
            if (e < c->t[i].rows) {
                v[n++] = tsv_number(&c->t[i], e, "test_loss") - tsv_number(&c->t[i], e, "train_loss");
                with = i;
            }
        figure_row r = mean_of(c->cell, v, n);
        r.panel = panel;
        r.title = arena_printf(f->a, "loss gap, %s", name_of(f->a, c->cell, "dataset"));
        r.series = words_of(f->a, c->cell, "loss"); /* "CE" or "JC": plots/tsne.gp compares with these */
        r.x = tsv_number(&c->t[with], e, "epoch");
        max = fmax(max, fabs(r.mean));
        figure_add(f, r);
    }
    for (int i = first; i < f->n && max > 0; i++) {
        f->row[i].mean /= max;
        f->row[i].lo /= max;
        f->row[i].hi /= max;
    }
}

const char *figure_tsne(figure *f, const figure_source *in)
{
    static const char *const loss[] = {"ce", "jc"};
    int pictures, gaps, shown = 0;
    table_cell *picture = ran(f, in, tsne_kind.experiment, &pictures), *gap = ran(f, in, gap_kind.experiment, &gaps);
    const char *data = "ogbn-arxiv";
    int there = 0;
    for (int i = 0; i < gaps; i++)
        there |= !strcmp(gap[i].paper->dataset, data);
    if (gaps && !there)
        data = gap[0].paper->dataset;
    for (int k = 0; k < 2; k++) {
        int drawn = 0;
        for (int i = 0; i < pictures && !drawn; i++)
            if (!strcmp(picture[i].paper->loss, loss[k]) &&
                !strcmp(picture[i].paper->dataset, picture[0].paper->dataset)) {
                curves c = curves_read(f, in, &picture[i], &tsne_kind);
                if ((drawn = c.n > 0))
                    add_picture(f, &c, k + 1);
            }
        if (!drawn)
            figure_add(f, figure_empty(f, k + 1, pictures ? picture[0].paper->dataset : "cora", k ? ", JC" : ", CE"));
        shown += drawn;
    }
    int before = f->n;
    for (int i = 0; i < gaps; i++)
        if (!strcmp(gap[i].paper->dataset, data) && !strcmp(gap[i].paper->model, gap[0].paper->model)) {
            curves c = curves_read(f, in, &gap[i], &gap_kind);
            if (c.n)
                add_gap(f, &c, 3);
        }
    shown += f->n > before;
    if (f->n == before)
        figure_add(f, figure_empty(f, 3, data, ", loss gap"));
    return shown ? NULL : nothing(f);
}

/* ---- reliability: mean over the runs of each bin of confidence ---- */

static void add_bin(figure *f, const curves *c, figure_row like, int bin)
{
    double *accuracy = NEW(f->a, double, (size_t)c->n), *confidence = NEW(f->a, double, (size_t)c->n),
           *share = NEW(f->a, double, (size_t)c->n);
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        double count = tsv_number(&c->t[i], bin, "count"), all = 0;
        for (int j = 0; j < BINS; j++)
            all += tsv_number(&c->t[i], j, "count");
        share[i] = all > 0 ? count / all : 0;
        accuracy[n] = tsv_number(&c->t[i], bin, "accuracy");
        confidence[n] = tsv_number(&c->t[i], bin, "confidence");
        n += count > 0;
    }
    figure_row r[] = {mean_of(c->cell, share, c->n), mean_of(c->cell, accuracy, n)};
    r[1].x = stats_mean(confidence, n);
    for (int k = 0; k < (n ? 2 : 1); k++) {
        r[k].panel = like.panel;
        r[k].title = like.title;
        r[k].row = bin + 1;
        r[k].series = k ? "accuracy" : "share";
        figure_add(f, r[k]);
    }
}

/* The row of the ECE, which names the panel. */
static figure_row ece_row(const figure *f, const figure_source *in, const table_cell *c, int panel)
{
    figure_row r = figure_point(c);
    r.panel = panel;
    r.title = name_of(f->a, c, "dataset,model,loss");
    r.series = "ece";
    for (const table *t = in->table; t < in->table + in->tables; t++)
        for (int i = 0; i < t->paper.n && figure_listed(f->tables, t->def->label); i++)
            if (cells_cover(t->def, &t->paper.cell[i], c->run[0]))
                r.paper = t->paper.cell[i].value;
    return r;
}

const char *figure_reliability(figure *f, const figure_source *in)
{
    int n, panel = 0;
    table_cell *all = ran(f, in, ece_kind.experiment, &n);
    for (int i = 0; i < n; i++) {
        curves c = curves_read(f, in, &all[i], &ece_kind);
        if (!c.n)
            continue;
        figure_row r = ece_row(f, in, &all[i], ++panel);
        figure_add(f, r);
        for (int b = 0; b < BINS; b++)
            add_bin(f, &c, r, b);
    }
    return panel ? NULL : nothing(f);
}
