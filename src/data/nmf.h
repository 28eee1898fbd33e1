/* nmf: non-negative matrix factorisation X ~ W H of a sparse matrix, and features made by it.
 *
 * The published 128 features of Facebook are the columns of W, standardised, from scikit-learn's NMF(128,
 * init='random', random_state=0) of the 0/1 matrix of words. This computes the same W in double: the same start, order
 * of coordinates and number of rounds. The same bits at any thread count. */
#ifndef JCB_NMF_H
#define JCB_NMF_H

#include "../kernel/csr.h"

enum { NMF_ROUNDS = 200 };

/* W (x->rows x k) and the transpose of H (x->cols x k), row-major. X has at least one row and column and no negative
 * entry, k >= 1. Stops after `rounds` rounds, or after the first one whose violation is at most 1e-4 of that of round
 * 1. Returns the number of rounds. */
int nmf_factorise(double *w, double *ht, const csr *x, int k, int rounds);

/* W after NMF_ROUNDS rounds in float32, every column standardised: (w - mean) / population sd. Zero columns remain
 * zero. */
mat nmf_features(arena *a, const csr *x, int k);

#endif
