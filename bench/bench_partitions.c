/* How much of JC's gain depends on the partition. The paper trains on one partition for each data set and number of
 * clusters: that of METIS with its default seed. Here GCN, SGC and MLP on Cora, CiteSeer and PubMed are also trained on
 * METIS partitions from 32 other seeds, on 32 random partitions of equal sizes and on k-means clusters from 8 seeds,
 * and compared with CE. Hyper-parameters of bench_balanced, which the authors chose on the default partition. */
#include "bench.h"
#include "../src/base/arena.h"
#include "cells.h"
#include <stddef.h>

enum { MOST = 1000 };

static const struct {
    const char *dataset, *model, *jc;
} base[] = {
    {"cora", "gcn", JC_GCN_CORA}, {"citeseer", "gcn", JC_GCN_CITESEER}, {"pubmed", "gcn", JC_GCN_PUBMED},
    {"cora", "sgc", JC_SGC_CORA}, {"citeseer", "sgc", JC_SGC_CITESEER}, {"pubmed", "sgc", JC_SGC_PUBMED},
    {"cora", "mlp", JC_MLP_CORA}, {"citeseer", "mlp", JC_MLP_CITESEER}, {"pubmed", "mlp", JC_MLP_PUBMED},
};

static const struct {
    const char *method;
    int seeds; /* 1 .. seeds */
} kind[] = {{"metis", 32}, {"random", 32}, {"kmeans", 8}};

static const char *const *make_cells(arena *a, const struct queue *q)
{
    const char **cells = NEW(a, const char *, MOST + 1);
    int n = 0;
    (void)q;
    for (size_t b = 0; b < sizeof base / sizeof *base; b++) {
        const char *where = arena_printf(a, "dataset=%s model=%s", base[b].dataset, base[b].model);
        cells[n++] = arena_printf(a, "%s loss=ce", where);
        cells[n++] = arena_printf(a, "%s loss=jc %s setting=partition=metis", where, base[b].jc);
        for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
            for (int s = 1; s <= kind[k].seeds; s++) {
                const char *method = arena_printf(a, "%s:%d", kind[k].method, s);
                cells[n++] = arena_printf(a, "%s loss=jc %s partition=%s setting=partition=%s", where, base[b].jc,
                                          method, method);
            }
    }
    return cells;
}

const bench bench_partitions = {
    .name = "partitions",
    .about = "how much of the gain of JC depends on the partition",
    .make_cells = make_cells,
};
BENCH_MAIN(bench_partitions)
