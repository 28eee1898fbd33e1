/* variant_rule: which graph a data set has, as the field `attack` of a spec names it.
 *
 *   none                             the data set as it is
 *   meta:RATE                        the graph that Pro-GNN publishes, poisoned by metattack (cora-lcc and the like)
 *   METHOD:RATE[:SEED][:fixed][:row|:none][:stepsT]   flips found by a method of attack.h; without them
 *                                    seed 1, fresh, the norm of the victim, 100 steps
 *   METHOD:RATE:run                  the same with another seed for each run (variant_of_run)
 *   file:PATH                        flips given by the user, one line `u v` each (flip_file.h) */
#ifndef JCB_VARIANT_RULE_H
#define JCB_VARIANT_RULE_H

#include "../../base/arena.h"
#include <stdint.h>

/* Weights from which metattack trains: new ones for every flip, uniform in +-1/sqrt(columns) as DeepRobust draws them;
 * or one draw from Xavier's range for all flips, as the first authors do. */
enum attack_init { ATTACK_FRESH, ATTACK_FIXED };
extern const char *const attack_init_name[]; /* ends with NULL */

/* Features that the attack sees: those of the attacked networks, unchanged, or with rows scaled to sum 1. */
enum attack_norm { ATTACK_NORM_VICTIM, ATTACK_NORM_NONE, ATTACK_NORM_ROW };

typedef struct attack_spec {
    const struct attack_method *method;
    double rate;
    uint64_t seed;
    enum attack_init init;
    enum attack_norm norm; /* read by the caller, which makes the target */
    int steps;             /* exact metattack: steps of the inner training, 2 to ATTACK_STEPS; 0: 100 */
    int64_t block;         /* prbcd, grbcd: candidate pairs at a time; 0: by the size of the graph */
} attack_spec;

/* "METHOD:RATE" and what may follow it, e.g. "metaself:0.05:3:fixed"; dies on anything else. */
attack_spec attack_parse(const char *text);

typedef struct variant_rule {
    const char *text; /* the rule as it was given */
    enum variant_kind { VARIANT_NONE, VARIANT_PUBLISHED, VARIANT_FILE, VARIANT_FOUND } kind;
    const char *path; /* VARIANT_FILE: of the flips */
    attack_spec s;    /* VARIANT_FOUND; VARIANT_PUBLISHED: its rate */
    int per_run;      /* METHOD:RATE:run: each run has a graph of its own */
} variant_rule;

variant_rule variant_rule_read(const char *text); /* keeps the pointer; dies on another text; reads no file */

/* random:0.4:run becomes random:0.4:8 for run 7; a rule with one graph for all runs stays as it is. */
variant_rule variant_of_run(arena *a, variant_rule rule, int run);

#endif
