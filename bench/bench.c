/* The driver of every experiment: cells -> runs -> records.
 *
 * Order: run 0 of every cell, cheapest first, then run 1, and so on, so that whenever it stops every table is complete at some n. Small
 * graphs run side by side, one thread each; a large one runs alone on all threads. A run whose key is in the record file with status ok is
 * not repeated. */
#include "bench.h"
#include "../src/base/clock.h"
#include "../src/base/err.h"
#include "../src/base/hash.h"
#include "../src/base/opt.h"
#include "../src/graph/blas.h"
#include "../src/graph/simd.h"
#include "../src/report/record.h"
#include "../src/report/stats.h"
#include "../src/train/trainer.h"
#include "../src/version.h"
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, LARGE = 100000 /* nodes from which a run gets all threads */ };

typedef struct cell {
    spec s;
    const char *setting;
    problem *p;
    double cost; /* seconds of a run: estimated, then measured */
    int ndone;
    double *acc; /* test accuracy of the runs there are */
} cell;

typedef struct run {
    int cell, run;
    char key[17];
} run;

typedef struct state {
    const bench *b;
    arena a;
    const char *data, *out, *only, *shard;
    int runs, jobs, threads, seed, list, force, quiet;
    double time;
    int ncells, nruns, failed;
    cell *cells;
    run *queue;
    record_file *records;
    double start;
    progress progress;
} state;

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
    stopped = 1;
    signal(sig, SIG_DFL); /* a second one ends the program at once; nothing finished is lost */
}

/* --- cells --- */

/* "key=value key=value": into the spec; `setting` apart. */
static void cell_parse(state *st, cell *c, const char *line)
{
    char *save = NULL, *copy = arena_printf(&st->a, "%s", line);
    c->s = spec_default();
    c->setting = "-";
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *value = strchr(w, '=');
        if (!value)
            die("%s: '%s' in a cell is not key=value", st->b->name, w);
        *value++ = 0;
        if (!strcmp(w, "setting"))
            c->setting = value;
        else
            spec_set(&c->s, w, value);
    }
}

/* Whether one of the |-separated alternatives is the value. */
static int matches(const char *alternatives, size_t n, const char *value)
{
    size_t len = strlen(value);
    for (const char *s = alternatives, *end = s + n; s <= end;) {
        const char *bar = memchr(s, '|', (size_t)(end - s));
        size_t piece = (size_t)((bar ? bar : end) - s);
        if (piece == len && !strncmp(s, value, len))
            return 1;
        s += piece + 1;
    }
    return 0;
}

static int selected(const cell *c, const char *only)
{
    for (const char *s = only; s && *s;) {
        size_t all = strcspn(s, ","), name = strcspn(s, "=");
        if (name >= all) {
            fprintf(stderr, "%s: --only wants key=value[,key=value], not '%s' (try --help)\n", err_program, only);
            exit(EXIT_USAGE);
        }
        char key[32] = "", buf[32];
        snprintf(key, sizeof key, "%.*s", (int)name, s);
        int k = spec_field(key);
        if (k < 0 && strcmp(key, "setting")) {
            fprintf(stderr, "%s: --only: no hyper-parameter is called '%s' (dataset, model, loss, ...)\n", err_program, key);
            exit(EXIT_USAGE);
        }
        if (!matches(s + name + 1, all - name - 1, k < 0 ? c->setting : spec_get(&c->s, k, buf)))
            return 0;
        s += all + (s[all] == ',');
    }
    return 1;
}

struct opening {
    const data_dirs *dirs;
    const char *name;
    problem *p;
    const spec *s;
};

static void open_problem(void *arg)
{
    struct opening *o = arg;
    if (!o->p)
        o->p = problem_open(o->dirs, o->name);
    if (o->s)
        problem_prepare(o->p, o->s);
}

/* The cells that are asked for, each with its data ready. A data set that cannot be had costs its own cells only. */
static void cells_open(state *st)
{
    int n = 0;
    while (st->b->cells[n])
        n++;
    st->cells = NEW(&st->a, cell, (size_t)n);
    data_dirs dirs = {arena_printf(&st->a, "%s/catalog.tsv", st->data), arena_printf(&st->a, "%s/raw", st->data),
                      arena_printf(&st->a, "%s/cache", st->data)};
    if (getenv("JCB_RAW"))
        dirs.raw = getenv("JCB_RAW");
    for (int i = 0; i < n; i++) {
        cell *c = st->cells + st->ncells;
        *c = (cell){0};
        cell_parse(st, c, st->b->cells[i]);
        if (!selected(c, st->only))
            continue;
        spec_check(&c->s);
        for (int k = 0; k < st->ncells && !c->p; k++)
            if (!strcmp(st->cells[k].s.dataset, c->s.dataset))
                c->p = st->cells[k].p;
        struct opening o = {&dirs, c->s.dataset, c->p, st->list ? NULL : &c->s};
        const char *error = err_try(open_problem, &o);
        if (error) {
            warn("%s %s %s: %s", c->s.dataset, c->s.model, c->s.loss, error);
            st->failed++;
            continue;
        }
        c->p = o.p;
        const dataset *d = c->p->d;
        double features = d->xs.rows ? (double)csr_nnz(&d->xs) : (double)d->nodes * d->features;
        c->cost = 1e-9 * c->s.epochs * c->s.hidden * (features + (double)csr_nnz(&d->graph));
        c->acc = NEW(&st->a, double, (size_t)st->runs);
        st->ncells++;
    }
    if (!st->ncells && !st->failed)
        die("no cell matches --only %s (see --list)", st->only);
}

/* --- records --- */

static const char *const before[] = {"key", "schema", "experiment", "dataset", "model", "loss", "setting", "run", "seed", "val_acc", "test_acc",
    "macro_f1", "weighted_f1", "ece", "brier", "nll", "val_loss", "test_loss", "train_loss", "epochs", "best_epoch", "train_seconds", "epoch_ms",
    "peak_bytes", "threads", "jobs", "blas", "cpu", "commit", "origin", "data_hash", "part_hash", "param_hash"};
enum { BEFORE = sizeof before / sizeof *before, COLUMNS = BEFORE + SPEC_COUNT };

/* dataset, model and loss stand at the front; the other hyper-parameters follow, `epochs` as max_epochs; then the status. */
static int columns(const char *name[COLUMNS])
{
    int n = 0;
    for (int k = 0; k < BEFORE; k++)
        name[n++] = before[k];
    for (int k = 3; k < SPEC_COUNT; k++)
        name[n++] = strcmp(spec_name[k], "epochs") ? spec_name[k] : "max_epochs";
    name[n++] = "status";
    return n;
}

static void key_of(char out[17], const state *st, const cell *c, int r)
{
    const partition *q = problem_partition(c->p, &c->s);
    uint64_t h = hash_u64(hash_u64(spec_hash(&c->s), SCHEMA), (uint64_t)r);
    h = hash_u64(hash_u64(h, (uint64_t)st->seed), c->p->d->hash);
    h = hash_text(hash_u64(h, q ? q->hash : 0), c->setting);
    snprintf(out, 17, "%016llx", (unsigned long long)h);
}

static void append(state *st, const cell *c, const run *r, const outcome *o, int jobs)
{
    char text[COLUMNS][96], buf[32];
    const char *value[COLUMNS];
    const partition *q = problem_partition(c->p, &c->s);
    int n = 0;
#define PUT(...) (snprintf(text[n], sizeof text[n], __VA_ARGS__), value[n] = text[n], n++)
    PUT("%s", r->key), PUT("%d", SCHEMA), PUT("%s", st->b->name), PUT("%s", c->s.dataset), PUT("%s", c->s.model), PUT("%s", c->s.loss);
    PUT("%s", c->setting), PUT("%d", r->run), PUT("%d", st->seed), PUT("%.9g", o->val.acc), PUT("%.9g", o->test.acc);
    PUT("%.9g", o->test.macro_f1), PUT("%.9g", o->test.weighted_f1), PUT("%.9g", o->test.ece), PUT("%.9g", o->test.brier);
    PUT("%.9g", o->test.nll), PUT("%.9g", o->val_loss), PUT("%.9g", o->test_loss), PUT("%.9g", o->train_loss), PUT("%d", o->epochs);
    PUT("%d", o->best_epoch), PUT("%.6g", o->seconds), PUT("%.6g", o->epoch_ms), PUT("%zu", o->bytes), PUT("%d", omp_get_max_threads());
    PUT("%d", jobs), PUT("%s", blas_name()), PUT("%s", simd_name()), PUT("%s", JCB_COMMIT), PUT("%s", origin_name[c->p->d->origin]);
    PUT("%016llx", (unsigned long long)c->p->d->hash), PUT("%016llx", (unsigned long long)(q ? q->hash : 0));
    PUT("%016llx", (unsigned long long)o->param_hash);
    for (int k = 3; k < SPEC_COUNT; k++)
        PUT("%s", spec_get(&c->s, k, buf));
    PUT("%s", o->status);
#undef PUT
    record_append(st->records, value);
}

/* --- the queue --- */

static int by_round(const void *x, const void *y, void *arg)
{
    const run *a = x, *b = y;
    const cell *cells = arg;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    double d = cells[a->cell].cost - cells[b->cell].cost;
    return d < 0 ? -1 : d > 0 ? 1 : (a->cell > b->cell) - (a->cell < b->cell);
}

static void queue_fill(state *st)
{
    int part = 0, parts = 1;
    if (st->shard && (sscanf(st->shard, "%d/%d", &part, &parts) != 2 || parts < 1 || part < 1 || part > parts)) {
        fprintf(stderr, "%s: --shard wants K/N with 1 <= K <= N, not '%s' (try --help)\n", err_program, st->shard);
        exit(EXIT_USAGE);
    }
    part -= st->shard != NULL;
    st->queue = NEW(&st->a, run, (size_t)st->ncells * (size_t)st->runs);
    for (int r = 0; r < st->runs; r++)
        for (int k = 0; k < st->ncells; k++) {
            run q = {k, r, ""};
            key_of(q.key, st, st->cells + k, r);
            if ((r * st->ncells + k) % parts == part && (st->force || !record_done(st->records, q.key)))
                st->queue[st->nruns++] = q;
        }
    qsort_r(st->queue, (size_t)st->nruns, sizeof *st->queue, by_round, st->cells);
}

static double seconds_left(const state *st, int from, int jobs)
{
    double sum = 0;
    for (int i = from; i < st->nruns; i++)
        sum += st->cells[st->queue[i].cell].cost;
    double left = sum / jobs, limit = st->start + st->time - clock_now();
    return st->time > 0 && limit < left ? limit : left;
}

static void run_one(state *st, int i, int jobs, int *done)
{
    run *r = st->queue + i;
    cell *c = st->cells + r->cell;
    outcome o;
    double start = clock_now();
    train_once(&o, c->p, &c->s, (uint64_t)st->seed, r->run);
    double spent = clock_now() - start;
#pragma omp critical(bench_record)
    {
        append(st, c, r, &o, jobs);
        c->cost = spent;
        if (strcmp(o.status, "ok"))
            st->failed++;
        char what[96];
        snprintf(what, sizeof what, "%s %s %s #%d", c->s.dataset, c->s.model, c->s.loss, r->run);
        progress_show(&st->progress, ++*done, st->nruns, seconds_left(st, i + 1, jobs), what);
    }
}

static int out_of_time(const state *st)
{
    return stopped || (st->time > 0 && clock_now() - st->start > st->time);
}

/* Runs queue[from .. to) side by side. */
static void run_small(state *st, int from, int to, int *done)
{
    int jobs = st->jobs, threads = st->threads ? st->threads : 1;
#pragma omp parallel for schedule(dynamic) num_threads(jobs)
    for (int i = from; i < to; i++) {
        omp_set_num_threads(threads);
        if (!out_of_time(st))
            run_one(st, i, jobs, done);
    }
}

static int run_all(state *st)
{
    int done = 0, all = st->threads ? st->threads : omp_get_num_procs();
    omp_set_max_active_levels(st->threads > 1 ? 2 : 1);
    for (int i = 0; i < st->nruns && !out_of_time(st);) {
        int end = i;
        while (end < st->nruns && st->cells[st->queue[end].cell].p->d->nodes < LARGE)
            end++;
        if (end > i) {
            run_small(st, i, end, &done);
            i = end;
        } else {
            omp_set_num_threads(all);
            run_one(st, i++, 1, &done);
        }
    }
    progress_clear(&st->progress);
    return done;
}

/* --- what the user sees at the end --- */

static void summary(state *st, const char *path)
{
    records rec = records_read(&st->a, path);
    for (int i = 0; i < rec.t.rows; i++)
        for (int k = 0; k < st->ncells; k++) {
            cell *c = st->cells + k;
            char key[17];
            int r = (int)tsv_number(&rec.t, i, "run");
            if (r < 0 || r >= st->runs || strcmp(tsv_get(&rec.t, i, "status"), "ok"))
                continue;
            key_of(key, st, c, r);
            if (!strcmp(key, tsv_get(&rec.t, i, "key")) && c->ndone < st->runs)
                c->acc[c->ndone++] = 100 * tsv_number(&rec.t, i, "test_acc");
        }
    printf("%-12s %-8s %-8s %-12s %8s %6s %4s  %s\n", "dataset", "model", "loss", "setting", "test_acc", "sd", "n", "origin");
    for (int k = 0; k < st->ncells; k++) {
        const cell *c = st->cells + k;
        printf("%-12s %-8s %-8s %-12s ", c->s.dataset, c->s.model, c->s.loss, c->setting);
        if (c->ndone)
            printf("%8.2f ", stats_mean(c->acc, c->ndone));
        else
            printf("%8s ", "-");
        if (c->ndone > 1)
            printf("%6.2f", stats_sd(c->acc, c->ndone));
        else
            printf("%6s", "-");
        printf(" %4d  %s\n", c->ndone, origin_name[c->p->d->origin]);
    }
}

static void list(const state *st)
{
    char buf[32];
    for (int k = 0; k < st->ncells; k++) {
        const cell *c = st->cells + k;
        for (int f = 0; f < SPEC_COUNT; f++)
            printf("%s=%s ", spec_name[f], spec_get(&c->s, f, buf));
        printf("setting=%s nodes=%d origin=%s\n", c->setting, c->p->d->nodes, origin_name[c->p->d->origin]);
    }
}

static void options(state *st, int argc, char **argv)
{
    const opt table[] = {
        {"data", OPT_TEXT, &st->data, "DIR", "data directory: catalog.tsv, raw/, cache/ (default: data)", 0, 0},
        {"out", OPT_TEXT, &st->out, "DIR", "results directory (default: results)", 0, 0},
        {"runs", OPT_INT, &st->runs, "N", "runs of each cell (default: 10)", 1, 100000},
        {"only", OPT_TEXT, &st->only, "K=V,...", "only cells with these values; V may be A|B", 0, 0},
        {"jobs", OPT_INT, &st->jobs, "N", "runs side by side on small graphs (default: the cores)", 1, 4096},
        {"threads", OPT_INT, &st->threads, "N", "threads of a run (default: 1 on small graphs, the cores on large)", 1, 4096},
        {"time", OPT_SECONDS, &st->time, "TIME", "start no run after this long: 90s, 10m, 2h", 0, 0},
        {"shard", OPT_TEXT, &st->shard, "K/N", "do part K of N; the records of all parts may be put together", 0, 0},
        {"seed", OPT_INT, &st->seed, "S", "first part of every random stream (default: 1)", 0, 2147483647},
        {"list", OPT_FLAG, &st->list, NULL, "print the cells with their hyper-parameters, run nothing", 0, 0},
        {"force", OPT_FLAG, &st->force, NULL, "run again what is already recorded", 0, 0},
        {"quiet", OPT_FLAG, &st->quiet, NULL, "no progress, no summary", 0, 0},
        {0},
    };
    char usage[256];
    snprintf(usage, sizeof usage, "bench_%s [option ...]\n%s", st->b->name, st->b->about);
    int rest = opt_parse(argc, argv, table, usage,
                         "Finished runs are appended to DIR/records at once; starting again goes on where it stopped, also after\n"
                         "Ctrl-C or kill -9. The result of a run depends on its hyper-parameters, seed and data only, not on --jobs\n"
                         "or --threads. `jcb tables` (make tables) turns the records into tables beside the paper's.\n");
    if (rest) {
        fprintf(stderr, "%s: unexpected argument '%s' (try --help)\n", err_program, argv[1]);
        exit(EXIT_USAGE);
    }
}

int bench_main(int argc, char **argv, const bench *b)
{
    char program[64];
    snprintf(program, sizeof program, "bench_%s", b->name);
    err_program = program;
    state *st = calloc(1, sizeof *st);
    *st = (state){.b = b, .data = "data", .out = "results", .runs = 10, .seed = 1, .jobs = omp_get_num_procs()};
    options(st, argc, argv);
    blas_init();
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    cells_open(st);
    if (st->list) {
        list(st);
        return st->failed ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    const char *name[COLUMNS];
    char *path = arena_printf(&st->a, "%s/records/%s.tsv", st->out, b->name);
    st->records = record_open(&st->a, path, name, columns(name));
    queue_fill(st);
    progress_start(&st->progress, st->quiet);
    st->start = clock_now();
    int done = run_all(st);
    if (!st->quiet) {
        if (done < st->nruns)
            printf("stopped by %s: %d of %d runs done; start again to go on\n", stopped ? "a signal" : "--time", done, st->nruns);
        summary(st, path);
    }
    record_close(st->records);
    return st->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
