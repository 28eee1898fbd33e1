#include "key_set.h"

/* The slot of the key, or the free slot in which it would be stored. */
static size_t slot_of(const key_set *s, uint64_t key)
{
    size_t i = key & s->mask;
    while (s->slot[i] && s->slot[i] != key)
        i = (i + 1) & s->mask;
    return i;
}

static void put(key_set *s, uint64_t key)
{
    size_t i = slot_of(s, key);
    s->count += !s->slot[i];
    s->slot[i] = key;
}

/* Keeps at least half of the slots free. */
static void grow(key_set *s, arena *a)
{
    const uint64_t *old = s->slot;
    size_t n = old ? s->mask + 1 : 0;
    s->mask = n ? 2 * n - 1 : 63;
    s->slot = NEW(a, uint64_t, s->mask + 1);
    s->count = 0;
    for (size_t i = 0; i < n; i++)
        if (old[i])
            put(s, old[i]);
}

void key_set_add(key_set *s, arena *a, uint64_t key)
{
    if (2 * (s->count + 1) > s->mask)
        grow(s, a);
    if (key)
        put(s, key);
    else
        s->has_zero = 1;
}

int key_set_has(const key_set *s, uint64_t key)
{
    if (!key)
        return s->has_zero;
    return s->mask && s->slot[slot_of(s, key)] == key;
}
