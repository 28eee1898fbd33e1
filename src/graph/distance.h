/* distance: of a point from all others. */
#ifndef JCB_DISTANCE_H
#define JCB_DISTANCE_H

#include "mat.h"

/* The points x (n x d) with coordinate k of all of them in row k, as distance_row wants them. Dies when a value is not
 * finite or so large that its square is not; `who` asks. */
mat distance_points(arena *a, mat x, const char *who);

/* d2[j] = |x_i - x_j|^2, j < n. From differences, so equal points are at 0 and close ones lose no digits. */
void distance_row(real *d2, mat points, int i);

#endif
