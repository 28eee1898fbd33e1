/* tsv: tables of text, tab-separated, '#' comment lines, then a header line that names the columns. */
#ifndef JCB_TSV_H
#define JCB_TSV_H

#include "arena.h"

typedef struct tsv {
    const char *path;
    int rows, cols;
    char **name;  /* cols */
    char ***cell; /* rows x cols; a short row is padded with "" */
    int torn;     /* 1: the last line had no newline and was left out (an interrupted append) */
} tsv;

tsv tsv_read(arena *a, const char *path); /* dies when the file cannot be read or a row has too many cells */
/* The same of n bytes of text that were read already; they are cut into cells in place. path: for messages. */
tsv tsv_parse(arena *a, const char *path, char *text, size_t n);
int tsv_col(const tsv *t, const char *name);                  /* -1: no such column */
int tsv_need(const tsv *t, const char *name);                 /* dies: no such column */
const char *tsv_get(const tsv *t, int row, const char *name); /* "" when there is no such column */
/* What follows "# TAG" in a comment line of the file; "": no such line. */
const char *tsv_comment(arena *a, const char *path, const char *tag);
double tsv_number(const tsv *t, int row, const char *name); /* NaN for "-" and ""; dies on other text */

int tsv_lists(const char *list, const char *word); /* whether the comma-joined list has the word */

#endif
