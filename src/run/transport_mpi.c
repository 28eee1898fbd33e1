/* Rank 0 schedules; every other rank has one worker process (transport_local) and forwards messages. Ranks poll and
 * sleep: MPI_Recv would keep a core busy while it waits. */
#include "../base/arena.h"
#include "../base/err.h"
#include "transport.h"

#ifdef JCB_MPI
#include "../base/clock.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_JOB = 1, TAG_ANSWER, TAG_LOST, TAG_END };
#define POLL 1e-3 /* seconds between polls */

typedef struct ranks {
    transport t;
    arena a;
    transport_work w;
    char *job; /* the seconds of the timeout, then the job */
    char *answer;
} ranks;

/* Without mpirun, MPI_Init would start a daemon. */
static int is_started_by_mpirun(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

static void finish(void) { MPI_Finalize(); }

int transport_ranks(int *rank)
{
    int ready = 0, size = 1;
    *rank = 0;
    if (!is_started_by_mpirun())
        return 1;
    MPI_Initialized(&ready);
    if (!ready) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &ready); /* threads compute; one of them calls MPI */
        atexit(finish);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static void pause_for(double seconds) { nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL); }

/* The lowest rank on this machine. Collective. */
static int host_number(void)
{
    MPI_Comm here;
    int rank, lowest;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, here);
    MPI_Comm_free(&here);
    return lowest;
}

/* --- rank 0 --- */

static void mpi_send(transport *t, int worker, const void *job, double timeout)
{
    ranks *r = (ranks *)t;
    memcpy(r->job, &timeout, sizeof timeout);
    memcpy(r->job + sizeof timeout, job, r->w.in);
    MPI_Send(r->job, (int)(sizeof timeout + r->w.in), MPI_BYTE, worker + 1, TAG_JOB, MPI_COMM_WORLD);
}

static int mpi_receive(transport *t, transport_message *m, double seconds)
{
    ranks *r = (ranks *)t;
    double end = clock_now() + seconds;
    int there = 0, n;
    MPI_Status from;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from), !there && clock_now() < end)
        pause_for(POLL);
    if (!there)
        return 0;
    MPI_Get_count(&from, MPI_BYTE, &n);
    MPI_Recv(r->answer, n, MPI_BYTE, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *m = (transport_message){.worker = from.MPI_SOURCE - 1, .data = from.MPI_TAG == TAG_ANSWER ? r->answer : NULL};
    if (!m->data)
        memcpy(m->why, r->answer, sizeof m->why);
    return 1;
}

static void mpi_close(transport *t)
{
    ranks *r = (ranks *)t;
    for (int k = 0; k < t->workers; k++)
        MPI_Send(NULL, 0, MPI_BYTE, k + 1, TAG_END, MPI_COMM_WORLD);
    arena a = r->a;
    arena_free(&a);
}

transport *transport_mpi(const transport_work *w)
{
    arena a = {0};
    ranks *r = NEW(&a, ranks, 1);
    int size, mine = host_number();
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *host = NEW(&a, int, (size_t)size);
    MPI_Gather(&mine, 1, MPI_INT, host, 1, MPI_INT, 0, MPI_COMM_WORLD);
    size_t answer = w->out > sizeof(((transport_message *)0)->why) ? w->out : sizeof(((transport_message *)0)->why);
    r->job = NEW(&a, char, sizeof(double) + w->in);
    r->answer = NEW(&a, char, answer);
    r->w = *w;
    r->t = (transport){size - 1, host + 1, mpi_send, mpi_receive, mpi_close};
    r->a = a;
    return &r->t;
}

/* --- the other ranks --- */

/* Forwards a job to the worker, and its answer or how it ended to rank 0. */
static void forward(transport *local, const char *job, size_t out)
{
    transport_message m;
    double timeout;
    memcpy(&timeout, job, sizeof timeout);
    local->send(local, 0, job + sizeof timeout, timeout);
    while (!local->receive(local, &m, 1))
        ;
    if (m.data)
        MPI_Send(m.data, (int)out, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    else
        MPI_Send(m.why, sizeof m.why, MPI_BYTE, 0, TAG_LOST, MPI_COMM_WORLD);
}

void transport_serve(const transport_work *w)
{
    arena a = {0};
    transport *local = transport_local(w, 1);
    char *job = NEW(&a, char, sizeof(double) + w->in);
    int mine = host_number(), there;
    MPI_Status s;
    MPI_Gather(&mine, 1, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    for (s.MPI_TAG = TAG_JOB; s.MPI_TAG != TAG_END;) {
        if (MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &s), !there) {
            s.MPI_TAG = TAG_JOB;
            pause_for(POLL);
            continue;
        }
        MPI_Recv(job, (int)(sizeof(double) + w->in), MPI_BYTE, 0, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (s.MPI_TAG == TAG_JOB)
            forward(local, job, w->out);
    }
    local->close(local);
    arena_free(&a);
}

#else

#include <stdlib.h>

int transport_ranks(int *rank)
{
    *rank = 0;
    if (getenv("OMPI_COMM_WORLD_SIZE") && atoi(getenv("OMPI_COMM_WORLD_SIZE")) > 1)
        die("this program was built without MPI: ./setup.sh --mpi and ./configure --with-mpi, or --shard instead of "
            "mpirun");
    return 1;
}

transport *transport_mpi(const transport_work *w)
{
    (void)w;
    die("this program was built without MPI");
}

void transport_serve(const transport_work *w) { (void)w; }

#endif
