/* loss: the training objectives. An objective appends encoder (model.z), head and one last op to the model; that op
 * fills workspace.prob (class probabilities of the target rows) and workspace.loss, and when training the gradients
 * below it. */
#ifndef JCB_LOSS_H
#define JCB_LOSS_H

#include "../../data/dataset.h"
#include "../backbone.h"
#include "../workspace.h"

typedef struct objective {
    const char *name, *about;
    int multi;    /* 1: for multi-label data too */
    int clusters; /* 1: nodes are clustered, batch.cluster is set */
    enum {
        HEAD_CLASSES,
        HEAD_PAIRS,
        HEAD_FACTORS
    } head; /* outputs for a node and its cluster: one for each class, one
               for each pair of classes, two for each class */
    void (*build)(model *m, const spec *s, const backbone *b);
    int learns_clusters; /* 1: some parameters belong to single clusters, so that other clusters need another training
                          */
} objective;

extern const objective objective_ce, objective_jc; /* those that other code names */
extern const objective *const objectives[];        /* ends with NULL */
const objective *objective_find(const char *name); /* "jc" or "jc+cs"; dies listing the names */
int loss_smoothed(const char *name);               /* "NAME+cs": Correct & Smooth follows training */

/* Cross-entropy of the target rows, at temperature tau while training (0: none); op_bce: binary cross-entropy of
 * multi-label rows. Each is the last op of its model. */
int op_ce(model *m, int logits, double tau);
int op_bce(model *m, int logits);

/* The head of a cluster objective on its input: a linear map, or the backbone's own last layer where that reads the
 * graph (backbone.graph_head). */
int loss_head(model *m, const spec *s, const backbone *b, int in, int out);

/* For each target: its row in each input of the objective's op, its labels, its cluster (NULL without clusters). */
typedef struct targets {
    int *row[MAX_IN], *cluster;
    node_labels y;
} targets;
targets loss_targets(workspace *ws, const op_state *n);

/* -mean log prob[i][y[i]] over the rows with a label, in double, in row order. */
double loss_nll(const mat prob, const int *y);

/* The same of any labels; multi: the mean over rows and classes of -log of the probability of what is true, having the
 * class or not. */
double loss_of(const mat prob, const node_labels *y);

#endif
