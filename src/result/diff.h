/* diff: two results directories side by side (jcb diff). */
#ifndef JCB_DIFF_H
#define JCB_DIFF_H

#include "../base/buf.h"

/* Appends what differs between the records of two directories to out: the bits of runs that both have (a run is its
 * experiment and key), the mean accuracy of cells, the verdicts on the paper's comparisons. Cells are shown with the
 * largest differences first, at most `rows` of them. Returns the number of runs whose bits differ. */
int diff_records(buf *out, const char *const dir[2], const char *paper_dir, int rows);

#endif
