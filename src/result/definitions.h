/* definitions: the tables and figures of a paper, read from the directory of its printed tables:
 *
 *   tables.tsv   which experiment fills which table, its layout, its orderings
 *   metrics.tsv  what a metric is in a record
 *   titles.tsv   display names, and their order
 *   splits.tsv   data sets whose published splits overlap
 *   figures.tsv  what a figure shows and which script draws it
 *   gains.tsv    tables of gains, their rows in gain_rows.tsv (gains.h)
 *
 * README.md of that directory explains the columns. Another paper, or a table of your own, needs other files but no
 * code.
 *
 * The definitions are global and stay until the process ends: one paper per process. Call definitions_read before every
 * other function of this directory; reading the same directory again has no effect. Dies on a malformed file with its
 * name, row and field. */
#ifndef JCB_DEFINITIONS_H
#define JCB_DEFINITIONS_H

#include "figure_parts.h"
#include "gains.h"
#include "table_parts.h"

typedef struct title_def {
    const char *name, *title;
} title_def;

typedef struct reason_def { /* why we think that numbers of a table differ */
    const char *label;
    const char *evidence; /* proven, strong, plausible, not found, open */
    const char *text;
} reason_def;

extern struct definitions {
    const char *dir;  /* NULL: nothing was read */
    table_def *table; /* tables, then one without label */
    metric_def *metric;
    title_def *title;
    split_def *split;
    figure_def *figure; /* figures, then one without name */
    gain_table_def *gain;
    reason_def *reason;
    int reasons, tables, metrics, titles, splits, figures, gain_tables;
} definitions;

void definitions_read(const char *paper_dir);

#endif
