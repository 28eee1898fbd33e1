/* dataset: one graph with features, labels and published splits, as upstream ships it.
 *
 * graph is undirected and simple, without loops, both directions stored. Features are either sparse (xs) or dense
 * (xd): the other has rows == 0. Nothing is normalised here. */
#ifndef JCB_DATASET_H
#define JCB_DATASET_H

#include "../graph/csr.h"
#include "labels.h"
#include "origin.h"
#include <stdint.h>

enum part { TRAIN, VAL, TEST, PARTS };

typedef struct split {
    int n[PARTS];
    int *idx[PARTS]; /* node ids, ascending, disjoint */
} split;

typedef struct dataset {
    const char *name;
    int nodes, features, classes;
    csr graph;
    csr xs;
    mat xd;
    int *y;            /* class of each node, -1 without one; NULL when multi-label */
    unsigned char *ym; /* multi-label: nodes x classes zeros and ones; else NULL */
    int nsplits;
    split *splits; /* the published splits; none: a split is drawn per run (split.h) */
    enum origin origin;
    const char *origin_note; /* what was rebuilt or substituted and how, "" when real */
    int *row; /* where node i of the files is; NULL: at i, else everything above speaks of rows (dataset_reorder) */
    uint64_t hash; /* of everything above but the name */
} dataset;

static inline node_labels dataset_labels(const dataset *d) { return (node_labels){d->classes, d->y, d->ym}; }

/* Users know the nodes of their files: whatever they read lists node i with the numbers of this row. */
static inline int dataset_row(const dataset *d, int i) { return d->row ? d->row[i] : i; }

/* Loaders fill a draft: what upstream says, not yet checked. */
typedef struct draft {
    int64_t nedges;
    int *eu, *ev; /* edges as found: any direction, repeats and loops allowed */
    dataset d;    /* everything but graph, origin and hash */
} draft;

/* Checks sizes, ids, labels, splits and that every feature is finite (dies naming `what`, the entry and a hint), then
 * builds the graph and the hash. */
void dataset_finish(arena *a, draft *f, const char *what);

/* Renames the nodes of a finished data set of at least so many nodes, so that neighbours are close (graph/order.h), in
 * graph, features, labels, splits and hash. Not multi-label ones: they are not trained in full batches, and METIS takes
 * minutes for them. cache: of the clusters, "" for none. */
void dataset_reorder(arena *a, dataset *d, const char *cache, int least);

/* One loader per upstream format: reads below `path` (the catalogue's path below the raw directory, e.g.
 * ".../planetoid/ind.cora"), allocates from the arena, dies with one line on any defect. `name` selects the split files
 * or variant where the format needs it. */
typedef void loader(arena *a, draft *out, const char *path, const char *name);
loader load_planetoid, load_npz_citation, load_geom_gcn, load_musae, load_lastfm, load_ptg_npz, load_ogb,
    load_graphsaint, load_deeprobust, load_heterophilous, load_mlgnc, load_plain, load_arrays, load_mtx, load_ogb_own;

/* Opens a data set by catalogue name, or a graph of one's own by its path, in a format of own.h. raw: directory of
 * upstream files, cache: directory for binary copies ("" for none). Uses the cache, else the upstream files, else
 * substitutes what is missing, else makes the twin (see twin.h), and writes the cache. force_twin for tests. */
typedef struct data_dirs {
    const char *catalog; /* catalog.tsv */
    const char *raw, *cache;
} data_dirs;
dataset *dataset_open(arena *a, const data_dirs *dirs, const char *name);

int dataset_missing(const data_dirs *dirs,
                    const char *name); /* 1: files of a catalogue's data set are missing, a twin will stand in */

/* Share of edges that join equal labels, and the size of the largest class over that of the smallest; NaN for
 * multi-label data. */
double dataset_homophily(const dataset *d);
double dataset_imbalance(const dataset *d);

#endif
