/* hash: 64 bits that name a piece of data (not cryptographic; SHA-256 guards downloads). */
#ifndef JCB_HASH_H
#define JCB_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_INIT UINT64_C(0x243F6A8885A308D3)

uint64_t hash_u64(uint64_t h, uint64_t x);
uint64_t hash_bytes(uint64_t h, const void *data, size_t bytes);
uint64_t hash_text(uint64_t h, const char *s);

#endif
