/* choice: which cell gets the next run. A pure function: no clock, no files, no state.
 *
 *   1. rounds, for single experiments: every printed cell (one that fills a number of the paper's tables) once, then
 *      twice, up to rule->rounds times. Within a round: cells that run concurrently before those that need the machine
 *      to themselves, cheap before expensive. jcb reproduce has none.
 *   2. the lowest price, core-seconds for what is completed:
 *
 *          a printed cell has rule->fill runs    seconds of a run * (fill - runs it has)
 *          a table has its first run             seconds of a run * first
 *          a cell of a figure has its first run  seconds of a run * first
 *          any other cell has its first run      seconds of a run * others
 *          an open comparison is decided         sum over both sides, seconds of a run * (n + more - runs it has)
 *                                                / worth
 *
 *      n: pairs that its verdict has seen, more: further ones that it is expected to need. Of the two sides that with
 *      fewer runs is next; a comparison whose runs have all been started waits for its verdict. Comparisons on
 *      substitutes and twins, and those of which `more` is unknown, come last.
 *      When the runs that printed cells of small graphs need take a third of the time that is left, they come first, if
 *      there was time for four times as many.
 *   3. cells that only figures or tables beyond the paper use: in rounds, up to rule->curves runs; not with
 *      rule->until_decided.
 * A run that does not fit into rule->left seconds is not chosen; under 2. one that takes more than a quarter of them
 * comes after all that take less. */
#ifndef JCB_CHOICE_H
#define JCB_CHOICE_H

typedef struct choice_cell {
    double seconds; /* of a run, wall time */
    int alone;      /* needs the machine to itself */
    int next;       /* runs finished or started */
    int max_runs;   /* runs that it may have */
    int printed;    /* the number of the paper's table that it fills, below CHOICE_TABLES; 0: none */
    int large;      /* its graph is large: its run may take longer than all others */
    int figure;     /* is a point of a figure of the paper */
    int claims;     /* orderings that it is a side of */
    int busy;       /* being prepared: it cannot be chosen until that has ended */
    int gone;       /* cannot be run */
} choice_cell;

typedef struct choice_claim { /* an ordering of two cells */
    int a;                    /* the cell of one side; -1: not among the input's */
    int b;                    /* the cell of the other */
    int open;                 /* 0: decided, or practically equal */
    int n;                    /* pairs that its verdict has seen */
    double more;              /* estimated further pairs until a decision, at least 1; INFINITY: unknown */
    int stand_in;             /* on a substitute or twin */
} choice_claim;

typedef struct choice_rule {
    int rounds;        /* see 1. */
    int fill;          /* see 2. */
    int curves;        /* see 3. */
    double worth;      /* see 2. */
    double first;      /* see 2. */
    double others;     /* see 2. */
    int until_decided; /* 1: no runs for figures or tables beyond the paper, see 3. */
    int jobs;          /* concurrent runs, which a run that needs the machine to itself displaces */
    double left;       /* seconds; INFINITY: no limit */
    double time;       /* seconds in all, from the start; INFINITY: no limit */
} choice_rule;

extern const choice_rule choice_default; /* of jcb reproduce */

typedef struct choice_input {
    const choice_cell *cell;   /* all cells */
    int cells;                 /* their number */
    const choice_claim *claim; /* all orderings */
    int claims;                /* their number */
} choice_input;

/* NONE: nothing is left that fits. WAIT: the cell to be chosen is still being prepared. */
enum { CHOICE_NONE = -1, CHOICE_WAIT = -2 };

enum { CHOICE_TABLES = 256 };

/* The index of a cell, or one of these. */
int choice_next(const choice_input *in, const choice_rule *r);

/* Expected core-seconds until the ordering is decided; 0: all its runs have been started, INFINITY: it cannot be
 * decided. */
double choice_seconds(const choice_input *in, const choice_claim *q, const choice_rule *r);

/* Expected core-seconds of everything that choice_next would still choose without a time limit. */
double choice_left(const choice_input *in, const choice_rule *r);

#endif
