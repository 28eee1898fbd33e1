/* The fields of a problem, for problem.c and for tests that put other clusters or splits into one. */
#ifndef JCB_PROBLEM_FIELDS_H
#define JCB_PROBLEM_FIELDS_H

#include "problem.h"

struct problem {
    arena a; /* holds the problem itself */
    data_dirs dirs;
    const dataset *d;
    variant_change change;
    split_rule split_rule; /* what split "auto" means */
    enum spec_norm norm;   /* of the features: features.h; not NORM_AUTO */
    csr adj[ADJ_KINDS], adj_t[ADJ_KINDS];
    csr xs[FEATURE_SETS]; /* features (net/batch.h): sparse in xs or dense in xd, the other one is empty */
    mat xd[FEATURE_SETS];
    smooth_work smooth;
    int npartitions;
    int64_t capacity; /* of the array of partitions */
    struct problem_partition_entry {
        partition_rule rule;
        int clusters;
        partition p;
        int64_t within, between; /* links */
    } * part;
};

#endif
