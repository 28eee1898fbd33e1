/* bench: an experiment, as its text file bench/NAME.tsv describes it.
 *
 * The file begins with properties, comment lines "# key: value" up to the first that is none:
 *
 *   about        one line for --help
 *   order        place among the experiments in `jcb reproduce` and in lists; without it, behind the others
 *   kind         how a run is done (kind.h); without it, training
 *   runs         default of --runs; without it, 10
 *   specs        NAME: the searched hyper-parameters are those of specs/NAME.tsv for every setting; without it, those
 *                of the file's own name for the same setting
 *   calibration  1: each run also records the calibration of its probabilities (train/calibration.h)
 *   figure       DATASET ...: its cells on these data sets are points of a figure of the paper (choice.h)
 *   unsearched   "left out": cells of rows with the source `searched` are made when they have a searched result, or
 *                when there are no searched results at all (jcb tune needs them as bases)
 *
 * Other comment lines are prose. Then a table: a header line names the columns, in any order, each may be missing. `"`
 * stands for what the row above has in the column, `-` for nothing.
 *
 *   for      a product (product.h): the rows that share it, by `"`, are gone through once for each combination
 *   cells    a product: one cell for each combination; "key=value" of the hyper-parameters that differ from the
 *            defaults
 *   from     NAME key=A|B ...: not the defaults but the cells of this experiment, those with these values, are the
 *            bases of the row's cells (without what was searched for them, and without their setting)
 *   only     key=A|B ...: of the row's cells only those with these values
 *   setting  key=value,...: tells cells of equal data set, model and loss apart
 *   source   of the hyper-parameters: authors' release, paper of the method, searched, ours; more after a colon.
 *            Without it, that of the bases
 *
 * {key} in cells, from, only and setting is a value of `for` or `cells`. Cells are made in the order of the rows; in a
 * row, `for` varies slowest, then `cells`, then the bases. */
#ifndef JCB_BENCH_H
#define JCB_BENCH_H

#include "../data/catalog.h"
#include "../train/cell.h"
#include "kind.h"

enum source { SOURCE_NONE, SOURCE_AUTHORS, SOURCE_METHOD, SOURCE_SEARCHED, SOURCE_OURS };

typedef struct bench_cell {
    cell cell;          /* without what was searched for it */
    const char *text;   /* its hyper-parameters as "key=value ..." */
    enum source source; /* where the hyper-parameters are from */
    int line;           /* of the file */
} bench_cell;

typedef struct bench {
    const char *name;       /* of the file, of the file of records, and in the column `experiment` */
    const char *path;       /* of its file */
    const char *about;      /* one line for --help */
    int order;              /* place among the experiments; 0: behind those that have one */
    const bench_kind *kind; /* how a run is done; NULL: training */
    const char *specs;      /* whose searched hyper-parameters apply, regardless of setting; NULL: its own */
    int calibration;        /* 1: each run also records the calibration of its probabilities */
    const char *figure;     /* data sets whose cells are points of a figure of the paper; NULL: none */
    int runs;               /* default of --runs */
    int unsearched_out;     /* 1: cells that were not searched are left out, see above */
    struct bench_row *row;  /* of its table, as it was read; NULL: it is not from a file */
    int rows;               /* of its table */
    bench_cell *cell;       /* bench_cells: once they are made */
    int cells;              /* their number */
    int making;             /* 1 while they are being made */
} bench;

/* The experiments that have been read. Everything is in the arena. */
typedef struct bench_shelf {
    arena *a;
    const char *dir; /* where experiments are looked for; set at first use */
    int count;
    bench *v[128]; /* in the order in which they were read */
} bench_shelf;

/* The experiment of this name, or of the file when the name has a slash or ends with .tsv. Dies with a guess when there
 * is none, and with file, line and column when something in the file is wrong. */
bench *bench_find(bench_shelf *shelf, const char *name);
int bench_exists(bench_shelf *shelf, const char *name);

/* All experiments of the directory in their order; ends with NULL. */
bench *const *bench_all(bench_shelf *shelf);

/* The cells of an experiment. `dataset=*` stands for all data sets of the catalogue. Dies with file, line and column
 * when hyper-parameters are unknown, out of their range or do not fit together, when two cells are the same, or when a
 * row makes none. */
const bench_cell *bench_cells(arena *a, bench *b, const catalog *names);

/* Runs an experiment as a program. name: in messages and in --help. */
int bench_main(int argc, char **argv, bench *b, const char *name);

#endif
