/* status_line: the progress of all experiments in one line: runs done, orderings decided and open, what runs now,
 * time. */
#ifndef JCB_STATUS_LINE_H
#define JCB_STATUS_LINE_H

#include "../src/base/clock.h"
#include "queue.h"

typedef struct status_line {
    int done;                  /* runs */
    const int *decided, *open; /* orderings on real data and on stand-ins; NULL: none are tested */
    const queue_cell *cell;    /* what runs now; NULL: nothing */
    int run, others;           /* run -1: its data are being prepared; others: further jobs that run */
    double left;               /* seconds; negative or infinite: unknown */
} status_line;

void status_line_write(progress *p, const status_line *s);

#endif
