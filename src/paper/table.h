/* table: the paper's tables with our numbers, from records alone. */
#ifndef JCB_TABLE_H
#define JCB_TABLE_H

#include "../base/arena.h"

typedef struct tables_summary {
    int tables, cells, cells_run;
    int agrees, higher, lower, undecided, not_comparable;  /* of cells_run; the rest has no printed number */
    int orderings, confirmed, contradicted, equal, open, not_run; /* on real data; not_run: of all */
    int stand_in;                                          /* orderings tested on a substitute or a twin */
    int statements, statements_differ;                     /* of the paper's text about its own tables */
    int rows, failed, malformed;                           /* of the records */
} tables_summary;

/* Reads records_dir (a directory of *.tsv, or one file; nothing there is no runs) and paper_dir, and writes for each
 * table out_dir/LABEL.md, .tex, .tsv, .claims.tsv; paper_claims.md, .tsv; README.md, the overview. The same records
 * give the same bytes. */
tables_summary tables_write(arena *a, const char *records_dir, const char *paper_dir, const char *out_dir);

#endif
