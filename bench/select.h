/* select: where the data are, which cells a user wants, and the hyper-parameters that were searched for. */
#ifndef JCB_SELECT_H
#define JCB_SELECT_H

#include "../src/data/dataset.h"
#include "../src/record/spec_file.h"

data_dirs select_dirs(arena *a, const char *data); /* of --data, and $JCB_RAW */

/* EXPERIMENT.tsv of --specs, else of the source tree or the installation. */
spec_file select_specs(arena *a, const char *dir, const char *experiment);

int select_match(const char *alternatives, size_t n,
                 const char *value); /* whether one of the |-separated alternatives is the value */

/* Whether a cell has all the values of --only, "key=A|B,key=C"; NULL: all have. The keys `setting`, `experiment` and
 * those of settings (ptb=20, tuning=searched; - where a cell has none) beside the hyper-parameters. Exits with a hint
 * on an unknown key. */
int select_cell(const spec *s, const char *setting, const char *experiment, const char *only);

#endif
