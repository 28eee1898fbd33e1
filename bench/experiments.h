/* experiments: all of them, in the order in which they are listed. */
#ifndef JCB_EXPERIMENTS_H
#define JCB_EXPERIMENTS_H

#include "bench.h"

extern const bench *const experiments[]; /* ends with NULL */

#endif
