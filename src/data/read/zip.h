/* zip: the members of a zip archive, stored or deflated, read one after the other in bounded memory.
 *
 * Sizes come from the central directory (zip64 included) and are checked against the file before anything is
 * allocated; the CRC is checked when the last byte of a member has been read. */
#ifndef JCB_ZIP_H
#define JCB_ZIP_H

#include "../../base/arena.h"
#include "stream.h"

typedef struct zip_member {
    const char *name;
    int method; /* 0 stored, 8 deflated */
    uint32_t crc;
    uint64_t packed, size; /* bytes in the archive and out of it */
    uint64_t at;           /* of the local header */
} zip_member;

typedef struct zip {
    stream file;
    int count;
    zip_member *member;
} zip;

typedef struct zip_reader zip_reader;

zip zip_open(arena *tmp, const char *path);

zip_reader *zip_start(arena *tmp, const zip *z, const zip_member *m);
zip_reader *zip_start_plain(arena *tmp, const stream *file); /* a whole file as if it were a stored member */
void zip_read(void *buf, zip_reader *r, size_t n);           /* exactly n bytes, or dies */
uint64_t zip_left(const zip_reader *r);                      /* bytes not yet read */

#endif
