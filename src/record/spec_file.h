/* spec_file: hyper-parameters that were searched for, one row for each cell of an experiment
 * (bench/specs/EXPERIMENT.tsv). `jcb tune` writes the rows, the bench programs read them. */
#ifndef JCB_SPEC_FILE_H
#define JCB_SPEC_FILE_H

#include "../base/tsv.h"
#include "../model/spec.h"

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

typedef struct spec_file {
    tsv t;
    int *used; /* of each row: cells that took it */
} spec_file;

/* A missing file gives no rows. Dies on unexpected columns, a second row for a cell, or invalid
 * hyper-parameters. */
spec_file spec_file_read(arena *a, const char *path);

/* Sets the hyper-parameters of the row for this cell. Returns 1 if there is one, else 0. */
int spec_file_apply(arena *a, spec_file *f, spec *s, const char *setting);

/* Adds a row, or replaces the one with the same dataset, model, loss and setting. Rows are sorted; comment lines
 * stay. */
void spec_file_put(const char *path, const char *const row[SPEC_COLUMNS]);

#endif
