/* Taylor series on ranges short enough for 1 ulp; the ranges are reached by exact steps: powers of 2, quarter turns.
 * Sums are split in two chains of every other term, which run side by side. Compiled without contraction
 * (configure.ac). */
#include "portable.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln 2 and pi / 2 in two parts, the first with trailing zeros: small multiples of it are exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define QUARTER_HIGH 0x1.921fb54400000p0
#define QUARTER_LOW 0x1.0b4611a626331p-34
#define TO_WHOLE 0x1.8p52 /* added and taken off again, leaves the nearest whole number */

/* (e^r - 1 - r) / r^2, |r| <= ln 2 / 2 */
static double exp_rest(double r)
{
    double s = r * r;
    double even =
        1 / 2. + s * (1 / 24. + s * (1 / 720. + s * (1 / 40320. + s * (1 / 3628800. + s * (1 / 479001600.)))));
    double odd =
        1 / 6. + s * (1 / 120. + s * (1 / 5040. + s * (1 / 362880. + s * (1 / 39916800. + s * (1 / 6227020800.)))));
    return even + r * odd;
}

double portable_exp(double x)
{
    if (!(x < 710))
        return x > 0 ? INFINITY : x; /* x: not a number */
    if (x < -746)
        return 0;
    double n = x * 1.4426950408889634 + TO_WHOLE - TO_WHOLE;
    double high = x - n * LN2_HIGH, low = n * LN2_LOW, r = high - low;
    double y = 1 + (r + ((high - r - low) + r * r * exp_rest(r)));
    if (!(fabs(n) < 1000))
        return ldexp(y, (int)n);
    uint64_t bits = (uint64_t)(1023 + (int)n) << 52;
    double two_n;
    memcpy(&two_n, &bits, sizeof bits);
    return y * two_n;
}

double portable_expm1(double x) { return fabs(x) < .34 ? x + x * x * exp_rest(x) : portable_exp(x) - 1; }

/* m 2^k, m - 1 = f, s = f / (2 + f): log m = 2 atanh s = f - f^2 / 2 + s (f^2 / 2 + 2/3 s^2 + 2/5 s^4 + ...) */
double portable_log(double x)
{
    if (!(x > 0) || isinf(x))
        return x < 0 ? NAN : x == 0 ? -INFINITY : x;
    int k = 0;
    if (x < 0x1p-1022)
        x *= 0x1p54, k = -54;
    uint64_t bits, least = UINT64_C(0x3fe6a09e00000000); /* m from there, near the root of 1/2, to twice that */
    double m;
    memcpy(&bits, &x, sizeof bits);
    k += (int)((int64_t)(bits - least) >> 52);
    bits -= (uint64_t)(int64_t)((int64_t)(bits - least) >> 52) << 52;
    memcpy(&m, &bits, sizeof bits);
    double f = m - 1, s = f / (2 + f), z = s * s, w = z * z, half = f * f / 2;
    double odd = 2 / 3. + w * (2 / 7. + w * (2 / 11. + w * (2 / 15. + w * (2 / 19. + w * (2 / 23.)))));
    double even = 2 / 5. + w * (2 / 9. + w * (2 / 13. + w * (2 / 17. + w * (2 / 21.))));
    return k * LN2_HIGH - ((half - (s * (half + (z * odd + w * even)) + k * LN2_LOW)) - f);
}

double portable_log1p(double x)
{
    double u = 1 + x;
    return portable_log(u) + (isinf(u) ? 0 : (x - (u - 1)) / u); /* what was rounded off u, times the slope there */
}

/* cos(x - turns pi / 2) */
static double turned(double x, int turns)
{
    double n = x * 0.63661977236758134 + TO_WHOLE - TO_WHOLE;
    double r = x - n * QUARTER_HIGH - n * QUARTER_LOW, s = r * r, y;
    turns = ((int)n - turns) & 3;
    if (turns & 1) {
        double t =
            1 / 6. -
            s * (1 / 120. -
                 s * (1 / 5040. - s * (1 / 362880. - s * (1 / 39916800. -
                                                          s * (1 / 6227020800. - s * (1 / 1307674368000. -
                                                                                      s * (1 / 355687428096000.)))))));
        y = r - r * s * t;
    } else {
        double t =
            1 / 24. -
            s * (1 / 720. -
                 s * (1 / 40320. -
                      s * (1 / 3628800. -
                           s * (1 / 479001600. -
                                s * (1 / 87178291200. - s * (1 / 20922789888000. - s * (1 / 6402373705728000.)))))));
        double half = s / 2, one = 1 - half;
        y = one + (1 - one - half + s * s * t);
    }
    return turns == 1 || turns == 2 ? -y : y;
}

double portable_cos(double x) { return turned(x, 0); }
double portable_sin(double x) { return turned(x, 1); }

double portable_tanh(double x)
{
    double e = portable_expm1(-2 * fabs(x)), y = -e / (2 + e);
    return x < 0 ? -y : y;
}

/* A number as an unrounded sum, high + low. */
typedef struct pair {
    double high, low;
} pair;

static pair product(pair x, pair y)
{
    double high = x.high * y.high, low = __builtin_fma(x.high, y.high, -high) + (x.high * y.low + x.low * y.high);
    return (pair){high + low, low - (high + low - high)};
}

double portable_power(double x, long n)
{
    pair y = {1, 0}, square = {x, 0};
    for (; n; n >>= 1, square = product(square, square))
        y = n & 1 ? product(y, square) : y;
    return y.high;
}
