#include "mat.h"
#include <string.h>

enum { AHEAD = 4, LINE = 64 / (int)sizeof(real) }; /* rows that are fetched ahead; numbers in a cache line */

mat mat_new(arena *a, int rows, int cols) { return (mat){rows, cols, NEW(a, real, (size_t)rows * (size_t)cols)}; }

mat mat_raw(arena *a, int rows, int cols) { return (mat){rows, cols, NEW_RAW(a, real, (size_t)rows * (size_t)cols)}; }

void mat_gather(mat y, mat x, const int *row)
{
#pragma omp parallel for schedule(static) if ((size_t)y.rows * (size_t)x.cols > SERIAL_WORK)
    for (int i = 0; i < y.rows; i++) {
        if (i + AHEAD < y.rows)
            for (int k = 0; k < x.cols; k += LINE)
                __builtin_prefetch(mat_row(x, row[i + AHEAD]) + k);
        memcpy(mat_row(y, i), mat_row(x, row[i]), (size_t)x.cols * sizeof(real));
    }
}
