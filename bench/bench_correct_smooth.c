/* Table cs: MLP, then Correct & Smooth, after training with CE and with JC. The MLPs themselves are the cells of
 * bench_balanced and bench_imbalanced. The parameters of Correct & Smooth are chosen on validation nodes in each run.
 */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

static const char *const cells[] = {
    "model=mlp dataset=cora      loss=ce+cs",
    "model=mlp dataset=cora      loss=jc+cs " JC_MLP_CORA,
    "model=mlp dataset=citeseer  loss=ce+cs",
    "model=mlp dataset=citeseer  loss=jc+cs " JC_MLP_CITESEER,
    "model=mlp dataset=pubmed    loss=ce+cs",
    "model=mlp dataset=pubmed    loss=jc+cs " JC_MLP_PUBMED,
    "model=mlp dataset=dblp      loss=ce+cs wd=5e-3",
    "model=mlp dataset=dblp      loss=jc+cs " JC_MLP_DBLP,
    "model=mlp dataset=facebook  loss=ce+cs",
    "model=mlp dataset=facebook  loss=jc+cs " JC_MLP_FACEBOOK,
    LASTFM "model=mlp loss=ce+cs",
    LASTFM "model=mlp loss=jc+cs",
    ARXIV "model=mlp loss=ce+cs",
    ARXIV "model=mlp loss=jc+cs",
    NULL,
};

const bench bench_correct_smooth = {
    .name = "correct_smooth",
    .about = "table cs: Correct & Smooth after MLPs trained with CE and JC",
    .cells = cells,
};
BENCH_MAIN(bench_correct_smooth)
