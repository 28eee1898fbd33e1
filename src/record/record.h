/* record: one run is one row of an append-only TSV file; results/records/ is a directory of them.
 *
 * A caller's columns run from `key` (16 hexadecimal digits: what was run) to `status` ("ok" or "failed:reason"). Behind
 * them stand two columns of this file's own: `results`, the results version, and `check`, the hash of the row's text
 * before it. A row is whole when it has as many cells as the header, a key, a status and the right check; anything else
 * (the torn end of an interrupted write, a damaged block) is skipped by every reader, and its run is repeated.
 *
 * Columns are found by their names. A column that a file has and the program does not is kept (empty in new rows); a
 * program with new columns extends the file, once, and keeps the one before as NAME.old-N.tsv. Hyper-parameters stand
 * in one column `spec` (spec_identity), so that a new one changes neither the columns nor the keys of runs that do not
 * use it. */
#ifndef JCB_RECORD_H
#define JCB_RECORD_H

#include "../base/arena.h"
#include "../base/tsv.h"
#include <stdint.h>

/* Part of every key; raised when a change to the code changes results on purpose (CHANGELOG.md). */
enum { RESULTS_VERSION = 1 };

typedef struct record_file record_file;

/* Opens path for appending and loads the keys that are done. Creates it, with its header and directories; several
 * processes may do so at once. A file that does not hold records is moved aside to NAME.old-N.tsv, with a warning. */
record_file *record_open(arena *a, const char *path, const char *const *columns, int ncols);

/* Whether the file held a row with this key and status ok when it was opened, or at the last record_claim. From any
 * thread. */
int record_done(record_file *f, const char *key);

/* Claims a run for this process, then reads the rows that others have appended: call record_done again afterwards. 0:
 * another process holds the claim. It ends with record_release, record_close or the process, however that ends. A claim
 * is a lock on one byte, derived from the key, of the file .NAME.lock beside the records. Where the file system has no
 * locks every claim succeeds. */
int record_claim(record_file *f, const char *key);
void record_release(record_file *f, const char *key);

/* From now on a run counts as done only if its row has a value in this column: for columns that were added later. */
void record_need(record_file *f, const char *column);

/* One row, ncols values in the order of the columns (NULL: empty), in one write(), on disk when the call returns. Tabs
 * and line ends become spaces. From any thread or process. Dies when it cannot be written whole; the rows before it are
 * safe. */
void record_append(record_file *f, const char *const *values);

/* The same by name and value, as programs write rows. A row is filled in any order, by one thread. A column that is not
 * put stays empty; a name that record_open was not given is an error. record_row_append frees the row. */
typedef struct record_row {
    arena a;
    record_file *f;
    const char **value; /* of each column, in the caller's order */
} record_row;

record_row record_row_new(record_file *f);
void record_put(record_row *r, const char *column, const char *format, ...) __attribute__((format(printf, 3, 4)));
void record_put_hash(record_row *r, const char *column, uint64_t hash); /* 16 hexadecimal digits */
void record_row_append(record_row *r);

void record_close(record_file *f);

/* The whole rows of this results version of a file, or of all *.tsv of a directory (not those moved aside) in the order
 * of their names, under the union of their columns and one for each hyper-parameter but dataset, model and loss
 * (`epochs` as max_epochs) where a row has a `spec`: what it does not name has its default. Of rows with the same
 * experiment and key the last one counts, but a failure never replaces a success. Nothing there: no rows. */
typedef struct records {
    tsv t;
    uint64_t *spec; /* of each row: a hash of its hyper-parameters */
    int files, malformed, superseded;
    int older; /* whole rows of other results versions, left out */
} records;

records records_read(arena *a, const char *path);

#endif
