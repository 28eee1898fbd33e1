/* dataset: one graph with features, labels and published splits, as upstream ships it.
 *
 * graph is undirected and simple, without loops, both directions stored. Features are either sparse (xs) or dense
 * (xd): the other has rows == 0. Nothing is normalised here. */
#ifndef JCB_DATASET_H
#define JCB_DATASET_H

#include "../kernel/csr.h"
#include "catalog.h"
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
    int *row;                /* row[i]: internal index of node i of the files, by which all arrays above are indexed
                                (dataset_reorder); NULL: identity */
    uint64_t hash;           /* of everything above but the name */
} dataset;

static inline node_labels dataset_labels(const dataset *d) { return (node_labels){d->classes, d->y, d->ym}; }

/* The internal index of node i of the files. Whatever a user reads or writes is in the order of the files. */
static inline int dataset_row(const dataset *d, int i) { return d->row ? d->row[i] : i; }

/* Loaders fill a draft: the contents of the files, not yet checked. */
typedef struct draft {
    int64_t nedges;
    int *eu, *ev; /* edges as found: any direction, repeats and loops allowed */
    dataset d;    /* everything but graph, origin and hash */
} draft;

/* Checks sizes, ids, labels, splits and that every feature is finite (dies naming `what`, the entry and a hint), then
 * builds the graph and the hash. */
void dataset_finish(arena *a, draft *f, const char *what);

/* Renumbers the nodes of a finished data set of `least` nodes or more so that neighbours are close in memory
 * (data/order.h), in graph, features, labels, splits and hash. Multi-label data keep their order: they are not trained
 * in full batches, and METIS takes minutes for them. cache: directory for the clusters, "" for none. */
void dataset_reorder(arena *a, dataset *d, const char *cache, int least);

/* One loader per upstream format: reads below `path` (the catalogue's path below the raw directory, e.g.
 * ".../planetoid/ind.cora"), allocates from the arena, dies with one line on any defect. `name` selects the split files
 * or variant where the format needs it. */
struct load; /* load_common.h */
typedef void loader(struct load *l);
/* Runs a loader on a new draft. */
void load_run(loader *fn, arena *a, draft *out, const char *path, const char *name);
loader load_planetoid, load_npz_citation, load_geom_gcn, load_musae, load_lastfm, load_ptg_npz, load_ogb,
    load_graphsaint, load_deeprobust, load_heterophilous, load_mlgnc, load_plain, load_arrays, load_mtx, load_ogb_own;

/* Where data are found. */
typedef struct data_dirs {
    catalog catalog;   /* read once, by select_dirs */
    const char *raw;   /* directory of upstream files */
    const char *cache; /* directory for binary copies, "": none */
    int twins;         /* 1: a data set whose files are missing is its twin; 0: it is an error */
} data_dirs;

/* Opens a data set by catalogue name, its twin as twin:NAME (twin.h), or a user's graph by its path, in a format of
 * own.h. Uses the cache, else the upstream files, else substitutes features that are missing, and writes the cache. */
dataset *dataset_open(arena *a, const data_dirs *dirs, const char *name);

/* The same; NULL, or the message of what is wrong with it, valid until the thread's next one. */
const char *dataset_try(dataset **d, arena *a, const data_dirs *dirs, const char *name);

/* Dies when dataset_open would, as far as can be told without reading: an unknown name, a path without a graph, missing
 * files. */
void dataset_need(const data_dirs *dirs, const char *name);
int dataset_known(const data_dirs *dirs, const char *name); /* 0: neither in the catalogue nor a path */

/* 1: files of the catalogue's data set are missing: dataset_open makes a twin or dies. */
int dataset_missing(const data_dirs *dirs, const char *name);

/* Share of edges that join equal labels, and the size of the largest class over that of the smallest; NaN for
 * multi-label data. */
double dataset_homophily(const dataset *d);
double dataset_imbalance(const dataset *d);

#endif
