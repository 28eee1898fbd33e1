/* philox: rng_block for eight counters side by side. */
#ifndef JCB_PHILOX_H
#define JCB_PHILOX_H

#include "../base/rng.h"

/* number[8 v + e] = the e-th of the eight 16-bit numbers of the block at counter (c0[v], c1[v], c2, c3), v < 8. */
void philox8(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2, uint32_t c3);

#endif
