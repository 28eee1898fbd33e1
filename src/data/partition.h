/* partition: every node in one of M clusters. Computed once per graph, method and M, then shared by all runs. */
#ifndef JCB_PARTITION_H
#define JCB_PARTITION_H

#include "../kernel/csr.h"
#include <stdint.h>

typedef struct partition {
    int nodes, clusters;
    int metis_bits; /* METIS: random numbers as of a build with ids of so many bits; 0: not by METIS */
    int *of;        /* cluster of each node */
    uint64_t hash;  /* of nodes, clusters and the vector */
} partition;

/* METIS_PartGraphKway with default options on the graph without loops; seed 0: METIS's own. Serial: METIS keeps global
 * state. Some clusters may come out empty. bits: as metis_bits() gave it. */
partition partition_metis(arena *a, const csr *graph, int clusters, int bits, int seed);

/* METIS draws other random numbers, and finds other clusters, when it is built with ids of 64 bits. The clusters of the
 * paper are of such a build. This program replaces METIS's generator (metis.c), so that either kind can be had from any
 * shared METIS; where that does not work, the library's own kind is all there is. Returns the kind that a request for
 * `bits` (32 or 64) gets, with a warning (once) when it is not the one asked for. */
int metis_bits(int bits);

/* k-means++ seeding and Lloyd steps, `restarts` times, the lowest inertia kept. The points are the rows of xs when
 * xs->rows, else of xd. */
partition partition_kmeans(arena *a, const csr *xs, const mat *xd, int clusters, int restarts, uint64_t seed);

/* Uniformly random assignment, sizes equal to within one. */
partition partition_random(arena *a, int nodes, int clusters, uint64_t seed);

/* Undirected links inside clusters and between them. */
void partition_links(int64_t *within, int64_t *between, const partition *p, const csr *graph);

enum partition_kind {
    PARTITION_METIS, /* the paper's kind, 64 bits */
    PARTITION_METIS32,
    PARTITION_KMEANS,
    PARTITION_RANDOM,
    PARTITION_FILE, /* a text file as partition_write makes it, in the order of the upstream node ids */
    PARTITION_BATCH /* made of each batch while training, by the sampler; not for partition_get */
};

typedef struct partition_rule {
    const char *text; /* the rule as it was given */
    enum partition_kind kind;
    int seed; /* 0: none was given */
} partition_rule;

/* "metis", "metis32", "kmeans", "random", each also as NAME:SEED for another random start, or "file:PATH". Keeps the
 * pointer. Dies on another text. */
partition_rule partition_rule_read(const char *given);

/* The partition of a rule. Through a cache file <cache>/<data hash>-<method>-<clusters>-<seed>.part when cache is not
 * empty; a cache file that is damaged, or of the other kind of METIS, is recomputed. Dies on a cluster count outside 1
 * .. nodes. */
typedef struct partition_input {
    const csr *graph, *xs;
    const mat *xd;
    uint64_t data_hash;
    const int *row; /* row[i]: internal index of upstream node i; NULL: identity */
} partition_input;
partition partition_get(arena *a, const char *cache, partition_rule rule, int clusters, const partition_input *in);

/* For the functions that make partitions: */
void partition_sign(partition *p);                                 /* sets the hash */
void partition_check(const char *method, int clusters, int nodes); /* dies unless 1 <= clusters <= nodes */

void partition_write(const char *path, const partition *p);      /* text, one cluster id per line */
partition partition_read(arena *a, const char *path, int nodes); /* checks count and ids */

#endif
