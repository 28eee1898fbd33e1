/* rng: Philox4x32-10 (Salmon et al. 2011), a keyed bijection of counters: no state and no order.
 *
 * The key says which stream: (seed, run, purpose). The counter says which number of it, so that a thread, or
 * a computation over fewer rows, draws exactly the numbers that any other schedule would. */
#ifndef JCB_RNG_H
#define JCB_RNG_H

#include <stdint.h>

enum rng_purpose {
    RNG_SPLIT = 1,
    RNG_INIT,
    RNG_DROPOUT,
    RNG_PARTITION,
    RNG_TWIN,
    RNG_STATS,
    RNG_TUNE = 8,
    RNG_TSNE,
    RNG_ATTACK,
    RNG_BATCH
};

typedef struct rng {
    uint32_t k0, k1;
} rng;

/* Every random number of a result comes through these two: changing them changes the results version. */
uint64_t rng_mix(uint64_t h, uint64_t x);
uint64_t rng_seed(const char *text); /* a seed for rng_make from a name */

rng rng_make(uint64_t seed, uint64_t run, enum rng_purpose purpose);

static inline void rng_block(uint32_t out[4], rng r, uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ r.k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ r.k1;
        c1 = (uint32_t)p1, c3 = (uint32_t)p0, c0 = n0, c2 = n2;
        r.k0 += 0x9E3779B9u, r.k1 += 0xBB67AE85u;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

uint64_t rng_u64(rng r, uint64_t stream, uint64_t index);
double rng_uniform(rng r, uint64_t stream, uint64_t index);             /* [0, 1), 53 bits */
double rng_normal(rng r, uint64_t stream, uint64_t index);              /* mean 0, variance 1 */
uint64_t rng_below(rng r, uint64_t stream, uint64_t index, uint64_t n); /* 0 .. n-1, unbiased to 2^-64 n */
void rng_shuffle(int *v, int n, rng r, uint64_t stream);                /* Fisher-Yates */

#endif
