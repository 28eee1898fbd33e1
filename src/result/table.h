/* table: counts over all of the paper's tables with our numbers. */
#ifndef JCB_TABLE_H
#define JCB_TABLE_H

#include "../base/arena.h"

enum verdict { AGREES, HIGHER, LOWER, UNDECIDED, NOT_COMPARABLE, NOT_PRINTED, NOT_RUN, VERDICTS };
extern const char *const verdict_word[VERDICTS];

enum claim_verdict { CONFIRMED, CONTRADICTED, EQUAL, OPEN, CLAIM_NOT_RUN, CLAIM_VERDICTS };
extern const char *const claim_verdict_word[CLAIM_VERDICTS];

typedef struct tally {
    int run;                   /* printed cells with runs */
    int cell[VERDICTS];        /* cells by verdict */
    int claim[CLAIM_VERDICTS]; /* orderings on real data by verdict */
    int stand_in;              /* orderings tested on a substitute or a twin */
} tally;

typedef struct tables_summary {
    int tables, cells, orderings;      /* of the paper */
    tally all;                         /* over them */
    int statements, statements_differ; /* of the paper's text about its own tables */
    int rows, failed, malformed;       /* of the records */
} tables_summary;

/* Dies unless the directory has records that count in tables and figures: nothing is overwritten by empty files. */
void tables_need(const char *records_dir);

#endif
