/* edit: a graph under attack: its current links and the pairs flipped so far. */
#ifndef JCB_EDIT_H
#define JCB_EDIT_H

#include "attack.h"

typedef struct edit {
    csr graph; /* the current graph; edit_flip invalidates pointers into its arrays */
    csr spare;
    int64_t *done; /* the pairs u n + v that were flipped, ascending */
    int64_t ndone, budget;
} edit;

edit edit_new(arena *a, const csr *graph, int64_t budget); /* a copy, with room for so many flips */

/* Flips n distinct pairs that were not flipped before, in one pass over the graph. */
void edit_flip(edit *e, const flip *f, int64_t n);

int edit_linked(const csr *graph, int u, int v);

/* The first entry of done that is at least (u, v). */
int64_t edit_from(const edit *e, int u, int v);

#endif
