/* real: the number type. float everywhere; the gradient tests compile the library with double. */
#ifndef JCB_REAL_H
#define JCB_REAL_H

#include <math.h>

#ifdef JCB_DOUBLE
typedef double real;
#define REAL_NAME "double"
static inline void real_root(real *x) { *x = sqrt(*x); }
#else
typedef float real;
#define REAL_NAME "float"
static inline void real_root(real *x) { *x = sqrtf(*x); }
#endif

#endif
