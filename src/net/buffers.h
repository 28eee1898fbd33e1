/* buffers: assigns memory to the outputs and gradients of a workspace. A buffer is in use from its first writer to its
 * last reader; with RECYCLE it is then reused. Sizes are those of the batch, lifetimes those of the program. */
#ifndef JCB_BUFFERS_H
#define JCB_BUFFERS_H

#include "workspace.h"

/* Assigns the outputs, once the rows of all ops are known; gradients get their shapes, not yet their memory. */
void buffers_outputs(workspace *ws);
void buffers_gradients(workspace *ws); /* before the first backward pass */

/* Places the gradients of a training workspace into the buffers of a prediction. All values reused from there are
 * copied before the first gradient is written; a buffer that training reads in place (SHARE_ALIAS) is not used, and the
 * training workspace's own unused buffer takes its place. */
void buffers_lend(workspace *train, const workspace *predict);

#endif
