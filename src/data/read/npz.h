/* npz: numpy arrays in a zip archive (or a lone .npy file), converted while they are read.
 *
 * npy 1.0 to 3.0; booleans, integers and floats of the host's byte order; at most two dimensions. Members of other
 * types (pickled objects, unicode) are ignored until they are asked for, which is an error. */
#ifndef JCB_NPZ_H
#define JCB_NPZ_H

#include "../../base/arena.h"
#include "../../kernel/real.h"
#include <stdint.h>

typedef struct npz npz;

npz *npz_open(arena *tmp, const char *path);
npz *npz_open_npy(arena *tmp, const char *path); /* the file's one array has the key "" */

const char *npz_path(const npz *z);
int npz_has(const npz *z, const char *key);

typedef struct npz_shape {
    int dims;                  /* 0, 1 or 2 */
    int64_t rows, cols, count; /* rows x cols = count; missing dimensions are 1 */
} npz_shape;

npz_shape npz_find(npz *z, const char *key); /* dies when the array is missing or of an unsupported type */

/* The whole array by rows, from the arena. count: the number of elements it must have, -1 for any. Every element is
 * checked: integers to be in lo .. hi, reals (of any number type) to be finite; a flag is whether a finite number is
 * not 0. */
int *npz_ints(arena *a, npz *z, const char *key, int64_t count, int lo, int hi);
int64_t *npz_int64s(arena *a, npz *z, const char *key, int64_t count, int64_t lo, int64_t hi);
real *npz_reals(arena *a, npz *z, const char *key, int64_t count);
unsigned char *npz_flags(arena *a, npz *z, const char *key, int64_t count);

int npz_is_word(npz *z, const char *key, const char *word); /* a single byte string equal to word */

#endif
