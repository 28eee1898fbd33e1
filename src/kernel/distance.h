/* distance: squared Euclidean distances of a point from all others. */
#ifndef JCB_DISTANCE_H
#define JCB_DISTANCE_H

#include "mat.h"

/* The points x (n x d), transposed for distance_row: row k holds coordinate k of all points. Dies when a value or its
 * square is not finite; `who` names the caller in the message. */
mat distance_points(arena *a, mat x, const char *who);

/* d2[j] = |x_i - x_j|^2, j < n. From differences, so equal points are at 0 and close ones lose no digits. */
void distance_row(real *d2, mat points, int i);

#endif
