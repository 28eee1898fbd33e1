/* results: the results for the repository: RESULTS.md, the figures it shows in doc/ beside it, and a block at the
 * start of a README. */
#ifndef JCB_RESULTS_H
#define JCB_RESULTS_H

#include "../data/dataset.h"
#include "table.h"

typedef struct results {
    const char *records, *paper, *figures, *specs; /* directories; only paper must exist */
    data_dirs dirs;                                /* to count duplicated nodes; missing data sets are listed as such */
    const char *reference;                         /* of `jcb check`; NULL: none */
    const char *const *programs;                   /* experiments that have a program; ends with NULL */
    const char *commit, *flags;                    /* of this build; commit NULL: unknown */
    int draft; /* 1: write although the commit has uncommitted changes or data of the records are missing, and say so */
} results;

/* Writes path and doc/NAME.svg beside it. With readme (not NULL; a file in the same directory) replaces the text
 * between the lines that begin with "<!-- results: begin" and "<!-- results: end" by the headline and a figure,
 * leaving every other byte as it is, and writes data/costs.tsv beside it (run/costs.h); dies, before anything is
 * written, unless there is one of each, in this order. Dies as well, unless it is a draft, when the page could not be
 * what a clean commit writes with all data. Every file is replaced atomically. The same records, data and figures give
 * the same bytes on one machine. */
tables_summary results_write(arena *a, const results *m, const char *path, const char *readme);

/* The text with the part between the marks replaced by block; dies naming path when the marks are missing. */
const char *results_replace(arena *a, const char *path, const char *text, const char *block);

#endif
