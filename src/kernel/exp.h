/* exp: exponential functions for x <= 0 that compilers vectorise. */
#ifndef JCB_EXP_H
#define JCB_EXP_H

#include "real.h"
#include "simd.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef JCB_DOUBLE
static inline real exp_negative(real x) { return exp(x); }
static inline real expm1_negative(real x) { return expm1(x); }
#else

/* x <= 0: e^x = 2^n (1 + t), t = e^r - 1 by a polynomial, |r| <= ln2 / 2. */
INLINE float exp_parts(float *t, float x)
{
    x = x > -87 ? x : -87;
    float n = fused(x, 1.44269504f, 12582912.0f); /* adding 1.5 * 2^23 rounds to a whole number, kept in the low bits */
    int32_t bits;
    memcpy(&bits, &n, 4);
    n -= 12582912.0f;
    float r = fused(n, 2.12194440e-4f, fused(n, -0.693359375f, x));
    float p = 1.9875691500e-4f;
    p = fused(p, r, 1.3981999507e-3f);
    p = fused(p, r, 8.3334519073e-3f);
    p = fused(p, r, 4.1665795894e-2f);
    p = fused(p, r, 1.6666665459e-1f);
    p = fused(p, r, 5.0000001201e-1f);
    *t = fused(p * r, r, r);
    int32_t power = (int32_t)(((uint32_t)bits << 23) + 0x3f800000u);
    float two_n;
    memcpy(&two_n, &power, 4);
    return two_n;
}

/* Within 2 ulp. */
INLINE float exp_negative(float x)
{
    float t, two_n = exp_parts(&t, x);
    return (t + 1) * two_n;
}

INLINE float expm1_negative(float x)
{
    float t, two_n = exp_parts(&t, x);
    return fused(two_n, t, two_n - 1);
}
#endif

#endif
