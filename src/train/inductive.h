/* inductive: training as GraphSAINT does it (inductive=1), on the links between training nodes, which is what its
 * adj_train.npz holds, with features standardised by the training nodes: (x - mean) / sd, column by column, population
 * sd; a column that does not vary is only centred. Prediction reads the whole graph. */
#ifndef JCB_INDUCTIVE_H
#define JCB_INDUCTIVE_H

#include "../data/dataset.h"
#include "../net/batch.h"

csr inductive_links(arena *a, const csr *graph, const split *part);
/* Replaces data->xd[0]; dies for sparse or propagated features. */
void inductive_features(arena *a, node_data *data, const split *part);

#endif
