/* command_log: the commands that made the records and how long they took: RECORDS/commands.log, two lines for each
 * start of a program.
 *
 *   started  ID  TIME (UTC)  JOBS  COMMAND
 *   ended    ID  SECONDS     RUNS
 * separated by tabs, appended in one write each. A command that was killed has no second line. Informative only:
 * no result depends on it. */
#ifndef JCB_COMMAND_LOG_H
#define JCB_COMMAND_LOG_H

#include "../base/buf.h"

typedef struct command_log {
    char path[4096], id[40];
    double start;
} command_log;

/* dir: of the records; the command is the program and argv[1], argv[2], ... Write errors are ignored. */
void command_log_start(command_log *l, const char *dir, const char *program, int argc, char *const *argv, int jobs);
void command_log_end(const command_log *l, int runs);

/* Appends the command as one would type it, the program in place of argv[0]. */
void command_text(buf *out, const char *program, int argc, char *const *argv);

typedef struct command_line {
    const char *command, *first;   /* first: time of the first start */
    int starts, ended, runs, jobs; /* ended: how many of the starts; runs and seconds are theirs */
    double seconds;
} command_line;

/* The commands, equal ones counted together, in the order of their first start; none if there is no file. Incomplete
 * lines are skipped. */
command_line *command_log_read(arena *a, const char *dir, int *n);

#endif
