/* key_set: a set of 64-bit keys, open addressing. {0} is the empty set. Not thread-safe. */
#ifndef JCB_KEY_SET_H
#define JCB_KEY_SET_H

#include "../base/arena.h"
#include <stdint.h>

typedef struct key_set {
    uint64_t *slot; /* 0: free */
    size_t mask;    /* slots - 1, a power of two minus one; 0: none yet */
    size_t count;   /* of the keys in slot */
    int has_zero;   /* whether the key 0 is in the set: it has no slot */
} key_set;

void key_set_add(key_set *s, arena *a, uint64_t key); /* memory comes from a; a must be the same in every call */
int key_set_has(const key_set *s, uint64_t key);

#endif
