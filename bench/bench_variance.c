/* How JC's gain varies with the split, the partition and the run. The paper has one split and one partition for Cora,
 * CiteSeer and PubMed: the public split, and the METIS partition of the default seed. Here the five models of main_res
 * are also trained on random splits with as many training nodes and 30 validation nodes a class, each crossed with
 * METIS partitions of other seeds; run k has the same seed on every split and partition, with CE and JC.
 * Hyper-parameters of bench_balanced, which the authors chose on the public split and the default partition. */
#include "bench.h"
#include "../src/base/arena.h"
#include "main_cells.h"
#include <string.h>

enum { SPLITS = 8, PARTITIONS = 3, MOST = 1000 }; /* random splits, METIS seeds besides the default, cells at most */

static int in_design(const char *cell)
{
    return strstr(cell, "dataset=cora ") || strstr(cell, "dataset=citeseer ") || strstr(cell, "dataset=pubmed ");
}

/* The cells of one row of main_cells on split s (0: the public one); returns their number. */
static int add_split(arena *a, const char **cells, const char *base, int s)
{
    const char *where = s ? arena_printf(a, "%s split=per-class:20:30@%d setting=split=%d", base, s, s)
                          : arena_printf(a, "%s setting=split=public", base);
    if (strstr(base, "loss=ce")) {
        cells[0] = where;
        return 1;
    }
    cells[0] = arena_printf(a, "%s,partition=metis", where);
    for (int p = 1; p <= PARTITIONS; p++)
        cells[p] = arena_printf(a, "%s,partition=metis:%d partition=metis:%d", where, p, p);
    return 1 + PARTITIONS;
}

static const char *const *make_cells(arena *a, const struct queue *q)
{
    const char **cells = NEW(a, const char *, MOST + 1);
    int n = 0;
    (void)q;
    for (int i = 0; main_cells[i]; i++)
        for (int s = 0; s <= SPLITS && in_design(main_cells[i]); s++)
            n += add_split(a, cells + n, main_cells[i], s);
    return cells;
}

const bench bench_variance = {
    .name = "variance",
    .about = "how much of the gain of JC depends on split, partition and run",
    .make_cells = make_cells,
    .tuned = "balanced",
    .runs = 3,
};
BENCH_MAIN(bench_variance)
