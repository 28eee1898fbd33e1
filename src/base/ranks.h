/* ranks: the processes that mpirun has started.
 *
 * Experiments give runs to ranks (bench/transport.h). After ranks_unite they compute one run together instead, each on
 * its part of the nodes (model/parts.h): every rank then makes the calls below in the same order. Before ranks_unite,
 * without mpirun and in a build without MPI there is one rank: ranks_wait, ranks_share and ranks_gather do nothing, and
 * the other calls are not made. */
#ifndef JCB_RANKS_H
#define JCB_RANKS_H

#include <stddef.h>

/* Joins the others: their number, and the rank of this process; 1 and 0 without mpirun. */
int ranks_start(int *me);

/* From now on they compute together: an error of one ends all. ranks_end: before the program ends well. */
void ranks_unite(void);
void ranks_end(void);

int ranks_count(void);
int ranks_me(void);

void ranks_send(int to, const void *p, size_t bytes); /* p must stay as it is until ranks_flush */
void ranks_receive(int from, void *p, size_t bytes);
void ranks_flush(void); /* waits until everything is sent */

void ranks_share(int from, void *p, size_t bytes); /* p of that rank, for all */
void ranks_wait(void);                             /* until all ranks are here */

/* `all` is made of one piece of each rank, from unit start[r] to start[r + 1]. Each has its own in place; afterwards
 * everybody has all. */
void ranks_gather(void *all, const int *start, size_t unit);

/* Sends nout[r] units to each rank r and receives nin[r], both in the order of the ranks. */
void ranks_exchange(const void *out, const int *nout, void *in, const int *nin, size_t unit);

#endif
