/* order: a locality-preserving numbering of the nodes. Sparse products gather the rows of neighbours; with neighbours
 * close in memory most gathers hit the cache. */
#ifndef JCB_ORDER_H
#define JCB_ORDER_H

#include "../kernel/csr.h"
#include <stdint.h>

/* The new number of each node of an undirected graph, by METIS clusters (cached in `cache` by partition_get). NULL: the
 * graph has so many links that METIS would take minutes; it keeps its order. */
int *order_nodes(arena *a, const char *cache, const csr *graph, uint64_t data_hash);

/* The undirected graph with node i renumbered to[i]. */
csr order_graph(arena *a, const csr *graph, const int *to);

/* from[to[i]] = i */
int *order_inverse(arena *a, const int *to, int n);

#endif
