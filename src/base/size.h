/* size: products of sizes, and the least work for which a loop is parallel. */
#ifndef JCB_SIZE_H
#define JCB_SIZE_H

#include <stddef.h>

#define SIZE(a, b) ((size_t)(a) * (size_t)(b))

/* Loops that write fewer numbers, with a few operations each, run on one thread: starting a team would cost more. */
#define TEAM_FROM 20000

#endif
