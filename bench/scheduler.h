/* scheduler: runs of the cells of a queue, in the order of choice.h, in the processes of transport.h, within a time;
 * one progress line for the whole.
 *
 * Runs go side by side, one worker and one thread each (q->threads, if given). A run that needs the machine to itself
 * starts when the other workers of a machine are idle, on all its cores. A run whose worker ends (a crash, kill -9, no
 * memory) is done again, at most twice, and then recorded as failed:signal 9, or what it was. */
#ifndef JCB_SCHEDULER_H
#define JCB_SCHEDULER_H

#include "choice.h"
#include "queue.h"
#include "verdicts.h"

typedef struct scheduler {
    queue *q;
    verdicts *v;      /* NULL: no orderings, rounds only */
    choice_rule rule; /* left and jobs are filled in */
    int jobs, quiet;  /* jobs: workers; under mpirun, the other ranks */
    double time;      /* seconds by the monotonic clock; 0: no limit */
    double timeout;   /* of a run; 0: none. One that takes longer is recorded as failed:timeout */
    int local;        /* workers are processes of this machine, also under mpirun */
    /* Asked when nothing is left to do, without a limit of time: 1: there is now (more rule.rounds, say). NULL: never
     * more. */
    int (*more)(void *arg);
    void *arg;
    /* results */
    int done;                       /* runs recorded */
    int cut;                        /* 1: ended by the time or a signal, with runs left to do */
    double updates, update_seconds; /* recomputations of verdicts: number and total time */
} scheduler;

/* Under mpirun, on all ranks but the first: works for rank 0 until that has ended, and returns 1; else returns 0. Call
 * it before records are opened. */
int scheduler_serves(scheduler *s);
void scheduler_run(scheduler *s);

#endif
