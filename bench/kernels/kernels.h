/* kernels: the parts of bench_kernels.
 *
 * A kernel is one row of a table: setup makes the operands for one graph and one width and counts the operations and
 * bytes of a run, run computes, ref computes some rows of the result again, slowly and plainly. Every kernel is checked
 * before it is timed. */
#ifndef JCB_BENCH_KERNELS_H
#define JCB_BENCH_KERNELS_H

#include "../../src/run/run_record.h"
#include "../../src/train/problem.h"
#include <stdint.h>

/* One graph with everything that kernels read. */
typedef struct input {
    arena a;
    problem *p;
    const char *name;
    int files; /* 1: the nodes are in the order of the files, not in that of training */
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
    /* Sparse products: bytes moved if every entry fetches its row, and the size of the operand with these rows; else 0.
     */
    double read, from;
    real *out;                /* result of a run, rows x width: its bits must not depend on the number of threads */
    int rows, width;          /* of the result */
    int sample;               /* rows of it that ref computes, at most */
    const csr *s;             /* products: out = s right ... */
    const real *left, *right; /* ... or left right, */
    int inner;                /* over so many terms */
    const real *b, *was;      /* bias; a copy of what a run overwrites */
    int mkl;                  /* 1: out = s right and nothing else, so that MKL can compute the same */
    void *state;
    void (*done)(struct work *w); /* frees what does not live in a; NULL: nothing */
} work;

enum widths {
    ALL_WIDTHS,
    ONE_WIDTH /* 64: the kernel does not depend on d, or not in an interesting way */,
    WIDEST /* the last of the list */
};

typedef struct kernel {
    const char *group, *name;
    enum widths widths;
    int (*setup)(work *w); /* 0: this graph has no such product */
    void (*run)(work *w);
    void (*ref)(work *w, real *out, const int *rows, int n); /* these n rows of the result, ascending */
    double (*error)(work *w); /* instead of ref: after the first run; relative to the largest number of the result */
} kernel;

/* Each ends with a row of zeros. */
extern const kernel kernels_products[], kernels_rows[], kernels_model[], kernels_attention[], kernels_epoch[];

/* --- kernels_input.c --- */

input *input_open(const data_dirs *dirs, const char *name);
input *input_files(const input *in); /* the graph of a reordered data set in the order of its files, no features */
input *input_large(void);            /* synthetic, of the size of ogbn-products; dies if memory is short */
void input_close(input *in);

/* --- kernels_check.c --- */

extern int check_spoil; /* for tests: check_error reports an error for every result */

void check_result(work *w, int rows, int width, int sample);                 /* allocates it */
real *check_random(arena *a, size_t n, uint64_t stream);                     /* uniform in (-1, 1) */
double check_error(const real *x, const real *ref, size_t n);                /* max |x - ref| / max |ref| */
real *check_rows(arena *a, const real *x, const int *rows, int n, size_t d); /* a copy of n rows of x, d wide */
int *check_sample(arena *a, int n, int count, int *got); /* min(count, n) of 0 .. n-1, evenly spaced, ascending */
double check_kernel(const kernel *k, work *w);           /* the error of the result */

/* --- limits of the machine at the current number of threads --- */

enum { LIMIT_SIZES = 7 };
typedef struct limits {
    double gflops;                              /* sgemm of a large shape */
    double size[LIMIT_SIZES], gbs[LIMIT_SIZES]; /* triad bandwidth by size of the working set */
} limits;
limits limits_measure(double seconds);
double limits_gbs(const limits *l, double bytes); /* interpolated to a working set of so many bytes */

/* --- kernels_mkl.c: MKL's sparse product, with hints and optimisation; one part of the rows for each thread --- */

typedef struct mkl_product mkl_product;
mkl_product *mkl_product_new(arena *a, const csr *s, int d); /* NULL: built without MKL */
void mkl_product_run(mkl_product *m, real *y, const real *x);
void mkl_product_free(mkl_product *m);

/* --- kernels_result.c --- */

typedef struct result {
    const char *kernel;
    const input *in; /* NULL: a limit of the machine; d is then the size of the working set in KiB */
    int d, threads, valid;
    double ms, median, gflops, gbs, limit, gather, vs_mkl, vs_spmm; /* NaN: none */
    uint64_t bits;
} result;

record_file *kernels_records(arena *a, const char *out); /* OUT/records/kernels.tsv */
void kernels_append(record_file *f, const result *r);
void kernels_print(const result *r);

#endif
