/* scheduler: runs of the cells of a queue, in the order of choice.h, on the threads of workers.h, within a time; one progress line for the whole. */
#ifndef JCB_SCHEDULER_H
#define JCB_SCHEDULER_H

#include "choice.h"
#include "queue.h"
#include "verdicts.h"

typedef struct scheduler {
    queue *q;
    verdicts *v;     /* NULL: no orderings, rounds only */
    choice_rule rule; /* left and jobs are filled in */
    int jobs, quiet;
    double time;     /* seconds by the monotonic clock; 0: no limit */
    /* what came of it */
    int done;        /* runs recorded */
    int cut;         /* 1: ended by the time or a signal, with runs left to do */
    double updates, update_seconds; /* verdicts computed anew: how often, how long all together */
} scheduler;

void scheduler_run(scheduler *s);

#endif
