/* hops: A X for dense features X of a large graph, computed once, by blocks of rows; the rows of A are made for one
 * block at a time.
 *
 * The result is in memory or, where it would take more than `limit` bytes, in a mapped file, of which batches read
 * their rows through the page cache. An existing file is used when its header matches (data set, matrix, hop, size,
 * hash of the values). The same bits either way, and at any number of threads. */
#ifndef JCB_HOPS_H
#define JCB_HOPS_H

#include "../kernel/csr.h"

typedef struct hops_file {
    const char *cache;  /* directory; "" or NULL: none, memory is used whatever the limit */
    uint64_t data_hash; /* of the data set with its normalisation */
    int number;         /* of the features (net/batch.h) */
} hops_file;

mat hops_propagate(arena *a, const csr *graph, enum adjacency kind, mat x, const hops_file *file, double limit);

#endif
