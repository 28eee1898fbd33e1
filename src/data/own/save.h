/* save: helpers of the writers of own formats (save_*.c). Nodes are numbered as in the files that the data set came
 * from. */
#ifndef JCB_SAVE_H
#define JCB_SAVE_H

#include "../../base/buf.h"
#include "../dataset.h"

typedef struct save {
    arena *a;
    const dataset *d;
    const char *dir;
    const int *node; /* of each row */
} save;

save save_begin(arena *a, const dataset *d, const char *dir);
const char *save_path(const save *s, const char *name);

/* Each link once, u < v, by u: fn(ctx, u, v). */
void save_links(const save *s, void (*fn)(void *ctx, int u, int v), void *ctx);

void save_parts(unsigned char *part, const save *s, int k); /* of each node in split k; PARTS: in none */
void save_number(buf *t, real x);                           /* with as many digits as reading it back needs */
int save_is_identity(const save *s);                        /* the features: no file then */
void save_tables(const save *s);                            /* labels, split and sizes: own_tables.h */
void save_gz(const save *s, const char *name, const buf *t);

#endif
