/* claims: statements of the paper's text about its tables (paper_tables/claims.tsv), recomputed from the printed cells.
 * Our runs are not involved: a difference is between the paper's text and its tables. The same statistic of our means
 * is given beside it, without a verdict (orderings are tested in contrasts.c). */
#ifndef JCB_CLAIMS_H
#define JCB_CLAIMS_H

#include "../base/buf.h"
#include "paper.h"

enum claim_result {
    CLAIM_MATCHES,  /* the printed cells give the number of the text, to its digits */
    CLAIM_DIFFERS,  /* they do not */
    CLAIM_REPORTED, /* the text gives no number: the computed one is for information */
    CLAIM_EXTERNAL  /* not about a table */
};

typedef struct claim {
    const char *id, *table, *filter_a, *filter_b, *metric, *op, *group, *claimed, *text;
    enum claim_result result;
    int pairs;                             /* cells or pairs of cells that entered */
    double computed;                       /* NaN: none */
    const char *computed_text, *ours_text; /* "-": none */
} claim;

/* All claims, in the order of the file. Dies on one that names no cell. */
claim *claims_check(arena *a, const char *paper_dir, int *n);

/* Fills ours_text from cells that hold our numbers; NaN: none. */
void claims_ours(arena *a, claim *c, int n, const paper *ours, int papers);

const char *claims_word(enum claim_result r);

void claims_tsv(buf *out, const claim *c, int n);

#endif
