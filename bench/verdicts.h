/* verdicts: the orderings that the paper's tables state (src/paper/contrasts.c) over the cells of a queue, recomputed
 * from the records as runs end. */
#ifndef JCB_VERDICTS_H
#define JCB_VERDICTS_H

#include "choice.h"
#include "queue.h"

typedef struct verdicts {
    const queue *q;
    const char *paper_dir, *records_dir;
    choice_claim *claim;    /* of all tables in order; n = 0 and more = VERDICTS_UNKNOWN until there are runs */
    unsigned char *printed; /* of each cell of the queue: it fills a number of the paper's tables */
    int claims, tables;
    int *first;              /* index of the first claim of each table; tables + 1 entries */
    unsigned char *stale;    /* of each table: runs have ended since the last update */
    int decided[2], open[2]; /* numbers of orderings with both sides in the queue: [0] on comparable data, [1] on
                                stand-ins; decided: confirmed, contradicted or practically equal */
} verdicts;

enum { VERDICTS_UNKNOWN = 10 }; /* pairs assumed to be needed while there are none: the paper's number of runs */

verdicts verdicts_open(arena *a, const queue *q, const char *paper_dir); /* after all cells were added; all stale */
void verdicts_touch(verdicts *v, const char *experiment); /* call it after a run of the experiment is recorded */
int verdicts_stale(const verdicts *v);                    /* whether any table is stale */
void verdicts_update(verdicts *v);                        /* reads the records and recomputes stale tables */

#endif
