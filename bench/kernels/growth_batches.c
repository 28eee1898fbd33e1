/* Training in batches: time of an epoch, memory of a batch, rates of sampling and gathering.
 *
 * growth_batches: GraphSAGE in batches of sampled neighbours (512 targets, fan-out 15 and 10) on graphs of 10^5,
 * 10^5.5, ... nodes and 10 links a node, each in a process of its own. growth_cell: any cell on its data set. Timed are
 * sampling, gathering and training steps, no prediction; an epoch that would take longer than --seconds is extrapolated
 * from its first batches. Also measured: links sampled a second by one thread; the rate at which rows of features are
 * gathered, against memcpy (bytes read and written, CPU time of one thread); and the time of the epoch against that of
 * its dense products at the rate of sgemm. */
#include "../../src/base/clock.h"
#include "../../src/base/err.h"
#include "../../src/base/memory.h"
#include "../../src/net/profile.h"
#include "../../src/train/grid.h"
#include "../../src/train/method/resolve.h"
#include "../../src/train/trainer.h"
#include "growth.h"
#include "kernels.h"
#include "../../src/run/measure.h"
#include "../../src/run/select.h"
#include "synthetic.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DEGREE = 10,
    WIDTH = 64,
    FEATURES = 64,
    CLASSES = 16,
    WARM = 4 /* batches before the clock starts */,
    FEWEST = 8
};

typedef struct batches {
    int nodes, threads, count, done; /* batches of an epoch; that were timed */
    double seconds;
    double make_s, epoch_s, cpu_s, data_bytes, batch_bytes, resident;
    double flops;                             /* of the dense products of an epoch */
    double edge_rate, gather_rate, copy_rate; /* links a second; bytes a second, read and written */
} batches;

static double copy_rate(size_t n)
{
    arena a = {0};
    char *from = NEW(&a, char, n), *to = NEW(&a, char, n);
    double best = 0;
    memset(from, 1, n);
    for (int k = 0; k < 5; k++) {
        double start = clock_cpu();
        memcpy(to, from, n);
        best = fmax(best, 2 * (double)n / (clock_cpu() - start));
        from[k] = to[n - 1];
    }
    arena_free(&a);
    return best;
}

/* Links of a batch; a hop that has several matrices is counted once. */
static double links_of(const batch *b)
{
    double links = 0;
    for (int h = 0; h < b->hops; h++)
        for (int kind = 0; kind < ADJ_KINDS; kind++)
            if (b->adj[h][kind]) {
                links += (double)csr_nnz(b->adj[h][kind]);
                break;
            }
    return links;
}

/* One thread, without overlap of sampling and training; the best of some rounds of batches. */
static void measure_sampler(batches *z, trainer *t)
{
    int count = sampler_batches(t->batches), rounds = 5, each = count < 20 ? count : 20;
    omp_set_num_threads(1);
    sampler_overlap(t->batches, 0);
    double bytes = 0;
    for (int r = 0; r < rounds; r++) {
        double before[2], after[2], links = 0;
        bytes = 0;
        for (int k = 0; k < 2; k++) /* the sampler has two producers, and each shuffles the nodes once an epoch */
            sampler_batch(t->batches, 2 + r, k < count ? k : 0);
        sampler_seconds(before, before + 1, t->batches);
        for (int k = 0; k < each; k++) {
            const batch *b = sampler_batch(t->batches, 2 + r, (int)((int64_t)count * k / each));
            links += b ? links_of(b) : 0;
            for (int set = 0; b && set < FEATURE_SETS; set++)
                bytes += b->x[set] ? 2.0 * b->x[set]->rows * b->x[set]->cols * sizeof(real) : 0;
        }
        sampler_seconds(after, after + 1, t->batches);
        z->edge_rate = fmax(z->edge_rate, links / (after[0] - before[0]));
        z->gather_rate = fmax(z->gather_rate, bytes / (after[1] - before[1]));
    }
    z->copy_rate = bytes > 0 ? copy_rate((size_t)(bytes / 2 / each)) : NAN;
    omp_set_num_threads(z->threads);
    sampler_overlap(t->batches, z->threads > 1 && t->data.nodes >= 50000);
}

static void learn(trainer *t, int epoch, int k)
{
    adam_now now[2];
    const batch *b = sampler_batch(t->batches, epoch, k);
    if (!b)
        return;
    trainer_steps(now, &t->c.s, (long)k + 1);
    workspace_bind(t->train, b);
    workspace_learn(t->train, (uint32_t)k + 1, now);
}

static void measure_epoch(batches *z, const problem *p, const cell *c)
{
    trainer *t = trainer_new(p, c, 1, 0);
    z->nodes = problem_dataset(p)->nodes;
    z->data_bytes = (double)problem_bytes(p);
    measure_sampler(z, t);
    z->count = sampler_batches(t->batches);
    for (int k = 0; k < WARM && k < z->count; k++)
        learn(t, 1, k); /* the epoch that is timed: its shuffle is not */
    double start = clock_now(), flops = 0;
    clock_t spent = clock(); /* CPU time of all threads */
    for (int k = 0; k < z->count && (k < FEWEST || clock_now() - start < z->seconds); k++, z->done++) {
        learn(t, 1, k);
        flops += profile_compulsory(t->train, NULL).dense_flops;
        z->batch_bytes = fmax(z->batch_bytes, (double)t->batch_memory.live); /* the last one may be small */
    }
    double share = (double)z->count / z->done;
    z->epoch_s = (clock_now() - start) * share;
    z->cpu_s = (double)(clock() - spent) / CLOCKS_PER_SEC * share;
    z->flops = flops * share;
    z->resident = measure_peak();
    trainer_free(t);
}

static void measure_synthetic(void *arg, void *to)
{
    batches *z = to;
    *z = *(batches *)arg;
    omp_set_num_threads(z->threads);
    double start = clock_now();
    problem *p = synthetic_local(z->nodes, (int64_t)z->nodes * DEGREE / 2, FEATURES, CLASSES, 0.5);
    spec s = spec_default();
    s.model = "sage", s.batch = batch_rule_read("neighbour:512:15,10"), s.mean_self = 0, s.hidden = WIDTH;
    const cell c = resolve_cell(&s, NULL, "-");
    problem_prepare(p, &c);
    z->make_s = clock_now() - start;
    measure_epoch(z, p, &c);
}

static void print_head(void)
{
    printf("%9s %10s %12s %8s %10s %9s %9s %9s %9s %9s %8s\n", "nodes", "epoch s", "us/target", "batches", "batch MB",
           "data MB", "RSS MB", "Mlinks/s", "gather", "copy GB/s", "made, s");
}

static void print_row(const batches *z, double targets)
{
    printf("%9.2g %10.3f %12.2f %8d %10.1f %9.1f %9.1f %9.1f %9.1f %9.1f %8.2f\n", (double)z->nodes, z->epoch_s,
           1e6 * z->epoch_s / targets, z->count, z->batch_bytes / (1 << 20), z->data_bytes / (1 << 20),
           z->resident / (1 << 20), z->edge_rate / 1e6, z->gather_rate / 1e9, z->copy_rate / 1e9, z->make_s);
}

int growth_batches(arena *a, double min, double max, int threads, double seconds)
{
    double nodes[GROWTH_SIZES], time[GROWTH_SIZES], memory[GROWTH_SIZES];
    int n = 0, failed = 0;
    print_head();
    for (double x = min; x <= max * 1.0001 && n < GROWTH_SIZES; x *= sqrt(10)) {
        batches z = {.nodes = (int)llrint(x), .threads = threads, .seconds = seconds}, got;
        double need = synthetic_bytes(z.nodes, (int64_t)z.nodes * DEGREE / 2, FEATURES);
        if (need > memory_available()) {
            printf("%9.2g: left out, needs %.1f GiB of memory, %.1f available\n", x, need / (1 << 30),
                   memory_available() / (1 << 30));
            break;
        }
        const char *error = measure_alone(a, measure_synthetic, &z, &got, sizeof got);
        if (error) {
            warn("%.3g nodes: %s", x, error);
            failed = 1;
            continue;
        }
        print_row(&got, got.nodes / 2.0);
        nodes[n] = got.nodes, time[n] = got.epoch_s, memory[n++] = got.batch_bytes;
    }
    growth_fit("time of an epoch", "nodes", nodes, time, n);
    growth_fit("memory of a batch", "nodes", nodes, memory, n);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int growth_cell(arena *a, const char *text, const char *data, int threads, double seconds)
{
    const char *setting = "-";
    batches z = {.threads = threads, .seconds = seconds};
    spec s = spec_default();
    grid_spec(a, &s, &setting, text, "--cell");
    const cell c = resolve_cell(&s, NULL, setting);
    if (s.batch.kind == BATCH_FULL)
        die("--cell: needs training in batches: batch=neighbour:512:15,10, cluster:3000:20 or rows:50000");
    measure_busy();
    omp_set_num_threads(threads);
    data_dirs dirs = select_dirs(a, data);
    dirs.twins = 1;
    double start = clock_now();
    problem *p = problem_open(&dirs, &s);
    problem_prepare(p, &c);
    z.make_s = clock_now() - start;
    double targets = trainer_split(a, p, &s, 1, 0).n[TRAIN];
    measure_epoch(&z, p, &c);
    double gflops = limits_measure(0.1).gflops;
    print_head();
    print_row(&z, targets);
    printf("%d of %d batches timed, %.2f ms each (%.2f of CPU time), %d threads; dense products %.1f GFLOP an epoch, "
           "sgemm %.0f GFLOP/s: %.2f times their time\n",
           z.done, z.count, 1e3 * z.epoch_s / z.count, 1e3 * z.cpu_s / z.count, threads, z.flops * 1e-9, gflops,
           z.epoch_s / (z.flops * 1e-9 / gflops));
    problem_close(p);
    return EXIT_SUCCESS;
}
