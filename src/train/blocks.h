/* blocks: exact prediction on graphs that are too large for one workspace: layer by layer over all nodes, each layer in
 * blocks of nodes.
 *
 * The ops of the model are cut where an op reads rows of other nodes: at the inputs of propagations and attention, of
 * pairs with cluster means and of the joint objective. The values read there are *stored* as a matrix over all nodes. A
 * *stage* computes one stored matrix, or finally the predictions, from the ones before; it processes the nodes that
 * later stages read, one block at a time, with the links of this block only. A stored matrix is released after its last
 * reader. The results are those of one workspace over the whole graph (to rounding for products with 2^18 weights or
 * more, which the BLAS computes) and depend neither on the memory limit nor on threads. */
#ifndef JCB_BLOCKS_H
#define JCB_BLOCKS_H

#include "../net/workspace.h"

typedef struct blocks blocks;

/* what: targets, cluster-mean nodes, clusters and data of the prediction; adj is not read. graph: undirected, without
 * loops. taken: bytes that the process holds already; limit: bytes that it may hold, dies where they do not suffice for
 * the stored matrices and one block. Keeps pointers to all arguments. */
blocks *blocks_new(const model *m, net *n, const batch *what, const csr *graph, double taken, double limit);
void blocks_predict(mat prob, double *loss, blocks *b); /* prob: targets x classes; by the parameters of the net now */
mat blocks_embed(arena *a, blocks *b);                  /* z of all targets; for a model that ends with the op z */
double blocks_bytes(const blocks *b);                   /* most that is held while predicting, about */
void blocks_free(blocks *b);

/* The adjacency matrix of the graph with the n rows (ascending) alone; all others are empty. */
const csr *blocks_links(arena *a, const csr *g, enum adjacency kind, const int *rows, int n);

#endif
