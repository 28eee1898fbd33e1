/* kernels: what bench_kernels times.
 *
 * A kernel is one row {group, name, widths, setup, run, error}: setup makes the operands for one graph and one width
 * and counts what one run costs, run computes, error says how far the result is from a slow and obvious computation of
 * the same. Nothing is timed before it was checked. */
#ifndef JCB_BENCH_KERNELS_H
#define JCB_BENCH_KERNELS_H

#include "../src/record/run_record.h"
#include "../src/train/problem.h"
#include <stdint.h>

/* One graph with everything that kernels read. */
typedef struct input {
    arena a;
    problem *p;
    const char *name;
    int files; /* 1: the nodes are in the order of the files, not in that of the experiments */
    int nodes, features, classes, clusters;
    int *train, ntrain; /* training rows of run 0 */
    csr adj;            /* of GCN: symmetric */
    csr mean_t;         /* of SAGE, transposed */
    csr cut, cut_t;     /* the training rows of adj over the columns they read, and its transpose */
    csr xs, xst;        /* features, sparse with their transpose ... */
    mat xd;             /* ... or dense */
} input;

typedef struct work {
    arena a;
    const input *in;
    int d;
    double flops, bytes; /* of one run: operations; compulsory traffic, every operand moved once */
    int sum;             /* 1: the limit is the sum of both times, 0: the longer one */
    double read,
        from;  /* of sparse products: bytes moved when every entry fetches its row, out of `from` bytes; 0: none */
    real *out; /* what a run leaves, n numbers: their bits must not depend on the number of threads */
    size_t n;
    const csr *s; /* of sparse products: out = s x */
    const real *x;
    int mkl; /* that is all: MKL has the same product */
    void *state;
    void (*done)(struct work *w); /* frees what does not live in a; NULL: nothing */
} work;

enum widths {
    ALL_WIDTHS,
    ONE_WIDTH /* d does not matter, or one says enough: 64 */,
    WIDEST /* the last of the list */
};

typedef struct kernel {
    const char *group, *name;
    enum widths widths;
    int (*setup)(work *w); /* 0: this graph has no such product */
    void (*run)(work *w);
    double (*error)(work *w); /* after a run from fresh operands; relative to the largest number of the result */
} kernel;

/* Lists that end with a row of zeros. */
extern const kernel kernels_sparse[], kernels_dense[], kernels_model[], kernels_attention[], kernels_epoch[];

/* --- kernels_input.c --- */

input *input_open(const data_dirs *dirs, const char *name);
input *
input_files(const input *in); /* of a data set whose nodes were renamed: the graph as in the files, no features */
input *input_large(void);     /* the size of ogbn-products; dies when memory is short */
void input_close(input *in);

/* --- kernels_check.c --- */

extern int check_spoil; /* for tests: every result is made wrong before it is compared */

real *check_random(arena *a, size_t n, uint64_t stream);                     /* uniform in (-1, 1) */
double check_error(const real *x, const real *ref, size_t n);                /* max |x - ref| / max |ref| */
real *check_rows(arena *a, const real *x, const int *rows, int n, size_t d); /* a copy of n rows of x, d wide */
int *check_sample(arena *a, int n, int many, int *got); /* about `many` of 0 .. n-1, evenly, ascending */

/* --- limits: what the machine can do, at the current number of threads --- */

enum { LIMIT_SIZES = 7 };
typedef struct limits {
    double gflops;                              /* sgemm of a large shape */
    double size[LIMIT_SIZES], gbs[LIMIT_SIZES]; /* triad bandwidth by size of the working set */
} limits;
limits limits_measure(double seconds);
double limits_gbs(const limits *l, double bytes); /* of a working set, between the measured ones */

/* --- MKL's product of the same matrices, with hints and optimisation: rows in as many parts of equal work as there are
 * threads --- */

typedef struct mkl_product mkl_product;
mkl_product *mkl_product_new(arena *a, const csr *s, int d); /* NULL: built without MKL */
void mkl_product_run(mkl_product *m, real *y, const real *x);
void mkl_product_free(mkl_product *m);

/* --- kernels_result.c --- */

typedef struct result {
    const char *kernel;
    const input *in;
    int d, threads, valid;
    double ms, median, gflops, gbs, limit, gather, vs_mkl, vs_spmm; /* NaN: none */
    uint64_t bits;
} result;

record_file *kernels_records(arena *a, const char *out); /* OUT/records/kernels.tsv */

/* in NULL: a limit of the machine; d is then the size of the working set in KiB. */
void kernels_append(record_file *f, const result *r);
void kernels_print(const result *r);

#endif
