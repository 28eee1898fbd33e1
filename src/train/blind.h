/* blind: a problem without its test labels, for whatever chooses hyper-parameters. */
#ifndef JCB_BLIND_H
#define JCB_BLIND_H

#include "problem.h"

/* A view of p in one run: it has one split, that run's, with no test part, and the label of every node outside training
 * and validation is -1 (with several labels a node: it has none of them). A view (problem_view): p must be prepared
 * before and outlive it. Train with split "auto" on it. The data hash stays that of p. */
problem *blind_problem(arena *a, const problem *p, split_rule rule, uint64_t seed, int run);

#endif
