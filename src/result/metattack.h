/* metattack: the poisoned graphs of bench_metattack, one line each: the changed links, and the accuracy of each
 * network.
 */
#ifndef JCB_METATTACK_H
#define JCB_METATTACK_H

#include "table_parts.h"

enum { METATTACK_NETWORKS = 6 }; /* GCN, SGC, GAT x CE, JC */

typedef struct metattack_graph {
    enum origin origin;
    const char *dataset, *graph;     /* graph: as the setting names it, "published", "metaself", ... */
    int rate;                        /* flips, as a percentage of the links */
    double added, deleted;           /* links; these and the next two are NaN without a curve file */
    double same, touch;              /* shares of the added: join equal classes, touch a training node */
    int n[METATTACK_NETWORKS];       /* runs */
    double mean[METATTACK_NETWORKS]; /* accuracy in percent; NaN without runs */
} metattack_graph;

/* All graphs with runs, ordered by data set, rate and name. curves: the directory with metattack/KEY.tsv, written by
 * the runs; missing or damaged files are ignored. */
metattack_graph *metattack_read(arena *a, const records *r, const char *curves, int *n);

void metattack_tsv(buf *out, const metattack_graph *g, int n);

#endif
