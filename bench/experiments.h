/* experiments: the list of all experiments; `jcb reproduce` and --help follow its order. */
#ifndef JCB_EXPERIMENTS_H
#define JCB_EXPERIMENTS_H

#include "bench.h"

extern const bench *const experiments[]; /* ends with NULL */

#endif
