/* leak: how many test nodes of a published split have a duplicate among the training nodes.
 *
 * Two nodes are duplicates when their sets of neighbours in the undirected graph without loops are equal and not empty:
 * two nodes without neighbours are not duplicates, since the absence of edges says nothing about a label. */
#ifndef JCB_LEAK_H
#define JCB_LEAK_H

#include "dataset.h"

/* Counts over all published splits together. */
typedef struct leak {
    int64_t test;       /* test nodes, those without neighbours included */
    int64_t duplicated; /* test nodes that have a duplicate among the training nodes of their split */
    int64_t same_label; /* those of them that have such a duplicate with the same label (multi-label: the same set of
                           labels) */
} leak;

leak leak_count(const dataset *d);

#endif
