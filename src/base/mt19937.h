/* mt19937: the numbers of numpy's legacy RandomState(seed) and of Python's random.seed(seed): the Mersenne Twister of
 * Matsumoto and Nishimura (1998), seeded by its init_genrand and its init_by_array. Only for published recipes that
 * name such a seed; all other random numbers come from rng.h. */
#ifndef JCB_MT19937_H
#define JCB_MT19937_H

#include <stdint.h>

typedef struct mt19937 {
    uint32_t state[624];
    int next;      /* of state; 624: all used */
    int has_spare; /* the polar method makes normals in pairs */
    double spare;
} mt19937;

void mt19937_seed(mt19937 *r, uint32_t seed);
uint32_t mt19937_u32(mt19937 *r);
double mt19937_uniform(mt19937 *r); /* [0, 1), 53 bits: RandomState.random_sample */
double mt19937_normal(mt19937 *r);  /* mean 0, variance 1: RandomState.randn */

void mt19937_seed_python(mt19937 *r, uint32_t seed);     /* random.seed(seed) */
void mt19937_sample(int *out, mt19937 *r, int n, int k); /* random.sample(range(n), k), 0 <= k <= n */

#endif
