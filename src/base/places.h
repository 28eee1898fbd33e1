/* places: where programs find their data files, whatever the working directory.
 *
 * Looked for in this order: the working directory (the source tree: data/, paper_tables/, bench/specs/, plots/); the
 * source tree that the program lies in; the directory share/jcbench beside the program's own (an installation that may
 * be moved); the one that was configured. Only defaults are replaced; a path given by the user is used unchanged. */
#ifndef JCB_PLACES_H
#define JCB_PLACES_H

#include "arena.h"

enum place {
    PLACE_CATALOG,
    PLACE_FILES,
    PLACE_REFERENCE,
    PLACE_COSTS,
    PLACE_FETCH,
    PLACE_PAPER,
    PLACE_SPECS,
    PLACE_EXPERIMENTS,
    PLACE_PLOTS,
    PLACES
};

/* The file or directory; NULL: not found. PLACE_EXPERIMENTS: one of the experiments, the others lie beside it. */
const char *places_find(arena *a, enum place p);

/* What the user gave for the place; its default is replaced by what places_find says where it does not exist. */
const char *places_of(arena *a, enum place p, const char *given);

/* Directories for what is fetched and cached when --data is left at its default and the working directory has no
 * data/: the source tree's own data/, else $XDG_DATA_HOME/jcbench (~/.local/share/jcbench) and $XDG_CACHE_HOME/jcbench
 * (~/.cache/jcbench). */
const char *places_data(arena *a);
const char *places_cache(arena *a);

#endif
