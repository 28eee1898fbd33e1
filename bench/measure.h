/* measure: time and memory, for the programs that measure the bench itself. */
#ifndef JCB_MEASURE_H
#define JCB_MEASURE_H

#include "../src/base/arena.h"

typedef struct timing {
    double best, median; /* seconds of the fastest run and of the median one */
} timing;

/* Repeats run(arg) for about `seconds`, at least three times unless that takes more than ten times as long. */
timing measure_time(void (*run)(void *arg), void *arg, double seconds);
double measure_median(double *x, int n); /* x is sorted */
void measure_busy(void);                 /* warns when others use the machine */

/* Runs fn(arg, result) in a process of its own, so that its memory is counted from nothing and none of it stays, and
 * copies the n bytes of the result back. Returns NULL, or why it failed. The caller must not have run OpenMP threads:
 * they do not survive a fork. */
const char *measure_alone(arena *a, void (*fn)(void *arg, void *result), void *arg, void *result, size_t n);

/* Runs this program again, with the arguments `command` (NULL: none), MEASURE_FLAG, args[0], args[1], ..., NULL, in a
 * process that shares nothing with this one, which may have threads and data of its own. The last line that it printed
 * goes to out[n]. Returns NULL, or why it failed. */
#define MEASURE_FLAG "--process"
const char *measure_process(arena *a, char *out, size_t n, const char *command, const char *const *args);
/* Whether this is such a process; its arguments, the name of the experiment first, are argv[2], ... */
int measure_is_process(int argc, char **argv);

void measure_reset_peak(void); /* restarts the peak of the resident memory */
double measure_peak(void);     /* that peak, in bytes */
double measure_memory(void);   /* bytes available on the machine */

#endif
