/* An experiment as a program: options, --list, and the summary at the end. */
#include "../run/bench.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/memory.h"
#include "../base/signals.h"
#include "../run/command_log.h"
#include "../result/stats.h"
#include "../run/measure.h"
#include "../run/queue.h"
#include "../run/scheduler.h"
#include "../run/select.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- summary --- */

static void cells_show(const queue *q, double *const *acc, const int *n)
{
    int width = 8;
    for (int k = 0; k < q->cells; k++)
        width = (int)fmax(width, (double)strlen(q->cell[k].cell.setting));
    printf("%-18s %-8s %-8s %-*s %8s %6s %4s  %s\n", "dataset", "model", "loss", width, "setting", "test_acc", "sd",
           "n", "origin");
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k;
        if (c->state == CELL_FAILED || c->state == CELL_LEFT_OUT)
            continue;
        printf("%-18s %-8s %-8s %-*s ", c->cell.s.dataset, c->cell.model, c->cell.loss, width, c->cell.setting);
        if (n[k])
            printf("%8.2f ", stats_mean(acc[k], n[k]));
        else
            printf("%8s ", "-");
        if (n[k] > 1)
            printf("%6.2f", stats_sd(acc[k], n[k]));
        else
            printf("%6s", "-");
        printf(" %4d  %s\n", n[k], c->nodes ? origin_name[c->data.origin] : "-");
    }
}

static void remarks_show(const queue *q)
{
    int left_out = 0, searched = 0, few = 0, ready = 0;
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k;
        left_out += c->state == CELL_LEFT_OUT;
        ready += c->state == CELL_READY;
        searched += c->state == CELL_READY && c->searched;
        few += c->state == CELL_READY && c->max_runs < q->runs;
    }
    if (left_out)
        printf("cells left out: %d (a run is expected to take longer than --longest)\n", left_out);
    if (few)
        printf("%d of the %d cells have one run for each published split and no more "
               "(split=redraw in their row of %s draws a new split for each run)\n",
               few, ready, q->file->specs.t.path);
    if (searched)
        printf("hyper-parameters of %d of the %d cells from %s\n", searched, ready, q->file->specs.t.path);
}

static void summary(queue *q, const records *r)
{
    size_t cells = (size_t)q->cells + 1;
    double **acc = NEW(&q->a, double *, cells);
    int *n = NEW(&q->a, int, cells);
    for (int k = 0; k < q->cells; k++) {
        acc[k] = queue_values(&n[k], q, q->cell + k, r, RUN_test_acc);
        for (int i = 0; i < n[k]; i++)
            acc[k][i] *= 100;
    }
    cells_show(q, acc, n);
    remarks_show(q);
    for (int k = 0; k < q->cells && q->file->kind->show; k++)
        for (int run = 0; run < q->cell[k].max_runs && q->cell[k].state == CELL_READY; run++) {
            char key[17], curve[PATH_MAX];
            const queue_cell *c = q->cell + k;
            c->file->kind->key(key, q, c, run);
            if (file_exists(queue_curve(q, c, key, curve)))
                q->file->kind->show(&c->cell, run, curve);
        }
}

/* Counts come from the catalogue where the data are not open. */
static void list_cell(const queue *q, queue_cell *c)
{
    char value[32], imbalance[32] = "-";
    (void)q;
    const dataset *d = c->set->p ? problem_dataset(c->set->p) : NULL;
    if (d)
        snprintf(imbalance, sizeof imbalance, "%.1f", dataset_imbalance(d));
    for (int f = 0; f < SPEC_COUNT; f++)
        printf("%s=%s ", spec_name[f], spec_get(&c->cell.s, f, value));
    printf("setting=%s nodes=%d imbalance=%s origin=%s seconds=%.1f\n", c->cell.setting,
           d ? d->nodes : c->set->entry->nodes, imbalance, origin_name[d ? d->origin : ORIGIN_TWIN],
           c->own_runs ? c->seconds : queue_estimate(c));
}

/* --list makes no twins: those of Yelp and Amazon take minutes and gigabytes. */
static int is_twin(const queue *q, const queue_cell *c)
{
    return c->set->entry && dataset_missing(&q->dirs, c->set->entry->name);
}

static void list(queue *q)
{
    for (int k = 0; k < q->cells; k++) {
        queue_cell *c = q->cell + k;
        void (*line)(const queue *, queue_cell *) = c->file->kind->list;
        const char *error = line || c->set->failed || is_twin(q, c) ? NULL : queue_open_clean(q, c);
        if (error)
            warn("%s: %s", c->cell.s.dataset, error);
        c->set->failed |= error != NULL;
        q->failed += c->set->failed;
        if (!c->set->failed)
            (line ? line : list_cell)(q, c);
    }
}

/* --- the program --- */

typedef struct invocation {
    queue q;
    scheduler s;
    const char *shard, *memory;
    int list;
} invocation;

static void options(invocation *g, const bench *b, int argc, char **argv)
{
    queue *q = &g->q;
    enum { COMMON = 16, MAX_OPTIONS = 27 };
    char runs[16], usage[512];
    snprintf(runs, sizeof runs, "%d", b->runs);
    opt table[MAX_OPTIONS] = {
        OPT_DATA(&q->data),
        OPT_OUT(&q->out),
        OPT_SPECS(&q->specs),
        {"runs", OPT_INT, &q->runs, "N", "runs of each cell; at most one for each split where several are published",
         runs, 1, 100000},
        OPT_CELLS(&q->only),
        OPT_JOBS(&g->s.jobs),
        {"threads", OPT_INT, &q->threads, "N", "threads of a run (default: 1 on small graphs, all cores on large ones)",
         NULL, 1, 4096},
        OPT_TIME(&g->s.time),
        OPT_TIMEOUT(&g->s.timeout),
        OPT_MEMORY(&g->memory),
        {"longest", OPT_SECONDS, &q->longest, "TIME", "leave out cells whose runs are expected to take longer", NULL, 0,
         0},
        {"shard", OPT_TEXT, &g->shard, "K/N", "run part K of N; `jcb merge` combines the records of all parts", NULL, 0,
         0},
        {"short", OPT_INT, &q->shorten, "K",
         "train for 1/K of the epochs, validate ten times; such runs are recorded, but appear in no table or figure",
         NULL, 1, 1000000},
        OPT_SEED(&q->seed),
        {"list", OPT_FLAG, &g->list, NULL, "print the cells with their hyper-parameters, run nothing", NULL, 0, 0},
        {"force", OPT_FLAG, &q->force, NULL, "repeat runs that are already recorded", NULL, 0, 0},
    };
    int n = COMMON;
    for (const opt *o = b->kind->options; o && o->name && n < MAX_OPTIONS - 2; o++)
        table[n++] = *o;
    table[n] = (opt)OPT_QUIET(&g->s.quiet);
    snprintf(usage, sizeof usage, "%s [option ...]\n%s%s%s", err_program, b->about, b->kind->about ? "\n" : "",
             b->kind->about ? b->kind->about : "");
    opt_only(
        argc, argv, table, usage,
        "Each finished run is appended to DIR/records at once; start the program again to continue, also after\n"
        "Ctrl-C or kill -9. The result of a run depends on its hyper-parameters, seed and data only, not on --jobs\n"
        "or --threads. A run whose process crashes or is killed is repeated, at most twice, and then recorded as\n"
        "failed with the reason (failed:signal 9). mpirun -n N: rank 0 schedules, the others work. `jcb tables`\n"
        "(make tables) makes tables from the records, with the paper's numbers; `jcb reproduce` runs all "
        "experiments.\n");
    if (g->shard &&
        (sscanf(g->shard, "%d/%d", &q->part, &q->parts) != 2 || q->parts < 1 || q->part < 1 || q->part > q->parts))
        opt_wrong("--shard must be K/N with 1 <= K <= N, not '%s'", g->shard);
    q->part -= g->shard != NULL;
    opt_try(memory_set, (void *)g->memory);
}

int bench_main(int argc, char **argv, bench *b, const char *name)
{
    static invocation whole; /* never freed: it lives as long as the process */
    invocation *g = &whole;
    queue *q = &g->q;
    scheduler *s = &g->s;
    s->q = q;
    q->twins = 1;
    s->jobs = omp_get_num_procs();
    options(g, b, argc, argv);
    signals_catch();
    queue_add(q, b);
    select_check(q->only, q->only_known, q->cells);
    char *path = arena_printf(&q->a, "%s/records/%s.tsv", q->out, b->name);
    arena before = {0};
    records earlier = records_read(&before, path);
    queue_recall(q, &earlier);
    arena_free(&before);
    if (g->list) {
        list(q);
        return q->failed ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    if (scheduler_serves(s))
        return EXIT_SUCCESS;
    if (q->file->kind->alone)
        measure_busy();
    queue_open_records(q);
    s->rule = (choice_rule){.rounds = q->runs};
    command_log log;
    command_log_start(&log, arena_printf(&q->a, "%s/records", q->out), name, argc, argv, s->jobs);
    scheduler_run(s);
    command_log_end(&log, s->done);
    if (!s->quiet) {
        if (s->cut)
            printf("stopped by %s after %d runs; start again to continue\n", signals_stopped() ? "a signal" : "--time",
                   s->done);
        records r = records_read(&q->a, path);
        (b->kind->summary ? b->kind->summary : summary)(q, &r);
    }
    if (q->failed && q->cells)
        warn("failed runs or cells: %d, see above or the column status of %s", q->failed, path);
    queue_close(q);
    return s->cut && signals_stopped() ? 128 + signals_stopped() : q->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
