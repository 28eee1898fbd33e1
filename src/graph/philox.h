/* philox: rng_block for eight counters side by side.
 *
 * The two products of a round are 32 x 32 -> 64 bits. Words live in 64-bit lanes, whose upper halves may hold anything: the multiplication of SSE2 looks at
 * the lower ones only, so no round moves a word to another lane. */
#ifndef JCB_PHILOX_H
#define JCB_PHILOX_H

#include "../base/rng.h"
#include <string.h>

typedef uint64_t philox2 __attribute__((vector_size(16)));

#ifdef __SSE2__
#include <emmintrin.h>
#define PHILOX_PRODUCT(a, b) ((philox2)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#else
#define PHILOX_PRODUCT(a, b) (((a) & 0xffffffffu) * (b))
#endif

/* number[8 v + e] = the e-th of the eight 16-bit numbers of the block at counter (c0[v], c1[v], c2, c3), v < 8. */
static inline __attribute__((always_inline)) void philox8(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2, uint32_t c3)
{
    const philox2 m0 = {0xD2511F53u, 0xD2511F53u}, m1 = {0xCD9E8D57u, 0xCD9E8D57u};
    for (int v = 0; v < 8; v += 4) {
        philox2 x0[2], x1[2], x2[2], x3[2];
        for (int q = 0; q < 2; q++) {
            x0[q] = (philox2){c0[v + 2 * q], c0[v + 2 * q + 1]}, x1[q] = (philox2){c1[v + 2 * q], c1[v + 2 * q + 1]};
            x2[q] = (philox2){c2, c2}, x3[q] = (philox2){c3, c3};
        }
        uint32_t k0 = r.k0, k1 = r.k1;
        for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)
            for (int q = 0; q < 2; q++) {
                philox2 p0 = PHILOX_PRODUCT(x0[q], m0), p1 = PHILOX_PRODUCT(x2[q], m1);
                x0[q] = (p1 >> 32) ^ x1[q] ^ k0, x2[q] = (p0 >> 32) ^ x3[q] ^ k1;
                x1[q] = p1, x3[q] = p0;
            }
        for (int q = 0; q < 2; q++) {
            philox2 low = (x0[q] & 0xffffffffu) | x1[q] << 32, high = (x2[q] & 0xffffffffu) | x3[q] << 32;
            philox2 one = {low[0], high[0]}, two = {low[1], high[1]};
            memcpy(number + 8 * (v + 2 * q), &one, 16);
            memcpy(number + 8 * (v + 2 * q) + 8, &two, 16);
        }
    }
}

#endif
