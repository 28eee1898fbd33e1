/* partition: every node in one of M clusters. Computed once per graph, method and M, then shared by all runs. */
#ifndef JCB_PARTITION_H
#define JCB_PARTITION_H

#include "csr.h"
#include <stdint.h>

typedef struct partition {
    int nodes, clusters;
    int *of;       /* cluster of each node */
    uint64_t hash; /* of nodes, clusters and the vector */
} partition;

/* METIS_PartGraphKway with default options on the graph without loops; seed 0: METIS's own. Serial: METIS keeps global state. Some clusters may come out empty. */
partition partition_metis(arena *a, const csr *graph, int clusters, int seed);

/* k-means++ seeding and Lloyd steps, `restarts` times, the lowest inertia kept. The points are the rows of xs when xs->rows, else of xd. */
partition partition_kmeans(arena *a, const csr *xs, const mat *xd, int clusters, int restarts, uint64_t seed);

/* Dealt out at random, sizes equal to within one. */
partition partition_random(arena *a, int nodes, int clusters, uint64_t seed);

/* Undirected links inside clusters and between them. */
void partition_links(int64_t *within, int64_t *between, const partition *p, const csr *graph);

/* By name ("metis", "kmeans", "random", each also as NAME:SEED for another random start), through a cache file <cache>/<data hash>-<method>-<clusters>-<seed>.part when cache is not empty; a cache file
 * that is damaged is recomputed. Dies on an unknown method or a cluster count outside 1 .. nodes. */
typedef struct partition_input {
    const csr *graph, *xs;
    const mat *xd;
    uint64_t data_hash;
} partition_input;
partition partition_get(arena *a, const char *cache, const char *method, int clusters, const partition_input *in);

void partition_write(const char *path, const partition *p);              /* text, one cluster id per line */
partition partition_read(arena *a, const char *path, int nodes);  /* checks count and ids */

#endif
