/* paper: the printed tables (paper_tables/LABEL.tsv), one printed number a cell, and filters over their cells. */
#ifndef JCB_PAPER_H
#define JCB_PAPER_H

#include "../base/arena.h"

typedef struct paper_cell {
    const char *dataset, *model, *loss, *setting, *metric; /* "-": none; setting: key=value, comma-joined */
    const char *value_text, *sd_text, *note;               /* as printed; "-": none */
    double value, sd;                                      /* NaN: none */
    int bold;
} paper_cell;

typedef struct paper {
    const char *name;    /* of the file, without .tsv */
    const char *caption; /* as printed */
    paper_cell *cell;
    int n;
} paper;

paper paper_read(arena *a, const char *dir, const char *name); /* dies on a malformed row */

/* The value under one of the columns dataset, model, loss, metric, or under a key of the setting; NULL when the setting
 * has no such key. The length goes to *n: the text ends there, not at a NUL. */
const char *paper_value(const paper_cell *c, const char *key, int *n);

/* Filters: comma-joined key=v1|v2; a value that ends in * stands for all that begin so, !v for all but v; "-" or ""
 * lets everything pass. */
int paper_match(const paper_cell *c, const char *filter);

int paper_filter_names(const char *filter, const char *key); /* whether the filter says what the key must be */

/* Whether b is the partner of a: equal in every column and key, except those that both filters name with different
 * values. */
int paper_partner(const paper_cell *a, const char *filter_a, const paper_cell *b, const char *filter_b);

/* Settings are equal as sets of pairs, whatever their order. extra is a part that x may have beyond y ("" for none). */
int paper_setting_equal(const char *x, const char *y, const char *extra);

/* Whether some cell has a printed number; if not, it is a table beyond the paper. */
int paper_prints(const paper *p);

int paper_decimals(const char *number); /* digits after the point, as printed */

#endif
