/* record: one run is one row of an append-only TSV file; results/records/ is a directory of them.
 *
 * The first column is `key` (16 hexadecimal digits: what was run), the last is `status`: "ok" or "failed:reason". The
 * columns between `param_hash` and `status` are the hyper-parameters. A row is whole when it has as many cells as the
 * header, such a key and such a status; anything else (the torn end of an interrupted write) is skipped by every
 * reader, so its run is done again. */
#ifndef JCB_RECORD_H
#define JCB_RECORD_H

#include "../base/arena.h"
#include "../base/tsv.h"
#include <stdint.h>

typedef struct record_file record_file;

/* Opens path for appending and loads the keys that are done. Creates it, with its header and directories; several
 * processes may do so at once. A file with other columns is moved aside to NAME.old-N.tsv, with a warning. */
record_file *record_open(arena *a, const char *path, const char *const *columns, int ncols);

/* Whether the file held a row with this key and status ok when it was opened. */
int record_done(const record_file *f, const char *key);

/* One row, ncols values (NULL: empty), in one write(). Tabs and line ends become spaces. From any thread or process.
 * Dies when it cannot be written whole; the rows before it are safe. */
void record_append(record_file *f, const char *const *values);

void record_close(record_file *f);

/* The whole rows of a file, or of all *.tsv of a directory (not those moved aside) in the order of their names, under
 * the union of their columns. Of rows with the same experiment and key the last one counts, but a failure never
 * replaces a success. Nothing there: no rows. */
typedef struct records {
    tsv t;
    uint64_t *spec; /* of each row: a hash of its hyper-parameters */
    int files, malformed, superseded;
} records;

records records_read(arena *a, const char *path);

#endif
