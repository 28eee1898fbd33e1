#include "hash.h"
#include <string.h>

uint64_t hash_u64(uint64_t h, uint64_t x)
{
    unsigned __int128 p = (unsigned __int128)(h ^ UINT64_C(0x9E3779B97F4A7C15)) * (x ^ UINT64_C(0xD1B54A32D192ED03));
    h = (uint64_t)p ^ (uint64_t)(p >> 64);
    h = (h ^ h >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 29;
}

uint64_t hash_bytes(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    h = hash_u64(h, bytes);
    for (; bytes >= 8; p += 8, bytes -= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = hash_u64(h, w);
    }
    uint64_t tail = 0;
    if (bytes)
        memcpy(&tail, p, bytes);
    return hash_u64(h, tail);
}

uint64_t hash_text(uint64_t h, const char *s)
{
    return hash_bytes(h, s, strlen(s));
}
