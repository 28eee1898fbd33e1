/* growth: the parts of bench_growth. */
#ifndef JCB_BENCH_GROWTH_H
#define JCB_BENCH_GROWTH_H

#include "../../src/base/arena.h"

enum { GROWTH_SIZES = 16 };

/* Prints the slope of ln(y) over ln(size) with its standard error; by: what the sizes count. */
void growth_fit(const char *what, const char *by, const double *size, const double *y, int n);

/* --- growth_batches.c; both return the exit code --- */

/* GraphSAGE on synthetic graphs of `min` to `max` nodes; seconds: of batches at each size. */
int growth_batches(arena *a, double min, double max, int threads, double seconds);

/* One cell of bench_large (or any other that trains in batches), given as "key=value key=value"; data: the directory.
 */
int growth_cell(arena *a, const char *text, const char *data, int threads, double seconds);

#endif
