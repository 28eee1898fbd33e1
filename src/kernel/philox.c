/* The two products of a round are 32 x 32 -> 64 bits. Words live in 64-bit lanes, whose upper halves may hold anything:
 * the multiplication looks at the lower ones only, so no round moves a word to another lane. */
#include "philox.h"
#include <string.h>

typedef uint64_t two __attribute__((vector_size(16)));

#ifdef __SSE2__
#define PRODUCT(a, b) ((two)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#else
#define PRODUCT(a, b) (((a)&0xffffffffu) * (b))
#endif

CLONES static void by_two(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2,
                          uint32_t c3)
{
    const two m0 = {PHILOX_M0, PHILOX_M0}, m1 = {PHILOX_M1, PHILOX_M1};
    for (int v = 0; v < 8; v += 4) {
        two x0[2], x1[2], x2[2], x3[2];
        for (int q = 0; q < 2; q++) {
            x0[q] = (two){c0[v + 2 * q], c0[v + 2 * q + 1]}, x1[q] = (two){c1[v + 2 * q], c1[v + 2 * q + 1]};
            x2[q] = (two){c2, c2}, x3[q] = (two){c3, c3};
        }
        uint32_t k0 = r.k0, k1 = r.k1;
        for (int round = 0; round < 10; round++, PHILOX_NEXT(k0, k1))
            for (int q = 0; q < 2; q++) {
                two p0 = PRODUCT(x0[q], m0), p1 = PRODUCT(x2[q], m1);
                x0[q] = (p1 >> 32) ^ x1[q] ^ k0, x2[q] = (p0 >> 32) ^ x3[q] ^ k1;
                x1[q] = p1, x3[q] = p0;
            }
        for (int q = 0; q < 2; q++) {
            two low = (x0[q] & 0xffffffffu) | x1[q] << 32, high = (x2[q] & 0xffffffffu) | x3[q] << 32;
            two first = {low[0], high[0]}, second = {low[1], high[1]};
            memcpy(number + 8 * (v + 2 * q), &first, 16);
            memcpy(number + 8 * (v + 2 * q) + 8, &second, 16);
        }
    }
}

#ifdef HAVE_512
CODE_512 static void by_eight(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2,
                              uint32_t c3)
{
    __m512i to[2];
    philox8_512(to, r, _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)c0)),
                _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)c1)), c2, c3);
    memcpy(number, to, sizeof to);
}
#endif

void philox8(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2, uint32_t c3)
{
#ifdef HAVE_512
    if (simd_512()) {
        by_eight(number, r, c0, c1, c2, c3);
        return;
    }
#endif
    by_two(number, r, c0, c1, c2, c3);
}
