#include "batch.h"
#include "../base/err.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAN_MAX = 1024 };

batch batch_full(const node_data *data, const int *target, int ntarget, const int *mean, int nmean)
{
    batch b = {.data = data,
               .nodes = data->nodes,
               .hops = 1,
               .cluster = data->cluster,
               .target = target,
               .mean = mean,
               .ntarget = ntarget,
               .nmean = nmean,
               .same_nodes = 1};
    for (int k = 0; k < ADJ_KINDS; k++)
        b.adj[0][k] = data->adj[k], b.adj_t[0][k] = data->adj_t[k];
    return b;
}

batch_rule batch_rule_read(const char *text)
{
    batch_rule b = {.text = text};
    int end = 0;
    if (!strcmp(text, "full"))
        return b;
    if (sscanf(text, "rows:%9d%n", &b.size, &end) == 1 && !text[end] && b.size > 0) {
        b.kind = BATCH_ROWS;
        return b;
    }
    end = 0;
    if (sscanf(text, "cluster:%9d:%9d%n", &b.clusters, &b.size, &end) == 2 && !text[end] && b.size > 0 &&
        b.size <= b.clusters) {
        b.kind = BATCH_CLUSTER;
        return b;
    }
    end = 0;
    if (sscanf(text, "neighbour:%9d%n", &b.size, &end) == 1 && text[end] == ':' && b.size > 0) {
        const char *at = text + end;
        b.kind = BATCH_NEIGHBOUR;
        for (char *next; (*at == ':' && !b.nfan) || (*at == ',' && b.nfan && b.nfan < BATCH_HOPS); at = next) {
            long f = strtol(at + 1, &next, 10);
            if (next == at + 1 || f < 0 || f > FAN_MAX)
                break;
            b.fan[b.nfan++] = (int)f;
        }
        if (b.nfan && !*at)
            return b;
    }
    if (!strncmp(text, "neighbor:", 9))
        die("batch is '%s'; did you mean neighbour%s?", text, text + 8);
    die("batch is '%s'; it must be full, neighbour:B:f1,f2,... (fan-outs 0 to %d, 0: all), cluster:PARTS:q with q <= "
        "PARTS, or rows:B, e.g. neighbour:512:15,10",
        text, FAN_MAX);
}
