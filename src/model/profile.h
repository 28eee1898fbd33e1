/* profile: where the time of an epoch goes, op by op (jcb train --profile). */
#ifndef JCB_PROFILE_H
#define JCB_PROFILE_H

#include "workspace.h"

/* What `epochs` epochs of training and predicting took, each in ms an epoch; `total_ms`: the epoch as a whole. The workspaces had timed = 1. */
void profile_print(const workspace *train, const workspace *predict, int epochs, double total_ms);

#endif
