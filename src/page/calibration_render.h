/* calibration_render: the calibration table as text, in each format. */
#ifndef JCB_CALIBRATION_RENDER_H
#define JCB_CALIBRATION_RENDER_H

#include "../paper/calibration_table.h"

typedef struct text_grid {
    const char *const *head;
    const char **cell; /* rows x cols */
    int rows, cols;
} text_grid;

text_grid calibration_scores_grid(arena *a, const calibration_table *t);    /* mean and sd of the scores */
text_grid calibration_orderings_grid(arena *a, const calibration_table *t); /* JC - CE and the verdicts */
extern const char calibration_legend[], calibration_title[];

void calibration_md(arena *a, buf *out, const calibration_table *t);
void calibration_tex(arena *a, buf *out, const calibration_table *t);
void calibration_tsv(arena *a, buf *out, const calibration_table *t); /* a row for each score */
void calibration_claims_tsv(buf *out, const calibration_table *t);    /* a row for each ordering */

#endif
