/* philox: rng_block for eight counters side by side. */
#ifndef JCB_PHILOX_H
#define JCB_PHILOX_H

#include "../base/rng.h"
#include "simd.h"

/* number[8 v + e] = the e-th of the eight 16-bit numbers of the block at counter (c0[v], c1[v], c2, c3), v < 8. */
void philox8(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2, uint32_t c3);

#define PHILOX_M0 0xD2511F53u
#define PHILOX_M1 0xCD9E8D57u
#define PHILOX_NEXT(k0, k1) (k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)

#ifdef __SSE2__
#include <immintrin.h>
#endif
#ifdef HAVE_512
/* The same in registers; a counter in each 64-bit lane. */
CODE_512 static inline void philox8_512(__m512i number[2], rng r, __m512i x0, __m512i x1, uint32_t c2, uint32_t c3)
{
    const __m512i m0 = _mm512_set1_epi64(PHILOX_M0), m1 = _mm512_set1_epi64(PHILOX_M1),
                  low = _mm512_set1_epi64(0xffffffffu);
    __m512i x2 = _mm512_set1_epi64(c2), x3 = _mm512_set1_epi64(c3);
    for (int round = 0; round < 10; round++, PHILOX_NEXT(r.k0, r.k1)) {
        __m512i p0 = _mm512_mul_epu32(x0, m0), p1 = _mm512_mul_epu32(x2, m1);
        x0 = _mm512_srli_epi64(p1, 32) ^ x1 ^ _mm512_set1_epi64(r.k0),
        x2 = _mm512_srli_epi64(p0, 32) ^ x3 ^ _mm512_set1_epi64(r.k1);
        x1 = p1, x3 = p0;
    }
    x0 = (x0 & low) | _mm512_slli_epi64(x1, 32), x2 = (x2 & low) | _mm512_slli_epi64(x3, 32);
    number[0] = _mm512_permutex2var_epi64(x0, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), x2);
    number[1] = _mm512_permutex2var_epi64(x0, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), x2);
}
#endif

#endif
