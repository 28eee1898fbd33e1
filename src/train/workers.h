/* workers: threads that take jobs until none are left.
 *
 * Jobs run side by side, w->jobs at a time, each on w->threads threads (0: one). A job that is `alone` starts when all
 * others have ended and has the machine to itself (w->threads, 0: all cores). Jobs are numbers that only the callbacks
 * understand. `next` and `done` are called one at a time, from whichever thread; `run` is called without a lock. */
#ifndef JCB_WORKERS_H
#define JCB_WORKERS_H

enum { WORKERS_NONE = -1, WORKERS_WAIT = -2 };

typedef struct workers {
    int jobs, threads;
    /* The next job, which then counts as started; WORKERS_WAIT: ask again when a running job has ended; WORKERS_NONE:
     * no more. */
    int (*next)(void *arg, int *alone);
    void (*run)(void *arg, int job);
    void (*done)(void *arg, int job, int jobs); /* jobs: how many may have run at once */
    void *arg;
} workers;

/* Until `next` returns that nothing is left or a signal arrives (workers_stopped): running jobs then finish and no new
 * one starts. */
void workers_run(const workers *w);

/* From now on SIGINT and SIGTERM let the running jobs end; a second one ends the program at once. */
void workers_catch_signals(void);
int workers_stopped(void); /* the signal that arrived, 0: none; a program that it interrupts exits with 128 + signal */

#endif
