/* table_place: the data set and model that a line of our own tables (partitions, variance, explain) is about. It is the
 * first member of the struct of such a line, so that the functions below serve all of them. */
#ifndef JCB_TABLE_PLACE_H
#define JCB_TABLE_PLACE_H

#include "figure_parts.h"

typedef struct table_place {
    const char *dataset, *model;
    enum origin origin;
} table_place;

table_place table_place_of(const cell *c);
int table_place_equal(const table_place *x, const table_place *y);
int table_place_order(const table_place *x,
                      const table_place *y);                     /* by data set, then model, as the tables list them */
const char *table_place_dataset(arena *a, const table_place *p); /* their display names */
const char *table_place_model(arena *a, const table_place *p);

/* A copy of those of the n lines, each of `size` bytes, whose data may be compared with the paper's; n becomes their
 * number. */
void *table_place_comparable(arena *a, const void *lines, size_t size, int *n);

/* A point of a figure with a panel for each data set and a row for each model: last is the point of the line before
 * (panel 0: none), n the number of runs. Without x, mean and series. */
figure_row table_place_point(figure *f, const table_place *p, int n, const figure_row *last);

/* Appends a strip of dots, one for each of the n values (ascending), and a bar from quartile to quartile with the
 * median where there are more than `least` values. */
void table_place_strip(figure *f, figure_row r, const double *value, int n, int least);

#endif
