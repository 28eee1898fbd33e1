/* verdicts: the comparisons that the paper's tables state (src/result/contrasts.c) over the cells of a queue,
 * recomputed from the records as runs end: the goals of the scheduler. */
#ifndef JCB_VERDICTS_H
#define JCB_VERDICTS_H

#include "../run/scheduler.h"
#include "table_parts.h"

typedef struct verdicts {
    scheduler_goals goals; /* claims of all tables in order; n = 0, more = VERDICTS_UNKNOWN without runs */
    const queue *q;        /* whose cells are the sides of the claims */
    const char *paper_dir, *records_dir; /* where definitions and records are */
    int tables;                          /* number of tables */
    int *first;                          /* index of the first claim of each table; tables + 1 entries */
    unsigned char *stale;                /* of each table: runs have ended since the last update */
    unsigned char *printed;              /* of each table: it is the paper's; its comparisons count in goals.decided */
    int keep;                            /* 1: decisions are written to RECORDS/decisions.log */
    struct record_file *log;             /* it; NULL: not yet open */
    arena a;                             /* of log */
    char news[256];                      /* goals.news points here */
} verdicts;

enum { VERDICTS_UNKNOWN = 10 }; /* pairs assumed to be needed while there are none: the paper's number of runs */

/* After all cells were added; all tables are stale. Lives in the arena. keep: each update writes what was decided, from
 * then on for good. */
scheduler_goals *verdicts_open(arena *a, const queue *q, const char *paper_dir, int keep);
/* The update from these records, of the tables that are stale. */
void verdicts_judge(verdicts *v, const records *all, const decisions *kept);

#endif
