/* exp: exponential functions for x <= 0 that compilers vectorise. */
#ifndef JCB_EXP_H
#define JCB_EXP_H

#include "real.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* 16 elements, unaligned. */
typedef real exp16 __attribute__((vector_size(16 * sizeof(real)), aligned(sizeof(real)), may_alias));
#define EXP16_MAX(a, b) ((exp16)(((exp16_bits)(a) & ((a) > (b))) | ((exp16_bits)(b) & ~((a) > (b)))))

#ifdef JCB_DOUBLE
static inline real exp_negative(real x) { return exp(x); }
static inline real expm1_negative(real x) { return expm1(x); }
typedef int64_t exp16_bits __attribute__((vector_size(128)));
static inline void exp_negative16(exp16 *x)
{
    for (int q = 0; q < 16; q++)
        (*x)[q] = exp((*x)[q]);
}
#else

/* x <= 0: e^x = 2^n (1 + t), t = e^r - 1 by a polynomial, |r| <= ln2 / 2. */
static inline float exp_parts(float *t, float x)
{
    x = x > -87 ? x : -87;
    float n = x * 1.44269504f + 12582912.0f; /* adding 1.5 * 2^23 rounds to a whole number, kept in the low bits */
    int32_t bits;
    memcpy(&bits, &n, 4);
    n -= 12582912.0f;
    float r = x - n * 0.693359375f + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    *t = p * r * r + r;
    int32_t power = (int32_t)(((uint32_t)bits << 23) + 0x3f800000u);
    float two_n;
    memcpy(&two_n, &power, 4);
    return two_n;
}

/* Within 2 ulp. */
static inline float exp_negative(float x)
{
    float t, two_n = exp_parts(&t, x);
    return (t + 1) * two_n;
}

static inline float expm1_negative(float x)
{
    float t, two_n = exp_parts(&t, x);
    return two_n * t + (two_n - 1);
}

/* The same for 16 elements, as explicit vectors: GCC does not always vectorise the loop. */
typedef int32_t exp16_bits __attribute__((vector_size(64)));
static inline __attribute__((always_inline)) void exp_negative16(exp16 *y)
{
    exp16 x = *y, least = {0};
    least -= 87;
    x = EXP16_MAX(x, least);
    exp16 n = x * 1.44269504f + 12582912.0f;
    exp16_bits bits = (exp16_bits)n;
    n -= 12582912.0f;
    exp16 r = x - n * 0.693359375f + n * 2.12194440e-4f, p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    *y = (p * r * r + r + 1) * (exp16)((bits << 23) + 0x3f800000);
}
#endif

#endif
