/* jcb reproduce: one scheduler over the cells of all experiments (bench/choice.h has the order). */
#include "../bench/experiments.h"
#include "../bench/measure.h"
#include "../bench/scheduler.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/opt.h"
#include "jcb.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, CURVE_RUNS = 10 };
#define LONG_SHARE (1.0 / 30) /* a run that takes more of --time is long: it waits until the others have had their rounds */
#define CURVE_SHARE (1.0 / 6)

typedef struct reproduce {
    queue q;
    verdicts v;
    scheduler s;
    const char *paper, *until;
    int plan;
} reproduce;

static void options(reproduce *g, int argc, char **argv)
{
    queue *q = &g->q;
    const opt table[] = {
        OPT_TIME(&g->s.time),
        {"runs", OPT_INT, &q->runs, "N", "at most so many runs of a cell", "100", 1, 100000},
        {"until", OPT_TEXT, &g->until, "decided", "end when every ordering is decided: no further runs for figures", NULL, 0, 0},
        {"only", OPT_TEXT, &q->only, "K=V,...", "only cells with these values, experiment=balanced|ece among them; V may be A|B", NULL, 0, 0},
        {"plan", OPT_FLAG, &g->plan, NULL, "print runs and expected core-hours of each experiment, run nothing", NULL, 0, 0},
        OPT_DATA(&q->data), OPT_OUT(&q->out), OPT_SPECS(&q->specs), OPT_PAPER(&g->paper), OPT_JOBS(&g->s.jobs), OPT_SEED(&q->seed),
        OPT_QUIET(&g->s.quiet), {0},
    };
    opt_only(argc, argv, table, "jcb reproduce [option ...]\nRuns the cells of all experiments, where they decide most.",
             "Every cell runs once, cheap ones first, then three times. Further runs go to the orderings of the paper's tables (JC > CE)\n"
             "that are still undecided, the one with the least expected time to a decision first, until all are decided or practically\n"
             "equal, or --runs or --time is up; then to cells that only figures show, up to ten. Runs that would take more than a 30th of\n"
             "--time come after the three rounds of the others, and cells that only figures show get no more than a 6th of it before that.\n"
             "Starting again goes on where it stopped, also after Ctrl-C or kill -9; Ctrl-C lets running runs end, a second one does not. The programs bench_NAME run one experiment each.\n");
    if (g->until && strcmp(g->until, "decided"))
        opt_wrong("--until wants decided, not '%s'", g->until);
}

static void show_orderings(const verdicts *v)
{
    printf("orderings of the paper's tables: %d decided, %d open; on stand-ins for data %d decided, %d open\n", v->decided[0], v->open[0], v->decided[1],
           v->open[1]);
}

/* --- --plan --- */

/* Core-hours of the runs that cells still need to have n of them each; their number goes to *runs. */
static double hours_to(const reproduce *g, const queue_file *f, int n, int *runs)
{
    double sum = 0;
    const queue_set *last = NULL; /* cells of a set are neighbours */
    *runs = 0;
    for (int k = 0; k < g->q.cells; k++) {
        const queue_cell *c = g->q.cell + k;
        int most = n < c->most ? n : c->most, more = most > c->recorded ? most - c->recorded : 0;
        if (c->file != f)
            continue;
        *runs += more;
        sum += more && c->set != last ? c->set->attack_seconds / 3600 : 0;
        last = more ? c->set : last;
        sum += more * c->seconds * (queue_alone(c) ? g->s.jobs : 1) / 3600;
    }
    return sum;
}

static void show_plan(const reproduce *g)
{
    double total[2] = {0};
    int all[4] = {0};
    printf("%-16s %7s %9s   %-22s   %s\n", "", "", "", "to three of each cell", "to --runs of each cell");
    printf("%-16s %7s %9s   %9s %12s   %9s %12s\n", "experiment", "cells", "recorded", "runs", "core-hours", "runs", "core-hours");
    for (int i = 0; i < g->q.files; i++) {
        const queue_file *f = g->q.file + i;
        int cells = 0, recorded = 0, runs[2];
        for (int k = 0; k < g->q.cells; k++)
            if (g->q.cell[k].file == f)
                cells++, recorded += g->q.cell[k].recorded;
        double three = hours_to(g, f, ROUNDS, &runs[0]), whole = hours_to(g, f, g->q.runs, &runs[1]);
        printf("%-16s %7d %9d   %9d %12.2f   %9d %12.2f\n", f->b->name, cells, recorded, runs[0], three, runs[1], whole);
        total[0] += three, total[1] += whole;
        all[0] += cells, all[1] += recorded, all[2] += runs[0], all[3] += runs[1];
    }
    printf("%-16s %7d %9d   %9d %12.2f   %9d %12.2f\n", "all", all[0], all[1], all[2], total[0], all[3], total[1]);
    show_orderings(&g->v);
}

/* --- the end --- */

static void summary(const reproduce *g, double seconds)
{
    const queue *q = &g->q;
    const scheduler *s = &g->s;
    char time[32];
    int cells = 0, few = 0, not_run = 0;
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k;
        int have = c->state == CELL_READY ? c->next : c->recorded, most = ROUNDS < c->most ? ROUNDS : c->most;
        cells++;
        not_run += !have;
        few += have > 0 && have < most;
    }
    clock_text(time, sizeof time, seconds);
    printf("%d runs in %s; %d cells: %d without a run, %d with fewer than %d\n", s->done, time, cells, not_run, few, ROUNDS);
    show_orderings(&g->v);
    if (s->updates)
        printf("verdicts computed %.0f times, %.0f ms each\n", s->updates, 1e3 * s->update_seconds / s->updates);
    if (s->cut)
        printf("stopped by %s; start again to go on\n", workers_stopped() ? "a signal" : "--time");
}

/* A run of an experiment whose runs are processes of their own. */
static int process(int argc, char **argv)
{
    for (int i = 0; experiments[i] && argc > 2; i++)
        if (experiments[i]->kind && experiments[i]->kind->process && !strcmp(experiments[i]->name, argv[2]))
            return experiments[i]->kind->process(argc, argv);
    die("no experiment of this name runs in processes of its own");
}

int jcb_reproduce(int argc, char **argv)
{
    if (measure_is_process(argc, argv))
        return process(argc, argv);
    reproduce *g = calloc(1, sizeof *g);
    if (!g)
        die("out of memory");
    queue *q = &g->q;
    scheduler *s = &g->s;
    s->jobs = omp_get_num_procs();
    options(g, argc, argv);
    q->command = "reproduce";
    for (int i = 0; experiments[i]; i++)
        queue_add(q, experiments[i]);
    if (!q->cells)
        die("no cell matches --only %s", q->only);
    arena tmp = {0};
    records earlier = records_read(&tmp, arena_printf(&tmp, "%s/records", q->out));
    queue_recall(q, &earlier);
    arena_free(&tmp);
    g->v = verdicts_open(&q->a, q, g->paper);
    if (g->plan) {
        verdicts_update(&g->v);
        show_plan(g);
        return EXIT_SUCCESS;
    }
    workers_catch_signals();
    queue_open_records(q);
    s->q = q;
    s->v = &g->v;
    s->curve_share = CURVE_SHARE;
    s->rule = (choice_rule){.rounds = ROUNDS, .curves = CURVE_RUNS, .until_decided = g->until != NULL,
                            .longest = s->time > 0 ? LONG_SHARE * s->time : INFINITY};
    double start = clock_now();
    scheduler_run(s);
    if (!s->quiet)
        summary(g, clock_now() - start);
    queue_close(q);
    return q->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
