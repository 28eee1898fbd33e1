/* html_environment: the machine and the build, the experiments in the records, the data, the commands. */
#include "../base/file.h"
#include "../graph/blas.h"
#include "../graph/simd.h"
#include "environment.h"
#include "html.h"
#include <gsl/gsl_version.h>
#include <metis.h>
#include <string.h>
#include <zlib.h>

/* ---- the machine ---- */

static void line(buf *out, const char *name, const char *text)
{
    buf_put(out, "<tr>");
    html_el(out, "th scope=\"row\"", name);
    html_el(out, "td class=\"long\"", text);
    buf_put(out, "</tr>\n");
}

static void mixed(arena *a, buf *out, const tables *all)
{
    static const struct {
        environment_fact *fact;
        const char *what;
    } kind[] = {{environment_commit, "commits"},
                {environment_cpu, "instruction sets"},
                {environment_blas, "BLAS libraries or branches"}};
    for (int i = 0; i < 3; i++) {
        environment_values d = environment_distinct(a, all, NULL, kind[i].fact);
        if (d.n < 2)
            continue;
        buf_add(out, "<p class=\"note\">The records are from %d different %s: ", d.n, kind[i].what);
        buf_html(out, environment_list(a, &d, 1));
        buf_put(out, ".</p>\n");
    }
    environment_values commit = environment_distinct(a, all, NULL, environment_commit);
    for (int i = 0; i < commit.n; i++)
        if (strstr(commit.v[i], "-dirty")) {
            buf_put(out, "<p class=\"note\">-dirty: built from a source tree with uncommitted changes.</p>\n");
            break;
        }
}

void html_machine(arena *a, buf *out, const tables *all, const report *r, const figures *f)
{
    static const struct {
        environment_fact *fact;
        const char *title;
    } columns[] = {{environment_commit, "Commit of the runs"},
                   {environment_cpu, "Instruction set of the runs"},
                   {environment_blas, "BLAS of the runs"},
                   {environment_threads, "Threads of a run"},
                   {environment_jobs, "Concurrent runs"}};
    mixed(a, out, all);
    buf_put(out, "<div class=\"box\"><table class=\"facts\"><tbody>");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        environment_values d = environment_distinct(a, all, NULL, columns[i].fact);
        line(out, columns[i].title, environment_list(a, &d, 1));
    }
    line(out, "This machine", environment_machine(a));
    line(out, "This build", arena_printf(a, "commit %s, %s, BLAS %s", r->commit, simd_name(), blas_name()));
    line(out, "Compiler",
         arena_printf(a, "%s %s: %s",
#ifdef __clang__
                      "clang",
#else
                      "gcc",
#endif
                      __VERSION__, r->flags));
    line(out, "Libraries",
         arena_printf(a, "METIS %d.%d.%d, GSL %s, zlib %s, gnuplot %s", METIS_VER_MAJOR, METIS_VER_MINOR,
                      METIS_VER_SUBMINOR, gsl_version, zlibVersion(),
                      f->gnuplot ? f->gnuplot : "unknown (no figures)"));
    buf_put(out,
            "</tbody></table></div>\n<p class=\"small\">Commit, instruction set, BLAS, threads and concurrent runs are "
            "those of the records; machine, build and libraries those of the program that wrote this page.</p>\n");
}

/* ---- the experiments ---- */

static void experiment_row(arena *a, buf *out, const tables *all, const char *name)
{
    environment_cost c = environment_experiment(a, all, name);
    buf_put(out, "<tr>");
    html_el(out, "td", name);
    buf_add(out, "<td class=\"num\">%d</td><td class=\"num\">%d</td><td class=\"num\">%d</td><td class=\"num\">%s</td>",
            c.ok, c.failed, c.cells, environment_duration(a, c.seconds));
    static environment_fact *const columns[] = {environment_threads, environment_jobs, environment_commit,
                                                environment_cpu, environment_blas};
    for (int j = 0; j < 5; j++) {
        environment_values d = environment_distinct(a, all, name, columns[j]);
        html_el(out, j < 3 ? "td class=\"word\"" : "td", environment_list(a, &d, j > 1));
    }
    buf_put(out, "</tr>\n");
}

void html_experiments(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {"Experiment", "Runs", "Failed", "Different cells", "Training time",
                                       "Threads",    "Jobs", "Commit", "Instructions",    "BLAS"};
    const records *r = &all->runs;
    environment_values e = environment_distinct(a, all, NULL, environment_experiment_name);
    buf_add(out,
            "<p>%d rows from %d files; %d rows replaced by later ones, %d rows of trial runs (--short) and %d "
            "malformed lines "
            "left out. Training time is the "
            "sum over runs; runs are concurrent, so an experiment takes less wall time.</p>\n",
            r->n, r->files, r->superseded, r->trials, r->malformed);
    if (!e.n)
        return;
    buf_put(out, "<div class=\"box\"><table class=\"sort\">");
    html_head(out, head, 10);
    buf_put(out, "<tbody>");
    for (int i = 0; i < e.n; i++)
        experiment_row(a, out, all, e.v[i]);
    buf_put(out, "</tbody></table></div>\n");
}

void html_failures(buf *out, const tables *all)
{
    enum { SHOWN = 100 };
    static const char *const column[] = {"experiment", "dataset", "model", "loss", "setting", "run", "status"};
    int n = 0;
    if (!all->sum.failed)
        return;
    buf_add(out,
            "<h3 id=\"failures\">Failed runs</h3><p>%d runs failed%s.</p><div class=\"box\"><table class=\"sort\">",
            all->sum.failed, all->sum.failed > SHOWN ? "; the first hundred" : "");
    html_head(out, column, 7);
    buf_put(out, "<tbody>");
    for (int i = 0; i < all->runs.n && n < SHOWN; i++) {
        if (all->runs.v[i].ok)
            continue;
        n++;
        buf_put(out, "<tr>");
        const record *v = &all->runs.v[i];
        const char *value[] = {
            v->experiment, v->dataset, v->model, v->loss, v->setting, arena_printf(out->a, "%d", v->run), v->status};
        for (int j = 0; j < 7; j++)
            html_el(out, "td class=\"long\"", value[j]);
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}
