/* measure: time and memory, for the programs that measure the bench itself. */
#ifndef JCB_MEASURE_H
#define JCB_MEASURE_H

#include "../src/base/arena.h"

/* Seconds of the fastest run and of the median one: for so long, and at least three times unless three take ten times as long. */
typedef struct timing {
    double best, median;
} timing;
timing measure_time(void (*run)(void *arg), void *arg, double seconds);
double measure_median(double *x, int n); /* x is sorted */
void measure_busy(void);                 /* warns when others use the machine */

/* Runs fn(arg, result) in a process of its own, so that its memory is counted from nothing and none of it stays, and copies the n bytes of the
 * result back. Returns NULL, or why it failed. The caller must not have run OpenMP threads: they do not survive a fork. */
const char *measure_alone(arena *a, void (*fn)(void *arg, void *result), void *arg, void *result, size_t n);

void measure_reset_peak(void); /* the peak of the resident memory counts from now on */
double measure_peak(void);     /* that peak, in bytes */
double measure_memory(void);   /* bytes that the machine can still give */

#endif
