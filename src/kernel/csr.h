/* csr: a sparse matrix by rows. Row i holds the columns idx[ptr[i]] .. idx[ptr[i+1]-1], strictly ascending,
 * with the values val[...], or ones when val is NULL. */
#ifndef JCB_CSR_H
#define JCB_CSR_H

#include "mat.h"
#include <stdint.h>

typedef struct csr {
    int rows, cols;
    int64_t *ptr;
    int *idx;
    real *val;
    int *order; /* permutation of the rows by length, used by narrow products (spmm.c); NULL: storage order */
} csr;

static inline int64_t csr_nnz(const csr *m) { return m->ptr ? m->ptr[m->rows] : 0; }
static inline real csr_value(const csr *m, int64_t k) { return m->val ? m->val[k] : (real)1; }

csr csr_new(arena *a, int rows, int cols, int64_t nnz, int with_values);

/* The matrix with ones at (u[k], v[k]), k < m: sorted, repeated entries merged. loops = 0 drops u == v,
 * symmetric = 1 adds (v[k], u[k]). Ids must be in range: the caller checks. */
csr csr_from_pairs(arena *a, int rows, int cols, const int *u, const int *v, int64_t m, int symmetric, int loops);

csr csr_transpose(arena *a, const csr *m);

/* s x, with the bits of spmm on x as a dense matrix; entries that come out as 0 are left out. */
csr csr_multiply(arena *a, const csr *s, const csr *x);

/* Sorts the columns of each row (values along), merging nothing: dies if a column repeats. */
void csr_sort_rows(csr *m);

/* The rows `rows[0..nrows)` of m with columns renumbered by their position in the list `cols[0..ncols)` (NULL: all), in
 * the order that m has them; entries of other columns are left out. */
csr csr_restrict(arena *a, const csr *m, const int *rows, int nrows, const int *cols, int ncols);

/* The matrices that networks propagate with, from an undirected graph A without loops, with degrees D:
 *   GCN   (D+I)^-1/2 (A + I) (D+I)^-1/2    symmetric; a node without edges keeps its loop
 *   MEAN  (D+I)^-1 (A + I)
 *   CHEB  -D^-1/2 A D^-1/2                 the scaled Laplacian at lambda_max = 2; symmetric
 *   OTHERS D^-1 A                          the mean over the others; a zero row for a node without edges
 *   SYM   D^-1/2 A D^-1/2                  symmetric */
enum adjacency { ADJ_GCN, ADJ_MEAN, ADJ_CHEB, ADJ_OTHERS, ADJ_SYM, ADJ_KINDS };
static inline int csr_has_loops(enum adjacency kind) { return kind == ADJ_GCN || kind == ADJ_MEAN; }
static inline int csr_is_symmetric(enum adjacency kind) { return kind != ADJ_MEAN && kind != ADJ_OTHERS; }
double csr_weight(enum adjacency kind, double di,
                  double dj); /* of entry (i, j); degrees count the loop if kind has it */
csr csr_adjacency(arena *a, const csr *graph, enum adjacency kind);

#endif
