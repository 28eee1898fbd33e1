/* saved: a trained model in a file: its spec, sizes, where it was trained, and the chosen parameters. */
#ifndef JCB_SAVED_H
#define JCB_SAVED_H

#include "trainer.h"

typedef struct saved {
    spec s;
    int features, classes, run;
    uint64_t seed, data_hash, part_hash; /* part_hash 0: no clusters, or not known */
    int multi;                           /* trained on nodes with several labels */
    size_t size;                         /* parameters */
    real *w;
} saved;

void saved_write(const char *path, const trainer *t);
saved saved_read(arena *a, const char *path); /* dies unless it is a complete file of a known version */

/* Class probabilities of all nodes of a problem that is prepared for c, the cell of s->s. Cluster means are taken as in
 * the evaluation of the run (training and validation nodes) on the graph that the model was trained on, over all nodes
 * on another graph. */
mat saved_predict(arena *a, const saved *s, const cell *c, const problem *p);

#endif
