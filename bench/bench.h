/* bench: what an experiment is. An experiment is one file with a table of cells; queue.h knows which runs there are,
 * scheduler.h which is next. The file ends with BENCH_MAIN, which makes it a program of its own, and has a line in
 * experiments.c, which puts it into `jcb reproduce`. */
#ifndef JCB_BENCH_H
#define JCB_BENCH_H

#include "../src/base/opt.h"
#include "../src/train/trainer.h"

struct queue;
struct records;

/* A run, as passed to the callbacks of an experiment that writes curves. */
typedef struct bench_run {
    trainer *t;
    const outcome *o;  /* filled when the run has ended */
    const char *curve; /* the file for it: OUT/curves/EXPERIMENT/KEY.tsv; write it with file_write */
    void *mine;        /* for the experiment, between calls; allocate from t->a */
} bench_run;

typedef struct bench {
    const char *name;         /* experiment: the record file and the `experiment` column */
    const char *about;        /* one line for --help */
    const char *const *cells; /* "key=value ..." of the hyper-parameters that differ from the defaults; a key `setting`
                                 marks cells of the paper's table that share data set, model and loss. Ends with NULL.
                                 Rows of bench/specs/NAME.tsv (jcb tune) override them. */
    /* Instead of cells: returns a table made at run time. */
    const char *const *(*make_cells)(arena *a, const struct queue *q);
    const char *tuned;  /* the experiment whose tuned hyper-parameters apply, regardless of setting; NULL: its own */
    int calibration;    /* 1: each run also records the calibration of its probabilities (train/calibration.h) */
    int runs;           /* default of --runs; 0: ten */
    const opt *options; /* further options of the program, or NULL. `jcb reproduce` has none of them: their variables
                           start with the defaults */
    /* For experiments with curves, else NULL. They run on the thread of the run. `after` writes run->curve; a run
     * counts as done when both its record and its curve are there. */
    void (*before)(bench_run *r); /* may be NULL */
    epoch_watch *epoch;           /* may be NULL; its arg is the bench_run */
    void (*after)(bench_run *r);
    void (*show)(const spec *s, int run, const char *curve);   /* prints a line of the summary for a curve; or NULL */
    void (*summary)(struct queue *q, const struct records *r); /* instead of the table of accuracies; may be NULL */
    const struct bench_kind *kind;                             /* what a run is, see queue.h; NULL: a training run */
} bench;

/* The subcommand with which this program starts runs in processes of their own; NULL: none. */
extern const char *bench_command;

int bench_main(int argc, char **argv, const bench *b);

/* Weak, so that the file can also be linked into another program, which has its own main. */
#define BENCH_MAIN(b)                                      \
    __attribute__((weak)) int main(int argc, char **argv); \
    __attribute__((weak)) int main(int argc, char **argv) { return bench_main(argc, argv, &(b)); }

#endif
