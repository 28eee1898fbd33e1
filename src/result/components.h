/* components: variance components of crossed random effects, from the mean squares of a balanced table.
 *
 * x(i, j, k) = m + A(i) + B(j) + AB(i, j) + C(k) + AC(i, k) + BC(j, k) + rest(i, j, k), I x J x K values. With the mean
 * squares of the seven effects the unbiased estimates are
 *
 *   var(AB) = (MS_AB - MS_rest) / K
 *   var(A)  = (MS_A - MS_AB - MS_AC + MS_rest) / (J K),  var(B) likewise.
 *
 * AC and BC must not be left out: values that share k may share noise. A gain JC(i, j, k) - CE(i, k) has the same CE
 * for all j; with "K replicates of a cell" for a model, var(CE) / K would move from AB to A. */
#ifndef JCB_COMPONENTS_H
#define JCB_COMPONENTS_H

/* Two factors, x[i * nk + k]: sd_row = sqrt var(row), sd_col = sqrt (var(column) + var(rest)), that of another column
 * in the same row; components below 0 count as 0. NaN where either number is below 2. */
void components_two(double *sd_row, double *sd_col, const double *x, int ni, int nk);

enum component { COMPONENT_A, COMPONENT_B, COMPONENT_AB, COMPONENT_REPEAT, COMPONENTS };

/* Three factors, x[(i * nj + j) * nk + k]: variances of A, B and AB, unbiased and so perhaps below 0, and of another k
 * at the same (i, j), C + AC + BC + rest: the mean of the sample variances. NaN where any number is below 2. */
void components_three(double var[COMPONENTS], const double *x, int ni, int nj, int nk);

#endif
