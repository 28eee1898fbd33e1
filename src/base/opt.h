/* opt: command-line options from a table, with the help text made from the same table. */
#ifndef JCB_OPT_H
#define JCB_OPT_H

enum opt_type { OPT_FLAG, OPT_INT, OPT_REAL, OPT_TEXT, OPT_SECONDS };

typedef struct opt {
    const char *name; /* without the dashes; NULL ends the table */
    enum opt_type type;
    void *to;        /* int *, int *, double *, const char **, double * (of "90", "90s", "10m", "2h") */
    const char *arg; /* what --help calls the value */
    const char *help;
    const char *value; /* default, as one would type it; NULL: *to stays as it is */
    double min, max;   /* inclusive range of numbers; no check when both are 0 */
} opt;

/* Parses argv[1..argc); "--name value" or "--name=value"; - and _ in a name are the same. Returns the number of
 * positional arguments, moved to argv[1..]. On a mistake: one line with a hint, exit 2. --help prints `usage`, the
 * options and `more`, exit 0; --version prints the version. --print-man prints the same as a manual page,
 * --print-options the names of the options, a line each, for shell completion. */
int opt_parse(int argc, char **argv, const opt *table, const char *usage, const char *more);
/* The same for programs without positional arguments. */
void opt_only(int argc, char **argv, const opt *table, const char *usage, const char *more);

/* Converts a name given on the command line to lower case in place (GCN, JC, Cora). NULL and the path of a file or
 * directory are left as they are. */
void opt_fold(const char *name);

/* Reports a mistake in the command line in one line with a hint, and exits with 2. Exit code 2 is for what is wrong in
 * the command line itself, independent of any file; 1 for every later failure. */
_Noreturn void opt_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For programs without a table of options: handles --print-man and --print-options. 1 when s was one of them. */
int opt_describe(const char *s, const char *usage);

/* Runs fn(arg), which parses option values; reports its die() as opt_wrong. */
void opt_try(void (*fn)(void *arg), void *arg);

/* Options that several programs take. */
#define OPT_DATA(to)                                                                                                  \
    {                                                                                                                 \
        "data", OPT_TEXT, to, "DIR",                                                                                  \
            "data directory: catalog.tsv, raw/, cache/; outside the source tree ~/.local/share/jcbench", "data", 0, 0 \
    }
#define OPT_OUT(to)                                                      \
    {                                                                    \
        "out", OPT_TEXT, to, "DIR", "results directory", "results", 0, 0 \
    }
#define OPT_SPECS(to)                                                                                         \
    {                                                                                                         \
        "specs", OPT_TEXT, to, "DIR", "hyper-parameters found by jcb tune (default: bench/specs)", NULL, 0, 0 \
    }
#define OPT_RECORDS(to)                                                                   \
    {                                                                                     \
        "records", OPT_TEXT, to, "DIR", "record files (default: OUT/records)", NULL, 0, 0 \
    }
#define OPT_PAPER(to)                                                            \
    {                                                                            \
        "paper", OPT_TEXT, to, "DIR", "the paper's tables", "paper_tables", 0, 0 \
    }
#define OPT_CELLS(to)                                                                                                 \
    {                                                                                                                 \
        "only", OPT_TEXT, to, "K=V,...", "only cells with these hyper-parameters or settings; V may be A|B", NULL, 0, \
            0                                                                                                         \
    }
#define OPT_JOBS(to)                                                                                    \
    {                                                                                                   \
        "jobs", OPT_INT, to, "N", "concurrent runs on small graphs (default: the cores)", NULL, 1, 4096 \
    }
#define OPT_TIME(to)                                                                                                  \
    {                                                                                                                 \
        "time", OPT_SECONDS, to, "TIME", "time limit, 90s, 10m, 2h: a run that would exceed it is not started", NULL, \
            0, 0                                                                                                      \
    }
#define OPT_TIMEOUT(to)                                                                                              \
    {                                                                                                                \
        "timeout", OPT_SECONDS, to, "TIME", "runs that take longer are killed and recorded as failed:timeout", NULL, \
            0, 0                                                                                                     \
    }
#define OPT_SEED(to)                                                               \
    {                                                                              \
        "seed", OPT_INT, to, "S", "seed of all random numbers", "1", 0, 2147483647 \
    }
#define OPT_QUIET(to)                                                      \
    {                                                                      \
        "quiet", OPT_FLAG, to, NULL, "no progress, no summary", NULL, 0, 0 \
    }

#endif
