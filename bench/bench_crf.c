/* Table crf-gcn: models of dependent labels beside GCN with CE and JC: accuracy, time of a training epoch (validation
 * included) and of prediction. The paper quotes numbers of CRF-GCN and CGNF; here they are run, and GMNN is added.
 * Hyper-parameters are those of each method's authors where they are known (method/NAME.c says which are not); GMNN's
 * optimiser depends on the graph. For comparable times, run with --jobs 1 --threads 1 on an idle machine. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define ON_ALL(cell) "dataset=cora " cell, "dataset=citeseer " cell, "dataset=pubmed " cell

static const char *const cells[] = {
    ON_ALL("model=gcn loss=ce"),
    "dataset=cora     model=gcn loss=jc " JC_GCN_CORA,
    "dataset=citeseer model=gcn loss=jc " JC_GCN_CITESEER,
    "dataset=pubmed   model=gcn loss=jc " JC_GCN_PUBMED,
    ON_ALL("method=crf-gcn"),
    ON_ALL("method=cgnf"),
    "dataset=cora     method=gmnn optimiser=rmsprop lr=.05 epochs=100",
    "dataset=citeseer method=gmnn optimiser=rmsprop lr=.05",
    "dataset=pubmed   method=gmnn",
    ON_ALL("method=spn"),
    ON_ALL("method=spn-soft"),
    NULL,
};

const bench bench_crf = {
    .name = "crf",
    .about = "table crf-gcn: models of dependent labels (CRF-GCN, SPN, CGNF, GMNN) beside GCN with CE and JC: accuracy "
             "and times",
    .cells = cells,
};
BENCH_MAIN(bench_crf)
