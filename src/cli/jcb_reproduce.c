/* jcb reproduce: one scheduler over the cells of all experiments (src/run/choice.h has the order). */
#include "../run/bench.h"
#include "../result/verdicts.h"
#include "../run/costs.h"
#include "../run/select.h"
#include "../base/clock.h"
#include "../base/memory.h"
#include "../base/opt.h"
#include "../base/places.h"
#include "../base/signals.h"
#include "jcb.h"
#include "../result/definitions.h"
#include "../run/command_log.h"
#include "../run/transport.h"
#include "watch.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reproduce {
    queue q;
    scheduler_goals *goals;
    scheduler s;
    const char *paper, *until;
    int plan, cores;
    const char *memory;
} reproduce;

static void options(reproduce *g, int argc, char **argv)
{
    queue *q = &g->q;
    const opt list[] = {
        OPT_TIME(&g->s.time),
        OPT_TIMEOUT(&g->s.timeout),
        {"runs", OPT_INT, &q->runs, "N", "largest number of runs of a cell", "100", 1, 100000},
        {"until", OPT_TEXT, &g->until, "decided", "end when every comparison is decided: no further runs for figures",
         NULL, 0, 0},
        {"only", OPT_TEXT, &q->only, "K=V,...",
         "only cells with these hyper-parameters, settings or experiment (experiment=balanced|ece); V may be A|B", NULL,
         0, 0},
        {"plan", OPT_FLAG, &g->plan, NULL, "print runs, expected core-hours and tables of each experiment, run nothing",
         NULL, 0, 0},
        {"cores", OPT_INT, &g->cores, "N", "with --plan: hours on N cores (default: those of this machine)", NULL, 1,
         1000000},
        {"short", OPT_INT, &q->shorten, "K",
         "train for 1/K of the epochs, validate ten times; such runs are recorded, but appear in no table or figure",
         NULL, 1, 1000000},
        OPT_DATA(&q->data),
        OPT_OUT(&q->out),
        OPT_SPECS(&q->specs),
        OPT_PAPER(&g->paper),
        OPT_JOBS(&g->s.jobs),
        OPT_SEED(&q->seed),
        OPT_MEMORY(&g->memory),
        OPT_QUIET(&g->s.quiet),
        {0},
    };
    opt_only(
        argc, argv, list,
        "jcb reproduce [option ...]\nRuns the cells of all experiments, the most decisive runs first.",
        "Each run is chosen so that the fewest core-seconds are expected to complete something: a comparison of the "
        "tables "
        "(JC > CE)\n"
        "is decided; a cell of the tables has three runs; any other cell (figures, further tables) has its first. A "
        "comparison counts\n"
        "as much as fifteen cells of the tables, a cell of the tables as much as five others. Costs are those of the "
        "published runs\n"
        "until this machine has its own. When all this is done, cells without comparisons get up to ten runs.\n"
        "Start it again to continue, also after Ctrl-C or kill -9. The first Ctrl-C lets running runs end, the second "
        "does not. The programs\n"
        "bench_NAME run one experiment each.\n");
    if (g->until && strcmp(g->until, "decided"))
        opt_wrong("--until must be decided, not '%s'", g->until);
    opt_try(memory_set, (void *)g->memory);
}

static void show_orderings(const scheduler_goals *v)
{
    printf("comparisons of the paper's tables: %d decided, %d open; on stand-in data %d decided, %d open\n",
           v->decided[0], v->open[0], v->decided[1], v->open[1]);
}

/* --- --plan --- */

typedef struct effort {
    int runs;
    double core_hours;
} effort;

/* What the cells of f still need until each has n runs. A run that needs the machine to itself uses all its cores. */
static effort effort_to(const reproduce *g, const queue_file *f, int n)
{
    effort e = {0};
    const queue_set *last = NULL; /* cells of a set are consecutive */
    for (int k = 0; k < g->q.cells; k++) {
        const queue_cell *c = g->q.cell + k;
        int max = n < c->max_runs ? n : c->max_runs, more = max > c->recorded ? max - c->recorded : 0,
            here = omp_get_num_procs();
        double hours = more * c->seconds / 3600;
        if (c->file != f)
            continue;
        double attack = more && c->set != last ? c->set->attack_seconds / 3600 : 0;
        last = more ? c->set : last;
        e.runs += more;
        e.core_hours += hours * (queue_alone(c) ? here : 1) + attack;
    }
    return e;
}

/* Prints the tables that the experiment fills, in the order of the paper. */
static void show_tables(const char *experiment)
{
    for (const table_def *d = definitions.table; d->label; d++)
        if (tsv_lists(d->experiment, experiment))
            printf(" %s", d->label);
    printf("\n");
}

static void show_effort(const char *name, int cells, int measured, int recorded, const effort e[2], int cores)
{
    printf("%-15s %6d %9d %9d", name, cells, measured, recorded);
    for (int i = 0; i < 2; i++)
        printf("   %7d %10.2f %8.2f", e[i].runs, e[i].core_hours, e[i].core_hours / cores);
}

static void show_plan(const reproduce *g)
{
    effort all[2] = {{0}};
    int sum[3] = {0};
    printf("%-15s %6s %9s %9s   %-27s   to %d of each cell\n", "", "", "cost", "", "to three runs of each cell",
           g->q.runs);
    printf("%-15s %6s %9s %9s   %7s %10s %8s   %7s %10s %8s   tables\n", "experiment", "cells", "measured", "recorded",
           "runs", "core-hours", "hours", "runs", "core-hours", "hours");
    for (int i = 0; i < g->q.files; i++) {
        const queue_file *f = g->q.file + i;
        int n[3] = {0};
        for (int k = 0; k < g->q.cells; k++)
            if (g->q.cell[k].file == f)
                n[0]++, n[1] += g->q.cell[k].own_runs > 0, n[2] += g->q.cell[k].recorded;
        const effort e[2] = {effort_to(g, f, choice_default.fill), effort_to(g, f, g->q.runs)};
        show_effort(f->b->name, n[0], n[1], n[2], e, g->cores);
        printf("  ");
        show_tables(f->b->name);
        for (int k = 0; k < 3; k++)
            sum[k] += n[k];
        for (int k = 0; k < 2; k++)
            all[k].runs += e[k].runs, all[k].core_hours += e[k].core_hours;
    }
    show_effort("all", sum[0], sum[1], sum[2], all, g->cores);
    printf("\nhours: core-hours / %d cores, none of them ever idle. Costs are those of recorded runs and of published "
           "ones at "
           "the pace of this machine, otherwise estimates within a factor of about four.\n",
           g->cores);
    show_orderings(g->goals);
}

/* --- summary --- */

static void summary(const reproduce *g, double seconds)
{
    const queue *q = &g->q;
    const scheduler *s = &g->s;
    char time[32];
    int cells = 0, few = 0, not_run = 0;
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k;
        int have = c->state == CELL_READY ? c->next : c->recorded,
            max = choice_default.fill < c->max_runs ? choice_default.fill : c->max_runs;
        cells++;
        not_run += !have;
        few += have > 0 && have < max;
    }
    clock_text(time, sizeof time, seconds);
    printf("%d runs in %s; %d cells: %d without a run, %d with fewer than %d\n", s->done, time, cells, not_run, few,
           choice_default.fill);
    show_orderings(g->goals);
    if (s->updates)
        printf("verdicts computed %.0f times, %.0f ms each\n", s->updates, 1e3 * s->update_seconds / s->updates);
    if (s->cut)
        printf("stopped by %s; start again to continue\n", signals_stopped() ? "a signal" : "--time");
}

int jcb_reproduce(int argc, char **argv)
{
    static reproduce whole; /* never freed: it lives as long as the process */
    reproduce *g = &whole;
    queue *q = &g->q;
    scheduler *s = &g->s;
    s->jobs = omp_get_num_procs();
    options(g, argc, argv);
    if (g->cores && !g->plan)
        opt_wrong("--cores is for --plan; --jobs sets the number of concurrent runs");
    g->cores = g->cores ? g->cores : omp_get_num_procs();
    q->recall = q->twins = 1;
    bench_shelf shelf = {.a = &q->a};
    for (bench *const *b = bench_all(&shelf); *b; b++)
        queue_add(q, *b);
    select_check(q->only, q->only_known, q->cells);
    costs_open(q);
    arena tmp = {0};
    records earlier = records_read(&tmp, arena_printf(&tmp, "%s/records", q->out));
    queue_recall(q, &earlier);
    arena_free(&tmp);
    g->goals = verdicts_open(&q->a, q, places_of(&q->a, PLACE_PAPER, g->paper), !g->plan);
    if (g->plan) {
        g->goals->update(g->goals);
        show_plan(g);
        return EXIT_SUCCESS;
    }
    s->q = q;
    if (scheduler_serves(s))
        return EXIT_SUCCESS;
    signals_catch();
    queue_open_records(q);
    s->goals = g->goals;
    s->rule = choice_default;
    s->rule.until_decided = g->until != NULL;
    watch page = watch_start(q->out, q->data, g->paper);
    int rank;
    s->watch = transport_ranks(&rank) < 2 ? &page.s : NULL; /* MPI does not allow it to start processes */
    command_log log;
    command_log_start(&log, arena_printf(&q->a, "%s/records", q->out), "jcb reproduce", argc, argv, s->jobs);
    double start = clock_now();
    scheduler_run(s);
    if (s->watch)
        watch_end(&page);
    command_log_end(&log, s->done);
    if (!s->quiet)
        summary(g, clock_now() - start);
    queue_close(q);
    return s->cut && signals_stopped() ? 128 + signals_stopped() : q->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
