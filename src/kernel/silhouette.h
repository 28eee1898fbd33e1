/* silhouette: how well points lie with their own class (Rousseeuw 1987), -1 .. 1. */
#ifndef JCB_SILHOUETTE_H
#define JCB_SILHOUETTE_H

#include "mat.h"

/* The mean over the points with a class (y in 0 .. classes-1; others are left out), and into by_class, unless NULL,
 * that over the points of each class, NaN for a class without any. Euclidean, O(n^2 d), the same bits at any thread
 * count. */
double silhouette(double *by_class, mat x, const int *y, int classes);

#endif
