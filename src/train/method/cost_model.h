/* cost_model: what a run will take, before one is measured. */
#ifndef JCB_COST_MODEL_H
#define JCB_COST_MODEL_H

#include "method.h"

/* Whether runs on a graph of this size run alone, on all threads; on smaller ones they are concurrent, one thread
 * each. */
int cost_large(int64_t nodes);

/* Seconds of a run, within a factor of about four: from the data; from what the catalogue says about them, before they
 * are opened. */
double cost_of(const problem *p, const cell *c);
double cost_of_unopened(const catalog_entry *e, const cell *c);

#endif
