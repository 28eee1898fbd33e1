/* The driver of every experiment: cells -> runs -> records.
 *
 * Order: run 0 of every cell, cheapest first, then run 1, and so on, so that whenever it stops every table is complete at some n. Small
 * graphs run side by side, one thread each; a large one runs alone on all threads. A run whose key is in the record file with status ok is
 * not repeated. */
#include "bench.h"
#include "../src/base/err.h"
#include "../src/base/file.h"
#include "../src/base/opt.h"
#include "../src/graph/blas.h"
#include "../src/report/run_record.h"
#include "../src/report/stats.h"
#include "../src/train/grid.h"
#include "../src/train/pool.h"
#include "select.h"
#include "version.h"
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    spec s;
    const char *setting;
    problem *p;
    double cost; /* seconds of a run: estimated, then measured */
    int runs;    /* at most so many: --runs, or the number of published splits */
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
    const char *data, *out, *only, *shard, *specs;
    int runs, jobs, threads, seed, list, force, quiet;
    double time, longest;
    int ncells, nruns, failed, left_out, nproblems;
    int few; /* cells with fewer published splits than --runs */
    cell *cells;
    problem **problems; /* one for each data set */
    run *queue;
    run_file records;
    spec_file tuned;
    int ntuned; /* cells with hyper-parameters of theirs */
} state;

/* --- cells --- */

/* "key=value key=value" and what was searched for, into the spec; `setting` apart. */
static int cell_parse(state *st, cell *c, const char *line)
{
    *c = (cell){.s = spec_default(), .setting = "-"};
    grid_spec(&st->a, &c->s, &c->setting, line, "cell");
    return spec_file_apply(&st->a, &st->tuned, &c->s, c->setting);
}

struct opening {
    const data_dirs *dirs;
    state *st;
    cell *c;
    int too_long;
};

static void open_problem(void *arg)
{
    struct opening *o = arg;
    state *st = o->st;
    cell *c = o->c;
    for (int k = 0; k < st->nproblems && !c->p; k++)
        if (!strcmp(st->problems[k]->d->name, c->s.dataset))
            c->p = st->problems[k];
    if (!c->p) {
        c->p = problem_open(o->dirs, c->s.dataset); /* may not return */
        st->problems[st->nproblems++] = c->p;
    }
    c->cost = pool_cost(c->p, &c->s);
    o->too_long = st->longest > 0 && c->cost > st->longest;
    if (!st->list && !o->too_long)
        problem_prepare(c->p, &c->s);
}

/* The cells that are asked for, each with its data ready. A data set that cannot be had costs its own cells only. */
static void cells_open(state *st)
{
    int n = 0;
    while (st->b->cells[n])
        n++;
    st->cells = NEW(&st->a, cell, (size_t)n);
    st->problems = NEW(&st->a, problem *, (size_t)n);
    data_dirs dirs = select_dirs(&st->a, st->data);
    for (int i = 0; i < n; i++) {
        cell *c = st->cells + st->ncells;
        int tuned = cell_parse(st, c, st->b->cells[i]);
        if (!select_cell(&c->s, c->setting, st->only))
            continue;
        spec_check(&c->s);
        struct opening o = {&dirs, st, c, 0};
        const char *error = err_try(open_problem, &o);
        if (error) {
            warn("%s %s %s: %s", c->s.dataset, c->s.model, c->s.loss, error);
            st->failed++;
        }
        st->left_out += o.too_long;
        if (error || o.too_long)
            continue;
        int most = trainer_runs(c->p, &c->s);
        c->runs = st->runs < most ? st->runs : most;
        st->few += c->runs < st->runs;
        c->acc = NEW(&st->a, double, (size_t)c->runs);
        st->ncells++;
        st->ntuned += tuned;
    }
    for (int i = 0; i < st->tuned.t.rows; i++)
        if (!st->tuned.used[i])
            warn("%s: row %d is for no cell of this experiment", st->tuned.t.path, i + 1);
    if (!st->ncells && !st->failed && !st->left_out)
        die("no cell matches --only %s (see --list)", st->only);
}

/* --- the queue --- */

static run_id id_of(const state *st, const cell *c, int r)
{
    return (run_id){c->p, &c->s, c->setting, st->seed, r};
}

static int by_round(const void *x, const void *y, void *arg)
{
    const run *a = x, *b = y;
    const cell *cells = arg;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    double d = cells[a->cell].cost - cells[b->cell].cost;
    return d < 0 ? -1 : d > 0 ? 1 : (a->cell > b->cell) - (a->cell < b->cell);
}

/* The curve of a run: OUT/curves/EXPERIMENT/KEY.tsv */
static char *curve_path(const state *st, const char *key, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/curves/%s/%s.tsv", st->out, st->b->name, key);
    return path;
}

static void queue_fill(state *st)
{
    int part = 0, parts = 1;
    char path[PATH_MAX];
    if (st->shard && (sscanf(st->shard, "%d/%d", &part, &parts) != 2 || parts < 1 || part < 1 || part > parts))
        opt_wrong("--shard wants K/N with 1 <= K <= N, not '%s'", st->shard);
    part -= st->shard != NULL;
    st->queue = NEW(&st->a, run, (size_t)st->ncells * (size_t)st->runs);
    for (int r = 0; r < st->runs; r++)
        for (int k = 0; k < st->ncells; k++) {
            run q = {k, r, ""};
            run_id id = id_of(st, st->cells + k, r);
            run_key(q.key, &id);
            int done = record_done(st->records.f, q.key) && (!st->b->after || file_exists(curve_path(st, q.key, path)));
            if (r < st->cells[k].runs && (r * st->ncells + k) % parts == part && (st->force || !done))
                st->queue[st->nruns++] = q;
        }
    qsort_r(st->queue, (size_t)st->nruns, sizeof *st->queue, by_round, st->cells);
}

static void run_done(void *arg, int i, const outcome *o, int jobs)
{
    state *st = arg;
    run_id id = id_of(st, st->cells + st->queue[i].cell, st->queue[i].run);
    run_file_append(&st->records, &id, o, jobs);
    st->failed += strcmp(o->status, "ok") != 0;
}

static void run_watched(void *arg, int i, outcome *o)
{
    state *st = arg;
    const cell *c = st->cells + st->queue[i].cell;
    char path[PATH_MAX];
    trainer *t = trainer_new(c->p, &c->s, (uint64_t)st->seed, st->queue[i].run);
    bench_run r = {t, o, curve_path(st, st->queue[i].key, path), NULL};
    if (st->b->before)
        st->b->before(&r);
    trainer_fit(t, o, st->b->epoch, &r);
    if (!strcmp(o->status, "ok"))
        st->b->after(&r);
    trainer_free(t);
}

static int run_all(state *st)
{
    pool_job *job = NEW(&st->a, pool_job, (size_t)st->nruns);
    for (int i = 0; i < st->nruns; i++) {
        cell *c = st->cells + st->queue[i].cell;
        job[i] = (pool_job){c->p, &c->s, (uint64_t)st->seed, st->queue[i].run, &c->cost};
    }
    pool q = {st->jobs, st->threads, st->time, st->quiet, st->b->after ? run_watched : NULL, run_done, st};
    return pool_run(&q, job, st->nruns);
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
            if (r < 0 || r >= c->runs || strcmp(tsv_get(&rec.t, i, "status"), "ok"))
                continue;
            run_id id = id_of(st, c, r);
            run_key(key, &id);
            if (!strcmp(key, tsv_get(&rec.t, i, "key")) && c->ndone < c->runs)
                c->acc[c->ndone++] = 100 * tsv_number(&rec.t, i, "test_acc");
        }
    int wide = 8;
    for (int k = 0; k < st->ncells; k++)
        wide = (int)strlen(st->cells[k].setting) > wide ? (int)strlen(st->cells[k].setting) : wide;
    printf("%-18s %-8s %-8s %-*s %8s %6s %4s  %s\n", "dataset", "model", "loss", wide, "setting", "test_acc", "sd", "n", "origin");
    for (int k = 0; k < st->ncells; k++) {
        const cell *c = st->cells + k;
        printf("%-18s %-8s %-8s %-*s ", c->s.dataset, c->s.model, c->s.loss, wide, c->setting);
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
    if (st->left_out)
        printf("cells left out: %d (a run is expected to take longer than --longest)\n", st->left_out);
    if (st->few)
        printf("%d of the %d cells end at the number of published splits: a split used twice is not another run (split=redraw in their row of %s "
               "draws one for each run)\n", st->few, st->ncells, st->tuned.t.path);
    if (st->ntuned)
        printf("hyper-parameters of %d of the %d cells from %s\n", st->ntuned, st->ncells, st->tuned.t.path);
    for (int k = 0; k < st->ncells && st->b->show; k++)
        for (int r = 0; r < st->cells[k].runs; r++) {
            char key[17], curve[PATH_MAX];
            run_id id = id_of(st, st->cells + k, r);
            run_key(key, &id);
            if (file_exists(curve_path(st, key, curve)))
                st->b->show(&st->cells[k].s, r, curve);
        }
}

static void list(const state *st)
{
    char buf[32];
    for (int k = 0; k < st->ncells; k++) {
        const cell *c = st->cells + k;
        for (int f = 0; f < SPEC_COUNT; f++)
            printf("%s=%s ", spec_name[f], spec_get(&c->s, f, buf));
        printf("setting=%s nodes=%d imbalance=%.1f origin=%s seconds=%.1f\n", c->setting, c->p->d->nodes, dataset_imbalance(c->p->d),
               origin_name[c->p->d->origin], c->cost);
    }
}

static void options(state *st, int argc, char **argv)
{
    const opt table[] = {
        OPT_DATA(&st->data), OPT_OUT(&st->out), OPT_SPECS(&st->specs),
        {"runs", OPT_INT, &st->runs, "N", "runs of each cell; where several splits are published at most one for each", "10", 1, 100000},
        OPT_CELLS(&st->only), OPT_JOBS(&st->jobs),
        {"threads", OPT_INT, &st->threads, "N", "threads of a run (default: 1 on small graphs, the cores on large)", NULL, 1, 4096},
        OPT_TIME(&st->time),
        {"longest", OPT_SECONDS, &st->longest, "TIME", "leave out cells of which a run is expected to take longer", NULL, 0, 0},
        {"shard", OPT_TEXT, &st->shard, "K/N", "do part K of N; the records of all parts may be put together", NULL, 0, 0},
        OPT_SEED(&st->seed),
        {"list", OPT_FLAG, &st->list, NULL, "print the cells with their hyper-parameters, run nothing", NULL, 0, 0},
        {"force", OPT_FLAG, &st->force, NULL, "run again what is already recorded", NULL, 0, 0},
        OPT_QUIET(&st->quiet), {0},
    };
    char usage[256];
    snprintf(usage, sizeof usage, "bench_%s [option ...]\n%s", st->b->name, st->b->about);
    opt_only(argc, argv, table, usage,
             "Finished runs are appended to DIR/records at once; starting again goes on where it stopped, also after\n"
             "Ctrl-C or kill -9. The result of a run depends on its hyper-parameters, seed and data only, not on --jobs\n"
             "or --threads. `jcb tables` (make tables) turns the records into tables beside the paper's.\n");
}

int bench_main(int argc, char **argv, const bench *b)
{
    char program[64];
    snprintf(program, sizeof program, "bench_%s", b->name);
    err_program = program;
    state *st = calloc(1, sizeof *st);
    *st = (state){.b = b, .jobs = omp_get_num_procs()};
    options(st, argc, argv);
    blas_init();
    pool_catch_signals();
    st->tuned = select_specs(&st->a, st->specs, b->name);
    cells_open(st);
    if (st->list) {
        list(st);
        return st->failed ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    char *path = arena_printf(&st->a, "%s/records/%s.tsv", st->out, b->name);
    st->records = run_file_open(&st->a, path, b->name, JCB_COMMIT);
    queue_fill(st);
    int done = run_all(st);
    if (!st->quiet) {
        if (done < st->nruns)
            printf("stopped by %s: %d of %d runs done; start again to go on\n", pool_stopped() ? "a signal" : "--time", done, st->nruns);
        summary(st, path);
    }
    record_close(st->records.f);
    return st->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
