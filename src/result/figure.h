/* figure: the numbers and captions of the paper's figures, and of ours, from records and curves. gnuplot draws them
 * (plots/). */
#ifndef JCB_FIGURE_H
#define JCB_FIGURE_H

#include "../base/arena.h"

/* Writes, for each figure that has runs, out_dir/NAME.tsv (one row a point, see figure.c) and out_dir/NAME.txt, the
 * caption. Prints a line, with the reason, for each figure that is left out and removes its older files. Returns how
 * many were written. */
int figures_write(arena *a, const char *records_dir, const char *curves_dir, const char *paper_dir,
                  const char *out_dir);

#endif
