/* features: products with the feature matrix X (nodes x features), stored sparse or dense. */
#ifndef JCB_FEATURES_H
#define JCB_FEATURES_H

#include "../data/variant/attack.h"

typedef struct feature_matrix {
    csr xs, xt; /* X and its transpose, or */
    mat xd;
    int nodes, cols;
} feature_matrix;

feature_matrix features_of(arena *a, const attack_target *t);

void features_mul(real *y, const feature_matrix *x, const real *w, int width);   /* y (nodes x width) = X w */
void features_mul_t(real *y, const feature_matrix *x, const real *g, int width); /* y (cols x width) = X^T g */
void features_add_row(real *to, real f, const feature_matrix *x, int node);      /* to (cols) += f X[node] */

#endif
