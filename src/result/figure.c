/* figure: writes OUT/NAME.tsv and OUT/NAME.txt.
 *
 * NAME.tsv: a comment line "# plots/SCRIPT.gp", the script that draws it, a header, one row for each point; "-": no
 * value. NAME.txt: a title line, then the caption: what is shown, runs, origin of the data, the command. */
#include "figure.h"
#include "../base/list.h"
#include "../run/record_rows.h"
#include "definitions.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void figure_add(figure *f, figure_row row)
{
    GROW(f->a, f->row, f->n, f->capacity, 64);
    f->row[f->n++] = row;
}

figure_row figure_line(int panel, const char *title, int row, const char *label, const char *series)
{
    return (figure_row){panel, title, row, NULL, label, series, NAN, NAN, NAN, NAN, 0, ORIGIN_REAL, NULL, NAN, NAN};
}

figure_row figure_empty(figure *f, int panel, const char *dataset, const char *what)
{
    const char *title = arena_printf(f->a, "%s%s", table_title_of(f->a, "", dataset), what);
    figure_row r = figure_line(panel, title, 0, NULL, NULL);
    r.dataset = dataset;
    return r;
}

int figure_listed(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *s = list; s && strcmp(list, "*"); s += strcspn(s, ",|") + 1) {
        size_t n = strcspn(s, ",|");
        if (n == len && !strncmp(s, word, n))
            return 1;
        if (!s[n])
            return 0;
    }
    return 1;
}

static void add_programs(buf *b, const char *experiments, const char *front, const char *between)
{
    for (list_item i = list_first(experiments); i.s; i = list_next(i)) {
        const char *name = arena_printf(b->a, "%s%.*s", front, (int)i.n, i.s);
        if (!b->s || !strstr(b->s, name))
            buf_add(b, "%s%s", b->n ? between : "", name);
    }
}

/* "bench_a or bench_b": the programs whose runs the figure shows; NULL: all. */
static const char *programs(const figure *f, const char *front, const char *between)
{
    buf b = {.a = f->a};
    if (f->def->experiment)
        add_programs(&b, f->def->experiment, front, between);
    for (const table_def *d = definitions.table; d->label && !f->def->experiment && strcmp(f->tables, "*"); d++)
        if (figure_listed(f->tables, d->label))
            add_programs(&b, d->experiment, front, between);
    return b.s;
}

const char *figure_missing(const figure *f)
{
    const char *by = programs(f, "bench_", " or ");
    return by ? arena_printf(f->a, "no records of %s", by) : "no records";
}

/* ---- writing ---- */

static void text(buf *out, const char *s)
{
    buf_put(out, s && *s ? "\t" : "\t-");
    for (; s && *s; s++)
        buf_add(out, "%c", strchr("\"\\`\t\n", *s) ? '\'' : *s); /* gnuplot reads it in double quotes */
}

static void write_rows(const figure *f, const char *out_dir)
{
    buf b = {.a = f->a};
    buf_add(&b, "# plots/%s.gp\n", f->def->script);
    buf_put(&b, "panel\ttitle\trow\tgroup\tlabel\tseries\tx\tmean\tlo\thi\tn\torigin\tdataset\tpaper\tpaper_sd\n");
    for (int i = 0; i < f->n; i++) {
        const figure_row *r = &f->row[i];
        buf_add(&b, "%d", r->panel);
        text(&b, r->title);
        buf_add(&b, "\t%d", r->row);
        text(&b, r->group);
        text(&b, r->label);
        text(&b, r->series);
        buf_number(&b, r->x);
        buf_number(&b, r->mean);
        buf_number(&b, r->lo);
        buf_number(&b, r->hi);
        buf_add(&b, "\t%d", r->n);
        text(&b, r->n ? origin_word(r->origin) : NULL);
        text(&b, r->dataset);
        buf_number(&b, r->paper);
        buf_number(&b, r->paper_sd);
        buf_put(&b, "\n");
    }
    buf_save(&b, out_dir, f->name, ".tsv");
}

/* "real: Cora, PubMed; rebuilt: Facebook; twin: Yelp" */
static const char *origins(const figure *f)
{
    buf all = {.a = f->a};
    for (int k = 0; k < ORIGIN_USER; k++) {
        int before = 0;
        for (int i = 0; i < f->n; i++) {
            const figure_row *r = &f->row[i];
            int seen = !r->n || r->origin != (enum origin)k;
            for (int j = 0; j < i && !seen; j++)
                seen = f->row[j].n && f->row[j].origin == r->origin && !strcmp(f->row[j].dataset, r->dataset);
            if (seen)
                continue;
            char out[64];
            if (before++)
                buf_put(&all, ", ");
            else
                buf_add(&all, "%s%s: ", all.n ? "; " : "", origin_name[k]);
            buf_put(&all, table_title("", r->dataset, (int)strlen(r->dataset), out));
        }
    }
    return all.s ? all.s : "none";
}

static void write_caption(const figure *f, const char *out_dir)
{
    int min = 0, max = 0, stand_in = 0;
    for (int i = 0; i < f->n; i++) {
        int n = f->row[i].n;
        min = n && (!min || n < min) ? n : min;
        max = n > max ? n : max;
        stand_in |= n && !origin_comparable(f->row[i].origin);
    }
    buf b = {.a = f->a};
    const char *label = f->name + (strlen(f->name) > strlen(f->def->name) ? strlen(f->def->name) : strlen(f->name));
    buf_add(&b, "%s%s%s\n%s", f->def->title, *label ? ", table " : "", label, f->def->text);
    if (f->note)
        buf_add(&b, " %s", f->note);
    if (max)
        buf_add(&b, "\nRuns a point: %d", min);
    if (max > min)
        buf_add(&b, " to %d", max);
    if (max)
        buf_add(&b, ". Data, %s.", origins(f));
    if (strstr(origins(f), origin_name[ORIGIN_REBUILT]))
        buf_add(&b, " Rebuilt: %s", origin_rebuilt_text);
    if (stand_in)
        buf_put(&b, " A substitute lacks a part of the published data and a twin is synthetic: compare neither with "
                    "the paper.");
    const char *by = programs(f, "bench/bench_", ", ");
    buf_add(&b, "\nMade by: %s, then make figures\n", by ? by : "make reproduce");
    buf_save(&b, out_dir, f->name, ".txt");
}

/* ---- all of them ---- */

static void forget(arena *a, const char *out_dir, const char *name)
{
    static const char *const suffix[] = {"tsv", "txt", "png", "svg", "pdf"};
    for (int i = 0; i < 5; i++)
        remove(arena_printf(a, "%s/%s.%s", out_dir, name, suffix[i]));
}

/* Figures of machine measurements: the records are the points. */
static int measured(const figure_source *in, const figure_def *d, const char *out_dir)
{
    const tsv found = record_measurements(in->a, in->records, d->experiment), *t = &found;
    buf b = {.a = in->a}, text = {.a = in->a};
    buf_add(&b, "# plots/%s.gp\n", d->script);
    for (int c = 0; c < t->cols; c++)
        buf_add(&b, "%s%c", t->name[c], c < t->cols - 1 ? '\t' : '\n');
    for (int i = 0; i < t->rows; i++)
        for (int c = 0; c < t->cols; c++)
            buf_add(&b, "%s%c", t->cell[i][c], c < t->cols - 1 ? '\t' : '\n');
    if (!t->rows) {
        printf("%s: no records of bench_%s; skipped\n", d->name, d->experiment);
        forget(in->a, out_dir, d->name);
        return 0;
    }
    buf_save(&b, out_dir, d->name, ".tsv");
    buf_add(&text, "%s\n%s\nMade by: make kernels\n", d->title, d->text);
    buf_save(&text, out_dir, d->name, ".txt");
    return 1;
}

static int one(const figure_source *in, const figure_def *d, const char *name, const char *which, const char *out_dir)
{
    if (!d->make)
        return measured(in, d, out_dir);
    figure f = {.a = in->a, .def = d, .name = name, .tables = which};
    const char *why = d->make(&f, in);
    if (why)
        printf("%s: %s; skipped\n", name, why);
    else if (f.bad)
        printf("%s: %d curve file%s left out (%s)\n", name, f.bad, f.bad > 1 ? "s" : "", f.bad_first);
    if (why) {
        forget(in->a, out_dir, name);
        return 0;
    }
    write_rows(&f, out_dir);
    write_caption(&f, out_dir);
    return 1;
}

int figures_write(arena *a, const char *records_dir, const char *curves_dir, const char *paper_dir, const char *out_dir)
{
    const tables *all = tables_read(a, records_dir, paper_dir);
    figure_source in = {.a = a,
                        .records = records_dir,
                        .curves = curves_dir,
                        .runs = all->runs,
                        .table = all->t,
                        .tables = all->n,
                        .overall = &all->overall,
                        .gain = all->gain,
                        .gains_count = all->gains_count};
    int written = 0;
    for (const figure_def *d = definitions.figure; d->name; d++)
        if (d->name[strlen(d->name) - 1] != '-')
            written += one(&in, d, d->name, d->tables, out_dir);
        else
            for (int i = 0; i < in.tables; i++)
                written += one(&in, d, arena_printf(a, "%s%s", d->name, in.table[i].def->label), in.table[i].def->label,
                               out_dir);
    return written;
}
