#include "rng.h"
#include "portable.h"
#include <math.h>
#include <string.h>

#define START UINT64_C(0x243F6A8885A308D3)

uint64_t rng_mix(uint64_t h, uint64_t x)
{
    unsigned __int128 p = (unsigned __int128)(h ^ UINT64_C(0x9E3779B97F4A7C15)) * (x ^ UINT64_C(0xD1B54A32D192ED03));
    h = (uint64_t)p ^ (uint64_t)(p >> 64);
    h = (h ^ h >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 29;
}

uint64_t rng_seed(const char *text)
{
    size_t n = strlen(text);
    uint64_t h = rng_mix(START, n), word;
    for (; n >= 8; text += 8, n -= 8) {
        memcpy(&word, text, 8);
        h = rng_mix(h, word);
    }
    word = 0;
    memcpy(&word, text, n);
    return rng_mix(h, word);
}

rng rng_make(uint64_t seed, uint64_t run, enum rng_purpose purpose)
{
    uint64_t h = rng_mix(rng_mix(rng_mix(START, seed), run), purpose);
    return (rng){(uint32_t)h, (uint32_t)(h >> 32)};
}

static void draw(uint32_t out[4], rng r, uint64_t stream, uint64_t index)
{
    rng_block(out, r, (uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32));
}

uint64_t rng_u64(rng r, uint64_t stream, uint64_t index)
{
    uint32_t u[4];
    draw(u, r, stream, index);
    return (uint64_t)u[1] << 32 | u[0];
}

double rng_uniform(rng r, uint64_t stream, uint64_t index)
{
    return (double)(rng_u64(r, stream, index) >> 11) * 0x1p-53;
}

double rng_normal(rng r, uint64_t stream, uint64_t index)
{
    uint32_t u[4];
    draw(u, r, stream, index);
    double a = ((double)(((uint64_t)u[1] << 32 | u[0]) >> 11) + 1) * 0x1p-53; /* (0, 1] */
    double b = (double)(((uint64_t)u[3] << 32 | u[2]) >> 11) * 0x1p-53;
    return sqrt(-2 * portable_log(a)) * portable_cos(6.283185307179586476925 * b);
}

uint64_t rng_below(rng r, uint64_t stream, uint64_t index, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)rng_u64(r, stream, index) * n) >> 64);
}

void rng_shuffle(int *v, int n, rng r, uint64_t stream)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)rng_below(r, stream, (uint64_t)i, (uint64_t)i + 1);
        int t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
}
