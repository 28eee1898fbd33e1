/* table_files: the paper's tables with our numbers as files. */
#ifndef JCB_TABLE_FILES_H
#define JCB_TABLE_FILES_H

#include "table.h"

/* Reads records_dir (a directory of *.tsv, or one file; nothing there is no runs) and paper_dir, and writes for each
 * table out_dir/LABEL.md, .tex, .tsv, .claims.tsv; paper_claims.md, .tsv; README.md, the overview. The same records
 * give the same bytes. */
tables_summary tables_write(arena *a, const char *records_dir, const char *paper_dir, const char *out_dir);

#endif
