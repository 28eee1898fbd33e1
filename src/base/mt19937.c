#include "mt19937.h"
#include "portable.h"
#include <math.h>

enum { N = 624, M = 397 };

void mt19937_seed(mt19937 *r, uint32_t seed)
{
    *r = (mt19937){.next = N};
    r->state[0] = seed;
    for (uint32_t i = 1; i < N; i++)
        r->state[i] = 1812433253u * (r->state[i - 1] ^ (r->state[i - 1] >> 30)) + i;
}

static void refill(mt19937 *r)
{
    uint32_t *s = r->state;
    for (int i = 0; i < N; i++) {
        uint32_t y = (s[i] & 0x80000000u) | (s[(i + 1) % N] & 0x7fffffffu);
        s[i] = s[(i + M) % N] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    r->next = 0;
}

uint32_t mt19937_u32(mt19937 *r)
{
    if (r->next == N)
        refill(r);
    uint32_t y = r->state[r->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

double mt19937_uniform(mt19937 *r)
{
    uint32_t a = mt19937_u32(r) >> 5, b = mt19937_u32(r) >> 6;
    return (a * 67108864.0 + b) / 9007199254740992.0;
}

/* Marsaglia's polar method: f x2 is returned, f x1 kept for the next call. */
double mt19937_normal(mt19937 *r)
{
    if (r->has_spare) {
        r->has_spare = 0;
        return r->spare;
    }
    double x1, x2, r2;
    do {
        x1 = 2 * mt19937_uniform(r) - 1;
        x2 = 2 * mt19937_uniform(r) - 1;
        r2 = x1 * x1 + x2 * x2;
    } while (r2 >= 1 || r2 == 0);
    double f = sqrt(-2 * portable_log(r2) / r2);
    r->spare = f * x1;
    r->has_spare = 1;
    return f * x2;
}
