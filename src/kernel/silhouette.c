/* With a_i the mean distance of point i from the others of its class, b_i the least mean distance from another class:
 *
 *   s_i = (b_i - a_i) / max(a_i, b_i);   0 when i is alone in its class, there is no other class, or a_i = b_i = 0 */
#include "silhouette.h"
#include "distance.h"
#include <math.h>
#include <string.h>

/* d2: squared distances of point i from all; sum: scratch, one number per class. */
static double of_point(const real *d2, double *sum, const int *y, const int *count, int i, int n, int classes)
{
    double other = INFINITY, own;
    memset(sum, 0, (size_t)classes * sizeof *sum);
    if (count[y[i]] < 2)
        return 0;
    for (int j = 0; j < n; j++)
        if (y[j] >= 0 && y[j] < classes)
            sum[y[j]] += sqrt((double)d2[j]);
    for (int c = 0; c < classes; c++)
        if (c != y[i] && count[c])
            other = fmin(other, sum[c] / count[c]);
    own = sum[y[i]] / (count[y[i]] - 1);
    return isinf(other) || fmax(own, other) == 0 ? 0 : (other - own) / fmax(own, other);
}

double silhouette(double *by_class, mat x, const int *y, int classes)
{
    arena tmp = {0};
    mat points = distance_points(&tmp, x, "silhouette");
    int n = x.rows, *count = NEW(&tmp, int, (size_t)classes), all = 0;
    double *s = NEW(&tmp, double, (size_t)n), *mean = NEW(&tmp, double, (size_t)classes), total = 0;
    for (int i = 0; i < n; i++)
        if (y[i] >= 0 && y[i] < classes)
            count[y[i]]++, all++;
#pragma omp parallel
    {
        arena mine = {0};
        real *d2 = NEW(&mine, real, (size_t)n);
        double *sum = NEW(&mine, double, (size_t)classes);
#pragma omp for schedule(dynamic, 16)
        for (int i = 0; i < n; i++)
            if (y[i] >= 0 && y[i] < classes) {
                distance_row(d2, points, i);
                s[i] = of_point(d2, sum, y, count, i, n, classes);
            }
        arena_free(&mine);
    }
    for (int i = 0; i < n; i++)
        if (y[i] >= 0 && y[i] < classes) {
            mean[y[i]] += s[i] / count[y[i]];
            total += s[i] / all;
        }
    for (int c = 0; c < classes && by_class; c++)
        by_class[c] = count[c] ? mean[c] : NAN;
    arena_free(&tmp);
    return all ? total : NAN;
}
