/* profile: where the time of an epoch goes, op by op (jcb train --profile). */
#ifndef JCB_PROFILE_H
#define JCB_PROFILE_H

#include "workspace.h"

/* What `epochs` epochs of training and predicting took, each in ms an epoch; `total_ms`: the epoch as a whole. The
 * workspaces had timed = 1. */
void profile_print(const workspace *train, const workspace *predict, int epochs, double total_ms);

/* What an epoch cannot do without: operations of the dense products; bytes, each operand and each result of a product
 * moved once (batch normalisation, activation, dropout and objective could all be done along with them). predict may be
 * NULL. */
typedef struct profile_work {
    double dense_flops, bytes;
} profile_work;
profile_work profile_compulsory(const workspace *train, const workspace *predict);

#endif
