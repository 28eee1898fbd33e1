/* predict: exact prediction of some nodes, any number of times: by one workspace over the whole graph, or layer by
 * layer in blocks of nodes (blocks.h) where training on a large graph goes by batches. Both give the same results.
 *
 * Cluster means are taken over
 *   a fixed partition    the training and validation nodes of each cluster (`mean`, given by the caller)
 *   partition=batch      inference=training: the training nodes, all in one cluster
 *                        inference=release: the nodes of the inference batch that the node is in, as in the authors'
 *                        release. neighbour: as many consecutive ids as a batch has targets; cluster: 1024 consecutive
 *                        ids; rows: as many of the predicted nodes as a batch has. Depends on the order of the nodes.
 */
#ifndef JCB_PREDICT_H
#define JCB_PREDICT_H

#include "blocks.h"
#include "problem.h"

typedef struct predictor {
    const model *m;
    batch b;
    workspace *ws; /* NULL: by blocks */
    blocks *by;
    mat prob; /* rows x classes, after predictor_run */
    double loss;
} predictor;

typedef struct predictor_input {
    const problem *p;
    const cell *c;
    const model *m;
    net *n;
    const node_data *data;
    const int *rows, *mean; /* nodes to predict; nodes of the cluster means */
    int nrows, nmean;
    enum policy policy;
    workspace *feeds; /* net/share.h; NULL: none */
    double taken;     /* bytes that the process holds beside the problem; for blocks */
} predictor_input;

/* The input is copied; what it points to must outlive the predictor. Dies where the memory limit (base/memory.h) cannot
 * be met. */
predictor *predictor_new(arena *a, const predictor_input *in);
void predictor_run(predictor *q);  /* by the parameters now in the net */
void predictor_free(predictor *q); /* releases what is not in the arena; q->prob stays valid */

#endif
