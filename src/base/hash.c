/* hash: XXH3, 64 bits; what was hashed before goes in as the seed. */
#include "hash.h"
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(uint64_t h, const void *data, size_t bytes) { return XXH3_64bits_withSeed(data, bytes, h); }

uint64_t hash_u64(uint64_t h, uint64_t x) { return hash_bytes(h, &x, sizeof x); }

uint64_t hash_text(uint64_t h, const char *s) { return hash_bytes(h, s, strlen(s)); }
