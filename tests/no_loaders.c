/* In place of src/data/dataset.c and load_*.c in the double-precision test library, whose tests make their data in
 * memory. */
#include "../src/base/err.h"
#include "../src/data/prognn.h"

dataset *dataset_open(arena *a, const data_dirs *dirs, const char *name)
{
    (void)a, (void)dirs;
    die("%s: the double-precision test library has no loaders", name);
}

void load_prognn_graph(arena *a, draft *out, const char *path, int nodes)
{
    (void)a, (void)out, (void)nodes;
    die("%s: the double-precision test library has no loaders", path);
}
