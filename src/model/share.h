/* share: training takes what prediction has computed already.
 *
 * An epoch ends with predicting the validation nodes by the new parameters; the next one starts with the same parameters, and up to the first
 * dropout (or batch normalisation, or objective) its ops compute the same numbers. So these are computed once, in the prediction, for the rows that either needs;
 * the training plan copies its rows where the two part, and drops. Not a bit changes. Its gradients then live in the buffers of the prediction: each epoch
 * needs a prediction of its own before it. */
#ifndef JCB_SHARE_H
#define JCB_SHARE_H

#include "plan.h"

/* Marks what the training plan can take from a prediction plan of the same model. Before that one is made. */
void share_mark(plan *train);

/* Rows of op k that the training plan will take: added to `rows` of the prediction. */
void share_rows(const plan *train, int k, unsigned char *rows);

/* Once the prediction plan has its buffers. */
void share_link(plan *train, const plan *predict);

/* The op's output of the training plan, from the prediction. */
void share_take(plan *train, node *n);

#endif
