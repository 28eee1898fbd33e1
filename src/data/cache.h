/* cache: a data set as one binary file that is mapped, not read.
 *
 * The file begins with a header: magic, version, sizeof(real), a stamp that names what the data set was made from,
 * counts, the place of every array, a hash of the payload and one of the header itself; the arrays follow, each at a
 * multiple of 64 bytes, in the machine's byte order. A file that fails any of these checks is not used. */
#ifndef JCB_CACHE_H
#define JCB_CACHE_H

#include "dataset.h"

/* Fills everything but the name with pointers into the mapped file, which stays mapped, read-only, until the program
 * ends. Returns 0 when there is no such file or one of another stamp or version, and, with a warning, when it is
 * damaged. */
int cache_load(arena *a, dataset *d, const char *path, uint64_t stamp);

/* Returns 0, with one warning per program, when the file cannot be written. */
int cache_store(const char *path, const dataset *d, uint64_t stamp);

/* Whether files can be created in the directory, which is made if missing; warns once per program when not. */
int cache_usable(const char *dir);

#endif
