/* variant: a data set with another graph, by the rules of variant_rule.h.
 *
 * Features, labels and splits are those of the data set. The hash is that of the data set and of the new graph, so
 * partitions, keys of runs and everything else that goes by the hash follow. */
#ifndef JCB_VARIANT_H
#define JCB_VARIANT_H

#include "attack.h"

/* The difference between two graphs. */
typedef struct variant_change {
    int64_t added, removed;
    int64_t same;  /* added links that join equal classes */
    int64_t touch; /* added links with an end in the training part of the first split */
} variant_change;

variant_change variant_compare(const csr *before, const csr *after, const int *y, const split *part);

/* The data set `name` with the graph of the rule; with METHOD:RATE:run the unchanged data set. scale_rows: whether the
 * attacked networks see features with rows scaled to sum 1; the attack then sees the same, unless :row or :none
 * overrides it.
 *
 * Flips that take long to find (metattack, prbcd, grbcd) are kept in a file below the cache directory, appended as they
 * are found: an interrupted attack resumes, and a larger rate starts from the flips of a smaller one where those are
 * its first ones. Another process or thread that needs the same flips waits for them. A twin has no published poisoned
 * graph: meta:RATE then becomes dice:RATE with a warning. */
dataset *variant_open(arena *a, const data_dirs *dirs, const char *name, variant_rule rule, int scale_rows,
                      variant_change *change);

/* The split that an attack uses: run 0 of rule "auto" (split_auto). Dies on multi-label data. */
split variant_split(arena *a, const data_dirs *dirs, const dataset *d, uint64_t seed);

/* Estimated seconds, on one core, to find the flips; 0 where they are read or drawn at random. */
double variant_cost(variant_rule rule, double nodes, double links, double features);

/* Runs an attack and appends its flips to a file that starts with `header`; *known of them are from an earlier start.
 * wait: wait for another process that writes the file, instead of dying. prefix: the file may hold more flips than
 * needed, the first are used. mark: a complete file ends with a line that says so and is not computed again. */
typedef struct variant_file {
    const char *path, *header;
    int wait, prefix, mark, quiet;
} variant_file;
flip *variant_flips(arena *a, int64_t *n, int64_t *known, const dataset *d, const attack_target *t,
                    const attack_spec *s, const variant_file *f);

#endif
