/* gains: accuracy of one way to train minus that of another, over many places: what explains the gain, how much of it
 * depends on partition and split. The tables are declared in paper_tables: gains.tsv lists them, gain_rows.tsv their
 * rows.
 *
 * A *place* is a data set and model (and origin of the data). A *row* compares the cells of the experiment that match
 * one filter with those that match another, at every place. Cells of the first kind that differ in the keys `units`
 * (partition, split) are its units: g(u, r) is the gain of unit u in run r, against the other cell with the same keys;
 * runs count from 0 as far as all of them have them.
 *
 *   x(r) = mean over u of g(u, r)     the series that is tested: e-process, confidence sequence (anytime.h)
 *   unit(u) = mean over r of g(u, r)  their spread: sample sd, range, share above 0; where units have two keys, of the
 *                                     means over the second
 *
 * Verdicts have e-Holm over all rows and places of a table. A pooled gain is the mean of x(r) over the comparable
 * places (all, or those of a data set or model); e-Holm is over the rows. A row without a second filter is an accuracy.
 */
#ifndef JCB_GAINS_H
#define JCB_GAINS_H

#include "components.h"
#include "figure_parts.h"

enum gain_spread {
    SPREAD_NONE,
    SPREAD_ACCURACY, /* of the accuracy, over units and runs: components_two */
    SPREAD_GAIN      /* of the gain, over two kinds of units and runs: components_three */
};

typedef struct gain_row_def {
    const char *title;
    const char *of, *against; /* filters, see paper.h; against NULL: accuracy */
    key_list units;
    enum gain_spread spread;
    const char *series; /* its name in a figure of units; NULL: not there */
    int headline;       /* 1: its pooled gain is part of the headline of RESULTS.md */
} gain_row_def;

typedef struct gain_table_def {
    const char *label, *experiment; /* name of its files; whose runs fill it */
    const char *baseline;           /* in words: what its rows are compared with */
    const char *title, *text;       /* heading, and the paragraph below it */
    gain_row_def *row;
    int rows;
} gain_table_def;

typedef struct gain {
    const gain_row_def *row;
    int places;       /* pooled; 0: no runs */
    int units, n;     /* units (pooled: the most); runs 0 .. n-1 of all units */
    double *x;        /* n */
    int dots;         /* units of the first kind */
    double *unit;     /* dots, ascending: their gains, means over the second kind; NULL: pooled */
    double base;      /* mean accuracy of the other side in these runs; NaN: none */
    double mean;      /* of x; NaN without runs */
    double lo, hi;    /* 95 % confidence sequence; infinite below six runs */
    double e;         /* adjusted e-value */
    double sd, above; /* over the units: sample sd, share with a gain above 0 */
    double
        variance[COMPONENTS]; /* components, see gain_spread: first kind of units, second, both, run; may be below 0 */
    enum claim_verdict verdict; /* CONFIRMED: ahead, CONTRADICTED: behind, EQUAL: within 0.5 points, OPEN */
} gain;

typedef struct gain_place {
    const char *dataset, *model;
    enum origin origin;
    gain *row; /* of each row of the table */
} gain_place;

typedef struct gains {
    const gain_table_def *def;
    gain_place *place; /* by data set, then model */
    int places;
    gain *all;          /* pooled over all comparable places: one for each row */
    const char **model; /* the models of comparable places, in their order */
    gain **by_model;    /* one for each row, pooled over the places of a model */
    int models;
} gains;

gains gains_read(arena *a, const gain_table_def *d, const records *r);
/* Row i pooled over the comparable places of a data set and model (NULL: all); the verdict is its own. */
gain gains_pooled(arena *a, const gains *g, int i, const char *dataset, const char *model);
extern const char *const gain_word[CLAIM_VERDICTS]; /* ahead, behind, equal, undecided, not run */

void gains_tsv(buf *out, const gains *g);

figure_make figure_pooled; /* a panel for all data sets and for each, a line for each row */
figure_make figure_units;  /* a panel for each data set, a strip of dots for each model and row */

#endif
