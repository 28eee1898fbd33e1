/* calibration_table: whether JC is better calibrated than CE when both are treated alike, from the records of
 * bench_ece.
 *
 * The probabilities of the test nodes are scored (NLL, Brier, ECE with bins of equal width and of equal mass) in three
 * ways, see train/calibration.h: as predicted; after one temperature that is fitted on validation nodes; and JC at its
 * training temperature tau. Orderings: "JC is lower than CE" on paired runs, (1) both as predicted, (2) both at their
 * fitted temperatures, (3) JC at tau against CE as predicted. They are judged as the paper's orderings are
 * (contrasts.c); each score is a family of its own for e-Holm: 3 orderings for each data set of the experiment, run or
 * not. */
#ifndef JCB_CALIBRATION_TABLE_H
#define JCB_CALIBRATION_TABLE_H

#include "table_parts.h"

enum calibration_way { AS_PREDICTED, SCALED, AT_TAU, CALIBRATION_WAYS };
enum calibration_score { SCORE_ECE, SCORE_ECE_MASS, SCORE_NLL, SCORE_BRIER, CALIBRATION_SCORES };

/* A data set and model. */
typedef struct calibration_pair {
    const char *dataset, *model;
    const cell *score[2][CALIBRATION_WAYS][CALIBRATION_SCORES]; /* of CE and of JC; CE has no runs AT_TAU */
    const cell *temperature[2];
    const char *tau; /* of the runs of JC; "": none */
    const contrast *jc_below_ce[CALIBRATION_WAYS][CALIBRATION_SCORES];
} calibration_pair;

typedef struct calibration_table {
    calibration_pair *pair; /* those of bench_ece, run or not, then what else was recorded */
    int pairs;
} calibration_table;

calibration_table calibration_table_read(arena *a, const records *r);

/* A paragraph: what the records say about the paper's claim that JC lowers the ECE, and whether it survives temperature
 * scaling. */
const char *calibration_table_text(arena *a, const calibration_table *t);

#endif
