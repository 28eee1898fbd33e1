/* spec_file: hyper-parameters that were searched for, one row for each cell of an experiment
 * (bench/specs/EXPERIMENT.tsv). `jcb tune` writes the rows, the bench programs read them. */
#ifndef JCB_SPEC_FILE_H
#define JCB_SPEC_FILE_H

#include "../base/tsv.h"
#include "../train/cell.h"

enum {
    SPEC_DATASET,
    SPEC_MODEL,
    SPEC_LOSS,
    SPEC_SETTING,
    SPEC_SPEC,
    SPEC_GRID,
    SPEC_TRIALS,
    SPEC_SEEDS,
    SPEC_VAL_ACC,
    SPEC_NOTE,
    SPEC_COLUMNS
};

typedef struct spec_row {
    spec s;         /* what the row sets */
    uint64_t given; /* the fields that it sets: bit k for field k */
    int used;       /* cells that took it */
} spec_row;

typedef struct spec_file {
    tsv t;
    spec_row *row; /* t.rows */
} spec_file;

/* A missing file gives no rows. Dies on unexpected columns, a second row for a cell, or invalid
 * hyper-parameters. */
spec_file spec_file_read(arena *a, const char *path);

/* Makes the cell that with the hyper-parameters of its row. Returns 1 if there is one, else 0. setting: the row's. */
int spec_file_apply(spec_file *f, cell *c, const char *setting);

/* Adds a row, or replaces the one with the same dataset, model, loss and setting. Rows are sorted; comment lines
 * stay. */
void spec_file_put(const char *path, const char *const row[SPEC_COLUMNS]);

#endif
