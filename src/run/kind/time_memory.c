/* time-memory: time and memory of training and prediction, with one thread and with --threads.
 *
 * Each (cell, run, number of threads) is measured alone, in a process of its own: the median time of a training epoch
 * after warm-up (forward, backward, update; no validation); the median time of predicting all nodes; the bytes of all
 * buffers alive in training (network, workspaces and the matrices they read); and the peak resident memory of the
 * process during training. */
#include "../../base/places.h"
#include "../../base/clock.h"
#include "../../base/err.h"
#include "../../base/file.h"
#include "../../net/loss/loss.h"
#include "../../train/method/resolve.h"
#include "../../train/grid.h"
#include "../measure.h"
#include "../queue.h"
#include "../select.h"
#include "version.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int timed_epochs = 100; /* --epochs */

typedef struct measured {
    double epoch_ms, infer_ms, peak, resident;
} measured;

/* The cells again with all threads. */
static const char *repeat(arena *a, const queue *q, int n)
{
    int threads = q->threads ? q->threads : omp_get_num_procs();
    return n == 1 && threads > 1 ? arena_printf(a, "threads=%d", threads) : NULL;
}

static int threads_of(const queue_cell *c)
{
    return strncmp(c->cell.setting, "threads=", 8) ? 1 : atoi(c->cell.setting + 8);
}

/* train() stops after five seconds. */
static double seconds(const queue_cell *c)
{
    double whole = c->set->p       ? cost_of(c->set->p, &c->cell)
                   : c->set->entry ? cost_of_unopened(c->set->entry, &c->cell)
                                   : 1;
    return 0.5 + fmin(5, whole);
}

/* --- one measurement, in its own process --- */

static double csr_size(const csr *s)
{
    return !s || !s->rows ? 0
                          : 8.0 * (s->rows + 1) + (s->order ? 4.0 * s->rows : 0) +
                                (double)csr_nnz(s) * (sizeof(int) + sizeof(real));
}

/* The matrices, labels and clusters that the ops read. */
static double data_size(const model *m, const node_data *d)
{
    double sum = sizeof(int) * (double)d->nodes * (d->cluster ? 2 : 1);
    int adj[ADJ_KINDS] = {0}, hops[FEATURE_SETS] = {0};
    for (int k = 0; k < m->nops; k++) {
        const char *name = m->ops[k].kind->name;
        if (!strcmp(name, "features"))
            hops[m->ops[k].hops] = 1;
        if (!strcmp(name, "propagate") || !strcmp(name, "attention"))
            adj[m->ops[k].adj] = 1;
    }
    for (int k = 0; k < ADJ_KINDS; k++)
        if (adj[k])
            sum += csr_size(d->adj[k]) + (d->adj_t[k]->idx != d->adj[k]->idx ? csr_size(d->adj_t[k]) : 0);
    for (int h = 0; h < FEATURE_SETS; h++)
        if (hops[h])
            sum += csr_size(d->xs[h]) + (d->xd[h] ? sizeof(real) * (double)d->xd[h]->rows * d->xd[h]->cols : 0);
    return sum;
}

/* Milliseconds of the median epoch after warm-up; fewer epochs where they take more than five seconds. */
static double train(trainer *t, int epochs)
{
    const int warm = epochs / 10 + 1;
    double *ms = NEW(&t->a, double, (size_t)epochs), start = clock_now();
    int n = 0;
    for (int epoch = 1; epoch <= epochs + warm; epoch++) {
        double before = clock_now();
        trainer_learn(t, epoch);
        if (epoch > warm)
            ms[n++] = 1e3 * (clock_now() - before);
        if (n >= 10 && clock_now() - start > 5)
            break;
    }
    if (!isfinite(t->train->loss))
        die("the loss is not finite");
    return measure_median(ms, n);
}

static void predict(void *arg) { predictor_run(arg); }

/* Arguments after those of measure_process: data directory, seed, run, threads, epochs, spec. Prints the four numbers
 * that run() reads. */
static int process(int argc, char **argv)
{
    arena a = {0};
    spec s = spec_default();
    if (argc != 6)
        die("a measuring process needs 6 arguments");
    data_dirs dirs = select_dirs(&a, argv[0]);
    dirs.twins = 1;
    int seed = atoi(argv[1]), run = atoi(argv[2]);
    grid_spec(&a, &s, NULL, argv[5], "cell");
    omp_set_num_threads(atoi(argv[3]));
    const cell c = resolve_cell(&s, NULL, "-");
    problem *p = problem_open(&dirs, &s);
    problem_prepare(p, &c);
    measured m = {0};
    measure_reset_peak();
    trainer *t = trainer_new(p, &c, (uint64_t)seed, run);
    m.peak = (double)t->a.live + data_size(t->m, &t->data);
    trainer_policy(t, POLICY_ALL); /* no values shared with a prediction */
    m.epoch_ms = train(t, atoi(argv[4]));
    m.resident = measure_peak();
    int n = problem_dataset(p)->nodes, *all = NEW(&t->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    predictor *q = trainer_predictor(t, all, n);
    m.infer_ms = 1e3 * measure_time(predict, q, 0.2).median;
    printf("%.17g %.17g %.17g %.17g\n", m.epoch_ms, m.infer_ms, m.peak, m.resident);
    predictor_free(q);
    trainer_free(t);
    problem_close(p);
    arena_free(&a);
    return EXIT_SUCCESS;
}

static void run(void *result, const queue *q, const queue_cell *c, int run)
{
    measured *m = result;
    arena a = {0};
    char out[4096], buf[32], *text = "";
    for (int k = 0; k < SPEC_COUNT; k++)
        text = arena_printf(&a, "%s %s=%s", text, spec_name[k], spec_get(&c->cell.s, k, buf));
    const char *args[] = {c->file->kind->name,
                          q->data,
                          arena_printf(&a, "%d", q->seed),
                          arena_printf(&a, "%d", run),
                          arena_printf(&a, "%d", threads_of(c)),
                          arena_printf(&a, "%d", timed_epochs),
                          text,
                          NULL};
    const char *error = measure_process(&a, out, sizeof out, args);
    int got = error ? 0 : sscanf(out, "%lf %lf %lf %lf", &m->epoch_ms, &m->infer_ms, &m->peak, &m->resident);
    if (error)
        snprintf(out, sizeof out, "%s", error);
    arena_free(&a);
    if (got != 4)
        die("%s", out);
}

/* --- records --- */

static const char *const first_columns[] = {
    "key",        "experiment", "dataset", "model", "loss", "setting", "run",    "seed",   "epoch_ms",  "infer_ms",
    "peak_bytes", "rss_bytes",  "threads", "jobs",  "blas", "cpu",     "commit", "origin", "data_hash", "param_hash"};
enum { FIRST = sizeof first_columns / sizeof *first_columns };

static run_file open_records(arena *a, const char *path, const bench *b)
{
    return (run_file){run_record_open(a, path, first_columns, FIRST), b->name, JCB_COMMIT, 0};
}

static int append(const queue *q, const queue_cell *c, int run, const void *result, int jobs)
{
    const measured *m = result;
    run_id id = queue_id(q, c, run);
    record_row row = record_row_new(c->file->records.f);
    run_record_id(&row, &id, c->file->records.experiment);
    record_put(&row, "epoch_ms", "%.6g", m->epoch_ms);
    record_put(&row, "infer_ms", "%.6g", m->infer_ms);
    record_put(&row, "peak_bytes", "%.0f", m->peak);
    record_put(&row, "rss_bytes", "%.0f", m->resident);
    record_put(&row, "threads", "%d", threads_of(c));
    record_put(&row, "jobs", "%d", jobs);
    record_put_build(&row, c->file->records.commit);
    record_put(&row, "param_hash", "-");
    record_put(&row, "status", "ok");
    record_row_append(&row);
    return 1;
}

/* --- summary --- */

static double paper_of(const tsv *t, const spec *s, const char *metric)
{
    for (int i = 0; i < t->rows; i++)
        if (!strcmp(tsv_get(t, i, "dataset"), s->dataset) && !strcmp(tsv_get(t, i, "model"), s->model) &&
            !strcmp(tsv_get(t, i, "loss"), s->loss) && !strcmp(tsv_get(t, i, "metric"), metric))
            return tsv_number(t, i, "value");
    return NAN;
}

static const char *show(char buf[16], double x, const char *format)
{
    snprintf(buf, 16, isfinite(x) ? format : "-", x);
    return buf;
}

static double median_of(queue *q, const queue_cell *c, const records *r, enum run_number which)
{
    int n = 0;
    double *x = c ? queue_values(&n, q, c, r, which) : NULL;
    return n ? measure_median(x, n) : NAN;
}

/* The other loss of the same data set, model and number of threads. */
static const queue_cell *partner(const queue *q, const queue_cell *c)
{
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *x = q->cell + k;
        if (x != c && !strcmp(x->cell.s.dataset, c->cell.s.dataset) && x->cell.backbone == c->cell.backbone &&
            !strcmp(x->cell.setting, c->cell.setting))
            return x;
    }
    return NULL;
}

static void show_pair(queue *q, const queue_cell *c, const records *r, const tsv *paper)
{
    int jc = c->cell.objective == &objective_jc;
    const queue_cell *other = partner(q, c), *side[2] = {jc ? other : c, jc ? c : other};
    double ms[2], infer[2], mb[2], time[2], memory[2];
    char b[6][16];
    for (int k = 0; k < 2; k++) {
        spec s = c->cell.s;
        s.loss = k ? "jc" : "ce";
        ms[k] = median_of(q, side[k], r, RUN_epoch_ms);
        infer[k] = median_of(q, side[k], r, RUN_infer_ms);
        mb[k] = median_of(q, side[k], r, RUN_peak_bytes) / (1 << 20);
        time[k] = paper_of(paper, &s, "train_seconds");
        memory[k] = paper_of(paper, &s, "memory_mb");
    }
    printf("%-9s %-5s %8s %8s %6s %6s   %8s %8s   ", c->cell.s.dataset, c->cell.s.model, show(b[0], ms[0], "%.3f"),
           show(b[1], ms[1], "%.3f"), show(b[2], ms[1] / ms[0], "%.2f"), show(b[3], time[1] / time[0], "%.2f"),
           show(b[4], infer[0], "%.3f"), show(b[5], infer[1], "%.3f"));
    printf("%8s %8s %6s %6s\n", show(b[0], mb[0], "%.2f"), show(b[1], mb[1], "%.2f"), show(b[2], mb[1] / mb[0], "%.2f"),
           show(b[3], memory[1] / memory[0], "%.2f"));
}

static void summary(queue *q, const records *r)
{
    const char *heading = "",
               *file = arena_printf(&q->a, "%s/effiency.tsv", places_of(&q->a, PLACE_PAPER, "paper_tables"));
    tsv paper = file_exists(file) ? tsv_read(&q->a, file) : (tsv){0};
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k, *other = partner(q, c);
        if (other && other < c)
            continue; /* shown in the line of its partner */
        if (strcmp(heading, c->cell.setting)) {
            heading = c->cell.setting;
            printf("%s%d thread%s; medians over the runs\n", k ? "\n" : "", threads_of(c),
                   threads_of(c) > 1 ? "s" : "");
            printf("%-15s   %-31s   %-17s   %s\n", "", "training epoch, ms", "all nodes, ms", "memory, MB");
            printf("%-9s %-5s %8s %8s %6s %6s   %8s %8s   %8s %8s %6s %6s\n", "dataset", "model", "CE", "JC", "JC/CE",
                   "paper", "CE", "JC", "CE", "JC", "JC/CE", "paper");
        }
        show_pair(q, c, r, &paper);
    }
}

static const opt options[] = {
    {"epochs", OPT_INT, &timed_epochs, "N", "epochs of which the median is taken", "100", 1, 100000},
    {0},
};

const bench_kind kind_time_memory = {
    .name = "time-memory",
    .about = "Each measurement runs alone in a process of its own: keep the machine idle otherwise (bench/README.md)",
    .options = options,
    .alone = 1,
    .result = sizeof(measured),
    .repeat = repeat,
    .open = open_records,
    .seconds = seconds,
    .key = training_key,
    .run = run,
    .append = append,
    .process = process,
    .summary = summary,
};
