/* html_environment: the machine and the build, the experiments in the records, the data, the commands. */
#include "../base/file.h"
#include "../graph/blas.h"
#include "../graph/simd.h"
#include "html.h"
#include <gsl/gsl_version.h>
#include <math.h>
#include <metis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- what the rows of a column say ---- */

typedef struct values {
    const char **v;
    int *count, n;
} values;

/* The different values of a column over the rows of an experiment (NULL: of all), in the order of their first row. */
static values distinct(arena *a, const tables *all, const char *experiment, const char *column)
{
    const tsv *t = &all->rec.t;
    values d = {.v = NEW(a, const char *, (size_t)t->rows + 1), .count = NEW(a, int, (size_t)t->rows + 1)};
    for (int i = 0; i < t->rows; i++) {
        const char *s = tsv_get(t, i, column);
        int k = 0;
        if (!*s || (experiment && strcmp(all->runs.v[i].experiment, experiment)))
            continue;
        while (k < d.n && strcmp(d.v[k], s))
            k++;
        d.v[k] = s;
        d.count[k]++;
        d.n += k == d.n;
    }
    return d;
}

static void put_values(buf *out, const values *d, int counts)
{
    for (int i = 0; i < d->n; i++) {
        buf_put(out, i ? ", " : "");
        buf_html(out, d->v[i]);
        if (counts && d->n > 1)
            buf_add(out, " (%d runs)", d->count[i]);
    }
    buf_put(out, d->n ? "" : "–");
}

/* ---- the machine ---- */

static void line(buf *out, const char *name, const char *text)
{
    buf_put(out, "<tr>");
    html_el(out, "th scope=\"row\"", name);
    html_el(out, "td class=\"long\"", text);
    buf_put(out, "</tr>\n");
}

static const char *cpu_model(arena *a)
{
    char s[256], *colon;
    const char *model = "unknown";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(s, sizeof s, f))
        if (!strncmp(s, "model name", 10) && (colon = strchr(s, ':'))) {
            model = arena_printf(a, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    if (f)
        fclose(f);
    return model;
}

static void mixed(arena *a, buf *out, const tables *all)
{
    static const struct {
        const char *column, *what;
    } kind[] = {{"commit", "commits"}, {"cpu", "instruction sets"}, {"blas", "BLAS libraries or branches"}};
    for (int i = 0; i < 3; i++) {
        values d = distinct(a, all, NULL, kind[i].column);
        if (d.n < 2)
            continue;
        buf_add(out, "<p class=\"note\">The records are of %d different %s: ", d.n, kind[i].what);
        put_values(out, &d, 1);
        buf_put(out, ".</p>\n");
    }
    values commit = distinct(a, all, NULL, "commit");
    for (int i = 0; i < commit.n; i++)
        if (strstr(commit.v[i], "-dirty")) {
            buf_put(out, "<p class=\"note\">A commit that ends in -dirty had changes that were not committed.</p>\n");
            break;
        }
}

void html_machine(arena *a, buf *out, const tables *all, const report *r, const figures *f)
{
    static const char *const columns[][2] = {{"commit", "Commit of the runs"},
                                             {"cpu", "Instruction set of the runs"},
                                             {"blas", "BLAS of the runs"},
                                             {"threads", "Threads of a run"},
                                             {"jobs", "Runs side by side"}};
    mixed(a, out, all);
    buf_put(out, "<div class=\"box\"><table class=\"facts\"><tbody>");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        values d = distinct(a, all, NULL, columns[i][0]);
        buf_add(out, "<tr><th scope=\"row\">%s</th><td class=\"long\">", columns[i][1]);
        put_values(out, &d, 1);
        buf_put(out, "</td></tr>\n");
    }
    line(out, "This machine", arena_printf(a, "%s, %ld cores online, %.1f GiB of memory", cpu_model(a),
                                           sysconf(_SC_NPROCESSORS_ONLN),
                                           (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (1 << 30)));
    line(out, "This build", arena_printf(a, "commit %s, %s, BLAS %s", r->commit, simd_name(), blas_name()));
    line(out, "Compiler", arena_printf(a, "%s %s: %s",
#ifdef __clang__
                                       "clang",
#else
                                       "gcc",
#endif
                                       __VERSION__, r->flags));
    line(out, "Libraries", arena_printf(a, "METIS %d.%d.%d, GSL %s, zlib %s, gnuplot %s", METIS_VER_MAJOR,
                                        METIS_VER_MINOR, METIS_VER_SUBMINOR, gsl_version, zlibVersion(),
                                        f->gnuplot ? f->gnuplot : "unknown (no figures)"));
    buf_put(out, "</tbody></table></div>\n<p class=\"small\">Commit, instruction set, BLAS, threads and jobs are those of "
                 "the records. The machine, the build and the libraries are those that made this page.</p>\n");
}

/* ---- the experiments ---- */

static int same_cell(const run_row *x, const run_row *y)
{
    return !strcmp(x->experiment, y->experiment) && !strcmp(x->dataset, y->dataset) && !strcmp(x->model, y->model) &&
           !strcmp(x->loss, y->loss) && !strcmp(x->setting, y->setting) && !strcmp(x->select, y->select);
}

static const char *duration(arena *a, double s)
{
    return s >= 5400   ? arena_printf(a, "%.1f h", s / 3600)
           : s >= 90   ? arena_printf(a, "%.1f min", s / 60)
                       : arena_printf(a, "%.1f s", s);
}

static void experiment_row(arena *a, buf *out, const tables *all, const char *name, int *cell_of)
{
    const runs *r = &all->runs;
    int ok = 0, failed = 0, cells = 0, timed = 0;
    double seconds = 0;
    for (int i = 0; i < r->n; i++) {
        if (strcmp(r->v[i].experiment, name))
            continue;
        int k = 0;
        while (k < cells && !same_cell(&r->v[cell_of[k]], &r->v[i]))
            k++;
        cell_of[k] = i;
        cells += k == cells;
        ok += r->v[i].ok;
        failed += !r->v[i].ok;
        double s = strtod(tsv_get(&all->rec.t, i, "train_seconds"), NULL);
        timed |= s > 0;
        seconds += isfinite(s) ? s : 0;
    }
    buf_put(out, "<tr>");
    html_el(out, "td", name);
    buf_add(out, "<td class=\"num\">%d</td><td class=\"num\">%d</td><td class=\"num\">%d</td><td class=\"num\">%s</td>", ok,
            failed, cells, timed ? duration(a, seconds) : "–");
    static const char *const columns[] = {"threads", "jobs", "commit", "cpu", "blas"};
    for (int j = 0; j < 5; j++) {
        values d = distinct(a, all, name, columns[j]);
        buf_put(out, "<td class=\"word\">");
        put_values(out, &d, j > 1);
        buf_put(out, "</td>");
    }
    buf_put(out, "</tr>\n");
}

void html_experiments(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {"Experiment",   "Runs", "Failed", "Different cells", "Training time",
                                       "Threads", "Jobs", "Commit", "Instructions",    "BLAS"};
    const records *r = &all->rec;
    values e = distinct(a, all, NULL, "experiment");
    int *cell_of = NEW(a, int, (size_t)r->t.rows + 1);
    buf_add(out,
            "<p>%d rows from %d files; %d rows replaced by later ones, %d malformed lines skipped. Training time is the "
            "sum over runs; runs go side by side (jobs), so an experiment takes less.</p>\n",
            r->t.rows, r->files, r->superseded, r->malformed);
    if (!e.n)
        return;
    buf_put(out, "<div class=\"box\"><table class=\"sort\">");
    html_head(out, head, 10);
    buf_put(out, "<tbody>");
    for (int i = 0; i < e.n; i++)
        experiment_row(a, out, all, e.v[i], cell_of);
    buf_put(out, "</tbody></table></div>\n");
}

void html_failures(buf *out, const tables *all)
{
    enum { SHOWN = 100 };
    static const char *const column[] = {"experiment", "dataset", "model", "loss", "setting", "run", "status"};
    int n = 0;
    if (!all->sum.failed)
        return;
    buf_add(out, "<h3 id=\"failures\">Failed runs</h3><p>%d runs failed%s.</p><div class=\"box\"><table class=\"sort\">",
            all->sum.failed, all->sum.failed > SHOWN ? "; the first hundred" : "");
    html_head(out, column, 7);
    buf_put(out, "<tbody>");
    for (int i = 0; i < all->runs.n && n < SHOWN; i++) {
        if (all->runs.v[i].ok)
            continue;
        n++;
        buf_put(out, "<tr>");
        for (int j = 0; j < 7; j++)
            html_el(out, "td class=\"long\"", tsv_get(&all->rec.t, i, column[j]));
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}
