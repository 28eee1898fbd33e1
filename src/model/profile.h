/* profile: where the time of an epoch goes, op by op (jcb train --profile). */
#ifndef JCB_PROFILE_H
#define JCB_PROFILE_H

#include "plan.h"

/* What `epochs` epochs of training and predicting took, each in ms an epoch; `total_ms`: the epoch as a whole. The plans had timed = 1. */
void profile_print(const plan *train, const plan *predict, int epochs, double total_ms);

#endif
