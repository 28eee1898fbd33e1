/* Table main_res: test accuracy on the class-balanced graphs, cross-entropy (CE) against the joint-cluster loss (JC).
 * Hyper-parameters of the authors' release; Cora, CiteSeer, PubMed on the public split, DBLP and Facebook on random
 * ones. */
#include "bench.h"
#include "main_cells.h"

const bench bench_balanced = {
    .name = "balanced",
    .about = "table main_res: accuracy on the class-balanced graphs",
    .cells = main_cells,
};
BENCH_MAIN(bench_balanced)
