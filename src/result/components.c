#include "components.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { A = 1, B = 2, C = 4 };

/* Sum over all values of (mean of those that agree in the factors of `kept` - grand mean)^2. */
static double squares(const double *x, const int n[3], int kept)
{
    double grand = gsl_stats_mean(x, 1, (size_t)n[0] * (size_t)n[1] * (size_t)n[2]), all = 0;
    int upto[3], over[3];
    for (int f = 0; f < 3; f++) {
        upto[f] = kept >> f & 1 ? n[f] : 1;
        over[f] = kept >> f & 1 ? 1 : n[f];
    }
    for (int i = 0; i < upto[0]; i++)
        for (int j = 0; j < upto[1]; j++)
            for (int k = 0; k < upto[2]; k++) {
                double sum = 0;
                for (int u = i; u < i + over[0]; u++)
                    for (int v = j; v < j + over[1]; v++)
                        for (int w = k; w < k + over[2]; w++)
                            sum += x[((size_t)u * (size_t)n[1] + (size_t)v) * (size_t)n[2] + (size_t)w] - grand;
                all += sum * sum / ((double)over[0] * over[1] * over[2]);
            }
    return all;
}

void components_two(double *sd_row, double *sd_col, const double *x, int ni, int nk)
{
    *sd_row = *sd_col = NAN;
    if (ni < 2 || nk < 2)
        return;
    const int n[3] = {ni, 1, nk};
    double by_row = squares(x, n, A), by_col = squares(x, n, C), i = ni, k = nk;
    double rest = fmax(0, squares(x, n, A | C) - by_row - by_col) / ((i - 1) * (k - 1));
    *sd_row = sqrt(fmax(0, by_row / (i - 1) - rest) / k);
    *sd_col = sqrt(fmax(0, by_col / (k - 1) - rest) / i + rest);
}

void components_three(double var[COMPONENTS], const double *x, int ni, int nj, int nk)
{
    for (int c = 0; c < COMPONENTS; c++)
        var[c] = NAN;
    if (ni < 2 || nj < 2 || nk < 2)
        return;
    const int n[3] = {ni, nj, nk};
    double i = ni, j = nj, k = nk, a = squares(x, n, A), b = squares(x, n, B), c = squares(x, n, C);
    double in_ab = squares(x, n, A | B), all = squares(x, n, A | B | C), ab = in_ab - a - b;
    double ac = squares(x, n, A | C) - a - c, bc = squares(x, n, B | C) - b - c;
    double ms_ab = ab / ((i - 1) * (j - 1)), ms_ac = ac / ((i - 1) * (k - 1)), ms_bc = bc / ((j - 1) * (k - 1));
    double ms_rest = (all - in_ab - c - ac - bc) / ((i - 1) * (j - 1) * (k - 1));
    var[COMPONENT_AB] = (ms_ab - ms_rest) / k;
    var[COMPONENT_A] = (a / (i - 1) - ms_ab - ms_ac + ms_rest) / (j * k);
    var[COMPONENT_B] = (b / (j - 1) - ms_ab - ms_bc + ms_rest) / (i * k);
    var[COMPONENT_REPEAT] = (all - in_ab) / (i * j * (k - 1));
}
