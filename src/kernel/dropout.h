/* dropout: inverted dropout with counter-based random numbers. Element j of a row is kept with probability 1 - p,
 * decided by the number at counter (step, op, row, j) of the stream r, and scaled by 1 / (1 - p); so masks do not
 * depend on which other rows are computed. */
#ifndef JCB_DROPOUT_H
#define JCB_DROPOUT_H

#include "../base/rng.h"
#include "csr.h"

typedef struct dropout {
    rng r;
    uint32_t step, op;
    double p; /* 0: off */
} dropout;

real dropout_scale(const dropout *o);

/* to = drop(from), d elements; the same place is fine. */
void dropout_row(real *to, const real *from, int d, const dropout *o, uint32_t row);

/* to = values of s, dropped: entry j of row i by the number at (step, op, id of row i, j). */
void dropout_entries(real *to, const csr *s, const int *id, const dropout *o);

#endif
