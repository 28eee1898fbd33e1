/* twin: synthetic data sets in place of files that are missing.
 *
 * A twin is a deterministic synthetic data set with the catalogue's nodes, edges, features, classes, class sizes,
 * homophily and degree skew. It serves to run, time and test the bench and says nothing about the real data: every
 * result from one has origin "twin". The same bits at any thread count. */
#ifndef JCB_TWIN_H
#define JCB_TWIN_H

#include "catalog.h"
#include "dataset.h"

#define TWIN_VERSION 2 /* raised whenever twins change: cached ones are then recomputed */

/* Everything but the graph proper; the edge list comes from `tmp`, which the caller may free after dataset_finish. */
void twin_make(arena *a, arena *tmp, draft *out, const catalog_entry *e);

/* Features of the catalogue's width for the labels in d, as words (xs) or dense (xd): also what substitutes use. */
void twin_features(arena *a, dataset *d, const catalog_entry *e);

/* The multi-label matrix and the block of each node, for data sets with several labels per node. */
void twin_labels(arena *a, dataset *d, const int *block);

#endif
