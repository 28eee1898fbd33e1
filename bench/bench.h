/* bench: what every experiment shares. An experiment is a table of cells; bench_main owns the options, the schedule, progress,
 * resuming and the records. */
#ifndef JCB_BENCH_H
#define JCB_BENCH_H

#include "../src/train/trainer.h"

/* A run, for what an experiment writes beside its record. */
typedef struct bench_run {
    trainer *t;
    const outcome *o;  /* filled when the run has ended */
    const char *curve; /* the file for it: OUT/curves/EXPERIMENT/KEY.tsv; write it with file_write */
    void *mine;        /* whatever the experiment keeps between calls; allocate from t->a */
} bench_run;

typedef struct bench {
    const char *name;          /* experiment: the record file and the `experiment` column */
    const char *about;         /* one line for --help */
    const char *const *cells;  /* "key=value ..." of the hyper-parameters that differ from the defaults; a key `setting` marks
                                  cells of the paper's table that share data set, model and loss. Ends with NULL.
                                  Rows of bench/specs/NAME.tsv (jcb tune) override them. */
    /* For experiments with curves, else NULL. They run on the thread of the run. `after` writes run->curve; a run counts as done when
     * both its record and its curve are there. */
    void (*before)(bench_run *r); /* may be NULL */
    epoch_watch *epoch;           /* may be NULL; its arg is the bench_run */
    void (*after)(bench_run *r);
    void (*show)(const spec *s, int run, const char *curve); /* may be NULL: prints a line of the summary for each curve there is */
} bench;

int bench_main(int argc, char **argv, const bench *b);

#endif
