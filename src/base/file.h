/* file: whole files in, whole files out. */
#ifndef JCB_FILE_H
#define JCB_FILE_H

#include "arena.h"
#include <stddef.h>
#include <sys/types.h>

typedef struct bytes {
    const unsigned char *p;
    size_t n;
    const char *path; /* for messages */
} bytes;

int file_exists(const char *path); /* a readable regular file */
int file_named(const char *path);  /* 0: the name does not exist. A file that exists but cannot be read gives 1;
                                      file_read says why */

int file_is_directory(const char *path);
int file_ends(const char *path, const char *suffix); /* whether the name ends so, and does not consist of it */

/* The names in a directory that end in the suffix and do not begin with a dot, without the suffix, sorted; *n of them.
 * None where there is no such directory; dies when it cannot be read. */
char **file_list(arena *a, const char *dir, const char *suffix, int *n);

/* The whole file, NUL-terminated beyond n, from the arena. Dies when it cannot be read or is larger than max
 * (0: 4 GiB). file_read_gz also inflates gzip data, max bounding the inflated size. */
bytes file_read(arena *a, const char *path, size_t max);
bytes file_read_gz(arena *a, const char *path, size_t max);

/* Replaces path by the bytes, through a temporary file beside it and rename(): a reader, a full disk or a crash
 * never leaves half a file. Creates missing directories. Dies on failure and removes the temporary file. */
void file_write(const char *path, const void *data, size_t n);

/* Of an open file; 0 or an errno. file_get reads n bytes from an offset, *got is less than n at the end of the file;
 * file_put writes all n bytes, in one write() unless that is cut short: the write after a short one fails with the
 * reason. */
int file_get(int fd, void *to, size_t n, off_t from, size_t *got);
int file_put(int fd, const void *data, size_t n);

void file_sync_dir(const char *path); /* waits until a new, renamed or removed name is on disk */
void file_mkdirs(const char *path);   /* every directory in front of the last '/' */

#endif
