/* own: formats of users' graphs. Each is one load_NAME.c and, if it can be written, one save_NAME.c; the table
 * in own.c is the only place that lists them. */
#ifndef JCB_OWN_H
#define JCB_OWN_H

#include "../dataset.h"

typedef void saver(arena *tmp, const dataset *d, const char *dir); /* writes the files below dir; dies on failure */
saver save_plain, save_arrays, save_mtx, save_ogb;

typedef struct own_format {
    const char *name;
    const char *sign; /* the file by which a directory is recognised; NULL: the path is a file that ends in `suffix` */
    const char *suffix;
    const char *files; /* what belongs to it, for messages and --help */
    loader *load;
    saver *save; /* NULL: can only be read */
} own_format;

extern const own_format own_formats[];
extern const int own_count;

const own_format *own_detect(const char *path); /* dies when path is none of them, or could be two */
int own_is_file(const char *path);              /* a file that exists, in a format of one file */

const own_format *own_writable(const char *name); /* dies listing the formats that can be written */

/* Writes a copy of the data set, nodes in the order of its files, into the directory `to`, which must not exist or be
 * empty; reads it again and dies, having removed nothing, when the copy has another hash. Returns the hash. */
uint64_t own_save(const dataset *d, const char *cache, const char *to, const own_format *f);

#endif
