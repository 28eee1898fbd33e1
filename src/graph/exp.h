/* exp: one that compilers vectorise. */
#ifndef JCB_EXP_H
#define JCB_EXP_H

#include "real.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* exp for x <= 0 within 2 ulp (float): 2^n e^r with |r| <= ln2 / 2 and a polynomial for e^r. In double the C library's. */
static inline real exp_negative(real x)
{
#ifdef JCB_DOUBLE
    return exp(x);
#else
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
    p = p * r * r + r + 1;
    int32_t power = (int32_t)(((uint32_t)bits << 23) + 0x3f800000u);
    float two_n;
    memcpy(&two_n, &power, 4);
    return p * two_n;
#endif
}

#endif
