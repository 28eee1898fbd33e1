/* json: the one shape of JSON that data sets use, {"key": 7, "key": [1, 2, 3], ...}, streamed through yajl.
 *
 * Memory: one window of the file and the longest list. */
#ifndef JCB_JSON_H
#define JCB_JSON_H

#include "../../base/arena.h"
#include <stdint.h>

typedef struct json_entry {
    const char *path;
    char key[64];
    int list; /* the value is a list, not one number */
    int64_t n;
    int64_t *v;
} json_entry;

/* Calls each(ctx, entry) for every entry of the object in the file, in its order. The entry is valid during the call;
 * each() may die. Integers may be written 1.0, as numpy does. */
void json_entries(arena *tmp, const char *path, void (*each)(void *ctx, const json_entry *e), void *ctx);

int json_key_id(const json_entry *e, int count); /* the key as an integer in 0 .. count-1, or dies */

#endif
