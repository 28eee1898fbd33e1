/* real: the number type. float everywhere; the gradient tests compile the library with double. */
#ifndef JCB_REAL_H
#define JCB_REAL_H

#ifdef JCB_DOUBLE
typedef double real;
#define REAL_NAME "double"
#else
typedef float real;
#define REAL_NAME "float"
#endif

#endif
