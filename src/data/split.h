/* split: which nodes train, validate and test in one run.
 *
 * rule            training               validation        test
 * public          the published split number run % nsplits
 * redraw          the nodes of that split, reassigned at random, regardless of class, to parts of the same sizes
 * per-class:T:V   T of each class        V of each class   the other labelled nodes
 * fraction:a:b    floor(a n_c) of each   floor(b n_c)      the other labelled nodes; a class of three nodes or more
 *                 class of n_c nodes                       has at least one in each part
 *                                                          (multi-label: of all nodes, as if they were one class)
 * holdout:b       the other published    a share b of the  as published
 *                 training nodes         published training
 *                                        nodes
 * labels:T        T of each class        as published      as published; the training nodes come from all labelled
 *                                                          nodes that the published validation and test leave over
 *
 * Drawn from (seed, run) and nothing else: the same for every model and objective, which is what makes comparisons
 * paired. RULE@S (S from 1), such as per-class:20:30@3, is one split for all runs and seeds: that of run S and seed 1,
 * so that splits and runs can be crossed. Public splits are not drawn: public@S is refused. Dies when the data do not
 * allow the rule. Node ids are ascending in every part. */
#ifndef JCB_SPLIT_H
#define JCB_SPLIT_H

#include "dataset.h"

/* What rule "auto" means: the published splits (from which "holdout:" of the catalogue takes a part), else the
 * catalogue's rule, else per-class:20:30. */
const char *split_auto(const dataset *d, const catalog *c);

void split_check(const char *rule); /* dies unless it is a rule or "auto" */
split split_draw(arena *a, const dataset *d, const char *rule, uint64_t seed, int run);

/* How many runs, from run 0 on, have different test parts. With several published splits that is their number: run
 * nsplits would have the split of run 0 again, and the two would not be independent. INT_MAX: no limit, since a split
 * is drawn for each run, or the rule has one split for all: RULE@S, or the only published one. */
int split_runs(const dataset *d, const char *rule);

/* The split with node i in part part[i]; PARTS: in none. */
split split_of_parts(arena *a, const unsigned char *part, int nodes);

#endif
