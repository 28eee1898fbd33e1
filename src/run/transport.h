/* transport: sends jobs to worker processes and receives their answers. A worker has one job at a time. If it ends
 * before it has answered, its job is reported as lost and a new worker takes its place.
 *
 *   transport_local   forked processes, socket pairs
 *   transport_mpi     the other ranks of mpirun; each forks one process for its jobs, so that a crash does not end the
 *                     rank
 * A process that forks workers must not have started OpenMP threads (they do not survive a fork): the scheduler only
 * waits and writes records. */
#ifndef JCB_TRANSPORT_H
#define JCB_TRANSPORT_H

#include <stddef.h>

typedef struct transport_work {
    /* Does a job, in the worker process: writes the answer to out and returns its bytes. */
    size_t (*work)(void *arg, void *out, const void *in);
    void *arg;
    size_t in, out; /* bytes of a job, most bytes of an answer */
} transport_work;

typedef struct transport_message {
    int worker;
    const void *data; /* the answer, valid until the next receive; NULL: the worker ended */
    char why[64];     /* if it ended: "signal 9", "exit code 3", "timeout" */
} transport_message;

typedef struct transport {
    int workers;
    const int *host; /* of each worker; workers of one machine have equal numbers */
    /* The worker must be idle. timeout: the worker is killed after so many seconds; 0: never. */
    void (*send)(struct transport *t, int worker, const void *job, double timeout);
    /* Waits at most so many seconds; a signal ends the wait. Returns 0 if nothing was received. */
    int (*receive)(struct transport *t, transport_message *m, double seconds);
    void (*close)(struct transport *t); /* ends the workers and frees t */
} transport;

transport *transport_local(const transport_work *w, int workers);

/* How many processes mpirun has started, and which of them this one is: 1 and 0 without mpirun. Joins the others, so
 * the two functions below come after it. Dies under mpirun in a build without MPI. */
int transport_ranks(int *rank);
transport *transport_mpi(const transport_work *w); /* rank 0 */
void transport_serve(const transport_work *w);     /* the other ranks; returns when rank 0 closes its transport */

#endif
