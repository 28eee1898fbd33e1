/* Tables effiency and table_memory, and the times of GCN in crf-gcn: what CE and JC cost.
 *
 * Each (cell, run, number of threads) is measured alone, in a process of its own: milliseconds of a training epoch (forward, backward, update; no
 * validation), the median after warming up; of predicting all nodes; bytes of all buffers that live while training (network, plans and the matrices
 * they read), and the largest resident memory of the process meanwhile. The hyper-parameters are those of bench_balanced. */
#include "../src/base/clock.h"
#include "../src/base/err.h"
#include "../src/base/file.h"
#include "../src/base/opt.h"
#include "../src/graph/blas.h"
#include "../src/graph/simd.h"
#include "../src/report/run_record.h"
#include "../src/train/grid.h"
#include "../src/train/pool.h"
#include "main_cells.h"
#include "measure.h"
#include "select.h"
#include "version.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 30, RUNS = 1000 };

typedef struct measured {
    char key[17];
    int done; /* recorded before: not measured again */
    int threads, epochs;
    double epoch_ms, infer_ms, peak, resident;
    enum origin origin;
    uint64_t data_hash;
    double seconds; /* of the whole measurement */
} measured;

typedef struct state {
    arena a;
    const char *data, *out, *only, *specs;
    int runs, threads, seed, jobs, force, quiet, epochs;
    double time, longest;
    data_dirs dirs;
    spec s[CELLS];
    int wanted[CELLS], nwanted;
    double *ms[2][CELLS], *infer[2][CELLS], *bytes[CELLS], cost[2][CELLS]; /* of the runs there are */
    int n[2][CELLS];
    record_file *records;
    progress progress;
    int failed, done;
} state;

/* --- one measurement, in its own process --- */

typedef struct job {
    state *st;
    const spec *s;
    int run, threads;
} job;

static const char *setting(char buf[32], int threads)
{
    snprintf(buf, 32, threads == 1 ? "-" : "threads=%d", threads);
    return buf;
}

static double csr_size(const csr *s)
{
    return !s || !s->rows ? 0 : 8.0 * (s->rows + 1) + (s->order ? 4.0 * s->rows : 0) + (double)csr_nnz(s) * (sizeof(int) + sizeof(real));
}

/* The matrices, labels and clusters that the ops read. */
static double data_size(const model *m, const plan_data *d)
{
    double sum = sizeof(int) * (double)d->nodes * (d->cluster ? 2 : 1);
    int adj[ADJ_KINDS] = {0}, hops[MAX_HOPS] = {0};
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
    for (int h = 0; h < MAX_HOPS; h++)
        if (hops[h])
            sum += csr_size(d->xs[h]) + (d->xd[h] ? sizeof(real) * (double)d->xd[h]->rows * d->xd[h]->cols : 0);
    return sum;
}

/* Milliseconds of the median epoch, the first few left out. */
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
            break; /* a slow machine: enough is known */
    }
    if (!isfinite(t->train->loss))
        die("the loss is not finite");
    return measure_median(ms, n);
}

static void predict(void *arg)
{
    plan_forward(arg, 0);
}

static void measure(void *arg, void *result)
{
    job *j = arg;
    measured *m = result;
    state *st = j->st;
    char buf[32];
    double start = clock_now();
    omp_set_num_threads(j->threads);
    problem *p = problem_open(&st->dirs, j->s->dataset);
    problem_prepare(p, j->s);
    *m = (measured){.threads = j->threads, .origin = p->d->origin, .data_hash = p->d->hash};
    run_id id = {p, j->s, setting(buf, j->threads), st->seed, j->run};
    run_key(m->key, &id);
    m->done = !st->force && record_done(st->records, m->key);
    if (m->done)
        return;
    measure_reset_peak();
    trainer *t = trainer_new(p, j->s, (uint64_t)st->seed, j->run);
    m->peak = (double)t->a.live + data_size(t->m, &t->data);
    task learn = t->train->task;
    rng r = t->train->r;
    t->train = plan_new(&t->a, t->m, &t->net, &t->data, &learn); /* one that takes nothing from a prediction */
    t->train->r = r;
    m->epoch_ms = train(t, st->epochs);
    m->resident = measure_peak();
    int n = p->d->nodes, *all = NEW(&t->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    task everyone = {all, t->mean, n, t->nmean, .training = 0};
    m->infer_ms = 1e3 * measure_time(predict, plan_new(&t->a, t->m, &t->net, &t->data, &everyone), 0.2).median;
    m->seconds = clock_now() - start;
}

/* --- records --- */

static const char *const first_columns[] = {"key", "experiment", "dataset", "model", "loss", "setting", "run", "seed", "epoch_ms", "infer_ms", "peak_bytes",
    "rss_bytes", "threads", "jobs", "blas", "cpu", "commit", "origin", "data_hash", "param_hash"};
enum { FIRST = sizeof first_columns / sizeof *first_columns, COLUMNS = FIRST + 2 };

static void append(state *st, const job *j, const measured *m)
{
    char text[COLUMNS][96], buf[32];
    const char *value[COLUMNS];
    const spec *s = j->s;
    int n = 0;
#define PUT(...) (snprintf(text[n], sizeof text[n], __VA_ARGS__), value[n] = text[n], n++)
    PUT("%s", m->key), PUT("efficiency"), PUT("%s", s->dataset), PUT("%s", s->model), PUT("%s", s->loss), PUT("%s", setting(buf, j->threads));
    PUT("%d", j->run), PUT("%d", st->seed), PUT("%.6g", m->epoch_ms), PUT("%.6g", m->infer_ms), PUT("%.0f", m->peak), PUT("%.0f", m->resident);
    PUT("%d", j->threads), PUT("1"), PUT("%s", blas_name()), PUT("%s", simd_name()), PUT("%s", JCB_COMMIT), PUT("%s", origin_name[m->origin]);
    PUT("%016llx", (unsigned long long)m->data_hash), PUT("-");
    arena a = {0};
    value[n++] = spec_identity(&a, s);
    PUT("ok");
#undef PUT
    record_append(st->records, value);
    arena_free(&a);
}

/* What an earlier start recorded. */
static void recall(measured *m, const records *r)
{
    for (int i = 0; i < r->t.rows; i++)
        if (!strcmp(tsv_get(&r->t, i, "key"), m->key))
            m->epoch_ms = tsv_number(&r->t, i, "epoch_ms"), m->infer_ms = tsv_number(&r->t, i, "infer_ms"), m->peak = tsv_number(&r->t, i, "peak_bytes");
}

/* --- all of them, one after another --- */

static void one(state *st, int c, int run, int many, const records *old, double end)
{
    job j = {st, st->s + c, run, many ? st->threads : 1};
    measured m;
    char what[96];
    if (st->time > 0 && clock_now() + st->cost[many][c] > end)
        return;
    const char *error = measure_alone(&st->a, measure, &j, &m, sizeof m);
    if (error) {
        warn("%s %s %s: %s", j.s->dataset, j.s->model, j.s->loss, error);
        st->failed++;
        return;
    }
    if (m.done)
        recall(&m, old);
    else
        append(st, &j, &m);
    st->cost[many][c] = m.seconds;
    int n = st->n[many][c]++;
    st->ms[many][c][n] = m.epoch_ms, st->infer[many][c][n] = m.infer_ms;
    if (!many)
        st->bytes[c][n] = m.peak;
    snprintf(what, sizeof what, "%s %s %s #%d", j.s->dataset, j.s->model, j.s->loss, run);
    progress_show(&st->progress, ++st->done, (long)st->nwanted * st->runs * (1 + (st->threads > 1)), -1, what);
}

static void all(state *st)
{
    double end = clock_now() + st->time;
    records old = records_read(&st->a, arena_printf(&st->a, "%s/records/efficiency.tsv", st->out));
    progress_start(&st->progress, st->quiet);
    for (int run = 0; run < st->runs; run++)
        for (int many = 0; many <= (st->threads > 1); many++)
            for (int c = 0; c < CELLS && !pool_stopped(); c++)
                if (st->wanted[c])
                    one(st, c, run, many, &old, end);
    progress_clear(&st->progress);
}

/* --- what the user sees --- */

static double paper_of(const tsv *t, const spec *s, const char *metric)
{
    for (int i = 0; i < t->rows; i++)
        if (!strcmp(tsv_get(t, i, "dataset"), s->dataset) && !strcmp(tsv_get(t, i, "model"), s->model) && !strcmp(tsv_get(t, i, "loss"), s->loss) &&
            !strcmp(tsv_get(t, i, "metric"), metric))
            return tsv_number(t, i, "value");
    return NAN;
}

static double median_of(double *x, int n)
{
    return n ? measure_median(x, n) : NAN;
}

static const char *show(char buf[16], double x, const char *format)
{
    snprintf(buf, 16, isfinite(x) ? format : "-", x);
    return buf;
}

static void summary(state *st)
{
    const char *file = "paper_tables/effiency.tsv";
    if (!file_exists(file))
        file = JCB_DATADIR "/paper_tables/effiency.tsv";
    tsv paper = file_exists(file) ? tsv_read(&st->a, file) : (tsv){0};
    for (int many = 0; many <= (st->threads > 1); many++) {
        char b[9][16];
        printf("%s%d thread%s; medians over the runs\n", many ? "\n" : "", many ? st->threads : 1, many ? "s" : "");
        printf("%-15s   %-31s   %-17s   %s\n", "", "training epoch, ms", "all nodes, ms", "memory, MB");
        printf("%-9s %-5s %8s %8s %6s %6s   %8s %8s   %8s %8s %6s %6s\n", "dataset", "model", "CE", "JC", "JC/CE", "paper", "CE", "JC", "CE", "JC", "JC/CE", "paper");
        for (int c = 0; c < CELLS; c += 2) {
            if (!st->wanted[c] && !st->wanted[c + 1])
                continue;
            double ms[2], infer[2], mb[2];
            for (int k = 0; k < 2; k++) {
                ms[k] = median_of(st->ms[many][c + k], st->n[many][c + k]), infer[k] = median_of(st->infer[many][c + k], st->n[many][c + k]);
                mb[k] = median_of(st->bytes[c + k], st->n[0][c + k]) / (1 << 20);
            }
            const spec *ce = st->s + c, *jc = st->s + c + 1;
            double time = paper_of(&paper, jc, "train_seconds") / paper_of(&paper, ce, "train_seconds");
            double memory = paper_of(&paper, jc, "memory_mb") / paper_of(&paper, ce, "memory_mb");
            printf("%-9s %-5s %8s %8s %6s %6s   %8s %8s   ", ce->dataset, ce->model, show(b[0], ms[0], "%.3f"), show(b[1], ms[1], "%.3f"), show(b[2], ms[1] / ms[0], "%.2f"),
                   show(b[3], time, "%.2f"), show(b[4], infer[0], "%.3f"), show(b[5], infer[1], "%.3f"));
            printf("%8s %8s %6s %6s\n", show(b[0], mb[0], "%.2f"), show(b[1], mb[1], "%.2f"), show(b[2], mb[1] / mb[0], "%.2f"), show(b[3], memory, "%.2f"));
        }
    }
}

static void options(state *st, int argc, char **argv)
{
    const opt table[] = {
        OPT_DATA(&st->data), OPT_OUT(&st->out), OPT_SPECS(&st->specs),
        {"runs", OPT_INT, &st->runs, "N", "processes that measure each cell", "5", 1, RUNS},
        {"epochs", OPT_INT, &st->epochs, "N", "epochs whose median counts", "100", 1, 100000},
        OPT_CELLS(&st->only),
        {"threads", OPT_INT, &st->threads, "N", "measure with one thread, then with N (default: the cores)", NULL, 1, 4096},
        {"jobs", OPT_INT, &st->jobs, "N", "not used: measurements run one at a time", NULL, 1, 4096},
        OPT_TIME(&st->time),
        {"longest", OPT_SECONDS, &st->longest, "TIME", "not used: every measurement is short", NULL, 0, 0},
        OPT_SEED(&st->seed),
        {"force", OPT_FLAG, &st->force, NULL, "measure again what is already recorded", NULL, 0, 0},
        OPT_QUIET(&st->quiet), {0},
    };
    opt_only(argc, argv, table, "bench_efficiency [option ...]\ntables effiency, table_memory and crf-gcn: time and memory of CE and JC",
             "Each measurement runs alone in a process of its own and is recorded at once; let nothing else run meanwhile. The tables take the\n"
             "rows with one thread; those with more have the setting threads=N. bench/README.md says how things are measured.\n");
}

static void cells_open(state *st)
{
    spec_file tuned = select_specs(&st->a, st->specs, "balanced");
    int c = 0;
    for (const char *const *line = main_cells; *line && c < CELLS; line++) {
        st->s[c] = spec_default();
        grid_spec(&st->a, st->s + c, NULL, *line, "cell");
        if (!select_cell(st->s + c, "-", "dataset=cora|citeseer|pubmed"))
            continue; /* the paper times these */
        spec_file_apply(&st->a, &tuned, st->s + c, "-");
        st->nwanted += st->wanted[c] = select_cell(st->s + c, "-", st->only);
        st->bytes[c] = NEW(&st->a, double, RUNS);
        for (int many = 0; many < 2; many++)
            st->ms[many][c] = NEW(&st->a, double, RUNS), st->infer[many][c] = NEW(&st->a, double, RUNS);
        c++;
    }
    if (!st->nwanted)
        die("no cell matches --only %s", st->only);
}

int main(int argc, char **argv)
{
    static state whole;
    state *st = &whole;
    err_program = "bench_efficiency";
    st->threads = omp_get_num_procs();
    options(st, argc, argv);
    blas_init();
    pool_catch_signals();
    st->dirs = select_dirs(&st->a, st->data);
    cells_open(st);
    st->records = run_record_open(&st->a, arena_printf(&st->a, "%s/records/efficiency.tsv", st->out), first_columns, FIRST);
    measure_busy();
    all(st);
    if (!st->quiet)
        summary(st);
    return st->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
