/* merge: combines directories of records by key.
 *
 * Files with the same name belong together. Of rows with the same key one is kept: the first that succeeded, the
 * target's own before those of the sources in their order, else the first. Two rows with the same key that succeeded
 * with different parameters (param_hash) contradict each other: nothing is written. Rows of other results versions and
 * pieces of interrupted writes are left out. */
#ifndef JCB_MERGE_H
#define JCB_MERGE_H

#include "../base/buf.h"

/* to and from[0..n) are results directories (with records/ and perhaps curves/) or directories of records. Appends a
 * summary, or the contradictions with their sources, to out. Returns the number of contradictions. */
int merge_records(buf *out, const char *to, char *const *from, int n);

#endif
