/* share: training takes what prediction has computed already.
 *
 * An epoch of full batches ends with predicting the validation nodes by the new parameters; the next one starts with
 * the same parameters, and up to the first dropout (or batch normalisation, or objective) its ops compute the same
 * numbers. So these are computed once, in the prediction, for the rows that either needs; the training workspace copies
 * its rows where the two part, and drops; where it reads all of them as they are, it reads them in the prediction's
 * buffer. Not a bit changes. Its gradients then live in the buffers of the prediction (all reused values are copied
 * before the first gradient is written): each epoch needs a prediction of its own before it.
 *
 * It is asked for by workspace_new(..., feeds = the training workspace), which is bound first. */
#ifndef JCB_SHARE_H
#define JCB_SHARE_H

#include "workspace.h"

/* Marks what the training workspace can take from a prediction by the same model. Before that one is bound. */
void share_mark(workspace *train);

/* Rows of op k that the training workspace will take: added to `rows` of the prediction. */
void share_rows(const workspace *train, int k, unsigned char *rows);

/* Once the prediction has its buffers. */
void share_link(workspace *train, const workspace *predict);

/* The op's output of the training workspace, from the prediction. */
void share_take(workspace *train, op_state *n);

#endif
