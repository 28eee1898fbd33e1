/* backbone: how a network turns features and graph into embeddings z. One file each, one row in the registry.
 *
 * encode appends the ops of the encoder and returns the op whose output is z. head puts `out` outputs on z the way the
 * backbone's own last layer does it (its initialisation, for one). The objective decides what stands on top: see
 * ../loss/loss.h. */
#ifndef JCB_BACKBONE_H
#define JCB_BACKBONE_H

#include "ops.h"
#include "spec.h"

typedef struct backbone {
    const char *name, *about;
    int (*encode)(model *m, const spec *s,
                  int own_head); /* own_head: `head` follows; else the objective puts a linear map on z */
    int (*head)(model *m, const spec *s, int in, int out);
    int graph_head; /* the head reads the graph, so the cluster objectives use it too, on pairs */
    int one_layer;  /* 1: a single layer is a network, too; else there are at least two */
    int most_hops;  /* of spec.hops; 0: as many as a spec may have. Networks that propagate features beforehand have 3,
                       see batch.h */
} backbone;

/* The end of a hidden layer: drop(f(in + b)), with batch normalisation drop(f(norm(in + b))). bias_bound < 0: no
 * bias. */
int backbone_hidden(model *m, const spec *s, int in, double bias_bound, enum shape f);

extern const backbone *const backbones[];        /* ends with NULL */
const backbone *backbone_find(const char *name); /* dies listing the names */
void backbone_check(
    const spec *s); /* dies when layers or hops are not those of the model; an unknown model is none of its business */

#endif
