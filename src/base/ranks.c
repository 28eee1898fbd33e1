#include "ranks.h"
#include "arena.h"
#include "err.h"
#include <limits.h>
#include <stdlib.h>

static int count = 1, mine = 0;

int ranks_count(void) { return count; }
int ranks_me(void) { return mine; }

#ifdef JCB_MPI
#include <mpi.h>

enum { SENDS = 256 };
static MPI_Request sending[SENDS];
static int nsending;

static void finish(void)
{
    if (count > 1)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); /* the others wait for this rank */
    MPI_Finalize();
}

/* Without mpirun, MPI_Init would start a daemon. */
static int is_started_by_mpirun(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

int ranks_start(int *me)
{
    int ready = 0, size = 1;
    *me = 0;
    if (!is_started_by_mpirun())
        return 1;
    MPI_Initialized(&ready);
    if (!ready) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &ready); /* threads compute; one of them calls MPI */
        atexit(finish);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

void ranks_unite(void) { count = ranks_start(&mine); }

void ranks_end(void)
{
    ranks_wait();
    count = 1;
}

static int size_of(size_t bytes)
{
    if (bytes > INT_MAX)
        die("a message of %zu bytes between ranks: 2 GB is the most; use more ranks", bytes);
    return (int)bytes;
}

void ranks_send(int to, const void *p, size_t bytes)
{
    if (nsending == SENDS)
        ranks_flush();
    MPI_Isend(p, size_of(bytes), MPI_BYTE, to, 0, MPI_COMM_WORLD, sending + nsending++);
}

void ranks_receive(int from, void *p, size_t bytes)
{
    MPI_Recv(p, size_of(bytes), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void ranks_flush(void)
{
    MPI_Waitall(nsending, sending, MPI_STATUSES_IGNORE);
    nsending = 0;
}

void ranks_share(int from, void *p, size_t bytes)
{
    if (count > 1)
        MPI_Bcast(p, size_of(bytes), MPI_BYTE, from, MPI_COMM_WORLD);
}

void ranks_wait(void)
{
    if (count > 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

static MPI_Datatype unit_type(size_t unit)
{
    MPI_Datatype t;
    MPI_Type_contiguous(size_of(unit), MPI_BYTE, &t);
    MPI_Type_commit(&t);
    return t;
}

void ranks_gather(void *all, const int *start, size_t unit)
{
    if (count == 1)
        return;
    arena tmp = {0};
    int *many = NEW(&tmp, int, (size_t)count);
    MPI_Datatype t = unit_type(unit);
    for (int r = 0; r < count; r++)
        many[r] = start[r + 1] - start[r];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, many, start, t, MPI_COMM_WORLD);
    MPI_Type_free(&t);
    arena_free(&tmp);
}

void ranks_exchange(const void *out, const int *nout, void *in, const int *nin, size_t unit)
{
    arena tmp = {0};
    MPI_Request *r = NEW(&tmp, MPI_Request, 2 * (size_t)count);
    MPI_Datatype t = unit_type(unit);
    char *to = in;
    const char *from = out;
    int n = 0;
    for (int k = 0; k < count; to += (size_t)nin[k++] * unit)
        if (nin[k])
            MPI_Irecv(to, nin[k], t, k, 1, MPI_COMM_WORLD, r + n++);
    for (int k = 0; k < count; from += (size_t)nout[k++] * unit)
        if (nout[k])
            MPI_Isend(from, nout[k], t, k, 1, MPI_COMM_WORLD, r + n++);
    MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    MPI_Type_free(&t);
    arena_free(&tmp);
}

#else

int ranks_start(int *me)
{
    *me = 0;
    if (getenv("OMPI_COMM_WORLD_SIZE") && atoi(getenv("OMPI_COMM_WORLD_SIZE")) > 1)
        die("this program was built without MPI: ./setup.sh --mpi and ./configure --with-mpi, or, for experiments, "
            "--shard instead of mpirun");
    return 1;
}

void ranks_unite(void) { count = ranks_start(&mine); }
void ranks_end(void) {}
void ranks_send(int to, const void *p, size_t bytes) { (void)to, (void)p, (void)bytes; }
void ranks_receive(int from, void *p, size_t bytes) { (void)from, (void)p, (void)bytes; }
void ranks_flush(void) {}
void ranks_share(int from, void *p, size_t bytes) { (void)from, (void)p, (void)bytes; }
void ranks_wait(void) {}
void ranks_gather(void *all, const int *start, size_t unit) { (void)all, (void)start, (void)unit; }

void ranks_exchange(const void *out, const int *nout, void *in, const int *nin, size_t unit)
{
    (void)out, (void)nout, (void)in, (void)nin, (void)unit;
}

#endif
