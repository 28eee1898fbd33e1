/* status_line: progress in one line: runs done, orderings decided and open, the current run, time. */
#ifndef JCB_STATUS_LINE_H
#define JCB_STATUS_LINE_H

#include "../base/clock.h"
#include "queue.h"

typedef struct status_line {
    int done;                  /* runs */
    const int *decided, *open; /* orderings: [0] on comparable data, [1] on stand-ins; NULL: none are tested */
    const queue_cell *cell;    /* of the job started last; NULL: none is running */
    const char *news;          /* what was decided last; NULL, "": nothing */
    int run, others;           /* run -1: the cell is being prepared; others: number of other running jobs */
    double left;               /* seconds; negative or infinite: unknown */
} status_line;

enum { STATUS_LINE = 800 };
void status_line_text(char line[STATUS_LINE], const status_line *s, double elapsed);

#endif
