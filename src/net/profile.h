/* profile: the time of an epoch by op (jcb train --profile). */
#ifndef JCB_PROFILE_H
#define JCB_PROFILE_H

#include "workspace.h"

/* What `epochs` epochs of training and predicting took, each in ms an epoch; `total_ms`: the epoch as a whole. The
 * workspaces had timed = 1. */
void profile_print(const workspace *train, const workspace *predict, int epochs, double total_ms);

/* Lower bounds of the work of an epoch: flops of the dense products; bytes with every operand and result of a product
 * moved once (batch normalisation, activation, dropout and objective could be fused with them). predict may be NULL. */
typedef struct profile_work {
    double dense_flops, bytes;
} profile_work;
profile_work profile_compulsory(const workspace *train, const workspace *predict);

#endif
