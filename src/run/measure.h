/* measure: time and memory, for the programs that measure the bench itself. */
#ifndef JCB_MEASURE_H
#define JCB_MEASURE_H

#include "../base/arena.h"

typedef struct timing {
    double best, median; /* seconds of the fastest run and of the median one */
} timing;

/* Repeats run(arg) for about `seconds`, but at least three times unless that takes more than ten times `seconds`. */
timing measure_time(void (*run)(void *arg), void *arg, double seconds);
double measure_median(double *x, int n); /* sorts x */
void measure_busy(void);                 /* warns if other processes use the machine */

/* Runs fn(arg, result) in a forked process, so that its peak memory is its own and all of it is released, and copies
 * the n bytes of the result back. Returns NULL, or an error message in the arena. The caller must not have started
 * OpenMP threads: they do not survive a fork. */
const char *measure_alone(arena *a, void (*fn)(void *arg, void *result), void *arg, void *result, size_t n);

/* Runs `jcb bench MEASURE_FLAG args[0] args[1] ...` in a new process; args ends with NULL. The program must be jcb,
 * under whatever name, and args[0] the name of a kind (kind.h), whose function `process` gets args[1], ... The caller
 * may have threads. out[n] receives the last line that it prints. Returns NULL, or an error message in the arena. */
#define MEASURE_FLAG "--process"
const char *measure_process(arena *a, char *out, size_t n, const char *const *args);
/* Whether these are the arguments of `bench` in such a process. */
int measure_is_process(int argc, char **argv);

void measure_reset_peak(void); /* restarts the peak of the resident memory */
double measure_peak(void);     /* that peak, in bytes */

#endif
