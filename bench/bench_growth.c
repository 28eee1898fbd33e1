/* bench_growth: how time and memory grow with the graph.
 *
 * GCN with CE, width 64, on synthetic graphs of 10^4, 10^4.5, ... edges and 50 links a node, half of the nodes training, a quarter validating. A share
 * of the links stays within communities of 1024 nodes, as in large graphs once their nodes are ordered (--local 0: a uniform graph, where each neighbour
 * misses all caches that the features outgrow). Each size is measured alone in a process of its own. time ~ edges^b: b is the slope of ln(time) over
 * ln(edges), least squares, over the sizes from 10^5 on (below, the costs that do not grow show).
 *
 * --batch: GraphSAGE in batches of sampled neighbours (512 targets, fan-out 15 and 10) on graphs of 10^5, 10^5.5, ... nodes and 10 links a node. An epoch that would take longer than
 * --seconds is extrapolated from its first batches. Beside it: links sampled a second by one thread, and the rate at which rows of features are gathered against that of memcpy. */
#include "../src/base/clock.h"
#include "../src/base/err.h"
#include "../src/base/hash.h"
#include "../src/base/opt.h"
#include "../src/graph/blas.h"
#include "../src/graph/simd.h"
#include "../src/record/run_record.h"
#include "../src/train/trainer.h"
#include "measure.h"
#include "synthetic.h"
#include "version.h"
#include <gsl/gsl_fit.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE = 50, WIDTH = 64, FEATURES = 64, CLASSES = 16, MOST = 16 };
#define FIT_FROM 1e5
#define LOCAL "0.5" /* of the links of ogbn-arxiv, ordered, this share joins rows of the same 1024 */

typedef struct size {
    int64_t edges; /* asked for, then there */
    int nodes, threads;
    double seconds, local; /* that epochs may take; share of links within communities */
    double make_s, epoch_ms, train_bytes, data_bytes, resident;
    uint64_t hash;
} size;

static void learn(void *arg)
{
    trainer *t = arg;
    trainer_learn(t, 1);
    workspace_forward(t->val, 0); /* what the next epoch starts from */
}

static void measure(void *arg, void *result)
{
    size *z = result;
    *z = *(size *)arg;
    omp_set_num_threads(z->threads);
    double start = clock_now();
    problem *p = synthetic_local(z->nodes, z->edges, FEATURES, CLASSES, z->local);
    spec s = spec_default();
    s.hidden = WIDTH;
    problem_prepare(p, &s);
    z->make_s = clock_now() - start;
    z->edges = csr_nnz(&p->d->graph) / 2;
    z->hash = p->d->hash;
    measure_reset_peak();
    trainer *t = trainer_new(p, &s, 1, 0);
    z->train_bytes = (double)t->a.live;
    z->data_bytes = (double)p->a.live;
    workspace_forward(t->val, 0);
    learn(t);
    z->epoch_ms = 1e3 * measure_time(learn, t, z->seconds).median;
    z->resident = measure_peak();
}

/* --- batches --- */

enum { BATCH_DEGREE = 10 };

typedef struct batches {
    int nodes, threads;
    double seconds;
    double make_s, epoch_s, data_bytes, batch_bytes, resident;
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

/* One thread, nothing overlapped: the best of some rounds of batches. */
static void measure_sampler(batches *z, trainer *t)
{
    int many = sampler_batches(t->batches), rounds = 5, each = many < 20 ? many : 20;
    omp_set_num_threads(1);
    sampler_overlap(t->batches, 0);
    double bytes = 0;
    for (int r = 0; r < rounds; r++) {
        double before[2], after[2], links = 0, rows = 0;
        sampler_seconds(before, before + 1, t->batches);
        for (int k = 0; k < each; k++) {
            const batch *b = sampler_batch(t->batches, 2 + r, (int)((int64_t)many * k / each));
            for (int h = 0; h < b->hops; h++)
                links += (double)csr_nnz(b->adj[h][ADJ_OTHERS]);
            rows += b->nodes;
        }
        sampler_seconds(after, after + 1, t->batches);
        bytes = 2 * rows * FEATURES * sizeof(real);
        z->edge_rate = fmax(z->edge_rate, links / (after[0] - before[0]));
        z->gather_rate = fmax(z->gather_rate, bytes / (after[1] - before[1]));
    }
    z->copy_rate = copy_rate((size_t)(bytes / 2 / each));
    omp_set_num_threads(z->threads);
    sampler_overlap(t->batches, z->threads > 1);
}

static void measure_batches(void *arg, void *result)
{
    batches *z = result;
    *z = *(batches *)arg;
    omp_set_num_threads(z->threads);
    double start = clock_now();
    problem *p = synthetic_local(z->nodes, (int64_t)z->nodes * BATCH_DEGREE / 2, FEATURES, CLASSES, 0.5);
    spec s = spec_default();
    s.model = "sage", s.batch = "neighbour:512:15,10", s.mean_self = 0, s.hidden = WIDTH;
    problem_prepare(p, &s);
    z->make_s = clock_now() - start;
    z->data_bytes = (double)p->a.live;
    trainer *t = trainer_new(p, &s, 1, 0);
    measure_sampler(z, t);
    const adam paper = {s.lr, 0.9, 0.999, 1e-8};
    const adam_now now[2] = {adam_at(&paper, 0, 1), adam_at(&paper, 0, 1)};
    int many = sampler_batches(t->batches), done = 0;
    start = clock_now();
    for (int k = 0; k < many && (done < 8 || clock_now() - start < z->seconds); k++, done++) {
        workspace_bind(t->train, sampler_batch(t->batches, 1, k));
        workspace_learn(t->train, (uint32_t)k + 1, now);
    }
    z->epoch_s = (clock_now() - start) / done * many;
    z->batch_bytes = (double)t->batch_memory.live;
    z->resident = measure_peak();
}

static void fit(const char *what, const char *by, const double *edges, const double *y, int n);

static int grow_batches(arena *a, double least, double most, int threads, double seconds)
{
    double nodes[MOST], time[MOST], memory[MOST];
    int n = 0, failed = 0;
    printf("%9s %10s %12s %10s %9s %9s %9s %9s %9s %8s\n", "nodes", "epoch s", "us/target", "batch MB", "data MB", "RSS MB", "Mlinks/s", "gather", "copy GB/s", "made, s");
    for (double x = least; x <= most * 1.0001 && n < MOST; x *= sqrt(10)) {
        batches z = {.nodes = (int)llrint(x), .threads = threads, .seconds = seconds}, got;
        double need = synthetic_bytes(z.nodes, (int64_t)z.nodes * BATCH_DEGREE / 2, FEATURES);
        if (need > measure_memory()) {
            printf("%9.2g: left out, needs %.1f GiB of memory, %.1f are free\n", x, need / (1 << 30), measure_memory() / (1 << 30));
            break;
        }
        const char *error = measure_alone(a, measure_batches, &z, &got, sizeof got);
        if (error) {
            warn("%.3g nodes: %s", x, error);
            failed = 1;
            continue;
        }
        printf("%9.2g %10.3f %12.2f %10.1f %9.1f %9.1f %9.1f %9.1f %9.1f %8.2f\n", (double)got.nodes, got.epoch_s, 2e6 * got.epoch_s / got.nodes, got.batch_bytes / (1 << 20),
               got.data_bytes / (1 << 20), got.resident / (1 << 20), got.edge_rate / 1e6, got.gather_rate / 1e9, got.copy_rate / 1e9, got.make_s);
        nodes[n] = got.nodes, time[n] = got.epoch_s, memory[n++] = got.batch_bytes;
    }
    fit("time of an epoch", "nodes", nodes, time, n);
    fit("memory of a batch", "nodes", nodes, memory, n);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* GCN keeps about four matrices of nodes x width for each of its two plans, beside the graph and its cuts. */
static double needs(const size *z)
{
    return synthetic_bytes(z->nodes, z->edges, FEATURES) + 32.0 * (double)z->edges + 8.0 * z->nodes * WIDTH * sizeof(real);
}

static const char *const columns[] = {"key", "experiment", "dataset", "model", "loss", "setting", "run", "seed", "nodes", "edges", "epoch_ms",
    "peak_bytes", "train_bytes", "data_bytes", "rss_bytes", "make_seconds", "threads", "blas", "cpu", "commit", "origin", "data_hash", "param_hash", "status"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void append(record_file *f, const size *z)
{
    record_row row = record_row_new(f);
    record_put_hash(&row, "key", hash_u64(hash_u64(hash_u64(HASH_INIT, 2), z->hash), (uint64_t)z->threads));
    record_put(&row, "experiment", "growth");
    record_put(&row, "dataset", "synthetic");
    record_put(&row, "model", "gcn");
    record_put(&row, "loss", "ce");
    record_put(&row, "setting", "edges=%.3g;local=%g", (double)z->edges, z->local);
    record_put(&row, "run", "0");
    record_put(&row, "seed", "1");
    record_put(&row, "nodes", "%d", z->nodes);
    record_put(&row, "edges", "%lld", (long long)z->edges);
    record_put(&row, "epoch_ms", "%.6g", z->epoch_ms);
    record_put(&row, "peak_bytes", "%.0f", z->train_bytes + z->data_bytes);
    record_put(&row, "train_bytes", "%.0f", z->train_bytes);
    record_put(&row, "data_bytes", "%.0f", z->data_bytes);
    record_put(&row, "rss_bytes", "%.0f", z->resident);
    record_put(&row, "make_seconds", "%.3g", z->make_s);
    record_put(&row, "threads", "%d", z->threads);
    record_put_build(&row, JCB_COMMIT);
    record_put(&row, "origin", "twin");
    record_put_hash(&row, "data_hash", z->hash);
    record_put(&row, "param_hash", "-");
    record_put(&row, "status", "ok");
    record_row_append(&row);
}

/* Slope of ln(y) over ln(edges) with its standard error. */
static void fit(const char *what, const char *by, const double *edges, const double *y, int n)
{
    double x[MOST], v[MOST], c0, c1, c00, c01, c11, sum;
    int k = 0;
    for (int i = 0; i < n; i++)
        if (edges[i] >= 0.9 * FIT_FROM) /* repeated links are dropped */
            x[k] = log(edges[i]), v[k++] = log(y[i]);
    if (k < 3) {
        printf("%s: no exponent, needs three sizes from %g %s on\n", what, FIT_FROM, by);
        return;
    }
    gsl_fit_linear(x, 1, v, 1, (size_t)k, &c0, &c1, &c00, &c01, &c11, &sum);
    printf("%s ~ %s^%.3f (standard error %.3f, %d sizes from %g %s on)\n", what, by, c1, sqrt(c11), k, FIT_FROM, by);
}

int main(int argc, char **argv)
{
    arena a = {0};
    const char *out = NULL;
    double most, least, seconds, local, edges[MOST], ms[MOST], bytes[MOST];
    int threads = omp_get_num_procs(), n = 0, failed = 0, in_batches = 0;
    double nodes_least, nodes_most;
    const opt table[] = {
        {"out", OPT_TEXT, &out, "DIR", "append to DIR/records/growth.tsv (default: print only)", NULL, 0, 0},
        {"min-edges", OPT_REAL, &least, "N", "the smallest graph", "1e4", 1e3, 1e9},
        {"max-edges", OPT_REAL, &most, "N", "the largest graph; 1e8 needs 12 GiB", "1e7", 1e3, 1e9},
        {"batch", OPT_FLAG, &in_batches, NULL, "GraphSAGE in batches of sampled neighbours instead, from --min-nodes to --max-nodes", NULL, 0, 0},
        {"min-nodes", OPT_REAL, &nodes_least, "N", "the smallest graph of --batch", "1e5", 2e3, 1e8},
        {"max-nodes", OPT_REAL, &nodes_most, "N", "the largest graph of --batch; 1e7 needs 7 GiB", "1e6", 2e3, 1e8},
        {"local", OPT_REAL, &local, "SHARE", "of the links within communities of 1024 nodes; 0: none", LOCAL, 0, 1},
        {"threads", OPT_INT, &threads, "N", "(default: the cores)", NULL, 1, 4096},
        {"seconds", OPT_SECONDS, &seconds, "TIME", "of epochs at each size", "1s", 0, 0},
        {0},
    };
    err_start("bench_growth");
    opt_only(argc, argv, table, "bench_growth [option ...]\nTime and memory of an epoch, training and validation (GCN, CE, width 64), on synthetic graphs of growing size.", "");
    blas_init();
    measure_busy();
    if (in_batches)
        return grow_batches(&a, nodes_least, nodes_most, threads, seconds);
    record_file *f = out ? record_open(&a, arena_printf(&a, "%s/records/growth.tsv", out), columns, COLUMNS) : NULL;
    printf("%9s %9s %11s %9s %9s %9s %9s %8s\n", "edges", "nodes", "epoch ms", "ns/edge", "train MB", "data MB", "RSS MB", "made, s");
    for (double e = least; e <= most * 1.0001 && n < MOST; e *= sqrt(10)) {
        size z = {.edges = llrint(e), .nodes = (int)(2 * e / DEGREE), .threads = threads, .seconds = seconds, .local = local}, got;
        if (needs(&z) > measure_memory()) {
            printf("%9.2g: left out, needs %.1f GiB of memory, %.1f are free\n", e, needs(&z) / (1 << 30), measure_memory() / (1 << 30));
            break;
        }
        const char *error = measure_alone(&a, measure, &z, &got, sizeof got);
        if (error) {
            warn("%.3g edges: %s", e, error);
            failed = 1;
            continue;
        }
        printf("%9.2g %9d %11.3f %9.1f %9.1f %9.1f %9.1f %8.2f\n", (double)got.edges, got.nodes, got.epoch_ms, 1e6 * got.epoch_ms / (double)got.edges,
               got.train_bytes / (1 << 20), got.data_bytes / (1 << 20), got.resident / (1 << 20), got.make_s);
        if (f)
            append(f, &got);
        edges[n] = (double)got.edges, ms[n] = got.epoch_ms, bytes[n++] = got.train_bytes + got.data_bytes;
    }
    fit("time  ", "edges", edges, ms, n);
    fit("memory", "edges", edges, bytes, n);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
