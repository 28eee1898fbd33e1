/* record: one run is one row of an append-only TSV file; results/records/ is a directory of them.
 *
 * A caller's columns run from `key` (16 hexadecimal digits, which identify the run) to `status` ("ok" or
 * "failed:reason"). Two more follow: `results`, the results version, and `check`, the hash of the row's text before it.
 * A row is complete if it has as many cells as the header, a key, a status and the right check; anything else (the torn
 * end of an interrupted write, a damaged block) is skipped by every reader, and its run is repeated.
 *
 * Columns are found by their names. A column that a file has and the program does not is kept (empty in new rows); a
 * program with new columns extends the file, once, and keeps the previous one as NAME.old-N.tsv. All hyper-parameters
 * are in one column `spec` (spec_identity), so that a new one changes neither the columns nor the keys of runs that do
 * not use it. */
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

/* Appends a row, ncols values in the order of the columns (NULL: empty), in one write(); it is on disk when the call
 * returns. Tabs and line ends become spaces. May be called from any thread or process. Dies if the row cannot be
 * written; earlier rows are safe. */
void record_append(record_file *f, const char *const *values);

/* The same by column names. A row is filled in any order, by one thread. Columns that are not put stay empty; a name
 * that record_open was not given is an error. record_row_append frees the row. */
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

#endif
