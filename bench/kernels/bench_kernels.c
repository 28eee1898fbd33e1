/* bench_kernels: every kernel on the shapes of every data set, checked, then timed and compared with the limits of the
 * machine.
 *
 * The lower bound of a kernel's time is the longer of flops / (rate of a large sgemm) and compulsory bytes / (triad
 * bandwidth of a working set of that size), both measured in the same run with the same threads; "limit" is this bound
 * over the measured time, at best 1. */
#include "../../src/base/clock.h"
#include "../../src/base/err.h"
#include "../../src/base/guess.h"
#include "../../src/base/hash.h"
#include "../../src/base/memory.h"
#include "../../src/base/opt.h"
#include "../../src/base/tsv.h"
#include "../../src/kernel/blas.h"
#include "../../src/kernel/simd.h"
#include "../../src/run/run_record.h"
#include "kernels.h"
#include "../../src/run/measure.h"
#include "../../src/run/select.h"
#include "version.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-4 /* of the largest number: allows rounding in float sums of 10^5 terms, but no missing term */
enum { MAX_VALUES = 16, LONG = 4 /* seconds */ };

static const kernel *const tables[] = {kernels_products, kernels_rows,  kernels_attention,
                                       kernels_model,    kernels_epoch, NULL};
static const char *const everything[] = {"cora",      "citeseer", "pubmed",    "dblp",       "facebook", "lastfmasia",
                                         "chameleon", "squirrel", "wisconsin", "ogbn-arxiv", NULL};

typedef struct state {
    arena a;
    const char *data, *out, *only, *datasets, *thread_list, *width_list;
    int large, spoil;
    double seconds;
    int threads[MAX_VALUES], nthreads, width[MAX_VALUES], nwidths;
    limits limit[MAX_VALUES];
    record_file *records;
    result *r; /* of one graph */
    int n, invalid, checked;
    int64_t capacity;
} state;

/* --- lists in options --- */

static int wanted(const state *st, const char *name) { return !st->only || tsv_lists(st->only, name); }

static int numbers(int *to, const char *option, const char *list, int max)
{
    int n = 0;
    const char *s = list;
    do {
        char *end;
        long x = strtol(s, &end, 10);
        if (end == s || x < 1 || x > max || (*end && *end != ',') || n == MAX_VALUES)
            opt_wrong("--%s must be a list of integers such as 1,2,4, not '%s'", option, list);
        to[n++] = (int)x;
        s = end + (*end == ',');
    } while (*s);
    return n;
}

/* Dies unless every name of --only is a kernel or a group. */
static void check_only(void *arg)
{
    state *st = arg;
    char *rest = st->only ? arena_printf(&st->a, "%s", st->only) : NULL;
    for (char *name; (name = strsep(&rest, ","));) {
        guess g = {.word = name};
        int found = 0;
        for (int t = 0; tables[t]; t++)
            for (const kernel *k = tables[t]; k->name; k++) {
                found |= !strcmp(name, k->name) || !strcmp(name, k->group);
                if (k == tables[t] || strcmp(k->group, k[-1].group))
                    guess_list(&g, k->group);
            }
        if (!found)
            guess_die(&g, "kernel", " (groups), or a kernel of one");
    }
}

/* --- one kernel --- */

struct call {
    const kernel *k;
    work *w;
    mkl_product *mkl;
    real *y;
};

static void call_ours(void *arg)
{
    struct call *c = arg;
    c->k->run(c->w);
}

static void call_mkl(void *arg)
{
    struct call *c = arg;
    mkl_product_run(c->mkl, c->y, c->w->right);
}

static double against_mkl(state *st, struct call *c, double ours)
{
    arena a = {0};
    double ratio = NAN;
    c->mkl = mkl_product_new(&a, c->w->s, c->w->d);
    if (c->mkl) {
        size_t n = (size_t)c->w->rows * (size_t)c->w->width;
        c->y = NEW(&a, real, n);
        call_mkl(c);
        if (check_error(c->y, c->w->out, n) < TOLERANCE)
            ratio = measure_time(call_mkl, c, st->seconds).best / ours;
        mkl_product_free(c->mkl);
    }
    arena_free(&a);
    return ratio;
}

static const result *find(const state *st, const char *name, int d, int threads)
{
    for (int i = 0; i < st->n; i++)
        if (!strcmp(st->r[i].kernel, name) && (st->r[i].d == d || d < 0) &&
            (st->r[i].threads == threads || threads < 0))
            return st->r + i;
    return NULL;
}

/* Checks the result, compares its bits with those at the first number of threads, then measures time. Returns 0 if the
 * kernel does not apply to the graph. */
static int measure(state *st, result *r, const kernel *k, const input *in, int d, const limits *l)
{
    work w = {.in = in, .d = d};
    *r = (result){.kernel = k->name,
                  .in = in,
                  .d = d,
                  .threads = omp_get_max_threads(),
                  .gather = NAN,
                  .vs_mkl = NAN,
                  .vs_spmm = NAN};
    if (!k->setup(&w)) {
        arena_free(&w.a);
        return 0;
    }
    double start = clock_now();
    k->run(&w);
    double first_run = clock_now() - start;
    r->bits = hash_bytes(HASH_INIT, w.out, (size_t)w.rows * (size_t)w.width * sizeof *w.out);
    const result *before = find(st, k->name, d, -1);
    r->valid = check_kernel(k, &w) < TOLERANCE && (!before || before->bits == r->bits);
    struct call c = {.k = k, .w = &w};
    timing t = {first_run, first_run};
    if (first_run < LONG || w.sum) /* long runs need no warm-up, except epochs, which touch their buffers first */
        t = measure_time(call_ours, &c, st->seconds);
    r->ms = 1e3 * t.best, r->median = 1e3 * t.median;
    r->gflops = 1e-9 * w.flops / t.best, r->gbs = 1e-9 * w.bytes / t.best;
    double compute = 1e-9 * w.flops / l->gflops, move = 1e-9 * w.bytes / limits_gbs(l, w.bytes);
    r->limit = (w.sum ? compute + move : fmax(compute, move)) / t.best;
    if (w.read > 0)
        r->gather = 1e-9 * w.read / limits_gbs(l, w.from) / t.best;
    if (w.mkl)
        r->vs_mkl = against_mkl(st, &c, t.best);
    const result *same = !strcmp(k->group, "attention") ? find(st, "spmm", d, r->threads) : NULL;
    if (same)
        r->vs_spmm = r->ms / same->ms;
    if (w.done)
        w.done(&w);
    arena_free(&w.a);
    return 1;
}

static void one(state *st, const kernel *k, const input *in, int d)
{
    result r;
    double need = 6.0 * in->nodes * d * sizeof(real);
    if (need > memory_available()) {
        printf("  %-12s %4d: left out, needs %.0f GiB\n", k->name, d, need / (1 << 30));
        return;
    }
    for (int t = 0; t < st->nthreads; t++) {
        omp_set_num_threads(st->threads[t]);
        if (!measure(st, &r, k, in, d, st->limit + t))
            return;
        GROW(&st->a, st->r, st->n, st->capacity, 256);
        st->r[st->n++] = r;
        st->checked++;
        st->invalid += !r.valid;
        kernels_print(&r);
        if (st->records)
            kernels_append(st->records, &r);
    }
}

/* --- one graph --- */

static void scaling_table(const state *st)
{
    printf("  speed-up over %d thread%s\n  %-12s %4s", st->threads[0], st->threads[0] > 1 ? "s" : "", "kernel", "d");
    for (int t = 1; t < st->nthreads; t++)
        printf(" %7d", st->threads[t]);
    putchar('\n');
    for (int i = 0; i < st->n; i++)
        if (st->r[i].threads == st->threads[0]) {
            printf("  %-12s %4d", st->r[i].kernel, st->r[i].d);
            for (int t = 1; t < st->nthreads; t++)
                printf(" %7.2f", st->r[i].ms / find(st, st->r[i].kernel, st->r[i].d, st->threads[t])->ms);
            putchar('\n');
        }
}

static void graph(state *st, const input *in)
{
    st->n = 0;
    printf("\n%s (%s%s): %d nodes, %lld entries with loops, %d features%s, %d classes, %d training rows\n", in->name,
           origin_name[problem_dataset(in->p)->origin],
           in->files                     ? ", nodes in the order of the files"
           : problem_dataset(in->p)->row ? ", nodes ordered by METIS cluster"
                                         : "",
           in->nodes, (long long)csr_nnz(&in->adj), in->features, in->xs.rows ? " (sparse)" : "", in->classes,
           in->ntrain);
    printf("  %-12s %4s %3s %10s %10s %8s %8s %6s %6s %8s %8s\n", "kernel", "d", "thr", "ms best", "median", "GFLOP/s",
           "GB/s", "limit", "gather", "x MKL", "x spmm");
    for (int t = 0; tables[t]; t++)
        for (const kernel *k = tables[t]; k->name; k++) {
            if (!wanted(st, k->name) && !wanted(st, k->group))
                continue;
            if (in->files && strcmp(k->group, "spmm") && strcmp(k->group, "attention"))
                continue; /* the others do not read the graph */
            for (int i = k->widths == WIDEST ? st->nwidths - 1 : 0; i < (k->widths == ONE_WIDTH ? 1 : st->nwidths); i++)
                one(st, k, in, k->widths == ONE_WIDTH ? 64 : st->width[i]);
        }
    if (st->nthreads > 1)
        scaling_table(st);
}

struct opening {
    const data_dirs *dirs;
    const char *name;
    input *in;
};

static void open_input(void *arg)
{
    struct opening *o = arg;
    o->in = o->name ? input_open(o->dirs, o->name) : input_large();
}

static int graphs(state *st, const data_dirs *dirs, const char *name)
{
    struct opening o = {dirs, name, NULL};
    omp_set_num_threads(omp_get_num_procs());
    const char *error = err_try(open_input, &o);
    if (error) {
        warn("%s: %s", name ? name : "--large", error);
        return 1;
    }
    graph(st, o.in);
    if (problem_dataset(o.in->p)->row) {
        input *files = input_files(o.in);
        graph(st, files);
        input_close(files);
    }
    input_close(o.in);
    return 0;
}

/* --- the machine --- */

static void machine(state *st)
{
    printf("%s, %s, commit %s\n", blas_name(), simd_name(), JCB_COMMIT);
    measure_busy();
    for (int t = 0; t < st->nthreads; t++) {
        omp_set_num_threads(st->threads[t]);
        limits l = st->limit[t] = limits_measure(4 * st->seconds);
        printf("limits, %d thread%s: sgemm %.0f GFLOP/s; triad", st->threads[t], st->threads[t] > 1 ? "s" : "",
               l.gflops);
        for (int k = 0; k < LIMIT_SIZES; k++)
            printf(" %.0f%s", l.gbs[k], k + 1 < LIMIT_SIZES ? "," : " GB/s in 64 KiB, 256 KiB, ... 256 MiB\n");
        if (!st->records)
            continue;
        result r = {.threads = st->threads[t],
                    .valid = 1,
                    .ms = NAN,
                    .median = NAN,
                    .limit = 1,
                    .gather = NAN,
                    .vs_mkl = NAN,
                    .vs_spmm = NAN};
        r.kernel = "sgemm", r.gflops = l.gflops, r.gbs = NAN;
        kernels_append(st->records, &r);
        for (int k = 0; k < LIMIT_SIZES; k++) {
            r.kernel = "triad", r.d = 64 << 2 * k, r.gflops = NAN, r.gbs = l.gbs[k];
            kernels_append(st->records, &r);
        }
    }
}

static void options(state *st, int argc, char **argv)
{
    const opt table[] = {
        OPT_DATA(&st->data),
        {"out", OPT_TEXT, &st->out, "DIR", "append to DIR/records/kernels.tsv (default: print only)", NULL, 0, 0},
        {"datasets", OPT_TEXT, &st->datasets, "A,B,...",
         "graphs (default: the ten of the paper with full-batch training)", NULL, 0, 0},
        {"large", OPT_FLAG, &st->large, NULL,
         "also a synthetic graph of the size of ogbn-products: 2.4 M nodes, 62 M edges", NULL, 0, 0},
        {"only", OPT_TEXT, &st->only, "A,B,...",
         "only these groups (spmm, features, gemm, dropout, softmax, adam, attention, joint, norm, epoch) or kernels",
         NULL, 0, 0},
        {"widths", OPT_TEXT, &st->width_list, "D,D,...", "columns of the dense operands", "16,64,128,256", 0, 0},
        {"threads", OPT_TEXT, &st->thread_list, "N,N,...",
         "numbers of threads; more than one: also a table of speed-ups (default: 1 and the cores)", NULL, 0, 0},
        {"seconds", OPT_SECONDS, &st->seconds, "TIME", "time to repeat each kernel for", "0.05s", 0, 0},
        {"spoil", OPT_FLAG, &st->spoil, NULL, "test of the checks: falsify every result, all must be INVALID", NULL, 0,
         0},
        {0},
    };
    opt_only(argc, argv, table,
             "bench_kernels [option ...]\nEvery kernel on the shapes of every data set: checked, then timed and "
             "compared with the limits of the machine.",
             "limit: the longer of flops / sgemm rate and compulsory bytes / triad bandwidth, over the measured time; "
             "1 is the best this machine can do.\n"
             "gather: the time of fetching a row for each entry of a sparse product, at the bandwidth of the memory "
             "level that holds the operand,\n"
             "over the measured time. x MKL: MKL's time over ours (mkl_sparse_s_mm, optimised). x spmm: our time over "
             "that of spmm of the same width.\n"
             "VALID: within 1e-4 of a slow reference implementation, and the same bits at every number of threads. "
             "See bench/README.md.\n");
    char cores[16];
    snprintf(cores, sizeof cores, omp_get_num_procs() > 1 ? "1,%d" : "%d", omp_get_num_procs());
    st->nthreads = numbers(st->threads, "threads", st->thread_list ? st->thread_list : cores, 4096);
    st->nwidths = numbers(st->width, "widths", st->width_list, 4096);
    opt_try(check_only, st);
}

int main(int argc, char **argv)
{
    static state whole;
    state *st = &whole;
    int failed = 0;
    err_start("bench_kernels");
    options(st, argc, argv);
    blas_init();
    check_spoil = st->spoil;
    data_dirs dirs = select_dirs(&st->a, st->data);
    dirs.twins = 1;
    if (st->out)
        st->records = kernels_records(&st->a, st->out);
    double start = clock_now();
    machine(st);
    for (int i = 0; !st->datasets && everything[i]; i++)
        failed += graphs(st, &dirs, everything[i]);
    for (const char *s = st->datasets; s && *s; s += strcspn(s, ","), s += *s == ',')
        failed += graphs(st, &dirs, arena_printf(&st->a, "%.*s", (int)strcspn(s, ","), s));
    if (st->large)
        failed += graphs(st, &dirs, NULL);
    printf("%s: %d results checked, %d wrong, %.0f s\n", st->invalid || failed ? "INVALID" : "VALID", st->checked,
           st->invalid, clock_now() - start);
    return st->invalid || failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
