/* order: numbers for the nodes such that neighbours in the graph are mostly neighbours in memory.
 *
 * A sparse product fetches the row of a neighbour for each entry: with neighbours close by most of them are in a near cache. */
#ifndef JCB_ORDER_H
#define JCB_ORDER_H

#include "csr.h"
#include <stdint.h>

/* The new number of each node of an undirected graph, from METIS clusters, which partition_get() keeps in `cache`. NULL: the graph has so
 * many links that METIS would take minutes, and stays as it is. */
int *order_nodes(arena *a, const char *cache, const csr *graph, uint64_t data_hash);

/* The undirected graph with node i renamed to[i]. */
csr order_graph(arena *a, const csr *graph, const int *to);

/* from[to[i]] = i */
int *order_inverse(arena *a, const int *to, int n);

#endif
