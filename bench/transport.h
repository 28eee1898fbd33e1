/* transport: messages to worker processes and back. One job at a time goes to a worker, and one answer comes back; a
 * worker that ends instead is replaced by a new one, and the job is reported as lost.
 *
 *   transport_local   processes forked here; socket pairs
 *   transport_mpi     the other ranks of mpirun, each with one forked process that does its work, so that a crash costs
 *                     no rank
 * A process that forks workers must have run no OpenMP threads (they do not survive a fork): the scheduler's does
 * nothing but wait and write records. */
#ifndef JCB_TRANSPORT_H
#define JCB_TRANSPORT_H

#include <stddef.h>

/* What a worker does with a job: n bytes in, at most `room` bytes out; returns how many. Runs in the worker's process,
 * may take as long as it likes. */
typedef struct transport_work {
    size_t (*work)(void *arg, void *out, const void *in);
    void *arg;
    size_t in, out; /* bytes of a job, most bytes of an answer */
} transport_work;

typedef struct transport_message {
    int worker;
    const void *data; /* the answer, valid until the next call; NULL: the worker ended */
    char why[64];     /* then: "signal 9", "exit code 3", "timeout" */
} transport_message;

typedef struct transport {
    int workers;
    const int *host; /* of each worker; equal numbers share a machine */
    void (*send)(struct transport *t, int worker, const void *job,
                 double timeout); /* seconds, 0: none. The worker must be idle */
    int (*receive)(struct transport *t, transport_message *m,
                   double seconds);     /* waits at most so long, or for a signal; 0: nothing came */
    void (*close)(struct transport *t); /* ends the workers and frees t */
} transport;

transport *transport_local(const transport_work *w, int workers);

/* mpirun: whether this process is one of several ranks, and which. Without MPI, or alone: 1 rank. Collective: every
 * rank calls it before anything else here. */
int transport_ranks(int *rank);
transport *transport_mpi(const transport_work *w); /* rank 0 */
void transport_serve(const transport_work *w);     /* the other ranks: until rank 0 closes its transport */

#endif
