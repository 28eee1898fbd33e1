/* costs: the expected seconds of a run of each cell: from the published runs (data/costs.tsv) and those
 * recorded in OUT.
 *
 *   (W p r + sum of its own runs) / (W + their number)
 *
 * p: mean of the published runs of the cell; r: the pace of this machine, exp of the mean of ln(own / p) over its runs;
 * W = 3. One run tells little: networks that stop early differ by factors of ten from run to run. Without p the own
 * mean, and before a first run the estimate of method/cost_model.h. */
#ifndef JCB_COSTS_H
#define JCB_COSTS_H

#include "../base/buf.h"
#include "queue.h"

void costs_open(queue *q);                               /* after all cells were added; a missing file is no error */
void costs_add(queue *q, queue_cell *c, double seconds); /* a run of the cell took so long here */
void costs_update(queue *q);                             /* sets the seconds of all cells; after some costs_add */
void costs_tsv(buf *out, const records *r);              /* the file: the mean of the successful runs of each cell */

#endif
