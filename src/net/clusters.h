/* clusters: the mean embedding and the mean label (of several labels: the share of nodes that have each) of each
 * cluster, over the rows batch.mean (training rows while training; training and validation rows, embeddings only, when
 * predicting). A cluster without such a row takes the mean over all of them. The one source of cluster inputs for every
 * objective that has any. */
#ifndef JCB_CLUSTERS_H
#define JCB_CLUSTERS_H

#include "workspace.h"

typedef struct clusters {
    int n;           /* rows that make the means */
    int *row, *of;   /* each one's row in z, and its cluster */
    int *count;      /* rows of each cluster */
    mat zbar, dzbar; /* clusters x d */
    mat ybar;        /* clusters x classes; only when training */
    real *all;       /* d: scratch for the mean over everything */
} clusters;

void clusters_need(workspace *ws, unsigned char *rows);
clusters clusters_new(workspace *ws, const op_state *z);
void clusters_forward(clusters *c, const op_state *z); /* zbar from z */
void clusters_backward(clusters *c, op_state *z);      /* z->grad += gradient through zbar, from dzbar */

#endif
