/* bench_row: a row of an experiment's text file, between reading (bench.c) and making cells (bench_cells.c). */
#ifndef JCB_BENCH_ROW_H
#define JCB_BENCH_ROW_H

#include "bench.h"
#include "product.h"

enum bench_column { COLUMN_FOR, COLUMN_CELLS, COLUMN_FROM, COLUMN_ONLY, COLUMN_SETTING, COLUMN_SOURCE, BENCH_COLUMNS };

typedef struct bench_row {
    int line;                         /* of the file */
    int first;                        /* whether it begins a block: rows that share `for` */
    const char *text[BENCH_COLUMNS];  /* as in the file, `"` replaced, "" where it has nothing */
    const char *where[BENCH_COLUMNS]; /* file, line and column, for messages */
    product loop;                     /* of `for` */
    product cells;                    /* of `cells` */
    bench *base;                      /* of `from`; NULL: the defaults */
    const char *which;                /* which cells of base, as for select_cell, with {key} */
    enum source source;               /* of `source` */
    int *loop_used;                   /* for each key of the loop: whether {key} reads it; shared in the block */
    int *cells_used;                  /* the same for cells */
    int made;                         /* cells */
    unsigned known;                   /* keys of `from` that some base has, see select_cell */
    unsigned known_only;              /* the same for `only` */
} bench_row;

#endif
