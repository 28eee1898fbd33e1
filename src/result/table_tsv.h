/* table_tsv: a table for programs, with all digits. */
#ifndef JCB_TABLE_TSV_H
#define JCB_TABLE_TSV_H

#include "table_parts.h"

void table_tsv(buf *out, const table *t);                  /* one row for each cell */
void table_claims_tsv(arena *a, buf *out, const table *t); /* one row for each ordering */

#endif
