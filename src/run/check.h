/* check: verifies a directory of records, from this machine or another.
 *
 *   INVALID         damaged rows, a key that does not belong to its row, the same run with different results, runs of
 *                   one cell with different data, partitions or hyper-parameters
 *   DIFFERENT BITS  valid, but parameters of runs differ from the reference
 *   SAME BITS       valid, and all runs that the reference has, at least one, have its parameters
 *   VALID           valid; nothing to compare with
 *
 * Missing runs (0, 2 without 1), failed runs, remains of interrupted writes and rows of other results versions are
 * reported but do not affect the verdict. */
#ifndef JCB_CHECK_H
#define JCB_CHECK_H

#include "../base/buf.h"

enum check_verdict { CHECK_VALID, CHECK_SAME_BITS, CHECK_OTHER_BITS, CHECK_INVALID };
extern const char *const check_word[];

/* Appends the findings to out, one line each. reference: a file of check_reference, or NULL. */
enum check_verdict check_records(buf *out, const char *path, const char *reference);

/* The runs of a directory as a reference for others: key, BLAS, instruction set, hash of the parameters and what was
 * run. */
void check_reference(buf *out, const char *path);

#endif
