/* problem: a data set made ready for training, shared by all runs on it.
 *
 * Holds the adjacency matrices, the features as the spec's norm or the catalogue's prepares them (features.h;
 * propagated for SGC) and the partitions. problem_prepare() is called from one thread; afterwards runs only read it,
 * from any number of threads. The struct is opaque: problem.c makes all of them. */
#ifndef JCB_PROBLEM_H
#define JCB_PROBLEM_H

#include "../data/variant/variant.h"
#include "../data/catalog.h"
#include "../data/dataset.h"
#include "../data/partition.h"
#include "../net/batch.h"
#include "../net/program.h"
#include "cell.h"
#include "smooth.h"

typedef struct problem problem;

/* Opens what the spec's dataset, attack and norm name; its other fields are ignored. `dirs` must outlive the problem.
 */
problem *problem_open(const data_dirs *dirs, const spec *s);

/* The problem of a data set in memory: features unchanged, nothing read or cached. Takes over the arena, in which d
 * lives. rule: what split "auto" means. */
problem *problem_new(arena a, const dataset *d, split_rule rule);

/* The prepared problem p with the data set d in place of its own: the same nodes, features and links, but other labels,
 * classes or splits; split "auto" means d's published splits. Lives in the arena, shares everything else with p, which
 * must outlive it, and is never closed or prepared. */
problem *problem_view(arena *a, const problem *p, const dataset *d);
void problem_close(problem *p);

/* The problem of one run where the cell's attack gives each run a graph of its own: opened and prepared, to be closed
 * by the caller; else NULL. */
problem *problem_of_run(const problem *p, const cell *c, int run);

/* Computes everything that networks of the cell read; what was computed before is kept. */
void problem_prepare(problem *p, const cell *c);
void problem_prepare_smooth(problem *p); /* what Correct & Smooth reads */

const dataset *problem_dataset(const problem *p);
const variant_change *problem_change(const problem *p); /* of the graph; zero without an attack */
const smooth_work *problem_smooth(const problem *p);
size_t problem_bytes(const problem *p); /* of its arena: everything but a mapped cache file */

/* Matrices, features (prepared for the cell or raw) and clusters, to train and predict with. */
node_data problem_data(const problem *p, const cell *c);

/* The network of a cell. q: the nodes that full batches will read, which decides whether (A X) W or A (X W) is cheaper;
 * NULL: every node. */
void problem_model(model *m, const problem *p, const cell *c, const split *q);

/* 1: prediction goes layer by layer in blocks of nodes, and no adjacency matrix of the whole graph is made. */
int problem_blocks(const problem *p, const spec *s);

const char *problem_norm(const problem *p); /* how the features were prepared: a word of the spec field norm */
split_rule problem_split_rule(const problem *p, split_rule rule); /* resolves "auto"; other rules are returned */
int problem_batch_clusters(const spec *s);                        /* 1: each batch is partitioned (partition=batch) */
const partition *problem_batch_partition(const problem *p, int clusters); /* METIS, for batches of clusters */
const partition *problem_partition(const problem *p, const cell *c);      /* NULL when the objective has no clusters */

/* Links within and between the clusters of that partition; 0 and 0 without one. */
void problem_links(int64_t *within, int64_t *between, const problem *p, const cell *c);

#endif
