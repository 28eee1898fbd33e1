/* select: where the data are, which cells a user wants, and the hyper-parameters that were searched for. */
#ifndef JCB_SELECT_H
#define JCB_SELECT_H

#include "../src/data/dataset.h"
#include "../src/record/spec_file.h"

/* The directories of --data and $JCB_RAW, with the catalogue read. Lives in the arena, like all that is opened with
 * it: call it once in a program. */
data_dirs select_dirs(arena *a, const char *data);

/* EXPERIMENT.tsv of --specs, else of the source tree or the installation. */
spec_file select_specs(arena *a, const char *dir, const char *experiment);

/* Whether one of the |-separated alternatives (n characters) is the value, in any case. */
int select_match(const char *alternatives, size_t n, const char *value);

/* Whether a cell has all the values of --only, "key=A|B,key=C"; NULL: all have. Keys are hyper-parameters, `setting`,
 * `experiment` and the keys of settings (ptb=20, tuning=searched; - where a cell has none); where a key is a
 * hyper-parameter and in the setting, either may match. Bit i of known is set when this cell has the i-th key. */
int select_cell(const spec *s, const char *setting, const char *experiment, const char *only, unsigned *known);

/* After all cells: ends the program with a message when no cell has a key of --only, or when none was selected. */
void select_check(const char *only, unsigned known, int cells);

#endif
