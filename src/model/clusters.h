/* clusters: the mean embedding and the mean label of each cluster, over the rows task.mean (training rows while training; training and
 * validation rows, embeddings only, when predicting). A cluster without such a row takes the mean over all of them. The one source of cluster
 * inputs for every objective that has any. */
#ifndef JCB_CLUSTERS_H
#define JCB_CLUSTERS_H

#include "plan.h"

typedef struct clusters {
    int n;             /* rows that make the means */
    int *row, *of;     /* each one's row in z, and its cluster */
    int *count;        /* rows of each cluster */
    mat zbar, dzbar;   /* clusters x d */
    mat ybar;          /* clusters x classes; only when training */
    real *all;         /* d: scratch for the mean over everything */
} clusters;

void clusters_need(plan *p, unsigned char *rows);
clusters clusters_new(plan *p, const node *z);
void clusters_forward(clusters *c, const node *z);  /* zbar from z */
void clusters_backward(clusters *c, node *z);       /* z->grad += what dzbar means for z */

#endif
