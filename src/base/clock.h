/* clock: wall time, and a progress line. */
#ifndef JCB_CLOCK_H
#define JCB_CLOCK_H

double clock_now(void); /* seconds, monotonic */

/* done/total, what, rate and ETA: one line rewritten in place on a terminal; in a pipe a plain line at most every
 * 30 s. total counts units of work, which may weigh differently: cost is the estimate of what is left in seconds, < 0 when unknown. */
typedef struct progress {
    int quiet, tty;
    const char *unit; /* what is counted: "runs" */
    double start, last;
} progress;

void progress_start(progress *p, int quiet);
void progress_show(progress *p, long done, long total, double left_seconds, const char *what);
void progress_clear(progress *p); /* before other output */

#endif
