/* bench: what every experiment shares. An experiment is a table of cells; bench_main owns the options, the schedule, progress,
 * resuming and the records. */
#ifndef JCB_BENCH_H
#define JCB_BENCH_H

typedef struct bench {
    const char *name;          /* experiment: the record file and the `experiment` column */
    const char *about;         /* one line for --help */
    const char *const *cells;  /* "key=value ..." of the hyper-parameters that differ from the defaults; a key `setting` marks
                                  cells of the paper's table that share data set, model and loss. Ends with NULL.
                                  Rows of bench/specs/NAME.tsv (jcb tune) override them. */
} bench;

int bench_main(int argc, char **argv, const bench *b);

#endif
