/* grid: hyper-parameters as text: "key=value key=value" is a spec, "key=value,value key=value,value" a grid of them. */
#ifndef JCB_GRID_H
#define JCB_GRID_H

#include "../base/arena.h"
#include "../net/spec.h"

/* Sets the fields that the text names; the value of the key `setting` goes to *setting (an error where that is NULL).
 * Dies with a message that begins with `where`. Returns the fields that were set: bit k for field k. */
uint64_t grid_spec(arena *a, spec *s, const char **setting, const char *text, const char *where);

/* All hyper-parameters as "key=value key=value", except those that name the cell (dataset, model, loss, attack) and
 * split, norm and method where they have their defaults. */
const char *grid_spec_text(arena *a, const spec *s);

enum { GRID_KEYS = 16, GRID_VALUES = 64, GRID_POINTS = 10000 };

typedef struct grid {
    int nkeys, field[GRID_KEYS], nvalues[GRID_KEYS];
    const char *value[GRID_KEYS][GRID_VALUES];
    const char *text; /* as declared, one space between keys */
    uint64_t size;    /* points */
} grid;

/* Dies when the text is no grid, or names dataset, model, loss, split, attack or method: these identify the cell and
 * are not searched. */
grid grid_parse(arena *a, const char *text);

/* The points to try: the base, then the others of the grid in order (the last key varies fastest), or `random` of them
 * drawn without replacement if random > 0. balanced: of v consecutive points drawn, each of the v values of a key is
 * used once, but for points that were there already; a key has the same values in every grid with the seed. Returns
 * their number, at most GRID_POINTS. */
int grid_points(arena *a, spec **out, const grid *g, const spec *base, int random, int balanced, uint64_t seed);

/* The values of a point for the grid's keys, as "key=value key=value". */
const char *grid_point_text(arena *a, const grid *g, const spec *s);

#endif
