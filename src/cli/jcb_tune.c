/* jcb tune: finds the point of a grid with the highest validation accuracy, for one cell of an experiment.
 *
 * A search is an experiment whose cells are the points (src/run/queue.h) and whose runs are called trials. Trial k of a
 * point is run FIRST + k, so that splits, initial weights and dropout are not those of the reported runs 0, 1, ...
 * Trials are recorded and not repeated. They train on blind problems, which contain no test labels. */
#include "../run/scheduler.h"
#include "../base/err.h"
#include "../base/memory.h"
#include "../base/opt.h"
#include "../base/signals.h"
#include "jcb.h"
#include "../train/method/resolve.h"
#include "../run/spec_file.h"
#include "../result/compare.h"
#include "../result/stats.h"
#include "../train/blind.h"
#include "../train/grid.h"
#include "version.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1000, SHOWN = 10 };

typedef struct point {
    const queue_cell *c;
    double *acc, *loss; /* validation accuracy (%) and loss of each successful trial */
    int n;
    double mean, mean_loss;
} point;

typedef struct tune {
    bench b; /* the search as an experiment; must be first: tune_of casts it back */
    arena a;
    tune_options o;
    const char *path; /* of the records */
    grid grid;
    int npoints, failed;
    point *points;
    unsigned char *ended; /* [point * seeds + seed]: trials of this process that ended, successful or not */
    int lost;             /* trials that ended by a fault (no memory, a worker that was killed), not by training */
    queue q;
} tune;

static void options(tune_options *t, int argc, char **argv)
{
    const opt table[] = {
        {"experiment", OPT_TEXT, &t->experiment, "NAME",
         "name of the search; the best point is written to SPECS/NAME.tsv", NULL, 0, 0},
        {"base", OPT_TEXT, &t->base, "K=V ...",
         "the cell, and hyper-parameters that are not searched: 'dataset=cora model=gcn loss=jc'", NULL, 0, 0},
        {"setting", OPT_TEXT, &t->setting, "S", "the setting of the cell, if the experiment has settings", "-", 0, 0},
        {"grid", OPT_TEXT, &t->grid, "K=V,V ...", "values to try: 'lr=.005,.01,.05 hidden=64,128'", NULL, 0, 0},
        {"random", OPT_INT, &t->random, "N", "only N points of the grid, drawn at random", NULL, 1, GRID_POINTS - 1},
        {"seeds", OPT_INT, &t->seeds, "K", "runs of each point", "3", 1, 1000},
        OPT_SEED(&t->seed),
        OPT_JOBS(&t->jobs),
        OPT_TIME(&t->time),
        OPT_DATA(&t->data),
        {"out", OPT_TEXT, &t->out, "DIR", "results directory; runs go to DIR/tune/NAME.tsv", "results", 0, 0},
        {"specs", OPT_TEXT, &t->specs, "DIR", "directory of the best points", "bench/specs", 0, 0},
        OPT_MEMORY(&t->memory),
        OPT_QUIET(&t->quiet),
        {0},
    };
    opt_only(
        argc, argv, table,
        "jcb tune --experiment NAME --base 'K=V ...' --grid 'K=V,V ...' [option ...]\n"
        "Searches hyper-parameters by mean validation accuracy; the bench programs read the winner.",
        "The base is always tried, as point 0. Ties: lower validation loss, then the earlier point. Start it again "
        "to continue.\n"
        "Test labels are removed before training. Seeds are runs 1000, 1001, ..., not the runs 0, 1, ... that the "
        "bench programs\n"
        "report: drawn splits differ from theirs; published splits, and so their validation nodes, are the same.\n"
        "Use equal numbers of points and seeds for objectives that will be compared; the row of the winner records "
        "them.\n");
    if (!t->experiment || !t->grid || !t->base)
        opt_wrong("--experiment, --base and --grid are needed");
    if (!*t->experiment || strpbrk(t->experiment, "/\t\n") || !*t->setting || strpbrk(t->setting, "\t\r\n"))
        opt_wrong("--experiment and --setting must be names without '/', tabs and line breaks");
    opt_try(memory_set, (void *)t->memory);
}

struct search { /* the arguments of read_search */
    tune *t;
    cell base, *points;
};

static int is_kept(tune *t, const spec *s)
{
    const char *text = grid_point_text(&t->a, &t->grid, s);
    for (int i = 0; t->o.among && i < t->o.keep; i++)
        if (!strcmp(t->o.among->point[i].text, text))
            return 1;
    return !t->o.among;
}

static void read_search(void *arg)
{
    struct search *q = arg;
    tune *t = q->t;
    spec base = resolve_text(&t->a, NULL, t->o.base, "--base"), *points;
    if (t->o.dataset)
        base.dataset = t->o.dataset;
    q->base = resolve_cell(&base, NULL, t->o.setting);
    t->grid = grid_parse(&t->a, t->o.grid);
    if (!t->o.dataset) /* jcb compare has checked its own */
        resolve_check_keys(t->o.base, &q->base, 1);
    resolve_check_keys(t->o.grid, &q->base, 1);
    int n = grid_points(&t->a, &points, &t->grid, &base, t->o.random, t->o.balanced, (uint64_t)t->o.seed);
    q->points = NEW(&t->a, cell, (size_t)n);
    for (int i = 0; i < n; i++)
        if (is_kept(t, points + i))
            q->points[t->npoints++] = resolve_cell(points + i, NULL, t->o.setting);
}

/* --- a trial, as the queue sees it --- */

static tune *tune_of(const queue_cell *c) { return (tune *)c->file->b; }

static run_file trial_open(arena *a, const char *path, const bench *b)
{
    const tune *t = (const tune *)b;
    (void)path; /* the file of reported runs */
    return run_file_open(a, t->path, arena_printf(a, "tune-%s", t->o.experiment), JCB_COMMIT, 0);
}

static run_id trial_id(const queue *q, const queue_cell *c, int run) { return queue_id(q, c, FIRST + run); }

static void trial_key(char out[17], const queue *q, const queue_cell *c, int run)
{
    run_id id = trial_id(q, c, run);
    run_key(out, &id);
}

static void trial_run(void *result, const queue *q, const queue_cell *c, int run)
{
    arena a = {0};
    outcome *o = result;
    cell mine = c->cell;
    mine.s.split = split_rule_read("auto"); /* a blind problem has its split already */
    const problem *p = blind_problem(&a, c->p, c->cell.s.split, (uint64_t)q->seed, FIRST + run);
    method_once(o, p, &mine, (uint64_t)q->seed, FIRST + run);
    arena_free(&a);
}

static void record_trial(const queue *q, const queue_cell *c, int run, outcome o, int jobs)
{
    tune *t = tune_of(c);
    run_id id = trial_id(q, c, run);
    o.test = (metrics){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    o.test_loss = NAN;
    run_file_append(&c->file->records, &id, &o, jobs);
    t->ended[(c - q->cell) * t->o.seeds + run] = 1;
}

static int trial_append(const queue *q, const queue_cell *c, int run, const void *result, int jobs)
{
    const outcome *o = result;
    record_trial(q, c, run, *o, jobs);
    return !strcmp(o->status, "ok");
}

static void trial_fail(const queue *q, const queue_cell *c, int run, const char *why, int jobs)
{
    outcome o = {.smooth = "-"};
    snprintf(o.status, sizeof o.status, "failed:%s", why);
    record_trial(q, c, run, o, jobs);
    tune_of(c)->lost++;
}

static const bench_kind trial = {
    .reuses_splits = 1,
    .result = sizeof(outcome),
    .open = trial_open,
    .key = trial_key,
    .run = trial_run,
    .append = trial_append,
    .fail = trial_fail,
};

/* --- the search --- */

static void prepare(tune *t)
{
    struct search mine = {.t = t};
    opt_try(read_search, &mine);
    data_dirs dirs = select_dirs(&t->a, t->o.data);
    jcb_need_dataset(&dirs, mine.base.s.dataset);
    if (mine.base.s.attack.per_run)
        die("--base: attack=%s draws a graph for each run; a search needs one graph: give a seed",
            mine.base.s.attack.text);
    t->b = (bench){.name = t->o.experiment, .kind = &trial};
    t->q.data = t->o.data;
    t->q.out = t->o.out;
    t->q.runs = t->o.seeds;
    t->q.seed = t->o.seed;
    t->points = NEW(&t->a, point, (size_t)t->npoints);
    t->ended = NEW(&t->a, unsigned char, (size_t)t->npoints *(size_t)t->o.seeds);
    const queue_file *f = queue_add_file(&t->q, &t->b);
    for (int i = 0; i < t->npoints; i++) {
        point *x = t->points + i;
        x->c = queue_add_cell(&t->q, f, mine.points + i);
        x->acc = NEW(&t->a, double, (size_t)t->o.seeds);
        x->loss = NEW(&t->a, double, (size_t)t->o.seeds);
    }
}

/* Neither recorded nor ended in this process: out of time, a signal, or another process has taken it. */
static int is_left(tune *t, const point *x, int k)
{
    char key[17];
    record_file *f = x->c->file->records.f;
    if (x->c->state != CELL_READY)
        return x->c->state == CELL_NEW;
    trial_key(key, &t->q, x->c, k);
    if (t->ended[(x - t->points) * t->o.seeds + k] || record_done(f, key))
        return 0;
    if (record_claim(f, key)) /* reads rows that other processes appended */
        record_release(f, key);
    return !record_done(f, key);
}

/* Does all trials that are not recorded, those with the first seed first. Returns the number of trials left. */
static int run_trials(tune *t)
{
    int left = 0;
    scheduler s = {.q = &t->q,
                   .rule = {.rounds = t->o.seeds},
                   .jobs = t->o.jobs,
                   .quiet = t->o.quiet,
                   .time = t->o.time,
                   .local = 1};
    scheduler_run(&s);
    for (int i = 0; i < t->npoints; i++)
        for (int k = 0; k < t->o.seeds; k++)
            left += is_left(t, t->points + i, k);
    return left;
}

static void collect_trial(tune *t, point *x, int k, const records *rec)
{
    char key[17];
    trial_key(key, &t->q, x->c, k);
    const record *r = records_find(rec, key);
    if (r && r->ok) {
        x->acc[x->n] = 100 * r->number[RUN_val_acc];
        x->loss[x->n++] = r->number[RUN_val_loss];
    }
}

/* Reads the results of all trials from the records; the order of the rows does not matter. */
static void collect(tune *t)
{
    records rec = records_read(&t->a, t->path);
    for (int i = 0; i < t->npoints; i++) {
        point *x = t->points + i;
        for (int k = 0; k < t->o.seeds && x->c->state == CELL_READY; k++)
            collect_trial(t, x, k, &rec);
        x->mean = stats_mean(x->acc, x->n);
        x->mean_loss = stats_mean(x->loss, x->n);
        t->failed += x->n < t->o.seeds;
        t->lost += x->c->state == CELL_FAILED ? t->o.seeds : 0;
    }
}

/* The best first; points with a failed trial (training diverged, or its process ended) last. */
static int by_rank(const void *x, const void *y, void *arg)
{
    const tune *t = arg;
    int i = *(const int *)x, j = *(const int *)y;
    const point *a = t->points + i, *b = t->points + j;
    int whole_a = a->n == t->o.seeds, whole_b = b->n == t->o.seeds;
    if (whole_a != whole_b)
        return whole_b - whole_a;
    /* Rounded: sums of the same numbers may differ in the last bits. */
    double d = whole_a ? round(1e6 * b->mean) - round(1e6 * a->mean) : 0;
    if (d == 0 && whole_a)
        d = a->mean_loss - b->mean_loss;
    return d < 0 ? -1 : d > 0 ? 1 : (i > j) - (i < j);
}

static void show(tune *t, const int *rank)
{
    printf("%4s  %-16s %9s  %s\n", "", "validation acc", "val loss", "point");
    for (int r = 0; r < t->npoints && r < SHOWN; r++) {
        const point *x = t->points + rank[r];
        char acc[32];
        snprintf(acc, sizeof acc, x->n == t->o.seeds ? "%6.2f" : "failed", x->mean);
        printf("%4d  %-8s", r + 1, acc);
        if (x->n == t->o.seeds && x->n > 1)
            printf(" +- %-5.2f", stats_sd(x->acc, x->n));
        else
            printf("%9s", "");
        printf("%9.4f  %s%s\n", x->mean_loss, grid_point_text(&t->a, &t->grid, &x->c->cell.s),
               rank[r] ? "" : "  (base)");
    }
    if (t->failed)
        printf("%d of %d points are excluded: a run of theirs failed or diverged\n", t->failed, t->npoints);
}

static void write_winner(tune *t, const point *x, const char *path)
{
    const cell *best = &x->c->cell;
    const int tried = t->o.among ? t->o.among->n : t->npoints;
    const char *grid_text = t->grid.text,
               *note = x->c->data.origin == ORIGIN_REAL ? "-" : origin_name[x->c->data.origin];
    if (t->o.random)
        grid_text = arena_printf(&t->a, "%s (%d %s of %llu, seed %d)", grid_text, tried - 1,
                                 t->o.balanced ? "balanced" : "at random", (unsigned long long)t->grid.size, t->o.seed);
    const char *row[SPEC_COLUMNS] = {
        [SPEC_DATASET] = best->s.dataset,
        [SPEC_MODEL] = best->model,
        [SPEC_LOSS] = best->loss,
        [SPEC_SETTING] = t->o.setting,
        [SPEC_SPEC] = grid_spec_text(&t->a, &best->s),
        [SPEC_GRID] = grid_text,
        [SPEC_TRIALS] = arena_printf(&t->a, "%d", tried),
        [SPEC_SEEDS] = arena_printf(&t->a, "%d", t->o.seeds),
        [SPEC_VAL_ACC] = arena_printf(&t->a, "%.2f", x->mean),
        [SPEC_NOTE] = t->o.among ? arena_printf(&t->a, "%s%sseeds: of the best %d points", *note == '-' ? "" : note,
                                                *note == '-' ? "" : "; ", t->npoints)
                                 : note,
    };
    spec_file_put(path, row);
}

static void tell(const tune *t, const int *rank)
{
    tune_found *f = t->o.found;
    f->n = t->npoints, f->point = NEW(t->o.a, compare_point, (size_t)t->npoints);
    for (int r = 0; r < t->npoints; r++) {
        const point *x = t->points + rank[r];
        f->point[r] =
            (compare_point){grid_point_text(t->o.a, &t->grid, &x->c->cell.s), x->n == t->o.seeds ? x->mean : NAN,
                            x->n > 1 ? stats_sd(x->acc, x->n) : NAN, x->n};
    }
}

/* Chooses the winner from the records. Returns the exit code. */
static int choose(tune *t, const char *specs)
{
    collect(t);
    int *rank = NEW(&t->a, int, (size_t)t->npoints);
    for (int i = 0; i < t->npoints; i++)
        rank[i] = i;
    qsort_r(rank, (size_t)t->npoints, sizeof *rank, by_rank, t);
    const point *best = t->points + rank[0];
    if (best->c->state == CELL_FAILED)
        return EXIT_FAILURE; /* then all points are; the queue has reported why */
    if (!t->o.quiet)
        show(t, rank);
    if (t->o.found)
        tell(t, rank);
    if (best->n < t->o.seeds)
        die("every point failed; no winner is written");
    if (t->lost) /* another winner than without the fault, and unequal budgets */
        die("%d of %d runs ended by a fault and no winner is written; start again to repeat them, or search without "
            "their points",
            t->lost, t->npoints * t->o.seeds);
    write_winner(t, best, specs);
    if (!t->o.found)
        printf("winner of %d points, %d seeds each: %s -> %s\n", t->npoints, t->o.seeds,
               grid_point_text(&t->a, &t->grid, &best->c->cell.s), specs);
    return EXIT_SUCCESS;
}

int jcb_tune_search(const tune_options *o)
{
    tune *t = calloc(1, sizeof *t);
    if (!t)
        die("out of memory");
    t->o = *o;
    t->path = arena_printf(&t->a, "%s/tune/%s.tsv", t->o.out, t->o.experiment);
    const char *specs = arena_printf(&t->a, "%s/%s.tsv", t->o.specs, t->o.experiment);
    spec_file_read(&t->a, specs); /* report a damaged file now rather than after the search */
    prepare(t);
    queue_open_records(&t->q);
    signals_catch();
    int left = run_trials(t), all = t->npoints * t->o.seeds, code = 128 + signals_stopped();
    queue_close(&t->q);
    if (left && !signals_stopped())
        die("stopped by %s, %d of %d runs are left and no winner is written; start again to continue",
            t->o.time > 0 ? "--time" : "another process that has taken the last ones", left, all);
    if (left)
        warn("stopped by a signal, %d of %d runs are left and no winner is written; start again to continue", left,
             all);
    else
        code = choose(t, specs);
    arena_free(&t->q.a);
    arena_free(&t->a);
    free(t);
    return code;
}

int jcb_tune(int argc, char **argv)
{
    tune_options o = {.jobs = omp_get_num_procs()};
    options(&o, argc, argv);
    return jcb_tune_search(&o);
}
