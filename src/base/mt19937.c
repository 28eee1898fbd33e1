#include "mt19937.h"
#include "arena.h"
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

/* --- Python's random --- */

/* init_by_array of the one word `seed`. */
void mt19937_seed_python(mt19937 *r, uint32_t seed)
{
    uint32_t *s = r->state;
    int i = 1;
    mt19937_seed(r, 19650218u);
    for (int k = 0; k < N; k++) {
        s[i] = (s[i] ^ (s[i - 1] ^ s[i - 1] >> 30) * 1664525u) + seed;
        if (++i == N)
            s[0] = s[N - 1], i = 1;
    }
    for (int k = 0; k < N - 1; k++) {
        s[i] = (s[i] ^ (s[i - 1] ^ s[i - 1] >> 30) * 1566083941u) - (uint32_t)i;
        if (++i == N)
            s[0] = s[N - 1], i = 1;
    }
    s[0] = 0x80000000u;
}

/* 0 .. n - 1: as many bits as n has, again until they are below n. */
static int below(mt19937 *r, int n)
{
    int shift = __builtin_clz((unsigned)n);
    uint32_t x = mt19937_u32(r) >> shift;
    while (x >= (uint32_t)n)
        x = mt19937_u32(r) >> shift;
    return (int)x;
}

/* Python draws from a list that it shortens, or, where k is small beside n, until it finds what it has not drawn yet.
 */
void mt19937_sample(int *out, mt19937 *r, int n, int k)
{
    arena a = {0};
    int64_t few = 21, power = 1;
    for (; k > 5 && power < 3 * (int64_t)k; power *= 4) /* 4 to the smallest power that is 3 k or more */
        ;
    few += k > 5 ? power : 0;
    int *pool = NEW(&a, int, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        pool[i] = i;
    for (int i = 0; i < k; i++) {
        int j = below(r, n <= few ? n - i : n);
        while (pool[j] < 0) /* never in the list that is shortened */
            j = below(r, n);
        out[i] = pool[j];
        pool[j] = n <= few ? pool[n - i - 1] : -1;
    }
    arena_free(&a);
}
