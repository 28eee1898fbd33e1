/* share: training reuses the first layers of the prediction before it.
 *
 * An epoch of full batches ends with the prediction of the validation nodes by the new parameters. The next epoch
 * starts from the same parameters, so its ops compute the same values up to the first dropout, batch normalisation or
 * objective. These values are computed once, in the prediction, for the union of the rows that both need. The training
 * workspace copies its rows (and applies dropout) at the last shared op, or reads them in the prediction's buffer if it
 * needs all of them unchanged. The bits are the same. Gradients of training are placed in the buffers of the prediction
 * (all reused values are copied before the first gradient is written), so every epoch needs a prediction before it.
 *
 * Requested by workspace_new(..., feeds = the training workspace), which is bound first. */
#ifndef JCB_SHARE_H
#define JCB_SHARE_H

#include "workspace.h"

/* Marks the ops whose values the training workspace can reuse from a prediction by the same model. Call it before the
 * prediction is bound. */
void share_mark(workspace *train);

/* Adds the rows of op k that the training workspace will reuse to `rows` of the prediction. */
void share_rows(const workspace *train, int k, unsigned char *rows);

/* Connects the two, once the prediction has its buffers. */
void share_link(workspace *train, const workspace *predict);

/* Fills the op's output in the training workspace from the prediction. */
void share_take(workspace *train, op_state *n);

#endif
