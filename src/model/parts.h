/* parts: one run by several ranks (base/ranks.h). Each computes the rows of its part of the nodes.
 *
 * The parts are runs of consecutive nodes (batch.cut). Large graphs are stored METIS cluster by METIS cluster
 * (graph/order.h), so a part is made of clusters: of ogbn-arxiv two parts cut 7 % of the links, three 15 %. (METIS
 * itself would cut 2 and 8 %; but sums in another order of the nodes have other bits.)
 *
 * An op has the rows of the part. Where it reads rows of others, these stand behind its own in the same buffer, and are
 * fetched before they are read: the halo. Sums over rows are chains, in the order of the rows (graph/blas.h), so they
 * go from rank to rank: each continues what the ranks before it have summed up. The bits are those of one process.
 * Weights are cut into pieces, so that a rank works on one while the next rank continues another. The last rank has the
 * gradients; all get them before the update, which each makes by itself.
 *
 * Everything here does nothing, or works on all rows, where the batch has no cut. */
#ifndef JCB_PARTS_H
#define JCB_PARTS_H

#include "workspace.h"

enum { PART_UNIT = 1024 }; /* parts start at multiples of it, as the sums of batch normalisation do */

/* The first node of each of `many` parts, and the end; NULL: one. Dies if there are too few nodes. */
int *parts_cut(arena *a, const csr *graph, int many);

/* Cuts the rows of all ops to the part, once they are known, and plans their halos. Dies if an op cannot. */
void parts_rows(workspace *ws);

/* The part of the rank: from start[rank] to start[rank + 1] of an ascending list of nodes. From the arena of ws. */
int *parts_of_list(workspace *ws, const int *node, int n);

/* --- halos --- */

typedef struct halo {
    int rows;        /* of others, which stand behind the own ones */
    int *id;         /* their nodes, ascending */
    int *give;       /* own rows that others read, by reader */
    int *nin, *nout; /* rows from and to each rank */
    int ngive;
    real *const *out; /* scratch of the workspace */
} halo;

/* Rows of op v that others have; reads(arg, rank, marked) marks what a rank reads, among it any rows of its own. */
typedef void halo_reads(const void *arg, int rank, unsigned char *marked);
halo *halo_new(workspace *ws, const op_state *v, halo_reads *reads, const void *arg);
void halo_fetch(const halo *h, real *x, int rows, int d);  /* x: own rows, then the halo, which is filled */
void halo_return(const halo *h, real *x, int rows, int d); /* the other way: the halo goes to those who have the rows */
int halo_row(const halo *h, const op_state *v, int id);    /* in such a matrix; -1: not there */

/* --- sums over the rows of all parts --- */

int parts_me(const workspace *ws);   /* the rank of this process among those that compute the batch, */
int parts_last(const workspace *ws); /* and the last one; 0 and 0: alone */

/* A chain of additions to sum: continues that of the rank before, and hands it to the next. result: then all get it. */
void parts_before(const workspace *ws, void *sum, size_t bytes);
void parts_after(const workspace *ws, void *sum, size_t bytes, int result);

/* g (m x n) = a^T b + beta g, over k rows here; the same with a^T sparse; column sums. */
void parts_product(const workspace *ws, real *g, const real *a, const real *b, int m, int n, int k, real beta);
void parts_sparse_product(const workspace *ws, real *g, const csr *at, const real *b, int n, real beta);
void parts_column_sum(const workspace *ws, real *sum, const real *x, int rows, int d, real beta);

/* ranks_gather, ranks_share from the last rank. */
void parts_gather(const workspace *ws, void *all, const int *start, size_t unit);
void parts_share(const workspace *ws, void *p, size_t bytes);

void parts_gradients(workspace *ws); /* after the backward pass: the last rank's net.g for all */

#endif
