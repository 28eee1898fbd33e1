/* jcb tune: which point of a grid has the highest validation accuracy, for one cell of an experiment.
 *
 * A trial is one point with one seed: run FIRST + k, so that splits, initial weights and dropout are not those of the
 * reported runs 0, 1, ... Trials are records like any run and are not repeated. The trainer gets blind problems: there
 * is no test label that it could read. */
#include "base/err.h"
#include "base/memory.h"
#include "base/opt.h"
#include "jcb.h"
#include "loss/loss.h"
#include "record/run_record.h"
#include "record/spec_file.h"
#include "stats/stats.h"
#include "train/blind.h"
#include "train/grid.h"
#include "method/pool.h"
#include "version.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1000, SHOWN = 10 };

typedef struct point {
    spec s;     /* what is recorded */
    spec blind; /* the same for a blind problem, which has its split already */
    double cost;
    double *acc, *loss; /* validation accuracy (%) and loss, of each seed that is done */
    int n;
    double mean, mean_loss;
} point;

typedef struct trial {
    int point, seed;
    char key[17];
} trial;

typedef struct tune {
    arena a;
    tune_options o;
    grid grid;
    int npoints, failed;
    point *points;
    problem *p, **blind; /* one for each seed */
    run_file records;
    trial *trials; /* all of them */
    int *queue;    /* those that are still to run */
} tune;

static void options(tune_options *t, int argc, char **argv)
{
    const opt table[] = {
        {"experiment", OPT_TEXT, &t->experiment, "NAME",
         "name of the search; the best point is written to SPECS/NAME.tsv", NULL, 0, 0},
        {"base", OPT_TEXT, &t->base, "K=V ...",
         "the cell, and hyper-parameters that are not searched: 'dataset=cora model=gcn loss=jc'", NULL, 0, 0},
        {"setting", OPT_TEXT, &t->setting, "S", "the cell's setting, where the experiment has settings", "-", 0, 0},
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
    opt_only(argc, argv, table,
             "jcb tune --experiment NAME --base 'K=V ...' --grid 'K=V,V ...' [option ...]\n"
             "Searches hyper-parameters by mean validation accuracy; the bench programs read the winner.",
             "The base itself is always tried, as point 0. Ties: lower validation loss, then the earlier point. "
             "Started again, it\n"
             "continues where it stopped. Test labels are removed before training.\n"
             "Seeds are runs 1000, 1001, ..., not the runs 0, 1, ... that the bench programs report: drawn splits "
             "differ from\n"
             "theirs; published splits, and so their validation nodes, are the same.\n"
             "Objectives that will be compared want equal budgets: as many points and seeds for ce as for the other. "
             "That is up\n"
             "to you; the winner's row says how many of each there were.\n");
    if (!t->experiment || !t->grid || !t->base)
        opt_wrong("--experiment, --base and --grid are needed");
    if (!*t->experiment || strpbrk(t->experiment, "/\t\n") || !*t->setting || strpbrk(t->setting, "\t\r\n"))
        opt_wrong("--experiment and --setting need a name");
    opt_try(memory_set, (void *)t->memory);
}

struct search { /* the arguments of read_search */
    tune *t;
    spec base, *points;
};

static void read_search(void *arg)
{
    struct search *q = arg;
    q->base = method_spec(&q->t->a, NULL, q->t->o.base, "--base");
    method_check(&q->base);
    q->t->grid = grid_parse(&q->t->a, q->t->o.grid);
    q->t->npoints = grid_points(&q->t->a, &q->points, &q->t->grid, &q->base, q->t->o.random, (uint64_t)q->t->o.seed);
}

/* Points, data and one blind problem for each seed. */
static void prepare(tune *t)
{
    struct search mine = {.t = t};
    opt_try(read_search, &mine);
    spec base = mine.base, *s = mine.points;
    t->points = NEW(&t->a, point, (size_t)t->npoints);
    data_dirs dirs = select_dirs(&t->a, t->o.data);
    if (variant_of_run(&t->a, base.attack, 0))
        die("--base: attack=%s has another graph for each run; a search needs one graph: give a seed", base.attack);
    t->p = problem_open(&dirs, &base);
    for (int i = 0; i < t->npoints; i++) {
        point *q = t->points + i;
        *q = (point){.s = s[i], .blind = s[i]};
        q->blind.split = "auto";
        q->acc = NEW(&t->a, double, (size_t)t->o.seeds);
        q->loss = NEW(&t->a, double, (size_t)t->o.seeds);
        method_prepare(t->p, &q->s);
        q->cost = pool_cost(t->p, &q->s);
    }
    t->blind = NEW(&t->a, problem *, (size_t)t->o.seeds);
    for (int k = 0; k < t->o.seeds; k++)
        t->blind[k] = blind_problem(&t->a, t->p, base.split, (uint64_t)t->o.seed, FIRST + k);
}

static run_id id_of(const tune *t, int i, int k)
{
    return (run_id){run_data_of(t->p, &t->points[i].s), &t->points[i].s, t->o.setting, t->o.seed, FIRST + k};
}

/* Not when another process has done it or holds its claim. */
static int trial_take(void *arg, int i)
{
    tune *t = arg;
    const char *key = t->trials[t->queue[i]].key;
    if (!record_claim(t->records.f, key))
        return 0;
    if (!record_done(t->records.f, key))
        return 1;
    record_release(t->records.f, key);
    return 0;
}

static void trial_done(void *arg, int i, const outcome *o, int jobs)
{
    tune *t = arg;
    const trial *q = t->trials + t->queue[i];
    run_id id = id_of(t, q->point, q->seed);
    outcome known = *o;
    known.test = (metrics){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    known.test_loss = NAN;
    run_file_append(&t->records, &id, &known, jobs);
    record_release(t->records.f, q->key);
}

/* How many of the queue, as other processes may have done some. */
static int not_recorded(tune *t, int n)
{
    int left = 0;
    for (int i = 0; i < n; i++) {
        const char *key = t->trials[t->queue[i]].key;
        int mine = record_claim(t->records.f, key);
        left += !record_done(t->records.f, key);
        if (mine)
            record_release(t->records.f, key);
    }
    return left;
}

/* Every trial that is not recorded, first seeds first. Returns how many are left over. */
static int run_trials(tune *t)
{
    int n = 0;
    t->trials = NEW(&t->a, trial, (size_t)t->npoints * (size_t)t->o.seeds);
    t->queue = NEW(&t->a, int, (size_t)t->npoints *(size_t)t->o.seeds);
    pool_job *job = NEW(&t->a, pool_job, (size_t)t->npoints * (size_t)t->o.seeds);
    for (int k = 0; k < t->o.seeds; k++)
        for (int i = 0; i < t->npoints; i++) {
            trial *q = t->trials + k * t->npoints + i;
            run_id id = id_of(t, i, k);
            *q = (trial){i, k, ""};
            run_key(q->key, &id);
            if (record_done(t->records.f, q->key))
                continue;
            point *x = t->points + i;
            job[n] = (pool_job){t->blind[k], &x->blind, (uint64_t)t->o.seed, FIRST + k, &x->cost};
            t->queue[n++] = (int)(q - t->trials);
        }
    pool q = {
        .jobs = t->o.jobs, .time = t->o.time, .quiet = t->o.quiet, .take = trial_take, .done = trial_done, .arg = t};
    int left = n - pool_run(&q, job, n);
    return left ? not_recorded(t, n) : 0;
}

/* Takes the results of all seeds from the records. The order of its rows does not matter. */
static void collect(tune *t, const char *path)
{
    records rec = records_read(&t->a, path);
    for (int j = 0; j < t->npoints * t->o.seeds; j++) {
        point *x = t->points + t->trials[j].point;
        for (int i = 0; i < rec.t.rows; i++)
            if (!strcmp(tsv_get(&rec.t, i, "key"), t->trials[j].key) && !strcmp(tsv_get(&rec.t, i, "status"), "ok")) {
                x->acc[x->n] = 100 * tsv_number(&rec.t, i, "val_acc");
                x->loss[x->n++] = tsv_number(&rec.t, i, "val_loss");
                break;
            }
    }
    for (int i = 0; i < t->npoints; i++) {
        point *x = t->points + i;
        x->mean = stats_mean(x->acc, x->n);
        x->mean_loss = stats_mean(x->loss, x->n);
        t->failed += x->n < t->o.seeds;
    }
}

/* The best first; points that lack a seed (training diverged) last. */
static int by_rank(const void *x, const void *y, void *arg)
{
    const tune *t = arg;
    int i = *(const int *)x, j = *(const int *)y;
    const point *a = t->points + i, *b = t->points + j;
    int whole_a = a->n == t->o.seeds, whole_b = b->n == t->o.seeds;
    if (whole_a != whole_b)
        return whole_b - whole_a;
    double d = whole_a ? round(1e6 * b->mean) - round(1e6 * a->mean)
                       : 0; /* sums of the same numbers may differ in the last bits */
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
        snprintf(acc, sizeof acc, x->n == t->o.seeds ? "%6.2f" : "diverged", x->mean);
        printf("%4d  %-8s", r + 1, acc);
        if (x->n == t->o.seeds && x->n > 1)
            printf(" +- %-5.2f", stats_sd(x->acc, x->n));
        else
            printf("%9s", "");
        printf("%9.4f  %s%s\n", x->mean_loss, grid_point_text(&t->a, &t->grid, &x->s), rank[r] ? "" : "  (base)");
    }
    if (t->failed)
        printf("%d of %d points are out: a loss was not finite\n", t->failed, t->npoints);
}

static void write_winner(tune *t, const point *x, const char *path)
{
    const dataset *d = problem_dataset(t->p);
    const char *grid_text = t->grid.text, *note = d->origin == ORIGIN_REAL ? "-" : origin_name[d->origin];
    if (t->o.random)
        grid_text = arena_printf(&t->a, "%s (%d at random of %llu, seed %d)", grid_text, t->npoints - 1,
                                 (unsigned long long)t->grid.size, t->o.seed);
    const char *row[SPEC_COLUMNS] = {
        [SPEC_DATASET] = x->s.dataset,
        [SPEC_MODEL] = method_model(&x->s),
        [SPEC_LOSS] = method_loss(&x->s),
        [SPEC_SETTING] = t->o.setting,
        [SPEC_SPEC] = grid_spec_text(&t->a, &x->s),
        [SPEC_GRID] = grid_text,
        [SPEC_TRIALS] = arena_printf(&t->a, "%d", t->npoints),
        [SPEC_SEEDS] = arena_printf(&t->a, "%d", t->o.seeds),
        [SPEC_VAL_ACC] = arena_printf(&t->a, "%.2f", x->mean),
        [SPEC_NOTE] = note,
    };
    spec_file_put(path, row);
}

int jcb_tune_search(const tune_options *o)
{
    tune *t = calloc(1, sizeof *t);
    if (!t)
        die("out of memory");
    t->o = *o;
    const char *file = arena_printf(&t->a, "%s/tune/%s.tsv", t->o.out, t->o.experiment);
    const char *specs = arena_printf(&t->a, "%s/%s.tsv", t->o.specs, t->o.experiment);
    spec_file_read(&t->a, specs); /* a damaged file fails before the search rather than after it */
    prepare(t);
    t->records = run_file_open(&t->a, file, arena_printf(&t->a, "tune-%s", t->o.experiment), JCB_COMMIT, 0);
    workers_catch_signals();
    int left = run_trials(t);
    record_close(t->records.f);
    if (left && workers_stopped()) {
        warn("stopped by a signal, %d of %d runs are left and no winner is written; start again to continue", left,
             t->npoints * t->o.seeds);
        return 128 + workers_stopped();
    }
    if (left)
        die("stopped by %s, %d of %d runs are left and no winner is written; start again to continue",
            t->o.time > 0 ? "--time" : "another process that is at the last ones", left, t->npoints * t->o.seeds);
    collect(t, file);
    int *rank = NEW(&t->a, int, (size_t)t->npoints);
    for (int i = 0; i < t->npoints; i++)
        rank[i] = i;
    qsort_r(rank, (size_t)t->npoints, sizeof *rank, by_rank, t);
    const point *best = t->points + rank[0];
    if (!t->o.quiet)
        show(t, rank);
    if (best->n < t->o.seeds)
        die("every point diverged; no winner is written");
    write_winner(t, best, specs);
    printf("winner of %d points, %d seeds each: %s -> %s\n", t->npoints, t->o.seeds,
           grid_point_text(&t->a, &t->grid, &best->s), specs);
    problem_close(t->p);
    arena_free(&t->a);
    free(t);
    return EXIT_SUCCESS;
}

int jcb_tune(int argc, char **argv)
{
    tune_options o = {.jobs = omp_get_num_procs()};
    options(&o, argc, argv);
    return jcb_tune_search(&o);
}
