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

/* Elements or multiply-adds below which a parallel region costs more than it saves. No result depends on it. */
#define SERIAL_WORK 200000

#endif
