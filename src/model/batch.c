#include "batch.h"

batch batch_full(const node_data *data, const int *target, int ntarget, const int *mean, int nmean)
{
    batch b = {.data = data, .nodes = data->nodes, .hops = 1, .cluster = data->cluster, .target = target, .mean = mean, .ntarget = ntarget, .nmean = nmean,
               .norm_all = 1};
    for (int k = 0; k < ADJ_KINDS; k++)
        b.adj[0][k] = data->adj[k], b.adj_t[0][k] = data->adj_t[k];
    return b;
}
