/* prognn: the graphs poisoned by metattack that Pro-GNN publishes, prognn/meta/NAME_meta_adj_RATE.npz. */
#ifndef JCB_PROGNN_H
#define JCB_PROGNN_H

#include "../dataset.h"

/* Replaces nedges, eu and ev of the draft by the poisoned graph's edges, whose node numbers are those of
 * load_deeprobust(). Dies when the graph has another number of nodes. */
void load_prognn_graph(arena *a, draft *out, const char *path, int nodes);

#endif
