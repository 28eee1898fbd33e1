/* The two products of a round are 32 x 32 -> 64 bits. Words live in 64-bit lanes, whose upper halves may hold anything: the multiplication looks at
 * the lower ones only, so no round moves a word to another lane. */
#include "philox.h"
#include "simd.h"
#include <string.h>

#define M0 0xD2511F53u
#define M1 0xCD9E8D57u
#define NEXT(k0, k1) (k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)

typedef uint64_t two __attribute__((vector_size(16)));

#ifdef __SSE2__
#include <immintrin.h>
#define PRODUCT(a, b) ((two)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#else
#define PRODUCT(a, b) (((a) & 0xffffffffu) * (b))
#endif

CLONES static void by_two(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2, uint32_t c3)
{
    const two m0 = {M0, M0}, m1 = {M1, M1};
    for (int v = 0; v < 8; v += 4) {
        two x0[2], x1[2], x2[2], x3[2];
        for (int q = 0; q < 2; q++) {
            x0[q] = (two){c0[v + 2 * q], c0[v + 2 * q + 1]}, x1[q] = (two){c1[v + 2 * q], c1[v + 2 * q + 1]};
            x2[q] = (two){c2, c2}, x3[q] = (two){c3, c3};
        }
        uint32_t k0 = r.k0, k1 = r.k1;
        for (int round = 0; round < 10; round++, NEXT(k0, k1))
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
CODE_512 static void by_eight(uint16_t number[64], rng r, const uint32_t c0[8], const uint32_t c1[8], uint32_t c2, uint32_t c3)
{
    const __m512i m0 = _mm512_set1_epi64(M0), m1 = _mm512_set1_epi64(M1), low = _mm512_set1_epi64(0xffffffffu);
    __m512i x0 = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)c0)), x2 = _mm512_set1_epi64(c2);
    __m512i x1 = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)c1)), x3 = _mm512_set1_epi64(c3);
    for (int round = 0; round < 10; round++, NEXT(r.k0, r.k1)) {
        __m512i p0 = _mm512_mul_epu32(x0, m0), p1 = _mm512_mul_epu32(x2, m1);
        x0 = _mm512_srli_epi64(p1, 32) ^ x1 ^ _mm512_set1_epi64(r.k0), x2 = _mm512_srli_epi64(p0, 32) ^ x3 ^ _mm512_set1_epi64(r.k1);
        x1 = p1, x3 = p0;
    }
    x0 = (x0 & low) | _mm512_slli_epi64(x1, 32), x2 = (x2 & low) | _mm512_slli_epi64(x3, 32);
    _mm512_storeu_si512(number, _mm512_permutex2var_epi64(x0, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), x2));
    _mm512_storeu_si512(number + 32, _mm512_permutex2var_epi64(x0, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), x2));
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
