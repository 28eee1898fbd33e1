/* bench_growth: how time and memory grow with the graph.
 *
 * GCN with CE, width 64, on synthetic graphs of 10^4, 10^4.5, ... edges and 50 links a node, half of the nodes
 * training, a quarter validating. A share of the links is within communities of 1024 nodes, as in large graphs after
 * reordering (--local 0: a uniform graph, where every neighbour misses the caches that are smaller than the features).
 * Each size is measured alone in a process of its own. time ~ edges^b: b is the slope of ln(time) over ln(edges) by
 * least squares, over the sizes from 10^5 on (constant costs dominate smaller ones).
 *
 * --batch, --cell: training in batches, growth_batches.c. */
#include "../../src/base/clock.h"
#include "../../src/base/err.h"
#include "../../src/base/hash.h"
#include "../../src/base/memory.h"
#include "../../src/base/opt.h"
#include "../../src/kernel/blas.h"
#include "../../src/run/run_record.h"
#include "../../src/train/method/resolve.h"
#include "../../src/train/trainer.h"
#include "growth.h"
#include "../../src/run/measure.h"
#include "synthetic.h"
#include "version.h"
#include <gsl/gsl_fit.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEGREE = 50, WIDTH = 64, FEATURES = 64, CLASSES = 16, MAX_SIZES = GROWTH_SIZES };
#define FIT_FROM 1e5
#define LOCAL "0.5" /* the share in ogbn-arxiv after reordering: links within a block of 1024 rows */

typedef struct size {
    int64_t edges; /* requested, then actual */
    int nodes, threads;
    double seconds, local; /* time to repeat epochs for; share of links within communities */
    double make_s, epoch_ms, train_bytes, data_bytes, resident;
    uint64_t hash;
} size;

static void learn(void *arg)
{
    trainer *t = arg;
    trainer_learn(t, 1);
    workspace_forward(t->val, 0); /* the next epoch reuses its values */
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
    const cell c = resolve_cell(&s, NULL, "-");
    problem_prepare(p, &c);
    z->make_s = clock_now() - start;
    z->edges = csr_nnz(&problem_dataset(p)->graph) / 2;
    z->hash = problem_dataset(p)->hash;
    measure_reset_peak();
    trainer *t = trainer_new(p, &c, 1, 0);
    z->train_bytes = (double)t->a.live;
    z->data_bytes = (double)problem_bytes(p);
    workspace_forward(t->val, 0);
    learn(t);
    z->epoch_ms = 1e3 * measure_time(learn, t, z->seconds).median;
    z->resident = measure_peak();
}

/* Bytes: GCN has about four matrices of nodes x width in each of its two workspaces, besides the graph and its
 * submatrices. */
static double needs(const size *z)
{
    return synthetic_bytes(z->nodes, z->edges, FEATURES) + 32.0 * (double)z->edges +
           8.0 * z->nodes * WIDTH * sizeof(real);
}

static const char *const columns[] = {
    "key",     "experiment", "dataset",  "model",      "loss",        "setting",    "run",        "seed",
    "nodes",   "edges",      "epoch_ms", "peak_bytes", "train_bytes", "data_bytes", "rss_bytes",  "make_seconds",
    "threads", "blas",       "cpu",      "commit",     "origin",      "data_hash",  "param_hash", "status"};
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

void growth_fit(const char *what, const char *by, const double *edges, const double *y, int n)
{
    double x[MAX_SIZES], v[MAX_SIZES], c0, c1, c00, c01, c11, sum;
    int k = 0;
    for (int i = 0; i < n; i++)
        if (edges[i] >= 0.9 * FIT_FROM) /* 0.9: duplicate links are dropped */
            x[k] = log(edges[i]), v[k++] = log(y[i]);
    if (k < 3) {
        printf("%s: no exponent, needs three sizes from %g %s on\n", what, FIT_FROM, by);
        return;
    }
    gsl_fit_linear(x, 1, v, 1, (size_t)k, &c0, &c1, &c00, &c01, &c11, &sum);
    printf("%s ~ %s^%.3f (standard error %.3f, %d sizes from %g %s on)\n", what, by, c1, sqrt(c11), k, FIT_FROM, by);
}

static void print_size(const size *z)
{
    printf("%9.2g %9d %11.3f %9.1f %9.1f %9.1f %9.1f %8.2f\n", (double)z->edges, z->nodes, z->epoch_ms,
           1e6 * z->epoch_ms / (double)z->edges, z->train_bytes / (1 << 20), z->data_bytes / (1 << 20),
           z->resident / (1 << 20), z->make_s);
}

/* GCN on graphs of `min` to `max` links; like: what they have in common. */
static int grow(arena *a, const char *out, double min, double max, const size *like)
{
    double edges[MAX_SIZES], ms[MAX_SIZES], bytes[MAX_SIZES];
    int n = 0, failed = 0;
    record_file *f = out ? record_open(a, arena_printf(a, "%s/records/growth.tsv", out), columns, COLUMNS) : NULL;
    printf("%9s %9s %11s %9s %9s %9s %9s %8s\n", "edges", "nodes", "epoch ms", "ns/edge", "train MB", "data MB",
           "RSS MB", "made, s");
    for (double e = min; e <= max * 1.0001 && n < MAX_SIZES; e *= sqrt(10)) {
        size z = *like, got;
        z.edges = llrint(e), z.nodes = (int)(2 * e / DEGREE);
        if (needs(&z) > memory_available()) {
            printf("%9.2g: left out, needs %.1f GiB of memory, %.1f available\n", e, needs(&z) / (1 << 30),
                   memory_available() / (1 << 30));
            break;
        }
        const char *error = measure_alone(a, measure, &z, &got, sizeof got);
        if (error) {
            warn("%.3g edges: %s", e, error);
            failed = 1;
            continue;
        }
        print_size(&got);
        if (f)
            append(f, &got);
        edges[n] = (double)got.edges, ms[n] = got.epoch_ms, bytes[n++] = got.train_bytes + got.data_bytes;
    }
    growth_fit("time  ", "edges", edges, ms, n);
    growth_fit("memory", "edges", edges, bytes, n);
    if (f)
        record_close(f);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    arena a = {0};
    const char *out = NULL, *in_text = NULL, *data;
    double max, min, nodes_max, nodes_min, seconds, local;
    int threads = omp_get_num_procs(), in_batches = 0;
    const opt table[] = {
        {"out", OPT_TEXT, &out, "DIR", "append to DIR/records/growth.tsv (default: print only)", NULL, 0, 0},
        {"min-edges", OPT_REAL, &min, "N", "the smallest graph", "1e4", 1e3, 1e9},
        {"max-edges", OPT_REAL, &max, "N", "the largest graph; 1e8 needs 12 GiB", "1e7", 1e3, 1e9},
        {"batch", OPT_FLAG, &in_batches, NULL,
         "GraphSAGE in batches of sampled neighbours instead, from --min-nodes to --max-nodes", NULL, 0, 0},
        {"min-nodes", OPT_REAL, &nodes_min, "N", "the smallest graph of --batch", "1e5", 2e3, 1e8},
        {"max-nodes", OPT_REAL, &nodes_max, "N", "the largest graph of --batch; 1e7 needs 7 GiB", "1e6", 2e3, 1e8},
        {"cell", OPT_TEXT, &in_text, "K=V ...",
         "train one cell in batches instead, given as `bench_large --list` prints it", NULL, 0, 0},
        OPT_DATA(&data),
        {"local", OPT_REAL, &local, "SHARE", "share of the links within communities of 1024 nodes", LOCAL, 0, 1},
        {"threads", OPT_INT, &threads, "N", "number of threads (default: the cores)", NULL, 1, 4096},
        {"seconds", OPT_SECONDS, &seconds, "TIME", "time to repeat epochs for, at each size", "1s", 0, 0},
        {0},
    };
    err_start("bench_growth");
    opt_only(argc, argv, table,
             "bench_growth [option ...]\nTime and memory of an epoch, training and validation (GCN, CE, width 64), on "
             "synthetic graphs of growing size.",
             "");
    blas_init();
    if (!in_text)
        measure_busy();
    int code = in_text      ? growth_cell(&a, in_text, data, threads, seconds)
               : in_batches ? growth_batches(&a, nodes_min, nodes_max, threads, seconds)
                            : grow(&a, out, min, max, &(size){.threads = threads, .seconds = seconds, .local = local});
    arena_free(&a);
    return code;
}
