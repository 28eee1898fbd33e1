/* The search of jcb compare. Each loss gets the same number of points and seeds on validation nodes. The points are
 * balanced, so that a few of them try every value. With --time the search is as long as a third of it allows. */
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/signals.h"
#include "../run/spec_file.h"
#include "../run/transport.h"
#include "../train/grid.h"
#include "../train/method/resolve.h"
#include "asked.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIAL_EPOCHS 10
enum { FIRST_POINTS = 2, BLOCK = 3 };        /* points of the search besides the base: at first, and more at a time */
enum { FINALISTS = 3, FINALISTS_SEEDS = 8 }; /* the best points, and their seeds: two do not show what is unstable */
/* The linear model, SGC: no search, and a second on a small graph. */
#define LINEAR "model=sgc loss=ce hops=%d lr=.2 wd=1e-5 epochs=100 split=%s attack=%s norm=%s"

/* The part of the grid that runs of loss k depend on. */
static const char *grid_of(compare *c, int k)
{
    char *save = NULL, *all = arena_printf(&c->a, "%s",
                                           *c->ask->grid    ? c->ask->grid
                                           : c->trial.dense ? COMPARE_GRID_DENSE
                                                            : COMPARE_GRID);
    const char *text = "";
    for (char *w = strtok_r(all, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        int field = spec_field(arena_printf(&c->a, "%.*s", (int)strcspn(w, "="), w));
        if (field < 0 || method_reads(&c->c[k], field, NULL)) /* grid_parse reports what is no field */
            text = arena_printf(&c->a, "%s%s%s", text, *text ? " " : "", w);
    }
    return text;
}

/* --- in a worker, since no threads may start before the fork (transport.h) --- */

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
        double took = omp_get_wtime() - start;
        seconds = fmin(seconds, took + o.epoch_ms / 1e3 * (c->s.epochs - q.s.epochs));
    }
    return seconds;
}

static int reads_graph(const problem *p, const cell *c)
{
    arena a = {0};
    model *m = NEW(&a, model, 1);
    problem_model(m, p, c, NULL);
    int reads = 0;
    for (int k = 0; k < m->nops; k++) /* itself, or features that were propagated before */
        reads |= m->ops[k].kind->reads_graph || m->ops[k].hops > 0;
    arena_free(&a);
    return reads;
}

struct linear { /* the arguments of try_linear */
    arena *a;
    const data_dirs *dirs;
    const cell *of;
    const char *norm;
    int hops;
    double val;
};

static void try_linear(void *arg)
{
    struct linear *l = arg;
    outcome o;
    spec s = resolve_text(l->a, NULL,
                          arena_printf(l->a, LINEAR, l->hops, l->of->s.split.text, l->of->s.attack.text, l->norm),
                          "linear model");
    s.dataset = l->of->s.dataset;
    cell c = resolve_cell(&s, NULL, "-");
    problem *p = problem_open(l->dirs, &c.s);
    method_prepare(p, &c);
    method_once(&o, p, &c, 1, 0);
    if (!strcmp(o.status, "ok"))
        l->val = fmax(l->val, 100 * o.val.acc);
    problem_close(p);
}

/* Validation accuracy of a linear model on the features, propagated where the network reads the graph: the better of
 * two preparations of the features. */
static void measure_linear(compare *c, const data_dirs *dirs, int propagated)
{
    static const char *const norm[] = {"auto", "none"};
    struct linear l = {&c->a, dirs, c->c, NULL, propagated ? 2 : 0, -INFINITY};
    for (int k = 0; k < 2; k++) {
        l.norm = norm[k];
        err_try(try_linear, &l); /* data or memory may not allow it */
    }
    c->trial.linear = l.val >= 0 ? l.val : NAN;
    c->trial.linear_hops = l.hops;
}

static void look(void *arg)
{
    compare *c = arg;
    asked_trial *t = &c->trial;
    data_dirs dirs = select_dirs(&c->a, c->ask->data);
    problem *p = problem_open(&dirs, &c->c[0].s);
    const dataset *d = problem_dataset(p);
    t->large = cost_large(d->nodes);
    omp_set_num_threads(t->large ? omp_get_num_procs() : 1); /* as runs have */
    t->seconds = NAN;
    for (int k = 0; k < 2; k++)
        method_prepare(p, &c->c[k]);
    t->dense = d->xd.rows > 0;
    if (c->time > 0 && c->ask->tune)
        t->seconds = measure_run(p, &c->c[0]) + measure_run(p, &c->c[1]);
    split part = split_draw(&c->a, d, problem_split_rule(p, c->c[0].s.split), (uint64_t)c->ask->seed, 0);
    for (int k = 0; k < PARTS; k++)
        t->part[k] = part.n[k];
    t->nodes = d->nodes, t->features = d->features, t->classes = d->classes, t->links = csr_nnz(&d->graph) / 2;
    t->splits = d->nsplits, t->homophily = dataset_homophily(d), t->origin = d->origin, t->hash = d->hash;
    snprintf(t->split, sizeof t->split, "%s", problem_split_rule(p, c->c[0].s.split).text);
    snprintf(t->norm, sizeof t->norm, "%s", problem_norm(p));
    snprintf(t->note, sizeof t->note, "%s", d->origin_note);
    measure_linear(c, &dirs, c->c[0].method->own_networks || reads_graph(p, c->c));
    problem_close(p);
}

static size_t look_work(void *arg, void *out, const void *in)
{
    compare *c = arg;
    (void)in;
    const char *error = err_try(look, c);
    snprintf(c->trial.error, sizeof c->trial.error, "%s", error ? error : "");
    memcpy(out, &c->trial, sizeof(asked_trial));
    return sizeof(asked_trial);
}

void compare_look(compare *c)
{
    transport_work w = {look_work, c, 1, sizeof(asked_trial)};
    transport_message m;
    transport *t = transport_local(&w, 1);
    t->send(t, 0, "", 0);
    while (!t->receive(t, &m, 1))
        if (signals_stopped())
            exit(128 + signals_stopped());
    if (!m.data)
        die("%s: the process that looked at the data ended by %s", c->ask->dataset, m.why);
    c->trial = *(const asked_trial *)m.data;
    t->close(t);
    if (*c->trial.error)
        die("%s", c->trial.error);
}

/* --- the search --- */

/* Replaces the hyper-parameters of loss k by the winner of a search that starts from them. Trials of earlier searches
 * are not repeated, and fewer points are the first of more. among: only the first `keep` of these points, or NULL. */
static void search_loss(compare *c, int k, int points, int seeds, const tune_found *among, int keep)
{
    const asked *ask = c->ask;
    char *specs = arena_printf(&c->a, "%s/specs", ask->out);
    tune_options o = {.dataset = ask->dataset,
                      .experiment = "compare",
                      .base = asked_base(c, k),
                      .setting = "-",
                      .grid = grid_of(c, k),
                      .random = points,
                      .balanced = 1,
                      .among = among,
                      .keep = keep,
                      .seeds = seeds,
                      .seed = ask->seed,
                      .jobs = ask->jobs,
                      .data = ask->data,
                      .out = ask->out,
                      .specs = specs,
                      .quiet = 1,
                      .found = &c->search[k],
                      .a = &c->a};
    if (!*o.grid)
        die("nothing of --grid has an effect on %s: leave it out, or give --tune 0", ask->loss[k]);
    int code = jcb_tune_search(&o);
    if (code) /* ended by a signal */
        exit(code);
    spec_file f = spec_file_read(&c->a, arena_printf(&c->a, "%s/compare.tsv", specs));
    if (!spec_file_apply(&f, &c->c[k], "-"))
        die("%s/compare.tsv has no row for %s %s %s", specs, ask->dataset, c->model, ask->loss[k]);
}

static void search_both(compare *c, int points, int seeds)
{
    for (int k = 0; k < 2; k++)
        search_loss(c, k, points, seeds, NULL, 0);
    c->tune = points, c->seeds = seeds;
}

/* The best points of each loss with more seeds; they lead the list of points from then on. */
static void search_finalists(compare *c)
{
    for (int k = 0; k < 2; k++) {
        tune_found all = c->search[k];
        int keep = all.n < FINALISTS ? all.n : FINALISTS;
        search_loss(c, k, c->tune, FINALISTS_SEEDS, &all, keep);
        memcpy(all.point, c->search[k].point, (size_t)keep * sizeof *all.point);
        c->search[k] = all;
    }
    c->finalists = FINALISTS; /* or all, where the grid has fewer */
}

static int has_finalists(const compare *c)
{
    return c->tune == c->ask->tune && c->seeds == c->ask->seeds && c->seeds < FINALISTS_SEEDS && c->tune >= FINALISTS;
}

/* The search grows while it is expected to end within a third of the time: BLOCK more points with one seed each, then
 * all seeds; then more seeds of the best points, within half of the time. A first block that would take more than half
 * of the time is not begun. */
static void grow(compare *c)
{
    const asked *ask = c->ask;
    const int cores = c->trial.large || ask->jobs < 1 ? 1 : ask->jobs;
    const double limit = c->time / 3;
    double start = clock_now(), took = 0;
    if ((FIRST_POINTS + 1) * c->trial.seconds / cores > c->time / 2)
        return;
    for (int points = FIRST_POINTS; c->tune < ask->tune;) {
        double before = clock_now();
        points = points < ask->tune ? points : ask->tune;
        search_both(c, points, 1);
        took = (clock_now() - before) * BLOCK / (c->tune > FIRST_POINTS ? BLOCK : FIRST_POINTS + 1);
        if (clock_now() - start + took > limit)
            break;
        points += BLOCK;
    }
    if (c->tune == ask->tune && ask->seeds > 1 && clock_now() - start < limit / ask->seeds)
        search_both(c, ask->tune, ask->seeds);
    double run = (clock_now() - start) / ((c->tune + 1) * c->seeds);
    if (has_finalists(c) && clock_now() - start + run * FINALISTS * (FINALISTS_SEEDS - c->seeds) < c->time / 2)
        search_finalists(c);
}

/* How far the search went is kept in OUT, so that a restart with the same question and no more time has the same. */
static void search_in_time(compare *c)
{
    const asked *ask = c->ask;
    const char *path = arena_printf(&c->a, "%s/search-%s", ask->out, c->name);
    int points, seeds, all_points, all_seeds, finalists;
    double time;
    if (file_exists(path) &&
        sscanf((const char *)file_read(&c->a, path, 0).p, "%d of %d points, %d of %d seeds, %d finalists in %lf s",
               &points, &all_points, &seeds, &all_seeds, &finalists, &time) == 6 &&
        all_points == ask->tune && all_seeds == ask->seeds && time >= c->time) {
        search_both(c, points, seeds);
        if (finalists && has_finalists(c))
            search_finalists(c);
        return;
    }
    grow(c);
    const char *text = arena_printf(&c->a, "%d of %d points, %d of %d seeds, %d finalists in %.17g s\n", c->tune,
                                    ask->tune, c->seeds, ask->seeds, c->finalists, c->time);
    if (c->tune) /* not kept otherwise: a restart with more --time may search */
        file_write(path, text, strlen(text));
}

static void show(const compare *c)
{
    enum { SHOWN = 5 };
    for (int k = 0; k < 2; k++) {
        const tune_found *f = &c->search[k];
        printf("search for %s: the best of %d points, validation accuracy\n", c->ask->loss[k], f->n);
        for (int i = 0; i < f->n && i < SHOWN; i++)
            printf("  %6.2f (%d run%s)  %s\n", f->point[i].val, f->point[i].runs, f->point[i].runs > 1 ? "s" : "",
                   f->point[i].text);
    }
}

void compare_search(compare *c)
{
    const asked *ask = c->ask;
    if (!ask->tune) {
        c->found = "Hyper-parameters: as given, not searched (--tune 0); either loss may be far from its best.";
        return;
    }
    if (c->time > 0) {
        search_in_time(c);
    } else {
        search_both(c, ask->tune, ask->seeds);
        if (has_finalists(c))
            search_finalists(c);
    }
    if (!c->tune) {
        warn("no search: --time is too short; both losses have the hyper-parameters of --base");
        c->found = "Hyper-parameters: not searched, --time was too short; either loss may be far from its best.";
        return;
    }
    const int less = c->tune < ask->tune || c->seeds < ask->seeds;
    const int n[2] = {c->search[0].n, c->search[1].n};
    c->found = arena_printf(
        &c->a,
        "Hyper-parameters: searched %sfor both losses, %s points with %d seed%s each%s, on validation nodes only.%s",
        n[0] == n[1] ? "equally " : "",
        n[0] == n[1] ? arena_printf(&c->a, "%d", n[0]) : arena_printf(&c->a, "%d and %d", n[0], n[1]), c->seeds,
        c->seeds > 1 ? "s" : "",
        c->finalists ? arena_printf(&c->a, ", then the best %d with %d", c->finalists, FINALISTS_SEEDS) : "",
        less ? arena_printf(&c->a, " Asked were %d points with %d seed%s; --time allowed no more.", ask->tune + 1,
                            ask->seeds, ask->seeds > 1 ? "s" : "")
             : "");
    if (!ask->quiet)
        show(c);
}
