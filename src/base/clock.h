/* clock: wall time, and a progress line. */
#ifndef JCB_CLOCK_H
#define JCB_CLOCK_H

#include <stddef.h>

double clock_now(void); /* seconds, monotonic */
double clock_cpu(void); /* CPU seconds of the calling thread: not inflated by other load */
void clock_text(char *out, size_t size, double seconds); /* 12s, 3m05s, 2h10m; ? when negative or not known */

/* done/total, what, rate and ETA: one line rewritten in place on a terminal; in a pipe a plain line at most every
 * 30 s. done and total count units of work, which may differ in cost, so the caller estimates the seconds that are
 * left; < 0: unknown. */
typedef struct progress {
    int quiet, tty;
    const char *unit; /* what is counted: "runs" */
    double start, last;
} progress;

void progress_start(progress *p, int quiet);
void progress_show(progress *p, long done, long total, double left_seconds, const char *what);
int progress_is_due(const progress *p); /* whether enough time has passed for another line */
void progress_text(progress *p, const char *format, ...) __attribute__((format(printf, 2, 3))); /* any other line */
void progress_clear(progress *p); /* before other output */

#endif
