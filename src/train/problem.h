/* problem: a data set made ready for training, shared by all runs on it.
 *
 * Holds the adjacency matrices, the features as the spec's norm or the catalogue's prepares them (features.h;
 * propagated for SGC) and the partitions. problem_prepare() is serial; afterwards runs only read. */
#ifndef JCB_PROBLEM_H
#define JCB_PROBLEM_H

#include "../attack/variant.h"
#include "../data/catalog.h"
#include "../data/dataset.h"
#include "../graph/partition.h"
#include "../model/batch.h"
#include "../model/program.h"
#include "../model/spec.h"
#include "smooth.h"

typedef struct problem {
    arena a;
    data_dirs dirs;
    const dataset *d;
    variant_change change;  /* of the graph, where the spec has an attack */
    const char *split_rule; /* what split "auto" means: problem_split_rule */
    const char *norm;       /* of the features: features.h */
    csr adj[ADJ_KINDS], adj_t[ADJ_KINDS];
    csr xs[FEATURE_SETS]; /* features (model/batch.h); one of the two has rows once prepared */
    mat xd[FEATURE_SETS];
    smooth_work smooth; /* of Correct & Smooth, where a method prepares it (method/correct_smooth.c) */
    int nparts, room;
    struct problem_part {
        const char *method;
        int clusters;
        partition p;
        int64_t within, between; /* links */
    } * part;
} problem;

/* What the spec's dataset, attack and norm name; everything else of it does not matter here. */
problem *problem_open(const data_dirs *dirs, const spec *s);
void problem_close(problem *p);

/* The problem of one run where the spec's attack gives each run a graph of its own: opened, prepared and closed by the
 * caller; else NULL. */
problem *problem_of_run(const problem *p, const spec *s, int run);

int problem_blocks(const problem *p, const spec *s); /* prediction goes layer by layer in blocks of nodes, and no
                                                        adjacency matrix of the whole graph is made */
const char *problem_split_rule(const problem *p,
                               const char *rule); /* the rule itself, or what "auto" means for the data */
int problem_deals(const spec *s);                 /* clusters are made anew in each batch (partition=batch) */
void problem_prepare(problem *p, const spec *s);  /* everything that networks of this spec read */
const partition *problem_parts(const problem *p, int parts);         /* METIS parts for batches of clusters */
const partition *problem_partition(const problem *p, const spec *s); /* NULL when the objective has no clusters */
void problem_links(int64_t *within, int64_t *between, const problem *p,
                   const spec *s); /* of that partition; 0, 0: none */
node_data problem_data(const problem *p, const spec *s);
void problem_model(model *m, const problem *p, const spec *s,
                   const split *q); /* q: what will be read, NULL: every node; of full batches */

#endif
