/* opt: command-line options from a table, with the help text made from the same table. */
#ifndef JCB_OPT_H
#define JCB_OPT_H

enum opt_type { OPT_FLAG, OPT_INT, OPT_REAL, OPT_TEXT, OPT_SECONDS };

typedef struct opt {
    const char *name; /* without the dashes; NULL ends the table */
    enum opt_type type;
    void *to;         /* int *, int *, double *, const char **, double * (of "90", "90s", "10m", "2h") */
    const char *arg;  /* what --help calls the value */
    const char *help;
    double min, max;  /* inclusive range of numbers; no check when both are 0 */
} opt;

/* Parses argv[1..argc); "--name value" or "--name=value". Returns the number of positional arguments, moved to
 * argv[1..]. On a mistake: one line with a hint, exit 2. --help prints `usage`, the options and `more`, exit 0; --version prints the version. */
int opt_parse(int argc, char **argv, const opt *table, const char *usage, const char *more);

#endif
