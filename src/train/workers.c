#include "workers.h"
#include <omp.h>
#include <pthread.h>
#include <signal.h>

typedef struct crew {
    const workers *w;
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a job has ended, or no other will start side by side */
    int running, leave;
    int alone; /* the job that waits for all others to end; -1: none */
} crew;

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
    stopped = sig;
    signal(sig, SIG_DFL);
}

void workers_catch_signals(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

int workers_stopped(void) { return stopped; }

/* The next job of this worker, or -1. Holds the lock. */
static int take(crew *c)
{
    while (!c->leave) {
        int alone = 0, job = stopped ? WORKERS_NONE : c->w->next(c->w->arg, &alone);
        if (job >= 0 && !alone)
            return job;
        if (job == WORKERS_WAIT && c->running) {
            pthread_cond_wait(&c->ended, &c->lock);
            continue;
        }
        c->leave = 1;
        c->alone = job >= 0 ? job : -1;
        pthread_cond_broadcast(&c->ended);
    }
    return -1;
}

static void work_side_by_side(crew *c)
{
    const workers *w = c->w;
    pthread_mutex_lock(&c->lock);
    for (int job; (job = take(c)) >= 0;) {
        c->running++;
        pthread_mutex_unlock(&c->lock);
        w->run(w->arg, job);
        pthread_mutex_lock(&c->lock);
        c->running--;
        w->done(w->arg, job, w->jobs);
        pthread_cond_broadcast(&c->ended);
    }
    pthread_mutex_unlock(&c->lock);
}

void workers_run(const workers *w)
{
    crew c = {.w = w, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    omp_set_max_active_levels(w->threads > 1 ? 2 : 1);
    do {
        c.leave = 0;
        c.alone = -1;
#pragma omp parallel num_threads(w->jobs)
        {
            omp_set_num_threads(w->threads ? w->threads : 1);
            work_side_by_side(&c);
        }
        if (c.alone >= 0) {
            omp_set_num_threads(w->threads ? w->threads : omp_get_num_procs());
            w->run(w->arg, c.alone);
            w->done(w->arg, c.alone, 1);
        }
    } while (c.alone >= 0);
}
