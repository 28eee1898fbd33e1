/* backbone: the encoder of a network: features and graph to embeddings z. One file each, one row in the registry.
 *
 * encode appends the ops of the encoder and returns the op whose output is z. head appends a layer with `out` outputs
 * on z like the backbone's own last layer (with its initialisation). The objective decides which head is used
 * (../loss/loss.h). */
#ifndef JCB_BACKBONE_H
#define JCB_BACKBONE_H

#include "ops.h"
#include "spec.h"

typedef struct backbone {
    const char *name, *about;
    /* own_head: `head` follows; 0: the objective puts a linear map on z. */
    int (*encode)(model *m, const spec *s, int own_head);
    int (*head)(model *m, const spec *s, int in, int out);
    int graph_head; /* the head reads the graph, so the cluster objectives use it too, on pairs */
    int by_heads;   /* 1: a hidden layer has spec.hidden columns for each of spec.heads, and links have weights */
    int own_ends;   /* 1: spec.layers does not count the first and the last layer */
    int one_layer;  /* 1: a single layer is allowed; 0: at least two */
    int max_hops; /* largest spec.hops; 0: no limit of its own. 3 for networks on precomputed A_hat^k X, see batch.h */
} backbone;

/* The end of a hidden layer: drop(f(in + b)), with batch normalisation drop(f(norm(in + b))). bias_bound < 0: no
 * bias. */
int backbone_hidden(model *m, const spec *s, int in, double bias_bound, enum shape f);

extern const backbone backbone_gcn, backbone_crf_gcn;  /* those that other files ask for */
extern const backbone *const backbones[];              /* ends with NULL */
const backbone *backbone_find(const char *name);       /* dies listing the names */
void backbone_check(const backbone *b, const spec *s); /* dies on layers or hops that it does not allow */

#endif
