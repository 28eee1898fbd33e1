/* section_environment: the machine and the build, the experiments of the records, failures, data, commands, hashes. */
#include "../base/err.h"
#include "../base/file.h"
#include "../base/tsv.h"
#include "../kernel/blas.h"
#include "../kernel/simd.h"
#include "../run/check.h"
#include "../run/command_log.h"
#include "sections.h"
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <metis.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#ifdef __clang__
#define COMPILER "clang"
#else
#define COMPILER "gcc"
#endif

/* ---- what is recorded ---- */

typedef struct values {
    const char **v;
    int *count, n; /* rows with each value */
} values;

typedef const char *fact_of(arena *a, const record *r); /* a fact of a run as text; "": not recorded */

typedef struct cost {
    int ok, failed, cells; /* runs, and the different cells they belong to */
    double seconds;        /* of training, a sum over runs; NaN: not recorded */
} cost;

static const char *count_text(arena *a, int n) { return n < 0 ? "" : arena_printf(a, "%d", n); }

static const char *experiment_of(arena *a, const record *r) { return (void)a, r->experiment; }
static const char *commit_of(arena *a, const record *r) { return (void)a, r->commit; }
static const char *cpu_of(arena *a, const record *r) { return (void)a, r->cpu; }
static const char *blas_of(arena *a, const record *r) { return (void)a, r->blas; }
static const char *threads_of(arena *a, const record *r) { return count_text(a, r->threads); }
static const char *jobs_of(arena *a, const record *r) { return count_text(a, r->jobs); }
static const char *metis_bits_of(arena *a, const record *r) { return count_text(a, r->metis_bits); }

/* The different values of a fact over the runs of an experiment (NULL: of all), in the order of their first run. */
static values distinct(arena *a, const tables *all, const char *experiment, fact_of *fact)
{
    const records *r = &all->runs;
    values d = {.v = NEW(a, const char *, (size_t)r->n + 1), .count = NEW(a, int, (size_t)r->n + 1)};
    for (int i = 0; i < r->n; i++) {
        const char *s = fact(a, &r->v[i]);
        int k = 0;
        if (!*s || (experiment && strcmp(r->v[i].experiment, experiment)))
            continue;
        while (k < d.n && strcmp(d.v[k], s))
            k++;
        d.v[k] = s;
        d.count[k]++;
        d.n += k == d.n;
    }
    return d;
}

/* "x, y (3 runs)"; counts: adds the number of rows if there are several values. */
static const char *list(arena *a, const values *d, int counts)
{
    buf b = {.a = a};
    for (int i = 0; i < d->n; i++) {
        buf_add(&b, "%s%s", i ? ", " : "", d->v[i]);
        if (counts && d->n > 1)
            buf_add(&b, " (%d runs)", d->count[i]);
    }
    return b.s ? b.s : "–";
}

static cost cost_of_runs(arena *a, const tables *all, const char *experiment)
{
    const records *r = &all->runs;
    cost c = {0};
    int *cell_of = NEW(a, int, (size_t)r->n + 1), timed = 0;
    for (int i = 0; i < r->n; i++) {
        if (experiment && strcmp(r->v[i].experiment, experiment))
            continue;
        int k = 0;
        while (k < c.cells &&
               (record_by_cell(&r->v[cell_of[k]], &r->v[i]) || r->v[cell_of[k]].s.select != r->v[i].s.select))
            k++;
        cell_of[k] = i;
        c.cells += k == c.cells;
        c.ok += r->v[i].ok;
        c.failed += !r->v[i].ok;
        double s = r->v[i].number[RUN_train_seconds];
        timed |= s > 0;
        c.seconds += isfinite(s) ? s : 0;
    }
    c.seconds = timed ? c.seconds : NAN;
    return c;
}

static const char *duration(arena *a, double s)
{
    return isnan(s)    ? "–"
           : s >= 5400 ? arena_printf(a, "%.1f h", s / 3600)
           : s >= 90   ? arena_printf(a, "%.1f min", s / 60)
                       : arena_printf(a, "%.1f s", s);
}

static const char *machine(arena *a)
{
    static const char path[] = "/proc/cpuinfo";
    char s[2048], *name; /* of the first processor */
    const char *model = "unknown processor";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, s, sizeof s - 1);
    if (n < 0 || (fd < 0 && errno != ENOENT && errno != EACCES))
        die("%s: %s", path, strerror(errno));
    s[n] = 0;
    if ((name = strstr(s, "\nmodel name")) && (name = strchr(name, ':')))
        model = arena_printf(a, "%.*s", (int)strcspn(name + 2, "\n"), name + 2);
    if (fd >= 0)
        close(fd);
    return arena_printf(a, "%s, %ld cores online, %.1f GiB of memory", model, sysconf(_SC_NPROCESSORS_ONLN),
                        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (1 << 30));
}

/* ---- machine and build ---- */

static const struct {
    fact_of *fact;
    const char *title, *several; /* several: a warning if there is more than one; NULL: none */
} facts[] = {{cpu_of, "instruction set of the runs", "instruction sets"},
             {blas_of, "BLAS (measures only)", "BLAS libraries"},
             {metis_bits_of, "bits of METIS's integers (0: no METIS partition)", NULL},
             {threads_of, "threads of a run", NULL},
             {jobs_of, "concurrent runs", NULL},
             {commit_of, "commit of the program", "commits"}};
enum { FACTS = sizeof facts / sizeof *facts };

static void put_fact(doc_grid *g, const char *name, const char *text) { doc_cells(g, "%s\t%s", name, text); }

static int dirty_runs(arena *a, const tables *all)
{
    values commit = distinct(a, all, NULL, commit_of);
    int n = 0;
    for (int i = 0; i < commit.n; i++)
        n += strstr(commit.v[i], "-dirty") ? commit.count[i] : 0;
    return n;
}

void section_machine(doc *d, const tables *all, const char *commit, const char *flags, const char *gnuplot)
{
    arena *a = d->a;
    cost c = cost_of_runs(a, all, NULL);
    for (int i = 0; i < FACTS; i++) {
        values v = distinct(a, all, NULL, facts[i].fact);
        if (facts[i].several && v.n > 1)
            doc_say(d, DOC_NOTE, "The records are from %d different %s.", v.n, facts[i].several);
    }
    doc_grid *g = doc_columns(d, "\tof the records");
    put_fact(g, "runs", arena_printf(a, "%d successful, %d failed", c.ok, c.failed));
    put_fact(g, "runs from uncommitted changes (-dirty)", arena_printf(a, "%d", dirty_runs(a, all)));
    put_fact(g, "training time, sum over runs", duration(a, c.seconds));
    for (int i = 0; i < FACTS; i++) {
        values v = distinct(a, all, NULL, facts[i].fact);
        put_fact(g, facts[i].title, list(a, &v, 1));
    }
    put_fact(g, "results version",
             all->runs.older
                 ? arena_printf(a, "%d; %d rows of other versions are left out", RESULTS_VERSION, all->runs.older)
                 : arena_printf(a, "%d", RESULTS_VERSION));
    g = doc_columns(d, "\tof the program that wrote this");
    put_fact(g, "machine", machine(a));
    put_fact(g, "build",
             arena_printf(a, "commit %s, %s, BLAS %s", commit ? commit : "unknown", simd_name(), blas_name()));
    put_fact(g, "compiler", arena_printf(a, COMPILER " %s: %s", __VERSION__, flags));
    put_fact(g, "libraries",
             arena_printf(a, "METIS %d.%d.%d, GSL %s, zlib %s, gnuplot %s", METIS_VER_MAJOR, METIS_VER_MINOR,
                          METIS_VER_SUBMINOR, gsl_version, zlibVersion(), gnuplot ? gnuplot : "unknown (no figures)"));
}

/* ---- experiments ---- */

void section_experiments(doc *d, const tables *all)
{
    arena *a = d->a;
    values e = distinct(a, all, NULL, experiment_of);
    if (!e.n)
        return;
    doc_put(d, DOC_TEXT,
            "Training time is the sum over runs; runs are concurrent, so an experiment takes less wall time.");
    doc_grid *g = doc_columns(d, "experiment\tcells\truns\tfailed\ttraining time\tthreads\tjobs");
    for (int i = 0; i < e.n; i++) {
        cost c = cost_of_runs(a, all, e.v[i]);
        values threads = distinct(a, all, e.v[i], threads_of), jobs = distinct(a, all, e.v[i], jobs_of);
        doc_cells(g, "%s\t%d\t%d\t%d\t%s\t%s\t%s", e.v[i], c.cells, c.ok, c.failed, duration(a, c.seconds),
                  list(a, &threads, 0), list(a, &jobs, 0));
    }
}

void section_failures(doc *d, const tables *all)
{
    enum { SHOWN = 100 };
    int n = 0;
    if (!all->sum.failed)
        return;
    doc_heading(d, 3, "failures", "Failed runs");
    doc_say(d, DOC_TEXT, "%d runs failed%s.", all->sum.failed, all->sum.failed > SHOWN ? "; the first hundred" : "");
    doc_grid *g = doc_columns(d, "experiment\tdata set\tmodel\tloss\tsetting\trun\tstatus");
    for (int i = 0; i < all->runs.n && n < SHOWN; i++) {
        const record *v = &all->runs.v[i];
        if (v->ok)
            continue;
        n++;
        doc_cells(g, "%s\t%s\t%s\t%s\t%s\t%d\t%s", v->experiment, v->dataset, v->model, v->loss, v->setting, v->run,
                  v->status);
    }
}

/* ---- data ---- */

typedef struct used {
    const char *dataset;
    enum origin origin;
    uint64_t hash;
    int runs;
} used;

static int list_used(used *u, const tables *all)
{
    int n = 0;
    for (int i = 0; i < all->runs.n; i++) {
        const record *v = &all->runs.v[i];
        used x = {v->dataset, v->origin, v->data_hash, 0};
        int k = 0;
        while (k < n && (strcmp(u[k].dataset, x.dataset) || u[k].origin != x.origin || u[k].hash != x.hash))
            k++;
        if (k == n)
            u[n++] = x;
        u[k].runs++;
    }
    return n;
}

static void files_of(doc *d, const tsv *f, const char *name)
{
    doc_grid *g = NULL;
    for (int i = 0; i < f->rows; i++) {
        const char *url = tsv_get(f, i, "url"), *path = tsv_get(f, i, "path");
        if (!tsv_lists(tsv_get(f, i, "datasets"), name))
            continue;
        if (!g) {
            doc_fold(d, 0, name);
            g = doc_columns(d, "file\tbytes\tSHA-256");
        }
        if (!strncmp(url, "https://", 8) || !strncmp(url, "http://", 7))
            doc_cell_say(g, DOC_LINK "%s" DOC_LINK_TEXT "%s" DOC_LINK_END, url, path);
        else
            doc_cell_put(g, path);
        doc_cell_put(g, tsv_get(f, i, "bytes"));
        doc_cell_put(g, tsv_get(f, i, "sha256"));
    }
    if (g)
        doc_fold_end(d);
}

void section_data(doc *d, const tables *all, const char *data_dir)
{
    const char *path = arena_printf(d->a, "%s/files.tsv", data_dir);
    used *u = NEW(d->a, used, (size_t)all->runs.n + 1);
    int n = list_used(u, all);
    if (!n) {
        doc_put(d, DOC_TEXT, "No data set has been used yet.");
        return;
    }
    doc_grid *g = doc_columns(d, "data set\torigin\truns\thash of the loaded data");
    for (int i = 0; i < n; i++) {
        doc_cell_put(g, u[i].dataset);
        doc_cell_mark(g, origin_comparable(u[i].origin) ? MARK_NONE : MARK_APART, origin_word(u[i].origin));
        doc_cell_say(g, "%d", u[i].runs);
        doc_cell_say(g, "%016" PRIx64, u[i].hash);
    }
    if (!file_exists(path))
        return;
    tsv f = tsv_read(d->a, path);
    doc_put(d, DOC_TEXT, "The published files, which data/fetch.sh downloads and verifies:");
    for (int i = 0; i < n; i++) {
        int seen = 0;
        for (int j = 0; j < i; j++)
            seen |= !strcmp(u[i].dataset, u[j].dataset);
        if (!seen)
            files_of(d, &f, u[i].dataset);
    }
}

/* ---- commands, hashes ---- */

void section_commands(doc *d, const char *records_dir)
{
    int n;
    const command_line *c = command_log_read(d->a, records_dir, &n);
    doc_grid *g = n ? doc_columns(d, "command\tfirst started\tstarts\ttime\truns\tconcurrent") : NULL;
    for (int i = 0; i < n; i++, c++) {
        const char *killed = c->ended < c->starts ? arena_printf(d->a, " (%d unknown)", c->starts - c->ended) : "";
        doc_cell_put(g, c->command);
        doc_cell_put(g, c->first);
        doc_cell_say(g, "%d", c->starts);
        doc_cells(g, "%s%s\t%d\t%d", duration(d->a, c->seconds), killed, c->runs, c->jobs);
    }
    doc_put(d, DOC_COMMANDS,
            "./setup.sh && make reproduce TIME=10m   # or longer; start again to continue\n"
            "bench/bench_balanced --runs 10          # one experiment\n"
            "make tables figures report              # from the records, at any time\n"
            "src/jcb check results                   # checks the records, compares their bits with "
            "data/reference.tsv\n");
}

static void hash_line(doc_grid *g, const table_cell *c)
{
    const record *r = c->run[0];
    doc_cells(g, "%s\t%s\t%d\t%d\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64, r->experiment,
              render_cell_name(g->a, c), r->run, r->seed, r->data_hash, r->part_hash, r->param_hash);
}

/* Run 0 of both sides of the first tested ordering of each data set. */
void section_hashes(doc *d, const tables *all, const char *records_dir, const char *reference)
{
    enum { MAX = 256 };
    const contrast *listed[MAX];
    buf found = {.a = d->a};
    enum check_verdict v = check_records(&found, records_dir, reference);
    const char *last = found.s + found.n - (found.n > 0);
    while (last > found.s && last[-1] != '\n')
        last--;
    doc_say(d, DOC_TEXT, "jcb check on these records: %s (%.*s).", check_word[v], (int)strcspn(last, "\n"), last);
    doc_fold(d, 0, "Hashes to compare, on any machine");
    doc_grid *g = doc_columns(d, "experiment\tcell\trun\tseed\tdata\tpartition\ttrained parameters");
    for (int i = 0, n = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].contrasts && n < MAX; j++) {
            const contrast *c = &all->t[i].contrast[j];
            int seen = !c->n || c->a->run[0]->run != 0 || c->b->run[0]->run != 0;
            for (int k = 0; k < n && !seen; k++)
                seen = !strcmp(listed[k]->a->paper->dataset, c->a->paper->dataset);
            if (seen)
                continue;
            listed[n++] = c;
            hash_line(g, c->b);
            hash_line(g, c->a);
        }
    doc_fold_end(d);
}
