/* split_rule: how the nodes of a run are divided, as the field `split` of a spec and the catalogue name it.
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
 * python:K        K of the published     as published      as published
 *                 training nodes of each
 *                 class
 * python:T:V      T of each class        V of each class   the other labelled nodes
 *                 both by random.sample of Python after random.seed(42), for run 0, 1, ... and class 0, 1, ...: run k
 *                 has the k-th draw. python:T:V:SEED: another seed. Published protocols draw so.
 * auto            what the data set and the catalogue say (split_auto)
 *
 * Drawn from (seed, run) and nothing else (python: from run alone): the same for every model and objective, which is
 * what makes comparisons paired. RULE@S (S from 1), such as per-class:20:30@3, is one split for all runs and seeds:
 * that of run S and seed 1, so that splits and runs can be crossed. Public splits are not drawn: public@S is refused.
 */
#ifndef JCB_SPLIT_RULE_H
#define JCB_SPLIT_RULE_H

typedef struct split_rule {
    const char *text; /* the rule as it was given */
    enum split_kind {
        SPLIT_AUTO,
        SPLIT_PUBLIC,
        SPLIT_REDRAW,
        SPLIT_PER_CLASS,
        SPLIT_FRACTION,
        SPLIT_HOLDOUT,
        SPLIT_LABELS,
        SPLIT_PYTHON
    } kind;
    int train, val;                /* T (or K, then V is 0) and V */
    int seed;                      /* python: of random.seed */
    double train_share, val_share; /* a and b */
    int number;                    /* S; 0: a split for each run */
} split_rule;

split_rule split_rule_read(const char *text);           /* keeps the pointer; dies on another text */
int split_rule_try(split_rule *rule, const char *text); /* 0: the text is none of the rules above */

#endif
