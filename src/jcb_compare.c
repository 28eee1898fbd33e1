/* jcb compare: is one loss better than another on this graph? Searches hyper-parameters for both with the same budget,
 * then trains both on the same splits and seeds, run by run, until the paired differences decide.
 *
 *   search   jcb tune on validation nodes: the same number of points and seeds for each loss (--tune 0: none)
 *   runs     0, 1, 2, ... of each loss, recorded in OUT/records/compare.tsv: started again, it goes on
 *   verdict  paired t e-process at 5 %, confidence sequence, "practically equal" within +-MARGIN (stats/anytime.h): it
 *            may be looked at after every run */
#include "base/err.h"
#include "base/file.h"
#include "base/opt.h"
#include "jcb.h"
#include "loss/loss.h"
#include "page/compare.h"
#include "record/run_record.h"
#include "record/spec_file.h"
#include "train/grid.h"
#include "method/pool.h"
#include "version.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRIAL_EPOCHS 10
#define SEARCH_COST 2 /* a run of the search, on average, in runs of the base: wider networks are tried */
#define GRID "lr=.005,.01,.05 wd=0,5e-4,5e-3 dropout=.2,.5,.8 hidden=64,256"
#define GRID_CLUSTERS \
    "tau=.1,.5,1 clusters=5,20" /* more keys for losses with clusters; the number of points stays the same */

typedef struct compare {
    arena a;
    const char *dataset, *model, *losses, *base, *data, *out, *until;
    int runs, tune, seeds, seed, jobs, quiet;
    double time, margin;
    char *loss[2];
    spec s[2];
    double cost[2];
    problem *p;
    run_file records;
    const char *path;
    int *queue;        /* of each queued job: 2 run + side */
    const char *found; /* how the hyper-parameters were found */
    int asked;         /* pairs of runs */
    int elsewhere;     /* runs of the last pairs that another process was at */
} compare;

static void options(compare *c, int argc, char **argv)
{
    const opt table[] = {
        {"dataset", OPT_TEXT, &c->dataset, "NAME", "data set of the catalogue, or a directory with a graph of your own",
         NULL, 0, 0},
        {"model", OPT_TEXT, &c->model, "NAME", "backbone: see `jcb list`", "gcn", 0, 0},
        {"losses", OPT_TEXT, &c->losses, "A,B", "the two losses; the question is whether B beats A", "ce,jc", 0, 0},
        {"base", OPT_TEXT, &c->base, "K=V ...",
         "hyper-parameters of both, where the search starts: 'epochs=500 patience=100'", "", 0, 0},
        {"tune", OPT_INT, &c->tune, "N", "points to try for each loss besides the base; 0: no search", "12", 0,
         GRID_POINTS - 1},
        {"seeds", OPT_INT, &c->seeds, "K", "runs of each point of the search", "2", 1, 1000},
        {"runs", OPT_INT, &c->runs, "N", "largest number of pairs of runs", "40", 2, 100000},
        {"until", OPT_TEXT, &c->until, "WHEN", "decided: stop as soon as there is a verdict; runs: do all of --runs",
         "decided", 0, 0},
        {"margin", OPT_REAL, &c->margin, "X", "differences within +-X points are practically equal", "0.5", 0, 100},
        OPT_SEED(&c->seed),
        OPT_JOBS(&c->jobs),
        OPT_TIME(&c->time),
        OPT_DATA(&c->data),
        {"out", OPT_TEXT, &c->out, "DIR", "records, searched hyper-parameters and the page compare.html", "compare", 0,
         0},
        OPT_QUIET(&c->quiet),
        {0},
    };
    opt_only(argc, argv, table,
             "jcb compare --dataset NAME|DIR [option ...]\n"
             "Which of two losses is better on this graph: equal search, paired runs, a verdict that may be watched.",
             "Example: jcb compare --dataset path/to/graph --model gcn --losses ce,jc --time 5m\n"
             "Searched for both:             " GRID "\n"
             "and for losses with clusters:  " GRID_CLUSTERS "\n"
             "Test labels take no part in the search. A directory of your own: README, \"Your own graph\".\n");
    if (!c->dataset)
        opt_wrong("--dataset is needed");
    if (strcmp(c->until, "decided") && strcmp(c->until, "runs"))
        opt_wrong("--until is decided or runs, not '%s'", c->until);
    char *comma = strchr(c->losses, ',');
    if (!comma || strchr(comma + 1, ','))
        opt_wrong("--losses must be two names, A,B, not '%s'", c->losses);
    c->loss[0] = arena_printf(&c->a, "%.*s", (int)(comma - c->losses), c->losses);
    c->loss[1] = comma + 1;
    if (!strcmp(c->loss[0], c->loss[1]))
        opt_wrong("--losses %s: that is the same loss twice", c->losses);
}

static char *base_text(compare *c, int k)
{
    return arena_printf(&c->a, "dataset=%s model=%s loss=%s %s", c->dataset, c->model, c->loss[k], c->base);
}

/* Where both sides start: mistakes are found before any search. */
static void base_specs(void *arg)
{
    compare *c = arg;
    for (int k = 0; k < 2; k++) {
        c->s[k] = method_spec(&c->a, NULL, base_text(c, k), "--base");
        method_check(&c->s[k]);
    }
}

/* Replaces the hyper-parameters of one side by what jcb tune finds from there. */
static void search(compare *c, int k)
{
    int clusters = objective_find(c->loss[k])->clusters;
    char *specs = arena_printf(&c->a, "%s/specs", c->out);
    tune_options o = {.experiment = "compare",
                      .base = base_text(c, k),
                      .setting = "-",
                      .grid = clusters ? GRID " " GRID_CLUSTERS : GRID,
                      .random = c->tune,
                      .seeds = c->seeds,
                      .seed = c->seed,
                      .jobs = c->jobs,
                      .data = c->data,
                      .out = c->out,
                      .specs = specs,
                      .quiet = c->quiet};
    if (!c->quiet)
        printf("search for %s: %d points, %d seeds each, validation nodes only\n", c->loss[k], c->tune + 1, c->seeds);
    int code = jcb_tune_search(&o);
    if (code) /* a signal */
        exit(code);
    spec_file f = spec_file_read(&c->a, arena_printf(&c->a, "%s/compare.tsv", specs));
    if (!spec_file_apply(&c->a, &f, &c->s[k], "-"))
        die("%s/compare.tsv has no row for %s %s %s", specs, c->dataset, c->model, c->loss[k]);
}

/* Seconds of a run on this machine as it is now: of a few epochs, carried forward. */
static double measure_run(problem *p, const spec *s)
{
    arena a = {0};
    outcome o = {0};
    mat prob = {0};
    spec q = *s;
    q.epochs = s->epochs < TRIAL_EPOCHS ? s->epochs : TRIAL_EPOCHS;
    q.evaluate_from = q.validate_every = 1;
    method_prepare(p, &q);
    double seconds = INFINITY;
    for (int k = 0; k < 2; k++) { /* the first time everything is cold */
        double start = omp_get_wtime();
        method_find(&q)->fit(&o, &prob, &a, p, &q, 1, 0);
        seconds = fmin(seconds, omp_get_wtime() - start);
    }
    arena_free(&a);
    return seconds * s->epochs / q.epochs;
}

/* Points for which half of --time suffices. Kept in OUT, so that starting again goes on with the same search. */
static int affordable_points(compare *c, const data_dirs *dirs)
{
    const char *path = arena_printf(&c->a, "%s/points", c->out);
    if (file_exists(path))
        return atoi((const char *)file_read(&c->a, path, 0).p);
    problem *p = problem_open(dirs, &c->s[0]);
    int side_by_side = pool_large(problem_dataset(p)->nodes) || c->jobs < 1 ? 1 : c->jobs;
    double point = SEARCH_COST * c->seeds * (measure_run(p, &c->s[0]) + measure_run(p, &c->s[1])) / side_by_side;
    problem_close(p);
    int points = (int)fmin(c->tune, fmax(0, c->time / 2 / point - 1));
    const char *text = arena_printf(&c->a, "%d\n", points);
    file_write(path, text, strlen(text));
    return points;
}

/* With --time the search takes about half of it: fewer points, for both losses alike, where there is no time for all.
 */
static void plan_search(compare *c, const data_dirs *dirs)
{
    int asked = c->tune, points = c->time > 0 && c->tune ? affordable_points(c, dirs) : c->tune;
    c->tune = points < 0 ? 0 : points < c->tune ? points : c->tune;
    if (c->tune)
        c->found = arena_printf(
            &c->a,
            "Hyper-parameters: searched for each loss alike, %d points with %d seeds each, on validation nodes only%s.",
            c->tune + 1, c->seeds, c->tune < asked ? " (fewer than asked for: --time)" : "");
    else
        c->found = asked ? "Hyper-parameters: not searched for, --time was too short; neither side may be at its best."
                         : "Hyper-parameters: as given, not searched for (--tune 0); neither side may be at its best.";
    if (c->tune < asked)
        warn("%s, so that half of --time is left for runs",
             c->tune ? arena_printf(&c->a, "search: %d of %d points for each loss", c->tune + 1, asked + 1)
                     : "no search: both losses are compared with the hyper-parameters of --base");
}

static run_id id_of(const compare *c, int k, int run)
{
    return (run_id){run_data_of(c->p, &c->s[k]), &c->s[k], "-", c->seed, run};
}

/* Not when another process with the same records is at it, or has done it meanwhile. */
static int run_take(void *arg, int i)
{
    compare *c = arg;
    char key[17];
    run_id id = id_of(c, c->queue[i] % 2, c->queue[i] / 2);
    run_key(key, &id);
    int mine = record_claim(c->records.f, key), done = mine && record_done(c->records.f, key);
    if (done)
        record_release(c->records.f, key);
    c->elsewhere += !mine || done;
    return mine && !done;
}

static void run_done(void *arg, int i, const outcome *o, int jobs)
{
    compare *c = arg;
    char key[17];
    run_id id = id_of(c, c->queue[i] % 2, c->queue[i] / 2);
    run_key(key, &id);
    run_file_append(&c->records, &id, o, jobs);
    record_release(c->records.f, key);
}

/* The pairs of runs 0, 1, ... that the records hold, up to the first that is missing or failed. */
static compare_pairs read_pairs(compare *c, arena *a)
{
    records rec = records_read(a, c->path);
    compare_pairs v = {.margin = c->margin,
                       .score = problem_dataset(c->p)->ym ? "micro-F1" : "accuracy",
                       .search = c->found,
                       .name = {c->loss[0], c->loss[1]},
                       .about = arena_printf(a, "%s, %s", c->dataset, c->model)};
    for (int k = 0; k < 2; k++)
        v.spec[k] = spec_identity(a, &c->s[k]), v.run[k] = NEW(a, compare_run, (size_t)c->runs);
    for (int whole = 1; v.n < c->runs && whole; v.n += whole)
        for (int k = 0; k < 2 && whole; k++) {
            char key[17];
            run_id id = id_of(c, k, v.n);
            run_key(key, &id);
            whole = 0;
            for (int i = 0; i < rec.t.rows && !whole; i++)
                if (!strcmp(tsv_get(&rec.t, i, "key"), key) && !strcmp(tsv_get(&rec.t, i, "status"), "ok")) {
                    v.run[k][v.n] =
                        (compare_run){100 * tsv_number(&rec.t, i, "test_acc"), 100 * tsv_number(&rec.t, i, "ece"),
                                      (int)tsv_number(&rec.t, i, "best_epoch"), c->s[k].epochs};
                    if (isnan(v.run[k][v.n].acc))
                        die("%s: no test nodes: there is nothing to compare", c->dataset);
                    whole = 1;
                }
        }
    return v;
}

/* The next pairs, as many as there are cores. Returns 0 when the time is up or a signal has come. */
static int next_pairs(compare *c, int from, double left)
{
    int n = 0, to = from + (c->jobs > 1 ? c->jobs : 1);
    pool_job *job = NEW(&c->a, pool_job, 2 * (size_t)(to - from));
    c->queue = NEW(&c->a, int, 2 * (size_t)(to - from));
    for (int r = from; r < to && r < c->runs; r++)
        for (int k = 0; k < 2; k++) {
            char key[17];
            run_id id = id_of(c, k, r);
            run_key(key, &id);
            if (record_done(c->records.f, key))
                continue;
            job[n] = (pool_job){c->p, &c->s[k], (uint64_t)c->seed, r, &c->cost[k]};
            c->queue[n++] = 2 * r + k;
        }
    c->elsewhere = 0;
    pool q = {.jobs = c->jobs, .time = left, .quiet = 1, .take = run_take, .done = run_done, .arg = c};
    return pool_run(&q, job, n) + c->elsewhere == n && !workers_stopped();
}

static void run_pairs(compare *c)
{
    double end = c->time > 0 ? omp_get_wtime() + c->time : INFINITY;
    for (int more = 1; more;) {
        arena a = {0};
        compare_pairs v = read_pairs(c, &a);
        compare_verdict d = compare_decide(&v);
        if (!c->quiet && v.n)
            compare_print_line(&v, &d);
        double left = end - omp_get_wtime();
        more = v.n < c->runs && (d.word == COMPARE_OPEN || !strcmp(c->until, "runs")) && left > 0;
        int from = v.n;
        arena_free(&a);
        more = more && next_pairs(c, from, isinf(left) ? 0 : left);
        arena after = {0};
        int stands = more && read_pairs(c, &after).n == from;
        if (stands && c->elsewhere)
            nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* the other process is not ready */
        else if (stands)
            die("run %d failed for one of the losses: see %s", from, c->path);
        arena_free(&after);
    }
}

int jcb_compare(int argc, char **argv)
{
    compare *c = calloc(1, sizeof *c);
    if (!c)
        die("out of memory");
    c->jobs = omp_get_num_procs();
    options(c, argc, argv);
    c->asked = c->runs;
    double start = omp_get_wtime();
    opt_try(base_specs, c);
    data_dirs dirs = select_dirs(&c->a, c->data);
    plan_search(c, &dirs);
    for (int k = 0; k < 2 && c->tune; k++)
        search(c, k);
    if (strcmp(c->s[0].attack, c->s[1].attack) || strcmp(c->s[0].norm, c->s[1].norm))
        die("both losses must have the same graph and features, not attack=%s norm=%s and attack=%s norm=%s",
            c->s[0].attack, c->s[0].norm, c->s[1].attack, c->s[1].norm);
    c->p = problem_open(&dirs, &c->s[0]);
    for (int k = 0; k < 2; k++) {
        method_prepare(c->p, &c->s[k]);
        c->cost[k] = pool_cost(c->p, &c->s[k]);
        int most = trainer_runs(c->p, &c->s[k]);
        c->runs = c->runs < most ? c->runs : most;
    }
    if (c->runs < c->asked)
        warn("%s has %d published splits: no more pairs of runs than that (--base split=redraw draws new ones)",
             c->dataset, c->runs);
    c->time = c->time > 0 ? fmax(1, c->time - (omp_get_wtime() - start)) : 0;
    c->path = arena_printf(&c->a, "%s/records/compare.tsv", c->out);
    c->records = run_file_open(&c->a, c->path, "compare", JCB_COMMIT, 0);
    workers_catch_signals();
    run_pairs(c);
    record_close(c->records.f);
    compare_pairs v = read_pairs(c, &c->a);
    if (v.n < 1)
        die("no pair of runs was finished; start again with more --time to continue");
    compare_verdict d = compare_decide(&v);
    compare_print(&v, &d);
    compare_page(&c->a, &v, &d, c->out);
    if (!c->quiet)
        printf("%d pairs of runs of %d asked for: %s. %s\n", v.n, c->asked,
               workers_stopped()       ? "stopped by a signal"
               : d.at && v.n < c->runs ? "decided"
               : v.n >= c->runs        ? (c->runs < c->asked ? "one for each published split" : "all")
                                       : "the time is up; start again to continue",
               c->found);
    printf("page: %s/compare.html   records: %s\n", c->out, c->path);
    problem_close(c->p);
    arena_free(&c->a);
    free(c);
    return workers_stopped() ? 128 + workers_stopped() : EXIT_SUCCESS;
}
