/* record_rows: reading record files, damaged ones included. */
#ifndef JCB_RECORD_ROWS_H
#define JCB_RECORD_ROWS_H

#include "../base/arena.h"
#include "../base/tsv.h"
#include <stdint.h>

int record_cells(const char *line);           /* their number */
int record_checked(const char *line);         /* whether the last one is the hash of the text before it */
int record_key(const char *s, uint64_t *key); /* 1 when s is 16 hexadecimal digits */

/* The *.tsv files of a directory, sorted, without those moved aside; or path itself if it is a file. */
char **record_files(arena *a, const char *path, int *n);

enum { RECORD_COLUMNS_MAX = 4096 };
/* Whether the columns are those of records: `key` first, and a `status`. Of columns with one name the first counts. */
int record_header(const tsv *t);

/* The complete rows of one file, of any results version, in order; other lines are counted in *malformed. */
tsv record_rows(arena *a, const char *path, int *malformed);
int record_is_current(const tsv *t, int row); /* whether the row is of this results version */

/* DIR/EXPERIMENT.tsv as text, for programs that measure the machine and have columns of their own: the last row of each
 * key, if it is of this results version and a success. No rows without the file. */
tsv record_measurements(arena *a, const char *dir, const char *experiment);

#endif
