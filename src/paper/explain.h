/* explain: what explains the gain of JC over CE, from the records of bench_explain.
 *
 * A *row* is a way to train (CE as published, CE searched, JC on random clusters, ...), a *place* a data set and model.
 * The gain of a row at a place is the accuracy of the row minus that of another row, CE as published unless said
 * otherwise, over runs paired by split and seed; runs count in order and a missing one ends the comparison. JC on METIS
 * partitions of other seeds is one row: the mean over the partitions in each run. A pooled gain is the mean over the
 * places that have both rows in each run, for the runs that all these places have. Intervals are confidence sequences,
 * verdicts come from the paired t e-process (anytime.h), with e-Holm over all gains of the table. */
#ifndef JCB_EXPLAIN_H
#define JCB_EXPLAIN_H

#include "table_place.h"

enum explain_row {
    ROW_CE,
    ROW_CE_JC,
    ROW_CE_TUNED,
    ROW_CE_TAU,
    ROW_SMOOTH,
    ROW_CSMOOTH,
    ROW_POSTEL,
    ROW_ENSEMBLE,
    ROW_IC,
    ROW_JC_RANDOM,
    ROW_JC_METIS,
    ROW_JC,
    ROW_JC_TUNED,
    ROW_JCF,
    ROW_JCT,
    EXPLAIN_ROWS
};
extern const char *const explain_title[EXPLAIN_ROWS];

/* The runs of a row at a place: accuracy in percent. */
typedef struct explain_cell {
    double *acc;
    int n, partitions; /* runs 0 .. n-1, and how many partitions each is a mean over */
} explain_cell;

typedef struct explain_place {
    table_place at;
    explain_cell row[EXPLAIN_ROWS];
} explain_place;

typedef struct explain {
    explain_place *place; /* by data set, then model */
    int places;
} explain;

typedef struct explain_gain {
    int n, places;   /* paired runs; places that are pooled; 0: none */
    int least, most; /* partitions */
    double *x, mean, lo, hi;
    double e;                   /* e-value of the sequence; adjusted in explain_table */
    enum claim_verdict verdict; /* CONFIRMED: ahead, CONTRADICTED: behind, EQUAL: within 0.5 points, OPEN */
} explain_gain;

explain explain_read(arena *a, const records *r);

/* row minus against, at one place, or pooled over the comparable places of a data set and model (NULL: all). The
 * verdict is that of this gain by itself. */
explain_gain explain_at(arena *a, const explain_place *p, enum explain_row row, enum explain_row against);
explain_gain explain_pooled(arena *a, const explain *e, enum explain_row row, enum explain_row against,
                            const char *dataset, const char *model);

/* The gains over CE as published: places x EXPLAIN_ROWS, verdicts adjusted over all of them. */
explain_gain *explain_table(arena *a, const explain *e);

/* The same pooled over all places: EXPLAIN_ROWS, verdicts adjusted over the rows. */
explain_gain *explain_rows(arena *a, const explain *e);

const char *explain_text(
    arena *a,
    const explain *e); /* a paragraph: what is left of the gain at equal budgets; NULL: no runs on comparable data */
const char *explain_summary(arena *a, const explain *e);  /* five sentences: does it hold, where, against which control,
                                                             the partition, what to use; NULL as above */
const char *explain_sentence(arena *a, const explain *e); /* the gains by model in one sentence: the paper's partition,
                                                             other METIS starts, in-context; NULL: not measured */
const char *explain_show(arena *a, const explain_gain *g); /* "+1.20 (+0.31, +2.09), n 10"; "–": none */

void explain_md(buf *out, arena *a, const explain *e);
void explain_tsv(buf *out, arena *a, const explain *e);

#endif
