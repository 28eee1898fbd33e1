/* select: the directories of the data, the cells that --only selects, and the files of tuned hyper-parameters. */
#ifndef JCB_SELECT_H
#define JCB_SELECT_H

#include "../data/dataset.h"
#include "spec_file.h"

/* The directories of --data and $JCB_RAW, and the catalogue. Lives in the arena, which must outlive all data opened
 * with it. */
data_dirs select_dirs(arena *a, const char *data);

/* EXPERIMENT.tsv of --specs, else of the source tree or the installation. */
spec_file select_specs(arena *a, const char *dir, const char *experiment);

/* Whether one of the |-separated alternatives (n characters) equals the value, ignoring case. */
int select_match(const char *alternatives, size_t n, const char *value);

/* Whether --only, "key=A|B,key=C", selects the cell; NULL selects all. Keys are hyper-parameters, `setting`,
 * `experiment` and the keys of settings (ptb=20, tuning=searched; the value is - for a cell without the key); if a key
 * is a hyper-parameter and also in the setting, either may match. Sets bit i of *known if this cell has the i-th key.
 */
int select_cell(const spec *s, const char *setting, const char *experiment, const char *only, unsigned *known);

/* Call it after all cells: ends the program with a message if no cell has a key of --only, or if none was selected. */
void select_check(const char *only, unsigned known, int cells);

#endif
