/* bench: the definition of an experiment, one file with a table of cells. queue.h keeps track of its runs, scheduler.h
 * executes them. The file ends with BENCH_MAIN, which makes it a program, and has a line in experiments.c, which makes
 * it a part of `jcb reproduce`. */
#ifndef JCB_BENCH_H
#define JCB_BENCH_H

#include "../src/base/opt.h"
#include "../src/train/trainer.h"

struct queue;
struct records;

/* A run, as passed to the callbacks of an experiment that writes curves. */
typedef struct bench_run {
    trainer *t;
    const outcome *o;  /* valid in `after` only */
    const char *curve; /* output file, OUT/curves/EXPERIMENT/KEY.tsv; write it with file_write */
    void *mine;        /* the experiment's own state between calls; allocate from t->a */
} bench_run;

typedef struct bench {
    const char *name;         /* of the record file, and in the `experiment` column */
    const char *about;        /* one line for --help */
    const char *const *cells; /* "key=value ..." of the hyper-parameters that differ from the defaults; the key
                                 `setting` distinguishes cells of equal data set, model and loss. Ends with NULL.
                                 Rows of bench/specs/NAME.tsv (jcb tune) override them. */
    /* Instead of cells: makes the table at run time, in the arena; ends with NULL, too. */
    const char *const *(*make_cells)(arena *a, const struct queue *q);
    const char *tuned;  /* the experiment whose tuned hyper-parameters apply, regardless of setting; NULL: its own */
    int calibration;    /* 1: each run also records the calibration of its probabilities (train/calibration.h) */
    int runs;           /* default of --runs; 0: ten */
    const opt *options; /* further options of the program, or NULL; `jcb reproduce` uses the initial values of their
                           variables */
    /* For experiments with curves, else NULL. Called in the worker process of the run. `after` writes run->curve; a run
     * is complete when both its record and its curve exist. */
    void (*before)(bench_run *r); /* may be NULL */
    epoch_watch *epoch;           /* may be NULL; its arg is the bench_run */
    void (*after)(bench_run *r);
    void (*show)(const spec *s, int run, const char *curve);   /* prints the summary line of a curve; may be NULL */
    void (*summary)(struct queue *q, const struct records *r); /* instead of the table of accuracies; may be NULL */
    const struct bench_kind *kind;                             /* how a run is done, see queue.h; NULL: training */
} bench;

/* The subcommand that a program with several (jcb) needs to start this experiment in a new process; NULL: none. */
extern const char *bench_command;

int bench_main(int argc, char **argv, const bench *b);

/* Weak, so that the file can also be linked into a program with its own main. */
#define BENCH_MAIN(b)                                      \
    __attribute__((weak)) int main(int argc, char **argv); \
    __attribute__((weak)) int main(int argc, char **argv) { return bench_main(argc, argv, &(b)); }

#endif
