/* verdicts: the orderings that the paper's tables state (src/paper/contrasts.c) over the cells of a queue, recomputed
 * from the records as runs end. */
#ifndef JCB_VERDICTS_H
#define JCB_VERDICTS_H

#include "choice.h"
#include "queue.h"

typedef struct verdicts {
    const queue *q;
    const char *paper_dir, *records_dir;
    choice_claim *claim;    /* of all tables, in their order; n = 0 and more = VERDICTS_UNKNOWN until there are runs */
    unsigned char *printed; /* of each cell of the queue: it fills a number of the paper's tables */
    int claims, tables;
    int *first;              /* claim of each table; tables + 1 */
    unsigned char *stale;    /* of each table: runs of it have ended since the last update */
    int decided[2], open[2]; /* of the orderings with both sides in the queue, on real data and on stand-ins: confirmed,
                                contradicted or equal; the rest */
} verdicts;

enum { VERDICTS_UNKNOWN = 10 }; /* pairs assumed to be needed before there are any: the paper's number of runs */

verdicts verdicts_open(arena *a, const queue *q, const char *paper_dir);
void verdicts_touch(verdicts *v, const char *experiment); /* a run of it has been recorded */
int verdicts_stale(const verdicts *v);
void verdicts_update(verdicts *v);

#endif
