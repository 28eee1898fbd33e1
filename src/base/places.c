#include "places.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *tree, *share; /* below the source tree, below share/jcbench */
} name[PLACES] = {
    [PLACE_CATALOG] = {"data/catalog.tsv", "catalog.tsv"},
    [PLACE_FILES] = {"data/files.tsv", "files.tsv"},
    [PLACE_REFERENCE] = {"data/reference.tsv", "reference.tsv"},
    [PLACE_COSTS] = {"data/costs.tsv", "costs.tsv"},
    [PLACE_FETCH] = {"data/fetch.sh", "fetch.sh"},
    [PLACE_PAPER] = {"paper_tables", "paper_tables"},
    [PLACE_SPECS] = {"bench/specs", "specs"},
    [PLACE_EXPERIMENTS] = {"bench/balanced.tsv", "bench/balanced.tsv"},
    [PLACE_PLOTS] = {"plots", "plots"},
};

static int is_there(const char *path) { return access(path, R_OK) == 0; }

/* The directory above the one that the program lies in, as bin/jcb and src/jcb do; NULL: unknown. */
static const char *above(arena *a)
{
    enum { PATH_BYTES = 4096 };
    char *path = NEW(a, char, PATH_BYTES);
    ssize_t n = readlink("/proc/self/exe", path, PATH_BYTES - 1);
    if (n <= 0)
        return NULL;
    path[n] = 0;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return NULL;
        *slash = 0;
    }
    return path;
}

/* The source tree that the program lies in; NULL: it does not. */
static const char *tree(arena *a)
{
    const char *top = above(a);
    return top && is_there(arena_printf(a, "%s/data/catalog.tsv", top)) &&
                   is_there(arena_printf(a, "%s/paper_tables", top))
               ? top
               : NULL;
}

const char *places_find(arena *a, enum place p)
{
    const char *own = tree(a), *top = above(a);
    const char *candidate[] = {name[p].tree, own ? arena_printf(a, "%s/%s", own, name[p].tree) : NULL,
                               top ? arena_printf(a, "%s/share/jcbench/%s", top, name[p].share) : NULL,
                               arena_printf(a, "%s/%s", JCB_DATADIR, name[p].share)};
    for (size_t i = 0; i < sizeof candidate / sizeof *candidate; i++)
        if (candidate[i] && is_there(candidate[i]))
            return candidate[i];
    return NULL;
}

const char *places_of(arena *a, enum place p, const char *given)
{
    if (strcmp(given, name[p].tree) || is_there(given))
        return given;
    const char *found = places_find(a, p);
    return found ? found : given;
}

/* $VARIABLE/jcbench, else ~/REST/jcbench. */
static const char *xdg(arena *a, const char *variable, const char *rest)
{
    const char *dir = getenv(variable), *home = getenv("HOME");
    if (dir && *dir == '/') /* the specification wants absolute paths; others are ignored */
        return arena_printf(a, "%s/jcbench", dir);
    return arena_printf(a, "%s/%s/jcbench", home ? home : ".", rest);
}

const char *places_data(arena *a)
{
    const char *own = tree(a);
    return own ? arena_printf(a, "%s/data", own) : xdg(a, "XDG_DATA_HOME", ".local/share");
}

const char *places_cache(arena *a)
{
    const char *own = tree(a);
    return own ? arena_printf(a, "%s/data/cache", own) : xdg(a, "XDG_CACHE_HOME", ".cache");
}
