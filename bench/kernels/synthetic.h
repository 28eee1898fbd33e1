/* synthetic: graphs of any size for measurements. */
#ifndef JCB_SYNTHETIC_H
#define JCB_SYNTHETIC_H

#include "../../src/train/problem.h"

/* A block model of twin.h: homophily 0.8, ln(degree) with standard deviation 1, nodes in random order; half of each
 * class for training, a quarter for validation. Deterministic: equal sizes give equal graphs. Close it with
 * problem_close. */
problem *synthetic_open(int nodes, int64_t edges, int features, int classes);

/* The same with a share `local` of the links moved into the block of SYNTHETIC_NEAR consecutive nodes of their first
 * node: communities like those of a reordered real graph. These links are independent of classes. */
enum { SYNTHETIC_NEAR = 1024 };
problem *synthetic_local(int nodes, int64_t edges, int features, int classes, double local);

double synthetic_bytes(int nodes, int64_t edges, int features); /* upper bound of the memory needed to make it */

#endif
