/* jcb compare: is one loss better than another on this graph? Searches hyper-parameters for both with the same budget,
 * then trains both on the same splits and seeds until the paired differences decide.
 *
 *   search   jcb tune on validation nodes: the same number of points and seeds for each loss (--tune 0: none)
 *   runs     0, 1, 2, ... of each loss, by worker processes (src/run/scheduler.h), recorded in OUT/records/compare.tsv;
 *            if started again, it continues
 *   verdict  paired t e-process at 5 %, confidence sequence, "practically equal" within +-MARGIN (result/anytime.h):
 *            valid under repeated looks, so it is computed after every run */
#include "../run/scheduler.h"
#include "../run/transport.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/opt.h"
#include "../base/signals.h"
#include "jcb.h"
#include "../train/method/resolve.h"
#include "../net/loss/loss.h"
#include "../result/compare.h"
#include "../run/spec_file.h"
#include "../train/grid.h"
#include <ctype.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRIAL_EPOCHS 10
#define SEARCH_COST 2 /* average cost of a run of the search in runs of the base: it tries wider networks, too */
/* A loss is searched over those that it depends on; the number of points is the same. */
#define GRID "lr=.005,.01,.05 wd=0,5e-4,5e-3 dropout=.2,.5,.8 hidden=64,256 tau=.1,.5,1 clusters=5,20"

typedef struct trial { /* a worker's measurement of the cost of a run */
    char error[400];
    double seconds; /* one run of each loss, together */
    int large;
} trial;

typedef struct compare {
    arena a;
    const char *dataset, *model, *losses, *base, *data, *out, *until;
    int runs, tune, seeds, seed, jobs, quiet;
    double time, margin;
    char *loss[2];
    cell c[2];        /* of both losses */
    trial trial;      /* used in the worker only */
    queue q;          /* two cells, one for each loss */
    scheduler at;     /* at.rule.rounds: pairs requested so far */
    const char *name; /* of the question: files of its own */
    const char *path;
    const char *found; /* sentence: how the hyper-parameters were found */
    int asked;         /* --runs, before it is limited by the published splits */
    int complete;      /* complete pairs at the last call of next_pairs; -1: not called yet */
} compare;

static void options(compare *c, int argc, char **argv)
{
    const opt table[] = {
        {"dataset", OPT_TEXT, &c->dataset, "NAME", "data set of the catalogue, or a directory with a graph of your own",
         NULL, 0, 0},
        {"model", OPT_TEXT, &c->model, "NAME", "backbone: see `jcb list`", "gcn", 0, 0},
        {"losses", OPT_TEXT, &c->losses, "A,B", "the two losses; tested is whether B is better than A", "ce,jc", 0, 0},
        {"base", OPT_TEXT, &c->base, "K=V ...",
         "hyper-parameters of both, from which the search starts: 'epochs=500 patience=100'", "", 0, 0},
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
        {"out", OPT_TEXT, &c->out, "DIR", "records, searched hyper-parameters and a page of each comparison", "compare",
         0, 0},
        OPT_QUIET(&c->quiet),
        {0},
    };
    opt_only(argc, argv, table,
             "jcb compare --dataset NAME|DIR [option ...]\n"
             "Which of two losses is better on this graph: equal search, paired runs, a verdict that is valid under "
             "repeated looks.",
             "Example: jcb compare --dataset path/to/graph --model gcn --losses ce,jc --time 5m\n"
             "Searched, as far as a loss depends on it: " GRID "\n"
             "The search does not use test labels. Format of a directory: README, \"Your own graph\".\n");
    if (!c->dataset)
        opt_wrong("--dataset is needed");
    opt_fold(c->dataset), opt_fold(c->model), opt_fold(c->losses);
    if (strcmp(c->until, "decided") && strcmp(c->until, "runs"))
        opt_wrong("--until is decided or runs, not '%s'", c->until);
    char *comma = strchr(c->losses, ',');
    if (!comma || strchr(comma + 1, ','))
        opt_wrong("--losses must be two names, A,B, not '%s'", c->losses);
    c->loss[0] = arena_printf(&c->a, "%.*s", (int)(comma - c->losses), c->losses);
    c->loss[1] = comma + 1;
    if (!strcmp(c->loss[0], c->loss[1]))
        opt_wrong("--losses %s: the same loss twice", c->losses);
}

static char *base_text(compare *c, int k)
{
    return arena_printf(&c->a, "model=%s loss=%s %s", c->model, c->loss[k], c->base);
}

/* "cora-gcn-ce-jc-1f2e3d4c": what is compared, and a hash of everything that the question depends on. */
static const char *name_of(compare *c)
{
    size_t n = strlen(c->dataset), from;
    while (n > 1 && c->dataset[n - 1] == '/')
        n--;
    for (from = n; from && c->dataset[from - 1] != '/';)
        from--;
    uint64_t h = hash_text(hash_text(hash_text(hash_text(HASH_INIT, c->dataset), c->model), c->losses), c->base);
    h = hash_u64(hash_bytes(h, &c->margin, sizeof c->margin), (uint64_t)c->seed);
    char *name = arena_printf(&c->a, "%.*s-%s-%s-%s-%08x", (int)(n - from), c->dataset + from, c->model, c->loss[0],
                              c->loss[1], (unsigned)h);
    for (char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("+-._", *s))
            *s = '_';
    return name;
}

/* Specs of both losses before the search; mistakes are reported here. */
static void base_specs(void *arg)
{
    compare *c = arg;
    for (int k = 0; k < 2; k++) {
        spec s = resolve_text(&c->a, NULL, base_text(c, k), "--base");
        s.dataset = c->dataset;
        c->c[k] = resolve_cell(&s, NULL, "-");
    }
    resolve_check_keys(c->base, c->c, 2);
}

/* The part of the grid that runs of loss k depend on. */
static const char *grid_of(compare *c, int k)
{
    char *save = NULL, *all = arena_printf(&c->a, "%s", GRID);
    const char *text = "";
    for (char *w = strtok_r(all, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        const char *name = arena_printf(&c->a, "%.*s", (int)strcspn(w, "="), w);
        if (method_reads(&c->c[k], spec_field(name), NULL))
            text = arena_printf(&c->a, "%s%s%s", text, *text ? " " : "", w);
    }
    return text;
}

/* Replaces the hyper-parameters of loss k by the winner of a search that starts from them. */
static void search(compare *c, int k)
{
    char *specs = arena_printf(&c->a, "%s/specs", c->out);
    tune_options o = {.dataset = c->dataset,
                      .experiment = "compare",
                      .base = base_text(c, k),
                      .setting = "-",
                      .grid = grid_of(c, k),
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
    if (code) /* ended by a signal */
        exit(code);
    spec_file f = spec_file_read(&c->a, arena_printf(&c->a, "%s/compare.tsv", specs));
    if (!spec_file_apply(&f, &c->c[k], "-"))
        die("%s/compare.tsv has no row for %s %s %s", specs, c->dataset, c->model, c->loss[k]);
}

/* --- cost of a run: measured in a worker, since no threads may start before the fork (transport.h) --- */

/* Seconds of a run under the present load, extrapolated from a few epochs. */
static double measure_run(problem *p, const cell *c)
{
    outcome o = {0};
    cell q = *c;
    q.s.epochs = c->s.epochs < TRIAL_EPOCHS ? c->s.epochs : TRIAL_EPOCHS;
    q.s.evaluate_from = q.s.validate_every = 1;
    method_prepare(p, &q);
    double seconds = INFINITY;
    for (int k = 0; k < 2; k++) { /* the first is a warm-up */
        double start = omp_get_wtime();
        method_once(&o, p, &q, 1, 0);
        seconds = fmin(seconds, omp_get_wtime() - start);
    }
    return seconds * c->s.epochs / q.s.epochs;
}

static void measure_both(void *arg)
{
    compare *c = arg;
    data_dirs dirs = select_dirs(&c->a, c->data);
    problem *p = problem_open(&dirs, &c->c[0].s);
    c->trial.large = cost_large(problem_dataset(p)->nodes);
    c->trial.seconds = measure_run(p, &c->c[0]) + measure_run(p, &c->c[1]);
    problem_close(p);
}

static size_t trial_work(void *arg, void *out, const void *in)
{
    compare *c = arg;
    (void)in;
    const char *error = err_try(measure_both, c);
    snprintf(c->trial.error, sizeof c->trial.error, "%s", error ? error : "");
    memcpy(out, &c->trial, sizeof(trial));
    return sizeof(trial);
}

static trial measure_in_worker(compare *c)
{
    transport_work w = {trial_work, c, 1, sizeof(trial)};
    transport_message m;
    transport *t = transport_local(&w, 1);
    t->send(t, 0, "", 0);
    while (!t->receive(t, &m, 1))
        if (signals_stopped())
            exit(128 + signals_stopped());
    if (!m.data)
        die("%s: the process that measured a run ended by %s", c->dataset, m.why);
    trial found = *(const trial *)m.data;
    t->close(t);
    if (*found.error)
        die("%s", found.error);
    return found;
}

/* The number of points that fit into half of --time. Kept in OUT, so that a restart with the same question and no more
 * time continues the same search. */
static int affordable_points(compare *c)
{
    const char *path = arena_printf(&c->a, "%s/points-%s", c->out, c->name);
    int points, tune;
    double time;
    if (file_exists(path) &&
        sscanf((const char *)file_read(&c->a, path, 0).p, "%d of %d in %lf s", &points, &tune, &time) == 3 &&
        tune == c->tune && time >= c->time)
        return points;
    trial run = measure_in_worker(c);
    double point = SEARCH_COST * c->seeds * run.seconds / (run.large || c->jobs < 1 ? 1 : c->jobs);
    points = (int)fmin(c->tune, fmax(0, c->time / 2 / point - 1));
    const char *text = arena_printf(&c->a, "%d of %d in %.17g s\n", points, c->tune, c->time);
    if (points > 0) /* not kept otherwise: a restart with more --time may search */
        file_write(path, text, strlen(text));
    return points;
}

/* With --time, reduces the number of points for both losses so that the search takes at most about half of it. */
static void plan_search(compare *c)
{
    int asked = c->tune, points = c->time > 0 && c->tune ? affordable_points(c) : c->tune;
    c->tune = points < 0 ? 0 : points < c->tune ? points : c->tune;
    if (c->tune)
        c->found = arena_printf(
            &c->a,
            "Hyper-parameters: searched equally for both losses, %d points with %d seeds each, on validation nodes "
            "only%s.",
            c->tune + 1, c->seeds, c->tune < asked ? " (fewer than requested: --time)" : "");
    else
        c->found = asked ? "Hyper-parameters: not searched, --time was too short; either loss may be far from its best."
                         : "Hyper-parameters: as given, not searched (--tune 0); either loss may be far from its best.";
    if (c->tune < asked)
        warn("%s, so that half of --time is left for runs",
             c->tune ? arena_printf(&c->a, "search: %d of %d points for each loss", c->tune + 1, asked + 1)
                     : "no search: both losses are compared with the hyper-parameters of --base");
}

/* --- runs --- */

static void key_of(char key[17], const compare *c, int k, int run)
{
    const queue_cell *q = c->q.cell + k;
    q->file->kind->key(key, &c->q, q, run);
}

static int read_run(compare_run *to, const compare *c, int k, int number, const records *rec)
{
    char key[17];
    key_of(key, c, k, number);
    const record *r = records_find(rec, key);
    if (!r || !r->ok)
        return 0;
    *to = (compare_run){100 * r->number[RUN_test_acc], 100 * r->number[RUN_ece], (int)r->number[RUN_best_epoch],
                        c->c[k].s.epochs};
    if (isnan(to->acc))
        die("%s: no test nodes, so nothing can be compared", c->dataset);
    return 1;
}

/* The recorded pairs of runs 0, 1, ..., up to the first that is missing or failed. */
static compare_pairs read_pairs(compare *c, arena *a)
{
    records rec = records_read(a, c->path);
    compare_pairs v = {.margin = c->margin,
                       .score = c->q.cell[0].multi ? "micro-F1" : "accuracy",
                       .search = c->found,
                       .name = {c->loss[0], c->loss[1]},
                       .about = arena_printf(a, "%s, %s", c->dataset, c->model)};
    int origin = c->q.cell[0].data.origin;
    if (origin == ORIGIN_SUBSTITUTE || origin == ORIGIN_TWIN)
        v.about = arena_printf(a, "%s (%s data: nothing follows for the real %s)", v.about, origin_name[origin],
                               catalog_is_twin(c->dataset) ? c->dataset + 5 : c->dataset);
    for (int k = 0; k < 2; k++)
        v.spec[k] = spec_identity(a, &c->c[k].s), v.run[k] = NEW(a, compare_run, (size_t)c->runs);
    while (v.n < c->runs && read_run(v.run[0] + v.n, c, 0, v.n, &rec) && read_run(v.run[1] + v.n, c, 1, v.n, &rec))
        v.n++;
    return v;
}

/* Pair n was requested and is not recorded: another process has taken it. Waits a moment; if that process has ended,
 * the runs are requested again. Dies if a run of the pair failed. */
static void wait_for(compare *c, int n)
{
    arena a = {0};
    records rec = records_read(&a, c->path);
    record_file *f = c->q.file->records.f;
    for (int k = 0; k < 2; k++) {
        char key[17];
        key_of(key, c, k, n);
        const record *r = records_find(&rec, key);
        int mine = record_claim(f, key);
        if (mine)
            record_release(f, key);
        if (!mine || record_done(f, key))
            continue;
        if (r)
            die("run %d failed for %s: %s, see %s", n, c->loss[k], r->status, c->path);
        c->q.cell[k].next = n;
    }
    arena_free(&a);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
}

/* Called by the scheduler when all requested pairs have been tried: requests as many more as there are jobs, unless
 * there is a verdict. */
static int next_pairs(void *arg)
{
    compare *c = arg;
    arena a = {0};
    for (int k = 0; k < 2; k++) {
        if (c->q.cell[k].state != CELL_READY)
            return 0;
        c->runs = c->runs < c->q.cell[k].max_runs ? c->runs : c->q.cell[k].max_runs;
    }
    if (c->complete < 0 && c->runs < c->asked)
        warn("%s has %d published splits, and so at most %d pairs of runs (--base split=redraw draws more)", c->dataset,
             c->runs, c->runs);
    compare_pairs v = read_pairs(c, &a);
    compare_verdict d = compare_decide(&v);
    int n = v.n, more = n < c->runs && (d.word == COMPARE_OPEN || !strcmp(c->until, "runs"));
    if (!c->quiet && n && n != c->complete)
        compare_print_line(&v, &d);
    arena_free(&a);
    if (more && n < c->at.rule.rounds && n == c->complete)
        wait_for(c, n);
    c->complete = n;
    c->at.rule.rounds = n + (c->jobs > 1 ? c->jobs : 1);
    return more;
}

static void run_pairs(compare *c)
{
    static const bench experiment = {.name = "compare"};
    c->q.data = c->data;
    c->q.out = c->out;
    c->q.runs = c->runs;
    c->q.seed = c->seed;
    const queue_file *f = queue_add_file(&c->q, &experiment);
    for (int k = 0; k < 2; k++)
        queue_add_cell(&c->q, f, &c->c[k])->seconds = 0; /* so that it is prepared even if --time is short */
    queue_open_records(&c->q);
    c->complete = -1;
    c->at = (scheduler){.q = &c->q,
                        .rule = {.rounds = c->jobs > 1 ? c->jobs : 1},
                        .jobs = c->jobs,
                        .quiet = 1,
                        .time = c->time,
                        .local = 1,
                        .more = next_pairs,
                        .arg = c};
    scheduler_run(&c->at);
    queue_close(&c->q);
    if (c->q.cell[0].state == CELL_FAILED || c->q.cell[1].state == CELL_FAILED)
        exit(EXIT_FAILURE); /* the queue has reported why */
}

static _Noreturn void die_different(const spec *x, const spec *y)
{
    char norm[2][32];
    int field = spec_field("norm");
    die("both losses must have the same graph and features, not attack=%s norm=%s and attack=%s norm=%s", x->attack,
        spec_get(x, field, norm[0]), y->attack, spec_get(y, field, norm[1]));
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
    jcb_need_dataset(&dirs, c->dataset);
    c->name = name_of(c);
    signals_catch();
    plan_search(c);
    for (int k = 0; k < 2 && c->tune; k++)
        search(c, k);
    if (strcmp(c->c[0].s.attack, c->c[1].s.attack) || c->c[0].s.norm != c->c[1].s.norm)
        die_different(&c->c[0].s, &c->c[1].s);
    c->time = c->time > 0 ? fmax(1, c->time - (omp_get_wtime() - start)) : 0;
    c->path = arena_printf(&c->a, "%s/records/compare.tsv", c->out);
    run_pairs(c);
    int ready = c->q.cell[0].state == CELL_READY && c->q.cell[1].state == CELL_READY;
    compare_pairs v = ready ? read_pairs(c, &c->a) : (compare_pairs){0};
    if (v.n < 1)
        die("no pair of runs was finished; start again with more --time to continue");
    compare_verdict d = compare_decide(&v);
    compare_print(&v, &d);
    compare_page(&c->a, &v, &d, c->out, c->name);
    if (!c->quiet)
        printf("%d pairs of runs of %d requested: %s. %s\n", v.n, c->asked,
               signals_stopped()       ? "stopped by a signal"
               : d.at && v.n < c->runs ? "decided"
               : v.n >= c->runs        ? (c->runs < c->asked ? "one for each published split" : "all")
                                       : "stopped by --time; start again to continue",
               c->found);
    printf("page: %s/%s.html   records: %s\n", c->out, c->name, c->path);
    arena_free(&c->q.a);
    arena_free(&c->a);
    free(c);
    return signals_stopped() ? 128 + signals_stopped() : EXIT_SUCCESS;
}
