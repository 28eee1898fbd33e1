/* buffers: which memory outputs and gradients of a workspace live in. A buffer is in use from its first writer to its
 * last reader; with RECYCLE it then holds another one. Sizes are those of the batch, lifetimes those of the program. */
#ifndef JCB_BUFFERS_H
#define JCB_BUFFERS_H

#include "workspace.h"

void buffers_outputs(
    workspace *ws); /* once the rows of all ops are known; gradients get their shapes, not their memory */
void buffers_gradients(workspace *ws); /* before the first backward pass */

/* Gradients of a training workspace live in the buffers of a prediction: all values that it takes from there are copied
 * before the first gradient is written, or (SHARE_ALIAS) their buffer is not lent and training gives the one that it
 * does not use. */
void buffers_lend(workspace *train, const workspace *predict);

#endif
