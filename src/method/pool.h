/* pool: executes a list of runs. Runs on small graphs go side by side, one thread each; a run on a large graph goes
 * alone, on all threads. */
#ifndef JCB_POOL_H
#define JCB_POOL_H

#include "../train/workers.h"
#include "method.h"

typedef struct pool_job {
    const problem *p; /* prepared for the spec */
    const spec *s;
    uint64_t seed;
    int run;
    double *cost; /* seconds: the estimate, replaced by the measured time; jobs of one spec may share one */
} pool_job;

typedef struct pool {
    int jobs;                      /* side by side on small graphs */
    int threads;                   /* of a run; 0: 1 on small graphs, the cores on large ones */
    double time;                   /* seconds; a run that is not expected to end by then is not started; 0: no limit */
    int quiet;                     /* no progress */
    int (*take)(void *arg, int i); /* called before each run, under a lock; returns 0 to skip it; NULL: run all */
    /* Called after each run, under a lock; jobs: how many ran side by side. */
    void (*done)(void *arg, int i, const outcome *o, int jobs);
    void *arg;
} pool;

/* In this order, until the time is up or a signal arrives. Returns how many were done. */
int pool_run(const pool *q, const pool_job *job, int n);

int pool_large(int64_t nodes); /* whether runs on a graph of this size run alone, on all threads */

/* Seconds of a run, a first estimate, within a factor of about four: from the data; from what the catalogue says about
 * them, before they are opened. */
double pool_cost(const problem *p, const spec *s);
double pool_cost_unopened(const catalog_entry *e, const spec *s);

#endif
