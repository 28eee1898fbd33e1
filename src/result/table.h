/* table: counts over all of the paper's tables with our numbers. */
#ifndef JCB_TABLE_H
#define JCB_TABLE_H

#include "../base/arena.h"

typedef struct tables_summary {
    int tables, cells, cells_run;
    int agrees, higher, lower, undecided, not_comparable;         /* of cells_run; the rest has no printed number */
    int orderings, confirmed, contradicted, equal, open, not_run; /* on real data; not_run: of all */
    int stand_in;                                                 /* orderings tested on a substitute or a twin */
    int statements, statements_differ;                            /* of the paper's text about its own tables */
    int rows, failed, malformed;                                  /* of the records */
} tables_summary;

/* Dies unless the directory has records that count in tables and figures: nothing is overwritten by empty files. */
void tables_need(const char *records_dir);

#endif
