/* scheduler: runs the cells of a queue in the order of choice.h, in the worker processes of transport.h, within a time
 * limit, and shows one progress line.
 *
 * Runs are concurrent, each with one worker and one thread (q->threads, if given). A run that needs the machine to
 * itself starts when all other workers of a machine are idle, and uses all its cores. A run whose worker ends (crash,
 * kill -9, out of memory) is repeated, at most twice, and then recorded as failed with the reason (failed:signal 9). */
#ifndef JCB_SCHEDULER_H
#define JCB_SCHEDULER_H

#include "choice.h"
#include "queue.h"

/* What the runs are to decide, filled by verdicts.h. The functions take this struct. */
typedef struct scheduler_goals {
    choice_claim *claim; /* the comparisons */
    int claims;          /* number of them */
    unsigned char
        *printed; /* of each cell of the queue: the number of the paper's table that it fills, from 1; 0: none */
    int decided[2], open[2]; /* numbers of the paper's comparisons with both sides in the queue: [0] on comparable data,
                                [1] on stand-ins; decided: confirmed, contradicted or practically equal */
    const char *news;        /* what was decided last; "": nothing yet */
    void (*touch)(struct scheduler_goals *g, const char *experiment); /* a run of the experiment was recorded */
    int (*stale)(const struct scheduler_goals *g);                    /* whether an update may change anything */
    void (*update)(struct scheduler_goals *g);                        /* reads the records */
} scheduler_goals;

typedef struct scheduler_watch { /* shows the progress elsewhere */
    double due;                  /* tick is called when clock_now() has passed it; tick sets the next */
    void (*tick)(struct scheduler_watch *w, const char *line); /* line: the progress line */
} scheduler_watch;

typedef struct scheduler {
    queue *q;               /* what is to be run */
    scheduler_goals *goals; /* NULL: none, rounds only */
    choice_rule rule;       /* left, time and jobs are set by the scheduler */
    int jobs;               /* number of workers; under mpirun set to the number of other ranks */
    int quiet;              /* 1: no progress line */
    double time;            /* seconds, wall time; 0: no limit */
    double timeout;         /* of a run, seconds; 0: none. A run that takes longer is recorded as failed:timeout */
    int local;              /* 1: workers are local processes, also under mpirun */
    /* Called when all work is done; may add work (raise rule.rounds) and then returns 1, else 0. NULL: no more work. */
    int (*more)(void *arg);
    void *arg;              /* of more */
    scheduler_watch *watch; /* NULL: none */
    /* results */
    int done;              /* runs recorded */
    int cut;               /* 1: ended by the time or a signal, with runs left to do */
    double updates;        /* recomputations of verdicts */
    double update_seconds; /* their total time */
} scheduler;

/* Under mpirun, on all ranks but 0: does jobs for rank 0 until it ends, then returns 1. Otherwise returns 0 at once.
 * Call it before queue_open_records. */
int scheduler_serves(scheduler *s);
void scheduler_run(scheduler *s); /* after queue_open_records; returns when all is done, at the limit or on a signal */

#endif
