#include "rng.h"
#include "hash.h"
#include <math.h>

rng rng_make(uint64_t seed, uint64_t run, enum rng_purpose purpose)
{
    uint64_t h = hash_u64(hash_u64(hash_u64(HASH_INIT, seed), run), purpose);
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
    return sqrt(-2 * log(a)) * cos(6.283185307179586476925 * b);
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
