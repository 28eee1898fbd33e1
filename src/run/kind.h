/* kind: how the runs of an experiment are done and recorded; one file for each in kind/. An experiment names its kind
 * in its text file, `# kind: NAME`.
 *
 *   training       train, choose the epoch on validation nodes, test
 *   reliability    the same, with a reliability diagram as curve
 *   loss-gap       the same, with training and test loss of each epoch as curve
 *   t-sne          the same, with the embeddings in two dimensions as curve
 *   changed-links  the same, with statistics of the changed links as curve
 *   time-memory    each run is measured alone, in a process of its own
 *   counts         statistics of a data set, nothing is trained */
#ifndef JCB_KIND_H
#define JCB_KIND_H

#include "../base/opt.h"
#include "run.h"
#include "run_record.h"
#include "../train/trainer.h"

struct bench;
struct queue;
struct queue_cell;

/* A run, as passed to the callbacks of a kind that writes curves. */
typedef struct bench_run {
    trainer *t;        /* of the run */
    const outcome *o;  /* valid in `after` only */
    const char *curve; /* output file, OUT/curves/EXPERIMENT/KEY.tsv; write it with file_write */
    void *mine;        /* the kind's own state between calls; allocate from t->a */
} bench_run;

typedef struct bench_kind {
    const char *name;   /* in text files */
    const char *about;  /* a further line for --help; NULL: none */
    const opt *options; /* further options of the program, or NULL; `jcb reproduce` uses the initial values of their
                           variables */
    int trains;         /* a run is the training of a cell, recorded as such: --short applies, records are recalled */
    int alone;          /* runs need the machine to themselves, also on a small graph */
    int max_runs;       /* runs of a cell at most; 0: any number */
    int reuses_splits;  /* allows more runs than there are published splits */
    size_t own;         /* bytes of queue_cell.own */
    size_t result;      /* bytes of a result */
    /* The setting of repetition n of the experiment's cells, n = 1, 2, ...; NULL: no more. Cells of repetition 0 have
     * the setting of the text file. NULL: no repetitions. */
    const char *(*repeat)(arena *a, const struct queue *q, int n);
    /* Opens the file of records; in the scheduler. */
    run_file (*open)(arena *a, const char *path, const struct bench *b);
    /* In a worker. Fills c->own; may die. Returns 0 to leave the cell out. NULL: opens the problem. */
    int (*prepare)(const struct queue *q, struct queue_cell *c);
    double (*seconds)(const struct queue_cell *c); /* estimate for a run; NULL: that of training */
    void (*key)(char out[17], const struct queue *q, const struct queue_cell *c, int run); /* of a run */
    /* In a worker. The result must contain no pointers. If it dies, the run has failed. */
    void (*run)(void *result, const struct queue *q, const struct queue_cell *c, int run);
    /* Records the result; returns whether the run succeeded. jobs: concurrent runs. */
    int (*append)(const struct queue *q, const struct queue_cell *c, int run, const void *result, int jobs);
    /* Records a run that failed; NULL: no record. */
    void (*fail)(const struct queue *q, const struct queue_cell *c, int run, const char *why, int jobs);
    void (*list)(const struct queue *q, struct queue_cell *c); /* its line of --list; NULL: hyper-parameters and data */
    /* The main function of the processes that `run` starts with measure_process; NULL: none. */
    int (*process)(int argc, char **argv);
    /* For kinds with curves, else NULL. Called in the worker process of the run. A run is complete when both its record
     * and its curve exist. */
    void (*before)(bench_run *r); /* before training; may be NULL */
    epoch_watch *epoch;           /* after each epoch, its arg is the bench_run; may be NULL */
    void (*after)(bench_run *r);  /* writes run->curve */
    void (*show)(const cell *c, int run, const char *curve); /* prints the summary line of a curve; may be NULL */
    /* Prints the summary at the end; NULL: the table of accuracies. */
    void (*summary)(struct queue *q, const records *r);
} bench_kind;

extern const bench_kind *const bench_kinds[]; /* ends with NULL */

/* For kinds that train: the first fields of their table. training_key: also where runs are those of a cell. */
#define KIND_TRAINING                                                                                        \
    .trains = 1, .result = sizeof(outcome), .open = training_open, .key = training_key, .run = training_run, \
    .append = training_append, .fail = training_fail
run_file training_open(arena *a, const char *path, const struct bench *b);
void training_key(char out[17], const struct queue *q, const struct queue_cell *c, int run);
void training_run(void *result, const struct queue *q, const struct queue_cell *c, int run);
int training_append(const struct queue *q, const struct queue_cell *c, int run, const void *result, int jobs);
void training_fail(const struct queue *q, const struct queue_cell *c, int run, const char *why, int jobs);

extern const bench_kind kind_training, kind_reliability, kind_loss_gap, kind_tsne, kind_changed_links, kind_time_memory,
    kind_counts;

#endif
