/* grid: hyper-parameters as text: "key=value key=value" is a spec, "key=value,value key=value,value" a grid of them. */
#ifndef JCB_GRID_H
#define JCB_GRID_H

#include "../base/arena.h"
#include "../model/spec.h"

/* Sets what the text names; the key `setting` goes to *setting, and is an error where that is NULL. Dies in one line
 * that begins with `where`. */
void grid_spec(arena *a, spec *s, const char **setting, const char *text, const char *where);

/* Every hyper-parameter but the first three, the attack, which belong to the cell, an automatic split or norm and the
 * usual method, as "key=value key=value". */
const char *grid_spec_text(arena *a, const spec *s);

enum { GRID_KEYS = 16, GRID_VALUES = 64, GRID_POINTS = 10000 };

typedef struct grid {
    int nkeys, field[GRID_KEYS], nvalues[GRID_KEYS];
    const char *value[GRID_KEYS][GRID_VALUES];
    const char *text; /* as declared, one space between keys */
    uint64_t size;    /* points */
} grid;

/* Dies in one line on what is not a grid. dataset, model, loss, split, attack and method are not searched: they are the
 * cell. */
grid grid_parse(arena *a, const char *text);

/* The points to try: the base, then the others of the grid, in order (the last key goes fastest); with random > 0 only
 * so many of them, drawn without repeats. All pass spec_check(). Returns their number; at most GRID_POINTS. */
int grid_points(arena *a, spec **out, const grid *g, const spec *base, int random, uint64_t seed);

/* The values that a point has for the grid's keys, as "key=value key=value". */
const char *grid_point_text(arena *a, const grid *g, const spec *s);

#endif
