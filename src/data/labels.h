/* labels: the classes of nodes: one class each (single-label), or any number of them (multi-label). */
#ifndef JCB_LABELS_H
#define JCB_LABELS_H

#include "../base/arena.h"

typedef struct node_labels {
    int classes;
    const int *one;            /* single: the class of each node, -1 when it is missing; NULL: multi */
    const unsigned char *many; /* multi: nodes x classes, 1 where the node has the class; a node of none has zeros */
} node_labels;

/* Of the nodes rows[0 .. n), in that order. */
node_labels labels_pick(arena *a, const node_labels *y, const int *rows, int n);

#endif
