/* mat: a dense row-major matrix, element (i, j) at v[i * cols + j]. */
#ifndef JCB_MAT_H
#define JCB_MAT_H

#include "../base/arena.h"
#include "real.h"

typedef struct mat {
    int rows, cols;
    real *v;
} mat;

mat mat_new(arena *a, int rows, int cols); /* zeros */
mat mat_raw(arena *a, int rows, int cols); /* uninitialised where the arena recycles memory */

/* y_i = x_(row[i]) for the rows of y, in parallel, with prefetching. */
void mat_gather(mat y, mat x, const int *row);

static inline real *mat_row(mat m, int i) { return m.v + (size_t)i * (size_t)m.cols; }

#endif
