/* split: which nodes train, validate and test in one run, by the rules of split_rule.h. Dies when the data do not allow
 * the rule. Node ids are ascending in every part. */
#ifndef JCB_SPLIT_H
#define JCB_SPLIT_H

#include "dataset.h"

/* What rule "auto" means: the published splits (from which "holdout:" of the catalogue takes a part), else the
 * catalogue's rule, else per-class:20:30. */
split_rule split_auto(const dataset *d, const catalog *c);

/* rule: not "auto". */
split split_draw(arena *a, const dataset *d, split_rule rule, uint64_t seed, int run);

/* How many runs, from run 0 on, have different test parts. With several published splits that is their number: run
 * nsplits would have the split of run 0 again, and the two would not be independent. INT_MAX: no limit, since a split
 * is drawn for each run, or the rule has one split for all: RULE@S, or the only published one. */
int split_runs(const dataset *d, split_rule rule);

/* The split with node i in part part[i]; PARTS: in none. */
split split_of_parts(arena *a, const unsigned char *part, int nodes);

#endif
