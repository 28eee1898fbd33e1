/* record_rows: reading record files, whatever state they are in. */
#ifndef JCB_RECORD_ROWS_H
#define JCB_RECORD_ROWS_H

#include "../base/arena.h"
#include "../base/tsv.h"
#include <stdint.h>

int record_key(const char *s, uint64_t *key); /* 1 when s is 16 hexadecimal digits */

/* The whole rows of one file, of any results version, in its order; the others are counted. */
tsv record_rows(arena *a, const char *path, int *malformed);

#endif
