/* In place of src/data/dataset.c and load_*.c in the double-precision test library: its tests make their data in memory
 * or read a directory of plain text files (tests/fixtures/parity/toy). */
#include "../../src/base/err.h"
#include "../../src/data/read/prognn.h"

dataset *dataset_open(arena *a, const data_dirs *dirs, const char *name)
{
    draft f = {.d.name = name};
    dataset *d = NEW(a, dataset, 1);
    (void)dirs;
    load_run(load_plain, a, &f, name, name);
    f.d.origin = ORIGIN_USER;
    f.d.origin_note = "";
    dataset_finish(a, &f, name);
    *d = f.d;
    return d;
}

void load_prognn_graph(arena *a, draft *out, const char *path, int nodes)
{
    (void)a, (void)out, (void)nodes;
    die("%s: the double-precision test library reads plain text only", path);
}
