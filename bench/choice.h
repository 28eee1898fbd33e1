/* choice: which cell gets the next run. No clock, no files, no state: the same input gives the same choice.
 *
 *   1. rounds: every printed cell (one that fills a number of the paper's tables) once, up to rule->rounds times.
 *      Within a round: cells that run side by side before those that need the machine to themselves, cheap before dear.
 *      Cells of which a run takes longer than rule->longest wait.
 *   2. the least core-seconds to complete something, where an ordering counts as much as rule->worth printed cells, and
 *      one of these as rule->worth others:
 *        a printed cell has rule->fill runs       (fill - runs it has) * seconds of a run
 *        any other cell has its first run         worth * seconds of a run
 *        an open ordering of cells with `fill` runs is decided:
 *          1 / worth * sum over both sides of (n + more - runs it has) * seconds of a run
 *          (more: estimated pairs still needed)
 *      The side of an ordering with fewer runs is next; an ordering whose runs are all under way waits for its verdict.
 *      Orderings on substitutes and twins, and those that no number of runs is known to decide, come last.
 *   3. what feeds figures or tables beyond the paper only: by rounds, up to rule->curves runs; not with
 *      rule->until_decided.
 * A run that does not fit into rule->left seconds is not chosen. */
#ifndef JCB_CHOICE_H
#define JCB_CHOICE_H

typedef struct choice_cell {
    double seconds; /* of a run, by the clock */
    int alone;      /* needs the machine to itself */
    int next, most; /* runs that it has, or that are under way; runs that it may have */
    int printed;    /* fills a number of the paper's tables */
    int claims;     /* orderings that it is a side of */
    int busy;       /* being prepared: it can be chosen when that has ended */
    int gone;       /* cannot be run */
} choice_cell;

typedef struct choice_claim { /* an ordering of two cells */
    int a, b;                 /* cells; -1: it is none of ours */
    int open;                 /* 0: decided, or practically equal */
    int n;                    /* pairs that its verdict has seen */
    double more;              /* estimated further pairs until a decision, at least 1; INFINITY: unknown */
    int stand_in;             /* on data that stand in for the real ones */
} choice_claim;

typedef struct choice_rule {
    int rounds, fill, curves;
    double worth;
    int until_decided;
    int jobs;       /* runs side by side: what a run that needs the machine to itself displaces */
    double longest; /* seconds; INFINITY: none is long */
    double left;    /* seconds; INFINITY: no limit */
} choice_rule;

typedef struct choice_input {
    const choice_cell *cell;
    int cells;
    const choice_claim *claim;
    int claims;
} choice_input;

enum { CHOICE_NONE = -1, CHOICE_WAIT = -2 }; /* WAIT: a cell that is being prepared comes before all others */

int choice_next(const choice_input *in, const choice_rule *r);

/* Expected core-seconds from now to the decision of an ordering; 0: all its runs are under way, INFINITY: it cannot be
 * decided. */
double choice_seconds(const choice_input *in, const choice_claim *q, const choice_rule *r);

/* Expected core-seconds of everything that choice_next would still choose, without a limit of time. */
double choice_left(const choice_input *in, const choice_rule *r);

#endif
