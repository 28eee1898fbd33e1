/* flip_file: flips as text, a line `u v` for each pair, ids as the data set's files have them. Lines that start with
 * '#' are comments; the first one of a file that an attack writes says which attack it is. */
#ifndef JCB_FLIP_FILE_H
#define JCB_FLIP_FILE_H

#include "attack.h"

/* The pairs of a file, as rows, u < v; *n of them. Dies on an id out of range, a loop or a repeated pair, naming the
 * line. An unterminated last line counts, unless `cut`: then it is skipped, and *bytes is its offset. */
flip *flip_file_read(arena *a, int64_t *n, const char *path, const dataset *d, int cut, int64_t *bytes);

/* A file that an attack appends to. */
typedef struct flip_file {
    const char *path;
    int fd;
    const int *node; /* id, in the data set's files, of each row; NULL: identity */
} flip_file;

/* Opens or creates the file and locks it. An existing file must start with this header (a line, without its newline):
 * it is from an earlier start of the same attack, its flips are returned and an unterminated last line is removed. Dies
 * on another header and, unless `wait`, when another process holds the lock. */
flip_file flip_file_open(arena *a, flip **known, int64_t *nknown, const char *path, const char *header,
                         const dataset *d, int wait);
void flip_file_add(const flip_file *f, const flip *more, int64_t n); /* one write */
void flip_file_note(const flip_file *f, const char *note);           /* a line "# note" */
void flip_file_close(flip_file *f);                                  /* syncs to disk and unlocks */

#endif
