#include "distance.h"
#include "../base/err.h"
#include "simd.h"
#include <math.h>
#include <string.h>

#define LARGEST 1e15

mat distance_points(arena *a, mat x, const char *who)
{
    for (int i = 0; i < x.rows; i++)
        for (int k = 0; k < x.cols; k++)
            if (!(fabs((double)mat_row(x, i)[k]) < LARGEST))
                die("%s: coordinate %d of point %d is %g; want finite numbers below %g", who, k, i,
                    (double)mat_row(x, i)[k], LARGEST);
    mat t = mat_new(a, x.cols, x.rows);
    for (int i = 0; i < x.rows; i++)
        for (int k = 0; k < x.cols; k++)
            mat_row(t, k)[i] = mat_row(x, i)[k];
    return t;
}

CLONES void distance_row(real *restrict d2, mat points, int i)
{
    int n = points.cols;
    memset(d2, 0, (size_t)n * sizeof *d2);
    for (int k = 0; k < points.rows; k++) {
        const real *restrict x = mat_row(points, k);
        real xi = x[i];
        for (int j = 0; j < n; j++)
            d2[j] = fused(x[j] - xi, x[j] - xi, d2[j]);
    }
}
